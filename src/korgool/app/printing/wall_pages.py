"""Tables on sheets for the wall: rows of one height, as many on each sheet, so that sheets join side by side or below.

The type is legible from two metres: no row is set smaller than `LEAST` points, in which a capital is 4 mm high.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from korgool.app.printing.paper_context import Block

LEAST = 17.0
"""The smallest type of a table, in points."""
HEIGHT = 665.0
"""Points of a sheet below its head and above its foot."""
_HEAD = 1.9
"""Height of the heading of a table with the numbers of its rows, in type sizes."""
_ROW, _TALL_ROW, _MOST = 1.45, 2.5, 1.35
"""Least height of a row and of one with two lines, in type sizes, and how far they grow to fill a sheet."""
_NOTE = 0.72
"""Type size of notes below a table, of that of the table."""
_SMALL = 0.4
"""Part of a sheet that what follows a table may take on its last sheet."""


def wall_pages(blocks: Sequence[Block], size: float, aside: float = 0.0) -> list[Block]:
    """The blocks of a paper with its tables divided into sheets, each with the numbers of its rows.

    Args:
        blocks: the blocks, their tables with widths.
        size: the type size of a table with enough room.
        aside: millimetres at the right of the head that a code takes.
    """
    pages: list[Block] = []
    for at, block in enumerate(blocks):
        if block["kind"] == "table":
            after = sum(map(_height, blocks[at + 1 :]))
            joins = bool(pages) and _height(block) + after <= _SMALL * HEIGHT
            pages += _sheets(block, after if after <= _SMALL * HEIGHT else 0.0, aside, first=not pages or joins)
        elif block["kind"] in ("note", "legend", "text", "heading"):
            pages.append({**block, "size": round(size * _NOTE, 2)})
        else:
            pages.append(block)
    return pages


def _least(table: Block) -> float:
    return float(table["size"]) * (_TALL_ROW if table["tall"] > 1 else _ROW)


def _height(block: Block) -> float:
    if block["kind"] == "table":
        return len(block["rows"]) * _least(block) + float(block["size"]) * _HEAD
    return 46.0


def _sheets(table: Block, after: float, aside: float, *, first: bool) -> list[Block]:
    """The sheets of a table; the first one begins a page unless `first`."""
    rows: list[Any] = table["rows"]
    least = _least(table)
    room = HEIGHT - float(table["size"]) * _HEAD - after
    sheets = max(1, -(-len(rows) // max(1, int(room / least))))
    each = -(-len(rows) // sheets) or 1
    high = min(room / each, least * _MOST) if len(rows) > 2 else least
    return [
        {
            **table,
            "kind": "wall",
            "rows": rows[at : at + each],
            "bold": [place - at for place in table["bold"] if at <= place < at + each],
            "high": round(high, 2),
            "rows_of": f"{at + 1}–{min(at + each, len(rows))} / {len(rows)}" if sheets > 1 else "",
            "aside": aside,
            "breaks": at > 0 or not first,
        }
        for at in range(0, max(1, len(rows)), each)
    ]
