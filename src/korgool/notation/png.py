"""The board as a PNG image, drawn by the library resvg from the SVG board."""

from __future__ import annotations

from collections.abc import Iterable

from korgool.notation.svg import Hole, svg_board
from korgool.rules import Position, Side, Sowing

WIDEST = 10_000
"""Pixels that an image may be wide."""


def png_board(
    position: Position,
    *,
    trace: Sowing | None = None,
    arrows: Iterable[tuple[Hole, Hole]] = (),
    marks: Iterable[Hole] = (),
    below: Side = Side.WHITE,
    theme: str = "wood",
    width: int = 1200,
) -> bytes:
    """The position as a PNG image with a transparent surround; no font is needed. For the arguments see `svg_board`.

    Args:
        position: what to draw.
        trace: the ply that led here.
        arrows: each from a hole or store to another.
        marks: holes and stores that get a dotted outline.
        below: the side whose row stands below.
        theme: `wood` or `print`.
        width: width of the image in pixels.

    Raises:
        ValueError: there is no such theme or hole, or the width is not from 1 to 10,000.
    """
    if not 1 <= width <= WIDEST:
        raise ValueError(f"the width is {width} pixels, it must be from 1 to {WIDEST:,}")
    import resvg_py  # a compiled library, loaded when an image is asked for

    svg = svg_board(position, trace=trace, arrows=arrows, marks=marks, below=below, theme=theme)
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True))
