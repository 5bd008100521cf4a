"""The board as plain text for a terminal: ASCII, the player's own row below."""

from __future__ import annotations

from korgool.rules import Position, Side

_WIDTH = 5
_NARROW = 4


def text_board(
    position: Position,
    *,
    below: Side = Side.WHITE,
    names: tuple[str, str] = ("White", "Black"),
    columns: int | None = None,
) -> str:
    """The board in five lines, each hole numbered from its owner's left.

    `X` is a hole that the other side owns as tuz, `.` an empty one, `>` marks the side to move.

    Args:
        position: what to draw.
        below: the side whose row stands below.
        names: what White and Black are called.
        columns: letters that fit beside each other, or None for any number. Where the board is wider, names and stores
            stand on lines of their own; 40 are then enough for every game.
    """
    label = max(map(len, names))
    if columns is not None and label + 2 + position.rules.holes * _WIDTH + 7 > columns:
        return _narrow(position, below, names)
    above = below.other
    lines = [_numbers(position, label + 2, _WIDTH, reverse=True)]
    for side, gap in ((above, True), (below, False)):
        row = _row(position, side, _WIDTH, reverse=gap)
        lines.append(f"{_mark(position, side)} {names[side]:<{label}}{row}  |{position.stores[side]:>4}")
        lines += [""] if gap else []
    lines.append(_numbers(position, label + 2, _WIDTH, reverse=False))
    return "\n".join(line.rstrip() for line in lines)


def _narrow(position: Position, below: Side, names: tuple[str, str]) -> str:
    lines: list[str] = []
    for side, over in ((below.other, True), (below, False)):
        numbers = _numbers(position, 1, _NARROW, reverse=over)
        row = _mark(position, side) + _row(position, side, _NARROW, reverse=over)
        name = f"  {names[side]}  |{position.stores[side]:>4}"
        lines += [name, numbers, row, ""] if over else [row, numbers, name]
    return "\n".join(line.rstrip() for line in lines)


def _mark(position: Position, side: Side) -> str:
    return ">" if side == position.to_move and position.outcome() is None else " "


def _numbers(position: Position, indent: int, width: int, *, reverse: bool) -> str:
    numbers = range(1, position.rules.holes + 1)
    return " " * indent + "".join(f"{number:>{width}}" for number in (reversed(numbers) if reverse else numbers))


def _row(position: Position, side: Side, width: int, *, reverse: bool) -> str:
    tuz = position.tuz[side.other]
    cells = [_cell(stones, hole == tuz) for hole, stones in enumerate(position.holes[side], 1)]
    return "".join(f"{cell:>{width}}" for cell in (reversed(cells) if reverse else cells))


def _cell(stones: int, tuz: bool) -> str:
    if tuz:
        return f"{stones or ''}X"
    return str(stones) if stones else "."
