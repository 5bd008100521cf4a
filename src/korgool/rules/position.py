"""The values that everything else is made of: the rules of a game, its positions, and the sowings between them.

They stand in one file because each names the next: rules have a start, a position has rules and can be sown, and a
sowing leads to a position. What can be said without them lies below: the choices, the movement, the text, the problems.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import lru_cache
from operator import index

from korgool.rules.choices import FIRST_CHOICES, Choices
from korgool.rules.drawing import drawn
from korgool.rules.games import VARIANTS, boards_in_words, game_of_board
from korgool.rules.outcome import Outcome, Side, Termination
from korgool.rules.problems import MoveError, PositionError, Problem, ProblemKind, position_problems, problem
from korgool.rules.sowing import Drop, sow
from korgool.rules.text import Written, format_position, parse_position

_LONGEST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Rules(Choices):
    """The rules of a game: its choices, whose fields `Choices` describes, and its start."""

    def start(self) -> Position:
        """The starting position, White to move."""
        row = (self.stones,) * self.holes
        return Position(self, (row, row))

    @property
    def constant(self) -> str:
        """Python text that gives these rules: the name under which `korgool` exports them, where it does."""
        if GAMES.get(self.name) != self:
            return repr(self)
        return VARIANTS[self.name].constant or f"GAMES[{self.name!r}]"


@dataclass(frozen=True, slots=True)
class Position:
    """A playable position. It is frozen and hashable, and `play` returns the next one.

    Equality compares everything but the move number, which is what repetition needs: the same rules, holes, stores,
    tuz and side to move. Make one by `Rules.start`, `Position.parse` or `Setup.position`, which check it; the
    constructor trusts its caller.

    Attributes:
        rules: the game.
        holes: stones in the holes of White and of Black, each from its owner's left: hole 1 at index 0.
        stores: stones in the stores of White and of Black.
        tuz: the number of the hole that White owns among Black's, and that Black owns among White's; or None.
        to_move: the side to move.
        fullmove: number of the turn of both, from 1; it rises after Black's turn.
    """

    rules: Rules
    holes: tuple[tuple[int, ...], tuple[int, ...]]
    stores: tuple[int, int] = (0, 0)
    tuz: tuple[int | None, int | None] = (None, None)
    to_move: Side = Side.WHITE
    fullmove: int = field(default=1, compare=False)

    @property
    def key(self) -> int:
        """A whole number below 2⁶⁴ for tables and databases, the same in every process and on every platform.

        Equal positions have the same key. It stands for the choices of the rules, holes, stores, tuz and the side to
        move, and not for the move number or the name of the rules. Two different positions share a key by chance in
        one of 2⁶⁴ pairs. It is the first eight bytes, most significant first, of BLAKE2b with a digest of 8 bytes over
        these numbers in decimal digits, with a space between them: the choices of `Choices` from `holes` on (a word by
        its place in `CHOICES`), White's holes, Black's, both stores, both tuz (0 for none), the side to move.
        """
        from hashlib import blake2b  # most who import korgool need no keys

        (white, black), (won_by_white, won_by_black) = self.holes, self.tuz
        numbers = *white, *black, *self.stores, won_by_white or 0, won_by_black or 0, int(self.to_move)
        text = _choices_text(self.rules) + " ".join(map(str, numbers))
        return int.from_bytes(blake2b(text.encode("ascii"), digest_size=8).digest(), "big")

    def legal_moves(self) -> tuple[int, ...]:
        """The hole numbers, 1 to n, that the side to move may sow; none when the game is over."""
        if self.outcome() is not None:
            return ()
        return tuple(number for number, stones in enumerate(self.holes[self.to_move], 1) if stones)

    def problem(self, hole: int | str) -> Problem | None:
        """Reason why hole `hole`, 1 to n, cannot be sown, or None. A number may be given as text, such as "7".

        Raises:
            TypeError: it is neither a whole number nor text.
        """
        if type(hole) is not int:
            number = _hole_number(hole)
            if number is None:
                return problem(ProblemKind.NO_HOLE_NUMBER, holes=self.rules.holes, text=str(hole)[:_LONGEST_SHOWN])
            hole = number
        outcome = self.outcome()
        if outcome is not None:
            ended = str(outcome.termination)
            return problem(ProblemKind.GAME_OVER, result=outcome.result_text, termination=ended)
        if not 1 <= hole <= self.rules.holes:
            return problem(ProblemKind.NO_SUCH_HOLE, hole=hole, holes=self.rules.holes)
        if self.holes[self.to_move][hole - 1]:
            return None
        is_tuz = self.tuz[self.to_move.other] == hole
        kind = ProblemKind.HOLE_TUZ if is_tuz else ProblemKind.HOLE_EMPTY
        return problem(kind, hole=hole, side=self.to_move, moves=self.legal_moves())

    def sow(self, hole: int | str) -> Sowing:
        """Sow the hole of that number, 1 to n, and return the trace, whose `after` is the next position.

        Args:
            hole: the number, or its text, such as "7". `korgool.notation.parse_move` reads a move with more than that.

        Raises:
            MoveError: the game is over, or there is no such hole, or it is empty, or the text is not a hole number.
            TypeError: it is neither a whole number nor text.
        """
        refused = self.problem(hole)
        if refused is not None:
            raise MoveError(refused)
        if type(hole) is not int:
            hole = int(hole)
        rules, mover, stores, tuz = self.rules, self.to_move, self.stores, list(self.tuz)
        rows = [[stores[0], *self.holes[0]], [stores[1], *self.holes[1]]]
        lifted, drops, captured, made, goes_on = sow(rules, rows, tuz, mover, hole)
        white, black = rows
        after = Position(
            rules,
            (tuple(white[1:]), tuple(black[1:])),
            (white[0], black[0]),
            (tuz[0], tuz[1]),
            mover if goes_on else mover.other,
            self.fullmove if goes_on else self.fullmove + mover,
        )
        outcome = after.outcome()
        return Sowing(mover, hole, lifted, drops, captured, made, goes_on and outcome is None, after, outcome)

    def play(self, hole: int | str) -> Position:
        """The position after sowing the hole of that number; takes and raises what `sow` does."""
        return self.sow(hole).after

    def outcome(self) -> Outcome | None:
        """Outcome of the game on the board, or None while it goes on. Claims and offers are no matter of the board.

        The goal comes first, with nothing swept (WNG-TK §V: "the game is stopped"), then 81 each, then empty sides.
        """
        rules, stores = self.rules, self.stores
        if rules.goal:
            if max(stores) >= rules.goal:
                return Outcome(_larger(stores), Termination.MAJORITY, stores)
            if stores[0] == stores[1] and not any(map(any, self.holes)):
                return Outcome(None, Termination.EQUAL, stores)
        if rules.ending == "no_move":
            return None if any(self.holes[self.to_move]) else self._swept(Termination.NO_MOVE)
        return None if all(map(any, self.holes)) else self._swept(Termination.SIDE_EMPTY)

    def _swept(self, termination: Termination) -> Outcome:
        rest = sum(self.holes[0]), sum(self.holes[1])
        if self.rules.sweep == "nobody":
            rest = 0, 0
        elif self.rules.sweep == "emptied":
            rest = rest[1], rest[0]
        stores = self.stores[0] + rest[0], self.stores[1] + rest[1]
        return Outcome(_larger(stores), termination, stores, rest)

    @classmethod
    def parse(cls, text: str, rules: Rules | None = None, *, lenient: bool = False) -> Position:
        """Read position text such as `9S,…,9S/9S,…,9S 0 0 S 1`.

        Args:
            text: the position, see `korgool.rules.text`.
            rules: the game; by default the first game with so many holes, and with tuz if the text has one: toguz
                korgool for 9 holes, mangala for 6 (the castle rule if there is a tuz), bestemshe for 5.
            lenient: accept stones that do not add up.

        Raises:
            PositionError: every reason why the text is not a position.
        """
        written = parse_position(text)
        rules = rules or usual_rules(written)
        holes, stores, tuz, to_move, fullmove = written
        problems = position_problems(rules, holes, stores, tuz, fullmove, lenient=lenient)
        if problems:
            raise PositionError(problems)
        return cls(rules, holes, stores, tuz, to_move, fullmove)

    def __str__(self) -> str:
        """The position text; `Position.parse` reads it back equal."""
        return format_position(Written(self.holes, self.stores, self.tuz, self.to_move, self.fullmove))

    def __repr__(self) -> str:
        lenient = "" if sum(map(sum, self.holes)) + sum(self.stores) == self.rules.total else ", lenient=True"
        return f"Position.parse({str(self)!r}, {self.rules.constant}{lenient})"

    def _repr_svg_(self) -> str | None:
        return drawn(self)


@dataclass(frozen=True, slots=True)
class Sowing:
    """A ply from the lift to the position after it.

    Attributes:
        mover: who sows.
        hole: the number of the hole it starts from: the move as people write it.
        lifted: stones taken from it.
        drops: every stone in the order of the hand; of a single stone too (WNG-TK §III).
        captured: the holes emptied into the mover's store, as (side, number, stones).
        tuz: the number of the opponent's hole that became the mover's tuz, or None.
        extra_turn: whether the mover goes on (WNG-M §III.1).
        after: the position reached, before any sweep.
        outcome: how the game ended, with what was swept, or None.
    """

    mover: Side
    hole: int
    lifted: int
    drops: tuple[Drop, ...]
    captured: tuple[tuple[Side, int, int], ...]
    tuz: int | None
    extra_turn: bool
    after: Position
    outcome: Outcome | None

    @property
    def last(self) -> Drop:
        """Place where the last stone fell."""
        return self.drops[-1]

    @property
    def taken(self) -> int:
        """Stones won by the last stone: a capture, or the three of a new tuz where they are taken."""
        return sum(stones for _, _, stones in self.captured)


GAMES: dict[str, Rules] = {
    name: Rules(**{field.name: getattr(variant.choices, field.name) for field in fields(Choices)})
    for name, variant in VARIANTS.items()
}
"""The games of the registry by their short names."""

TOGUZ_KORGOOL = GAMES["toguz"]
"""Toguz korgool, also togyzqumalaq (WNG-TK §III to §V)."""
MANGALA = GAMES["mangala"]
"""Rules of mangala (WNG-M §III)."""
MANGALA_CASTLE = GAMES["castle"]
"""Mangala with the castle rule (WNG-M §IV)."""
BESTEMSHE = GAMES["bestemshe"]
"""Bestemshe: 2 rows of 5, no tuz."""


def usual_rules(written: Written) -> Rules:
    """The game that position text means: the first with so many holes, and with tuz if the text has one.

    Raises:
        PositionError: no game has so many holes.
    """
    holes = len(written.holes[0])
    name = game_of_board(holes, written.tuz != (None, None))
    if name is None:
        raise PositionError([problem(ProblemKind.UNKNOWN_BOARD, holes=holes, boards=boards_in_words())])
    return GAMES[name]


def _hole_number(hole: object) -> int | None:
    """A hole number that is not a plain `int`, or None for any other text.

    Raises:
        TypeError: it is neither a whole number nor text.
    """
    if isinstance(hole, str):
        return int(hole) if hole.isascii() and hole.isdigit() and len(hole) == 1 else None
    try:
        return index(hole)  # type: ignore[arg-type]  # that is the question
    except TypeError:
        raise TypeError(f"a move is played by its hole number, not by {hole!r}") from None


@lru_cache(maxsize=64)
def _choices_text(rules: Rules) -> str:
    """The choices as the key of a position has them: one that comes later does not change the keys of older games."""
    numbers = list(rules.numbers())
    while len(numbers) > FIRST_CHOICES and not numbers[-1]:
        numbers.pop()
    return " ".join(map(str, numbers)) + " "


def _larger(stores: tuple[int, int]) -> Side | None:
    if stores[0] == stores[1]:
        return None
    return Side.WHITE if stores[0] > stores[1] else Side.BLACK
