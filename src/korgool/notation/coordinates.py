"""Coordinates: `f1e2` is the move from South's hole 6 to North's hole 5.

Files run from `a` at White's left, ranks are 1 for South and 2 for North, so hole k of White is letter k with `1` and
hole k of Black letter n+1-k with `2`. The own store, which mangala sows into, is written `0`: `d10`.
"""

from __future__ import annotations

import re

from korgool.notation.moves import NotationError, ParsedMove, quoted, sow_number
from korgool.rules import Position, Side, Sowing

COORDINATES = re.compile(r"([a-iA-I])([12])(?:([a-iA-I][12])|0)")

_PLACE = re.compile(r"[a-iA-I][12]")


def format_place(side: Side, hole: int, holes: int) -> str:
    """The coordinates of a hole.

    Args:
        side: whose hole it is.
        hole: its number, 1 to `holes`, from the owner's left.
        holes: holes of each side.
    """
    return "abcdefghi"[hole - 1] + "1" if side is Side.WHITE else "abcdefghi"[holes - hole] + "2"


def parse_place(text: str, holes: int) -> tuple[Side, int]:
    """The side and the number of the hole with these coordinates, such as `f1`; the reverse of `format_place`.

    Raises:
        NotationError: there is no such hole.
    """
    if not _PLACE.fullmatch(text) or (column := "abcdefghi".index(text[0].lower())) >= holes:
        raise NotationError(f"{quoted(text)} is no hole; holes are a1 to {'abcdefghi'[holes - 1]}2")
    return (Side.WHITE, column + 1) if text[1] == "1" else (Side.BLACK, holes - column)


def format_coordinates(sowing: Sowing) -> str:
    """The move in coordinates, from and to."""
    holes, last = sowing.after.rules.holes, sowing.last
    to = format_place(last.side, last.hole, holes) if last.hole else "0"
    return format_place(sowing.mover, sowing.hole, holes) + to


def parse_coordinates(text: str, position: Position) -> ParsedMove:
    """Read a move in coordinates and verify whose it is and where it ends.

    Raises:
        NotationError: it is not a move, it is the other side's, it cannot be played, or it ends elsewhere.
    """
    match = COORDINATES.fullmatch(text)
    if match is None:
        raise NotationError(f"{quoted(text)} is not a move in coordinates, such as f1e2")
    file, rank, _ = match.groups()
    mover, holes = position.to_move, position.rules.holes
    if position.outcome() is None and rank != "12"[mover]:
        raise NotationError(f"{quoted(text)} starts on rank {rank}, but {mover.name.capitalize()} is to move")
    column = "abcdefghi".index(file.lower())
    if column >= holes:
        raise NotationError(f"{quoted(text)} starts on file {file}; the files end with {'abcdefghi'[holes - 1]}")
    sowing = sow_number(text, column + 1 if mover is Side.WHITE else holes - column, position)
    if text.lower() != format_coordinates(sowing):
        raise NotationError(f"{quoted(text)} does not fit: the move ends as {format_coordinates(sowing)}")
    return ParsedMove(sowing)
