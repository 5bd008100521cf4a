"""Problems of a position or a move: every reason for a refusal is a kind with its values, and prints as a sentence.

A program tells the reasons apart by kind, and a page says them in its own language with the same values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from korgool.rules.choices import Choices
from korgool.rules.outcome import Side

MOST_STONES = 255
"""Stones that a lenient position may hold: the kernel counts holes and stores in bytes."""

Value: TypeAlias = int | str | Side | tuple[int, ...]


class ProblemKind(Enum):
    """Kind of problem of a position text, a position or a move. The value of each is its English sentence."""

    TEXT_LENGTH = "position text of {length} characters is too long, {most} are enough"
    TEXT_PARTS = "position text has five parts, NORTH/SOUTH store store S|N move; here are {count}"
    TEXT_ROWS = "the board {text!r} needs two rows with one / between them"
    TEXT_STORE = "{side}'s store is {text!r}, not a whole number"
    TEXT_MOVE_NUMBER = "the move number is {text!r}, not a whole number"
    TEXT_TO_MOVE = "the side to move is S or N, not {text!r}"
    TEXT_CELL = "part {part} of the {row} row is {text!r}; a part is 12S, 3 (empty holes) or t"
    TEXT_EMPTY_HOLES = "part {part} of the {row} row stands for {text} empty holes"
    TEXT_TWO_TUZ = "the {row} row has two tuz, one side can own but one"
    UNKNOWN_BOARD = "no game has {holes} holes a side; {boards}"

    HOLE_COUNT = "{side} has {count} holes instead of {holes}"
    NEGATIVE_HOLE = "{side}'s hole {hole} holds {stones} stones"
    NEGATIVE_STORE = "{side}'s store holds {stones} stones"
    MOVE_NUMBER = "the move number is {number}, it counts from 1"
    STONES_SUM = "there are {stones} stones instead of {total}"
    STONES_LIMIT = "there are {stones} stones, more than {most}"
    TUZ_UNKNOWN = "{side}'s tuz in hole {hole}: {game} has no tuz"
    TUZ_OUTSIDE = "{side}'s tuz in hole {hole}: there is no such hole"
    TUZ_LAST_HOLE = "{side}'s tuz in hole {hole}: the last hole cannot be won"
    TUZ_HOLDS_STONES = "{side}'s tuz in hole {hole} holds {stones} stones, a tuz is always empty"
    TUZ_SAME_NUMBER = "both sides own a tuz with the number {hole}"

    GAME_OVER = "the game is over: {result}, {termination}"
    NO_SUCH_HOLE = "there is no hole {hole}; holes are numbered 1 to {holes}"
    NO_HOLE_NUMBER = (
        "a move is played by its hole number, 1 to {holes}, not {text!r}; korgool.notation.parse_move reads a move as "
        "people write it, such as 76(10)"
    )
    HOLE_EMPTY = "hole {hole} of {side} cannot be sown, it is empty; possible are {moves}"
    HOLE_TUZ = "hole {hole} of {side} cannot be sown, it is a tuz; possible are {moves}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason; `str` gives its English sentence.

    Attributes:
        kind: what is wrong.
        values: what the sentence names, by the names in it: `hole` a number from 1, `side` a `Side` (`row` in a
            sentence is the row of that side in position text), `moves` the possible moves, `text` what was read.
    """

    kind: ProblemKind
    values: Mapping[str, Value] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        words: dict[str, object] = {}
        for name, value in self.values.items():
            if isinstance(value, Side):
                words["row"] = ("south", "north")[value]
                words[name] = value.name.capitalize()
            else:
                words[name] = ", ".join(map(str, value)) if isinstance(value, tuple) else value
        return self.kind.value.format_map(words)


def problem(kind: ProblemKind, **values: Value) -> Problem:
    """A reason of that kind with its values."""
    return Problem(kind, values)


class PositionError(ValueError):
    """A position that cannot be: `problems` holds every reason, the message joins their sentences."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "; ".join(self.reasons)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Every reason as an English sentence."""
        return tuple(map(str, self.problems))


class MoveError(ValueError):
    """A hole that cannot be sown: `problem` is the reason, the message its sentence."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(problem)

    def __str__(self) -> str:
        return str(self.problem)


def position_problems(
    rules: Choices,
    holes: tuple[Sequence[int], Sequence[int]],
    stores: tuple[int, int],
    tuz: tuple[int | None, int | None],
    fullmove: int,
    *,
    lenient: bool = False,
) -> list[Problem]:
    """Every reason why this is no playable position; `lenient` forgives stones that do not add up."""
    found: list[Problem] = []
    for side in Side:
        row = holes[side]
        if len(row) != rules.holes:
            found.append(problem(ProblemKind.HOLE_COUNT, side=side, count=len(row), holes=rules.holes))
        for hole, stones in enumerate(row, 1):
            if stones < 0:
                found.append(problem(ProblemKind.NEGATIVE_HOLE, side=side, hole=hole, stones=stones))
        if stores[side] < 0:
            found.append(problem(ProblemKind.NEGATIVE_STORE, side=side, stones=stores[side]))
        found += _tuz_problems(rules, side, tuz[side], holes[side.other])
    if None not in tuz and tuz[0] == tuz[1] and not rules.tuz_same_number:
        found.append(problem(ProblemKind.TUZ_SAME_NUMBER, hole=tuz[0] or 0))
    if fullmove < 1:
        found.append(problem(ProblemKind.MOVE_NUMBER, number=fullmove))
    total = sum(holes[0]) + sum(holes[1]) + sum(stores)
    if lenient and not 0 <= total <= MOST_STONES:
        found.append(problem(ProblemKind.STONES_LIMIT, stones=total, most=MOST_STONES))
    if not lenient and total != rules.total:
        found.append(problem(ProblemKind.STONES_SUM, stones=total, total=rules.total))
    return found


def _tuz_problems(rules: Choices, owner: Side, tuz: int | None, row: Sequence[int]) -> list[Problem]:
    if tuz is None:
        return []
    if not rules.tuz:
        return [problem(ProblemKind.TUZ_UNKNOWN, side=owner, hole=tuz, game=rules.title)]
    if not 1 <= tuz <= rules.holes:
        return [problem(ProblemKind.TUZ_OUTSIDE, side=owner, hole=tuz)]
    if tuz == rules.holes and not rules.tuz_last_hole:
        return [problem(ProblemKind.TUZ_LAST_HOLE, side=owner, hole=tuz)]
    if any(row[tuz - 1 : tuz]) and rules.tuz_takes:
        return [problem(ProblemKind.TUZ_HOLDS_STONES, side=owner, hole=tuz, stones=row[tuz - 1])]
    return []
