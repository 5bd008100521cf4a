"""Position text: `NORTH/SOUTH whiteStore blackStore S|N fullmove`.

The north row stands from its hole n down to 1, the south row from 1 to n, as the board looks from White's chair. `12S`
is twelve stones, a bare number that many empty holes in a row, `t` or `T` a hole that is a tuz of the other side. Under
`tuz_takes=no` a tuz may still hold stones of its side, written `3t`.
"""

from __future__ import annotations

import re

from korgool.rules.outcome import Side
from korgool.rules.position import Position
from korgool.rules.record import BESTEMSHE, MANGALA, MANGALA_CASTLE, TOGUZ_KORGOOL, Rules
from korgool.rules.setup import PositionError, Setup

_LONGEST = 400
_CELL = re.compile(r"(?P<stones>\d{1,3})S|(?P<tuz>(\d{1,3})?[tT])|(?P<empty>\d{1,2})", re.ASCII)
_MOVERS = {"S": Side.WHITE, "N": Side.BLACK}


def format_position(position: Position) -> str:
    """The text of a position, with runs of empty holes merged and a tuz written `t`."""
    north = _row(tuple(reversed(position.holes[Side.BLACK])), _mirror(position, position.tuz[Side.WHITE]))
    south = _row(position.holes[Side.WHITE], position.tuz[Side.BLACK])
    mover = "SN"[position.to_move]
    return f"{north}/{south} {position.stores[0]} {position.stores[1]} {mover} {position.fullmove}"


def _mirror(position: Position, hole: int | None) -> int | None:
    return None if hole is None else position.rules.holes - 1 - hole


def _row(row: tuple[int, ...], tuz: int | None) -> str:
    cells: list[str] = []
    for hole, stones in enumerate(row):
        if hole == tuz:
            cells.append(f"{stones}t" if stones else "t")
        elif stones:
            cells.append(f"{stones}S")
        elif cells and cells[-1].isdigit():
            cells[-1] = str(int(cells[-1]) + 1)
        else:
            cells.append("1")
    return ",".join(cells)


def parse_position(text: str, rules: Rules | None = None, *, lenient: bool = False) -> Position:
    """Read position text; see `Position.parse`.

    Raises:
        PositionError: every reason why the text is not a position of that game.
    """
    if len(text) > _LONGEST:
        raise PositionError([f"position text of {len(text)} characters is too long, {_LONGEST} are enough"])
    return parse_setup(text, rules).position(lenient=lenient)


def parse_setup(text: str, rules: Rules | None = None) -> Setup:
    """Read position text without asking whether the position can be played.

    Raises:
        PositionError: every place where the text has not the form of a position.
    """
    words = text.split()
    if len(words) != 5:
        raise PositionError([f"position text has five parts, NORTH/SOUTH store store S|N move; here are {len(words)}"])
    board, white, black, mover, fullmove = words
    if board.count("/") != 1:
        raise PositionError([f"the board {board!r} needs two rows with one / between them"])
    problems: list[str] = []
    north, won_by_white = _parse_row(board.split("/")[0], "north", problems)
    south, won_by_black = _parse_row(board.split("/")[1], "south", problems)
    numbers = []
    for name, word in (("White's store", white), ("Black's store", black), ("the move number", fullmove)):
        if not re.fullmatch(r"\d{1,6}", word, re.ASCII):
            problems.append(f"{name} is {word!r}, not a whole number")
        numbers.append(int(word) if re.fullmatch(r"\d{1,6}", word, re.ASCII) else 0)
    if mover not in _MOVERS:
        problems.append(f"the side to move is S or N, not {mover!r}")
    if problems:
        raise PositionError(problems)
    if rules is None:
        rules = _rules_of(len(south), won_by_white is not None or won_by_black is not None)
    tuz = None if won_by_white is None else len(north) - 1 - won_by_white, won_by_black
    stores = numbers[0], numbers[1]
    return Setup(rules, (tuple(south), tuple(reversed(north))), stores, tuz, _MOVERS[mover], numbers[2])


def _parse_row(text: str, name: str, problems: list[str]) -> tuple[list[int], int | None]:
    row: list[int] = []
    tuz: int | None = None
    for number, cell in enumerate(text.removesuffix(",").split(","), 1):
        match = _CELL.fullmatch(cell)
        if match is None:
            problems.append(f"part {number} of the {name} row is {cell!r}; a part is 12S, 3 (empty holes) or t")
        elif match["empty"]:
            if not 1 <= int(cell) <= 9:
                problems.append(f"part {number} of the {name} row stands for {cell} empty holes")
            row += [0] * min(int(cell), 9)
        elif match["stones"]:
            row.append(int(match["stones"]))
        else:
            if tuz is not None:
                problems.append(f"the {name} row has two tuz, one side can own but one")
            tuz = len(row)
            row.append(int(match["tuz"][:-1] or 0))
    return row, tuz


def _rules_of(holes: int, tuz: bool) -> Rules:
    by_holes = {9: TOGUZ_KORGOOL, 6: MANGALA_CASTLE if tuz else MANGALA, 5: BESTEMSHE}
    if holes not in by_holes:
        raise PositionError([f"no game has {holes} holes a side; toguz korgool has 9, mangala 6, bestemshe 5"])
    return by_holes[holes]
