"""Position text: `NORTH/SOUTH whiteStore blackStore S|N fullmove`.

The north row stands from its hole n down to 1, the south row from 1 to n, as the board looks from White's chair. `12S`
is twelve stones, a bare number that many empty holes in a row, `t` or `T` a hole that is a tuz of the other side. Under
`tuz_takes=no` a tuz may still hold stones of its side, written `3t`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from korgool.rules.outcome import Side
from korgool.rules.problems import PositionError, Problem, ProblemKind, problem

_LONGEST = 400
_CELL = re.compile(r"(?P<stones>\d{1,3})S|(?P<tuz>(\d{1,3})?[tT])|(?P<empty>\d{1,2})", re.ASCII)
_NUMBER = re.compile(r"\d{1,6}", re.ASCII)
_MOVERS = {"S": Side.WHITE, "N": Side.BLACK}


class Written(NamedTuple):
    """Content of a position text, in the names of `Position`; it may be unplayable."""

    holes: tuple[tuple[int, ...], tuple[int, ...]]
    stores: tuple[int, int]
    tuz: tuple[int | None, int | None]
    to_move: Side
    fullmove: int


def format_position(written: Written) -> str:
    """The text of a position, with runs of empty holes merged and a tuz written `t`."""
    (white, black), stores, (won_by_white, won_by_black), to_move, fullmove = written
    north = _row(black[::-1], None if won_by_white is None else len(black) + 1 - won_by_white)
    return f"{north}/{_row(white, won_by_black)} {stores[0]} {stores[1]} {'SN'[to_move]} {fullmove}"


def _row(row: tuple[int, ...], tuz: int | None) -> str:
    cells: list[str] = []
    for place, stones in enumerate(row, 1):
        if place == tuz:
            cells.append(f"{stones}t" if stones else "t")
        elif stones:
            cells.append(f"{stones}S")
        elif cells and cells[-1].isdigit():
            cells[-1] = str(int(cells[-1]) + 1)
        else:
            cells.append("1")
    return ",".join(cells)


def parse_position(text: str) -> Written:
    """Read position text; see `Position.parse`.

    Raises:
        PositionError: every place where the text has not the form of a position.
    """
    if len(text) > _LONGEST:
        raise PositionError([problem(ProblemKind.TEXT_LENGTH, length=len(text), most=_LONGEST)])
    words = text.split()
    if len(words) != 5:
        raise PositionError([problem(ProblemKind.TEXT_PARTS, count=len(words))])
    board, *stores, mover, fullmove = words
    if board.count("/") != 1:
        raise PositionError([problem(ProblemKind.TEXT_ROWS, text=board)])
    problems: list[Problem] = []
    north, south = board.split("/")
    black, won_by_white = _parse_row(north, Side.BLACK, problems)
    white, won_by_black = _parse_row(south, Side.WHITE, problems)
    for side in Side:
        if not _NUMBER.fullmatch(stores[side]):
            problems.append(problem(ProblemKind.TEXT_STORE, side=side, text=stores[side]))
    if not _NUMBER.fullmatch(fullmove):
        problems.append(problem(ProblemKind.TEXT_MOVE_NUMBER, text=fullmove))
    if mover not in _MOVERS:
        problems.append(problem(ProblemKind.TEXT_TO_MOVE, text=mover))
    if problems:
        raise PositionError(problems)
    tuz = None if won_by_white is None else len(black) + 1 - won_by_white, won_by_black
    return Written(
        (tuple(white), tuple(reversed(black))),
        (int(stores[0]), int(stores[1])),
        tuz,
        _MOVERS[mover],
        int(fullmove),
    )


def _parse_row(text: str, side: Side, problems: list[Problem]) -> tuple[list[int], int | None]:
    """The stones of a row as it stands in the text, and the place of its tuz there, from 1."""
    row: list[int] = []
    tuz: int | None = None
    for part, cell in enumerate(text.removesuffix(",").split(","), 1):
        match = _CELL.fullmatch(cell)
        if match is None:
            problems.append(problem(ProblemKind.TEXT_CELL, part=part, side=side, text=cell))
        elif match["empty"]:
            if not 1 <= int(cell) <= 9:
                problems.append(problem(ProblemKind.TEXT_EMPTY_HOLES, part=part, side=side, text=cell))
            row += [0] * min(int(cell), 9)
        elif match["stones"]:
            row.append(int(match["stones"]))
        else:
            if tuz is not None:
                problems.append(problem(ProblemKind.TEXT_TWO_TUZ, side=side))
            row.append(int(match["tuz"][:-1] or 0))
            tuz = len(row)
    return row, tuz
