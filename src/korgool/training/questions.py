"""Questions about a position, with the answers that the rules give.

A question names its position and what is asked; what may be answered, what is right, and the sowing that shows it are
derived here by `korgool.rules`. Answers are texts: the number of a hole (`7`), a hole of a side (`black 3`), a number
of stones (`12`), or a word of `WORDS`. The reader sits South and is White.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from korgool.rules import Position, Rules, Side, Sowing

READER = Side.WHITE
"""The side of the reader."""
WORDS = frozenset({"even", "odd", "yes", "no", "white", "black", "nobody"})
"""The answers that are words."""
_OFFERED = 4
"""Numbers of stones to choose from."""
_SIDE_NAMES = ("white", "black")


class QuestionError(ValueError):
    """A question that cannot be asked; the message says why."""


class Way(StrEnum):
    """Ways in which questions are answered."""

    HOLE = "hole"
    """By a hole of the side to move, which is sown."""
    PLACE = "place"
    """By any hole of the board."""
    CHOICE = "choice"
    """By one of a few words or numbers."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a position.

    Attributes:
        ask: a name of `ASKS`.
        position: the board.
        move: the hole whose sowing it is about; 0 where the reader chooses the hole.
        at: the hole in which the last stone is to fall, as a hole of a side; empty where nothing is said of it.
    """

    ask: str
    position: Position
    move: int = 0
    at: str = ""

    def __post_init__(self) -> None:
        if self.ask not in ASKS:
            raise QuestionError(f"there is no question {self.ask[:40]!r}; there are {', '.join(sorted(ASKS))}")
        if (self.way is Way.HOLE) == bool(self.move):
            raise QuestionError(f"{self.ask} {'names no move' if self.move else 'is about a move, which it must name'}")
        if bool(self.at) != (self.ask == "land"):
            raise QuestionError(f"{self.ask}: only the question `land` names a place, and it must")
        if not self.right:
            raise QuestionError(f"{self.ask}: no answer is right in {self.position}")

    @property
    def way(self) -> Way:
        """Way in which it is answered."""
        return ASKS[self.ask][0]

    @property
    def answers(self) -> tuple[str, ...]:
        """Everything that may be answered, in the order in which it is offered."""
        match self.way:
            case Way.HOLE:
                return tuple(map(str, self.position.legal_moves()))
            case Way.PLACE:
                numbers = range(1, self.position.rules.holes + 1)
                return tuple(f"{side} {hole}" for side in _SIDE_NAMES for hole in numbers)
        (right,) = self.right
        for offered in (("even", "odd"), ("yes", "no"), ("white", "black", "nobody")):
            if right in offered:
                return offered
        return _numbers(int(right), str(self.position))

    @property
    def right(self) -> tuple[str, ...]:
        """The right answers."""
        _, judge = ASKS[self.ask]
        if self.way is Way.HOLE:
            holes = self.position.legal_moves()
            return tuple(str(hole) for hole in holes if judge(self, self.position.sow(hole)))
        return (str(judge(self, self.position.sow(self.move))),)

    def shown(self, answer: str) -> Sowing:
        """The sowing that shows what an answer is worth: of the chosen hole, else of the move that is asked about."""
        return self.position.sow(int(answer) if self.way is Way.HOLE else self.move)


def place_name(side: Side, hole: int) -> str:
    """A hole of a side as an answer."""
    return f"{_SIDE_NAMES[side]} {hole}"


def last_count(sowing: Sowing) -> int:
    """Count the stones that the last one makes in its hole, before they are taken; 0 in a store or a tuz."""
    last = sowing.last
    if not last.hole or last.tuz_owner is not None:
        return 0
    for side, hole, stones in sowing.captured:
        if (side, hole) == (last.side, last.hole):
            return stones
    return sowing.after.holes[last.side][last.hole - 1]


def gain(position: Position, sowing: Sowing) -> int:
    """Count the stones that come into the reader's store, with those that a tuz takes and a sweep."""
    stores = sowing.after.stores if sowing.outcome is None else sowing.outcome.stores
    return stores[READER] - position.stores[READER]


