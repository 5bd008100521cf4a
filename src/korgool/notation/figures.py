"""Digits and stones as SVG paths, so that a drawing looks the same on a machine without any font."""

from __future__ import annotations

from math import ceil
from typing import TypeAlias

Place: TypeAlias = tuple[float, float]

_DIGITS = {
    "0": "M3 0C4.9 0 6 1.9 6 5S4.9 10 3 10 0 8.1 0 5 1.1 0 3 0Z",
    "1": "M.9 2.2 3.6 0V10",
    "2": "M.3 2.8C.3 1.1 1.5 0 3.1 0S5.9 1.1 5.9 2.7C5.9 4 5.1 5 4 6.1L.2 10H6",
    "3": "M.5 1.6C.9.6 1.8 0 3 0 4.6 0 5.7 1 5.7 2.4S4.6 4.7 3 4.7H2.4M3 4.7"
    "C4.8 4.7 6 5.7 6 7.3S4.7 10 3 10C1.6 10 .5 9.3.1 8.2",
    "4": "M4.5 10V0L0 7.1H6.2",
    "5": "M5.5 0H1.2L.7 4.6C1.3 4 2.1 3.7 3 3.7 4.8 3.7 6 4.9 6 6.8S4.7 10 2.9 10C1.6 10 .6 9.4.1 8.4",
    "6": "M5.2.5C4.7.2 4.1 0 3.5 0 1.3 0 0 2.5 0 6.2M0 6.8C0 5 1.3 3.7 3 3.7S6 5 6 6.8 4.7 10 3 10 0 8.7 0 6.8V6",
    "7": "M0 0H6L2.3 10",
    "8": "M3 4.6C1.5 4.6.5 3.6.5 2.3S1.5 0 3 0 5.5 1 5.5 2.3 4.5 4.6 3 4.6"
    "C1.2 4.6 0 5.7 0 7.3S1.2 10 3 10 6 8.9 6 7.3 4.8 4.6 3 4.6Z",
    "9": "M.8 9.5C1.3 9.8 1.9 10 2.5 10 4.7 10 6 7.5 6 3.8M6 3.2C6 5 4.7 6.3 3 6.3S0 5 0 3.2 1.3 0 3 0 6 1.3 6 3.2V4",
    "+": "M3 2V8M0 5H6",
}
"""Each digit as a line on a field 6 wide and 10 high."""
_ADVANCE = 8.2


def short(number: float) -> str:
    """A number for SVG with at most two decimals."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def numeral(text: str, x: float, y: float, height: float, colour: str, weight: float = 1.3) -> str:
    """Digits and `+` as lines, centred on x, their top at y.

    Args:
        text: what to write.
        x: the middle, in drawing units.
        y: the top.
        height: height of a digit.
        colour: colour of the line.
        weight: width of the line, in tenths of the height.
    """
    scale = height / 10
    left = x - scale * (_ADVANCE * len(text) - (_ADVANCE - 6)) / 2
    paths = "".join(
        f'<path d="{_DIGITS[digit]}"' + (f' transform="translate({short(_ADVANCE * place)})"' if place else "") + "/>"
        for place, digit in enumerate(text)
    )
    return (
        f'<g transform="translate({short(left)} {short(y)}) scale({short(scale)})" fill="none" stroke="{colour}" '
        f'stroke-width="{weight}" stroke-linecap="round" stroke-linejoin="round">{paths}</g>'
    )


def arrange(count: int, x: float, y: float, width: float, height: float, largest: float) -> tuple[list[Place], float]:
    """Places for stones in a field, in rows, as large as they fit.

    Args:
        count: how many.
        x: left edge of the field.
        y: its top edge.
        width: its width.
        height: its height.
        largest: the greatest distance between neighbours.

    Returns:
        The middles, and the distance between neighbours.
    """
    if count == 0:
        return [], largest
    columns = max(1, int(width / largest))
    while ceil(count / columns) * min(largest, width / columns) > height + 1e-9:
        columns += 1
    columns = min(columns, count)
    step = min(largest, width / columns)
    rows = ceil(count / columns)
    top = y + (height - rows * step) / 2 + step / 2
    places = []
    for row in range(rows):
        here = min(columns, count - row * columns)
        left = x + (width - here * step) / 2 + step / 2
        places += [(left + column * step, top + row * step) for column in range(here)]
    return places, step


def heap(count: int, field: tuple[float, float, float, float], largest: float, end: str) -> tuple[list[Place], float]:
    """Places for many stones in lines of five with a gap after each ten, so that a store can be counted at a glance.

    Args:
        count: how many.
        field: left edge, top edge, width and height.
        largest: the greatest distance between neighbours.
        end: the end of the field where it begins: `left`, `right`, `top` or `bottom`.

    Returns:
        The middles, and the distance between neighbours.
    """
    x, y, width, height = field
    along, across = (width, height) if end in ("left", "right") else (height, width)
    lines = ceil(count / 5)
    step = min(largest, across / 5, along / max(1.0, lines + _TEN * ((lines - 1) // 2)))
    places = []
    for stone in range(count):
        line, place = divmod(stone, 5)
        far = (line + 0.5 + _TEN * (line // 2)) * step
        side = across / 2 + (place - 2) * step
        if end in ("left", "right"):
            places.append((x + far if end == "left" else x + width - far, y + side))
        else:
            places.append((x + side, y + far if end == "top" else y + height - far))
    return places, step


_TEN = 0.45
"""The gap between tens, as a part of the distance between neighbours."""


def circles(places: list[Place], radius: float, fill: str, extra: str = "") -> str:
    """Equal circles as one path."""
    if not places:
        return ""
    r, d = short(radius), short(2 * radius)
    path = "".join(f"M{short(x - radius)} {short(y)}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0-{d} 0" for x, y in places)
    return f'<path d="{path}" fill="{fill}"{extra}/>'
