"""The layout of tables on event papers: column widths, landscape pages, and splitting of tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from korgool.app.printing.paper_context import Block

Cell: TypeAlias = str
Row: TypeAlias = "list[Cell] | dict[str, str]"
"""The cells of a row, or `{"span": TEXT}` for a line across the table."""

ROOM = {("a4", False): 527.0, ("a4", True): 774.0, ("a5", False): 369.0, ("a5", True): 544.0, ("a3", True): 1122.0}
"""Points between the margins, in portrait and landscape."""
SIZE = {"a4": 10.0, "a5": 8.4, "a3": 22.5}
"""The type size of a table with enough room, in points."""
_STEPS = ((False, (1.0, 0.95, 0.9, 0.85)), (True, (1.0, 0.95, 0.9, 0.85)), (False, (0.8,)), (True, (0.8, 0.76)))
"""The layouts to try in order: portrait or landscape, and the factor of the type size."""
_PAD = 0.8
_BREAKS = re.compile(r"[\s\u00ad-]")
_HEADING = 0.84
_WIDTHS = {
    **dict.fromkeys(" .,:;!|'’il½іІ()[]-+−–", 0.36),
    **dict.fromkeys("0123456789", 0.48),
    **dict.fromkeys("шщжюфмыШЩЖЮФМЫWMwm@ҢҚҒҮӨ", 0.86),
    **dict.fromkeys("○●№", 0.66),
    "\u00ad": 0.0,
    "\u200b": 0.0,
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        label: its heading.
        align: the alignment of its cells.
        flex: 0 for a column as wide as its widest cell; otherwise the column takes a share of the remaining width and
            wraps its lines, and this is the preferred width for long contents, in type sizes.
        bold: whether its cells are bold.
        light: whether its cells stay light in a bold row.
        least: its least width, in type sizes, for cells that are filled in by hand.
        part: whether it is one of many similar columns, such as rounds, by which a table that is too wide is split.
        optional: whether it is left out if all its cells are empty.
    """

    label: str
    align: Literal["left", "center", "right"] = "left"
    flex: float = 0.0
    bold: bool = False
    light: bool = False
    least: float = 0.0
    part: bool = False
    optional: bool = False


def table(columns: Sequence[Column], rows: Sequence[Row], *, bold: Sequence[int] = (), tall: float = 0.0) -> Block:
    """A table; optional columns without any content are left out.

    Args:
        columns: the columns.
        rows: cells, as many as there are columns, or a line across.
        bold: indices of the rows in bold type.
        tall: least height of a row in lines, for papers that are filled in by hand.
    """
    shown = [
        place
        for place, column in enumerate(columns)
        if not column.optional or any(row[place] for row in rows if not isinstance(row, dict))
    ]
    return {
        "kind": "table",
        "columns": [columns[place] for place in shown],
        "rows": [row if isinstance(row, dict) else [row[place] for place in shown] for row in rows],
        "bold": list(bold),
        "tall": tall,
    }


def arrange(blocks: Sequence[Block], paper: str, *, turned: bool | None = None) -> tuple[list[Block], bool]:
    """Blocks whose tables have column widths in points, and whether the pages are in landscape.

    First the type of a table shrinks, then the pages become landscape, and finally the table is split by its parts.
    `turned` fixes the orientation in advance.
    """
    tables = [block for block in _walk(blocks) if block["kind"] == "table"]
    flipped = turned if turned is not None else _turned(tables, paper)
    return [arranged for block in blocks for arranged in _arranged(block, paper, flipped)], flipped


def text_width(text: str) -> float:
    """The approximate width of a text in type sizes; rather too wide than too narrow."""
    return max(
        sum(_WIDTHS.get(letter, 0.69 if letter.isupper() else 0.55) for letter in line) for line in text.split("\n")
    )