def is_safe(sowing: Sowing) -> bool:
    """Return whether no answer takes anything."""
    after = sowing.after
    return sowing.outcome is not None or not any(after.sow(hole).taken for hole in after.legal_moves())


def _yes(holds: object) -> str:
    return "yes" if holds else "no"


def _winner(sowing: Sowing) -> str:
    if sowing.outcome is None:
        raise QuestionError("the game goes on after this move")
    return "nobody" if sowing.outcome.winner is None else _SIDE_NAMES[sowing.outcome.winner]


def _home(position: Position) -> int:
    """Count the moves that leave no stone on the other side or in a store."""
    mover = position.to_move
    sowings = map(position.sow, position.legal_moves())
    return sum(all(drop.side is mover and drop.hole for drop in sowing.drops) for sowing in sowings)


def winning_count(rules: Rules) -> int:
    """The stones in a store that win: the goal, such as 82, or more than half of all where a game has none."""
    return rules.goal or 1 + rules.total // 2


def _needed(position: Position) -> int:
    return max(0, winning_count(position.rules) - position.stores[READER])


def _most(question: Question, sowing: Sowing) -> bool:
    position = question.position
    return sowing.taken == max(position.sow(hole).taken for hole in position.legal_moves()) > 0


Judge = Callable[[Question, Sowing], object]
ASKS: dict[str, tuple[Way, Judge]] = {
    "any": (Way.HOLE, lambda _, sowing: True),
    "single": (Way.HOLE, lambda _, sowing: sowing.lifted == 1),
    "land": (Way.HOLE, lambda it, sowing: place_name(sowing.last.side, sowing.last.hole) == it.at),
    "corner": (Way.HOLE, lambda _, sowing: sowing.last.side is not sowing.mover),
    "capture": (Way.HOLE, lambda _, sowing: sowing.taken > 0 and sowing.tuz is None),
    "most": (Way.HOLE, _most),
    "tuz": (Way.HOLE, lambda _, sowing: sowing.tuz is not None),
    "feed": (Way.HOLE, lambda _, sowing: any(drop.tuz_owner is sowing.mover for drop in sowing.drops)),
    "again": (Way.HOLE, lambda _, sowing: sowing.extra_turn),
    "opposite": (Way.HOLE, lambda _, sowing: any(side is sowing.mover for side, _, _ in sowing.captured)),
    "win": (Way.HOLE, lambda _, sowing: sowing.outcome is not None and sowing.outcome.winner is sowing.mover),
    "safe": (Way.HOLE, lambda _, sowing: is_safe(sowing)),
    "clean": (Way.HOLE, lambda _, sowing: sowing.taken > 0 and is_safe(sowing)),
    "landing": (Way.PLACE, lambda _, sowing: place_name(sowing.last.side, sowing.last.hole)),
    "parity": (Way.CHOICE, lambda _, sowing: ("even", "odd")[last_count(sowing) % 2]),
    "taken": (Way.CHOICE, lambda _, sowing: _yes(sowing.captured)),
    "made": (Way.CHOICE, lambda _, sowing: _yes(sowing.tuz is not None)),
    "over": (Way.CHOICE, lambda _, sowing: _yes(sowing.outcome is not None)),
    "reach": (Way.CHOICE, lambda it, sowing: _yes(sowing.after.stores[READER] >= winning_count(it.position.rules))),
    "turn": (Way.CHOICE, lambda _, sowing: _yes(sowing.extra_turn)),
    "winner": (Way.CHOICE, lambda _, sowing: _winner(sowing)),
    "gain": (Way.CHOICE, lambda it, sowing: gain(it.position, sowing)),
    "count": (Way.CHOICE, lambda _, sowing: last_count(sowing)),
    "needed": (Way.CHOICE, lambda it, _: _needed(it.position)),
    "home": (Way.CHOICE, lambda it, _: _home(it.position)),
}
"""Every question: the way to answer it, and the answer that is right after a sowing."""


def _numbers(right: int, seed: str) -> tuple[str, ...]:
    """The right number among others near it, in rising order; the same for the same seed, on every machine."""
    chance = Random(seed)
    near = [number for number in range(max(0, right - 4), right + 6) if number != right]
    return tuple(map(str, sorted([right, *chance.sample(near, _OFFERED - 1)])))
