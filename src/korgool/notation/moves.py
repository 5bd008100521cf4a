"""Moves in field notation: `76`, `76(10)`, `77X`, `30`, `7`, each with `=` where the mover offers a draw.

The first digit is the hole, the second the hole of the last stone, each counted from the left of the player it belongs
to; a landing 0 is the mover's own store. `X` marks a new tuz (WNG-TK §IV) and `(10)` is the mover's store after a
capture. Landing, mark and store are checksums: reading replays the ply and refuses what does not fit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from korgool.rules import Position, Side, Sowing


class NotationError(ValueError):
    """Text that is no move, or a move that does not fit the position; the message says what would."""


@dataclass(frozen=True, slots=True)
class ParsedMove:
    """A move as read.

    Attributes:
        sowing: the ply it names, already sown.
        offer: whether it carries the draw offer `=` (WNG-TK §X).
        remark: an annotator's `!`, `?`, `!!`, `??`, `!?` or `?!`, else empty.
    """

    sowing: Sowing
    offer: bool = False
    remark: str = ""

    @property
    def hole(self) -> int:
        """The hole number, 1 to n."""
        return self.sowing.hole


_MOVE = re.compile(r"([0-9])(?:[-–—]?([0-9]))?((?:[XxХх*]|\([0-9]{1,4}\)|=)*)([!?]{0,2})")
_MARK = re.compile(r"[XxХх*]|\([0-9]{1,4}\)|=")
MARKS = re.compile(r"(?:[XxХх*]|\([0-9]{1,4}\)|=)+")
"""Marks that stand apart from their move, as in `76 (10)`."""


def quoted(text: str) -> str:
    """The text in quotes for a message, cut where it is long."""
    return repr(text) if len(text) <= 24 else repr(text[:24])[:-1] + "…'"


def landing(sowing: Sowing) -> int:
    """The number of the hole where the last stone fell, 1 to n from its owner's left, or 0 for the mover's store."""
    return sowing.last.hole


def format_move(sowing: Sowing, *, offer: bool = False, store: bool = True, tuz: str = "X") -> str:
    """The move in field notation, such as `76(10)`.

    Args:
        sowing: the ply.
        offer: whether the mover offers a draw with it.
        store: whether a capture is followed by the mover's store.
        tuz: the mark of a new tuz.
    """
    text = f"{sowing.hole}{landing(sowing)}"
    if sowing.tuz is not None:
        text += tuz
    elif sowing.captured and store:
        text += f"({sowing.after.stores[sowing.mover]})"
    return text + "=" if offer else text


def parse_move(text: str, position: Position, *, tuz_marked: bool = False) -> ParsedMove:
    """Read a move in field notation and verify all that it says.

    Args:
        text: `76(10)`, `76`, `7-6`, `7`, `77X` and so on; the tuz mark may be `X`, `x`, the Cyrillic letter or `*`.
        position: where it is played.
        tuz_marked: refuse a move that makes a tuz and does not say so; the TGK dialect asks for it.

    Raises:
        NotationError: it is not a move, it cannot be played, or a checksum fails.
    """
    match = _MOVE.fullmatch(text)
    if match is None:
        raise NotationError(
            f"{quoted(text)} is not a move; a move is a hole and its landing hole, such as 76 or 76(10)"
        )
    hole, to, marks, remark = match.groups()
    sowing = sow_number(text, int(hole), position)
    if to is not None and int(to) != landing(sowing):
        raise NotationError(f"{quoted(text)} does not fit: {_fall(sowing)}, which is written {format_move(sowing)}")
    offer = check_marks(text, marks, sowing) if marks else False
    if tuz_marked and sowing.tuz is not None and not any(mark in "XxХх*" for mark in marks):
        raise NotationError(f"{quoted(text)} makes a tuz, which must be marked: {format_move(sowing, tuz='x')}")
    return ParsedMove(sowing, offer, remark)


def sow_number(text: str, number: int, position: Position) -> Sowing:
    """Sow hole `number`, with errors that quote the move as written.

    Raises:
        NotationError: the position does not allow it.
    """
    try:
        return position.sow(number)
    except ValueError as error:
        raise NotationError(f"{quoted(text)} cannot be played: {error}") from error


def check_marks(text: str, marks: str, sowing: Sowing) -> bool:
    """Verify the marks that follow a move and return whether a draw is offered.

    Args:
        text: the move as written, for messages.
        marks: marks alone, such as `(10)=`.
        sowing: the ply that they belong to.

    Raises:
        NotationError: a mark stands twice or does not fit.
    """
    found = _MARK.findall(marks)
    kinds = ["(" if mark[0] == "(" else "=" if mark == "=" else "X" for mark in found]
    if len(set(kinds)) != len(kinds):
        raise NotationError(f"{quoted(text)} carries a mark twice")
    for kind, mark in zip(kinds, found, strict=True):
        store = sowing.after.stores[sowing.mover]
        if kind == "X" and sowing.tuz is None:
            taken = f"captures {sowing.taken}" if sowing.taken else "captures nothing"
            raise NotationError(
                f"{quoted(text)} marks a tuz, but the move makes none, it {taken}; a capture is written with the store"
            )
        if kind == "(" and int(mark[1:-1]) != store:
            raise NotationError(
                f"{quoted(text)} does not fit: {sowing.mover.name.capitalize()}'s store holds {store} after the move"
            )
    return "=" in kinds


def _fall(sowing: Sowing) -> str:
    if not sowing.last.hole:
        place = "the own store"
    else:
        whose = "White" if sowing.last.side is Side.WHITE else "Black"
        place = f"{whose}'s hole {landing(sowing)}"
    stones = "1 stone" if sowing.lifted == 1 else f"{sowing.lifted} stones"
    return f"hole {sowing.hole} with {stones} ends in {place}"