def _walk(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        yield from _walk(block.get("blocks", ()))


def _turned(tables: Sequence[Block], paper: str) -> bool:
    """Return whether some table needs landscape pages, and gains by them."""
    for flipped, factors in _STEPS:
        for factor in factors:
            room = ROOM[paper, flipped] / (SIZE[paper] * factor)
            if all(_least(block, wish=True) <= room for block in tables):
                return flipped
    return True


def _arranged(block: Block, paper: str, flipped: bool) -> list[Block]:
    if "blocks" in block:
        return [
            {
                **block,
                "blocks": [arranged for inner in block["blocks"] for arranged in _arranged(inner, paper, flipped)],
            }
        ]
    if block["kind"] != "table":
        return [block]
    for factor in (1.0, 0.95, 0.9, 0.85, 0.8, 0.76):
        room = ROOM[paper, flipped] / (SIZE[paper] * factor)
        if _least(block, wish=factor > 0.8) <= room:
            return [_sized(block, SIZE[paper] * factor, room)]
    size = SIZE[paper] * 0.8
    room = ROOM[paper, flipped] / size
    return [_sized(part, size, room) for part in _divided(block, room)]


def _divided(block: Block, room: float) -> list[Block]:
    """The table split by its parts, with the columns before and after them repeated; a table without parts stays
    whole."""
    columns: list[Column] = block["columns"]
    parts = [place for place, column in enumerate(columns) if column.part]
    if not parts:
        return [block]
    rest = _least(_chosen(block, [place for place in range(len(columns)) if place not in parts]))
    each = max(_needs(block, place)[0] for place in parts)
    fit = max(1, int((room - rest) / each))
    pieces = -(-len(parts) // fit)
    fit = -(-len(parts) // pieces)
    return [
        _chosen(
            block,
            [place for place in range(len(columns)) if place not in parts or place in parts[begin : begin + fit]],
        )
        for begin in range(0, len(parts), fit)
    ]


def _chosen(block: Block, places: Sequence[int]) -> Block:
    rows = [row if isinstance(row, dict) else [row[place] for place in places] for row in block["rows"]]
    part = {**block, "columns": [block["columns"][place] for place in places], "rows": rows}
    part.pop("needs", None)
    return part


def _needs(block: Block, place: int) -> tuple[float, float]:
    """The least and the preferred width of a column, in type sizes; computed once for a table."""
    if "needs" not in block:
        needs = [_need(column, block["rows"], at) for at, column in enumerate(block["columns"])]
        parts = max((need for need, column in zip(needs, block["columns"], strict=True) if column.part), default=None)
        block["needs"] = [
            parts if parts is not None and column.part else need
            for need, column in zip(needs, block["columns"], strict=True)
        ]
    widths: tuple[float, float] = block["needs"][place]
    return widths


def _need(column: Column, rows: Sequence[Row], at: int) -> tuple[float, float]:
    cells = {row[at] for row in rows if not isinstance(row, dict)}
    heading = max((text_width(word) for word in column.label.split()), default=0.0) * _HEADING * 1.08
    widest = max((text_width(cell) for cell in cells), default=0.0) * (1.08 if column.bold else 1.02)
    if not column.flex:
        wide = max(heading, widest, column.least) + _PAD
        return wide, wide
    word = max((text_width(part) for cell in cells for part in _BREAKS.split(cell)), default=0.0)
    return max(heading, word * 1.05) + _PAD, max(heading, min(widest, 26.0), column.least) + _PAD


def _least(block: Block, *, wish: bool = False) -> float:
    """The least width of a table, in type sizes; with `wish`, names have room for most of a line."""
    total = 0.0
    for place in range(len(block["columns"])):
        least, best = _needs(block, place)
        column: Column = block["columns"][place]
        total += max(least, min(best, column.flex)) if wish and column.flex else least
    return total


def _sized(block: Block, size: float, room: float) -> Block:
    needs = [_needs(block, place) for place in range(len(block["columns"]))]
    columns: list[Column] = block["columns"]
    fixed = sum(need[0] for need, column in zip(needs, columns, strict=True) if not column.flex)
    best = sum(need[1] for need, column in zip(needs, columns, strict=True) if column.flex)
    least = sum(need[0] for need, column in zip(needs, columns, strict=True) if column.flex)
    left = room - fixed
    widths = []
    for (narrow, wide), column in zip(needs, columns, strict=True):
        if not column.flex:
            widths.append(narrow)
        elif left >= best:
            widths.append(wide)
        else:
            widths.append(narrow + (wide - narrow) * max(0.0, left - least) / max(best - least, 0.01))
    if best and (block["tall"] or sum(widths) > 0.7 * room):  # a table nearly as wide as the page fills it
        more = max(0.0, room - sum(widths)) / best
        widths = [
            width + more * need[1] * bool(column.flex)
            for width, need, column in zip(widths, needs, columns, strict=True)
        ]
    scale = min(1.0, room / sum(widths))  # a table that cannot be split further gets narrower columns
    sized: dict[str, Any] = {**block, "size": size, "widths": [round(width * size * scale, 2) for width in widths]}
    sized.pop("needs", None)
    sized["columns"] = [
        {"label": column.label, "align": column.align, "bold": column.bold, "light": column.light}
        for column in block["columns"]
    ]
    return sized
