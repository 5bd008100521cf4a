"""The board as plain text for a terminal: ASCII, the player's own row below."""

from __future__ import annotations

from korgool.rules import Position, Side

_WIDTH = 5


def text_board(position: Position, *, below: Side = Side.WHITE) -> str:
    """The board in six lines, each hole numbered from its owner's left.

    `X` is a hole that the other side owns as tuz, `.` an empty one, `>` marks the side to move.

    Args:
        position: what to draw.
        below: the side whose row stands below.
    """
    above = below.other
    over = position.outcome() is not None
    lines = [_numbers(position, above, reverse=True), _row(position, above, over, reverse=True)]
    lines += ["", _row(position, below, over, reverse=False), _numbers(position, below, reverse=False)]
    return "\n".join(line.rstrip() for line in lines)


def _numbers(position: Position, side: Side, *, reverse: bool) -> str:
    numbers = range(1, position.rules.holes + 1)
    return " " * 7 + "".join(f"{number:>{_WIDTH}}" for number in (reversed(numbers) if reverse else numbers))


def _row(position: Position, side: Side, over: bool, *, reverse: bool) -> str:
    tuz = position.tuz[side.other]
    cells = [_cell(stones, hole == tuz) for hole, stones in enumerate(position.holes[side])]
    row = "".join(f"{cell:>{_WIDTH}}" for cell in (reversed(cells) if reverse else cells))
    mark = ">" if side == position.to_move and not over else " "
    return f"{mark} {side.name.capitalize()}{row}  |{position.stores[side]:>4}"


def _cell(stones: int, tuz: bool) -> str:
    if tuz:
        return f"{stones or ''}X"
    return str(stones) if stones else "."
