"""Places the stones in the holes and stores of the board on the pages, in the units of its drawing.

`static/js/board/stone_layout.js` does the same, because scripts continue with the board that the server has drawn; a
test compares the two for every number of stones.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import ceil, cos, floor, sin

_LARGEST_IN_HOLE, _LARGEST_IN_STORE = 30.0, 22.0
_STEPS = 12, 20, 30, 42, 56, 72, 90, 110, 132, 162, 200
"""The numbers of stones in a hole beyond which they become smaller, at the earliest."""
_ROUNDING = 1e-9
_TEN = 0.45
"""The gap between tens in a store, and between the fives of a row of ten, as a fraction of the distance of
neighbours."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle."""

    x: float
    y: float
    w: float
    h: float

    def rounded(self) -> Box:
        """The box with rounded numbers, as it is written."""
        return Box(tenths(self.x), tenths(self.y), tenths(self.w), tenths(self.h))


@dataclass(frozen=True, slots=True)
class Heap:
    """Stones of equal size: their radius and their centres."""

    r: float
    at: tuple[tuple[float, float], ...]

    def markup(self) -> str:
        """The circles of the stones, displaced a little and always in the same way, so that they look natural."""
        wobble, r = self.r * 0.14, number(self.r)
        return "".join(
            f'<circle cx="{number(x + sin(nth * 12.9) * wobble)}" cy="{number(y + cos(nth * 7.3) * wobble)}" r="{r}"/>'
            for nth, (x, y) in enumerate(self.at)
        )


def tenths(value: float) -> float:
    """The number rounded to tenths, halves up, as in JavaScript."""
    return floor(value * 10 + 0.5) / 10


def number(value: float) -> str:
    """The number in tenths as JavaScript writes it, without a trailing `.0`."""
    return f"{tenths(value):.1f}".removesuffix(".0")


def _grid(long: float, short: float, stones: int) -> tuple[float, int, int]:
    """The largest distance at which so many stones have room, and how many lie beside and above each other then."""
    pitch = max(min(short / lanes, long / ceil(stones / lanes)) for lanes in range(1, stones + 1))
    pitch = min(pitch, _LARGEST_IN_HOLE)
    return pitch, floor(short / pitch + _ROUNDING), floor(long / pitch + _ROUNDING)


def pack_hole(box: Box, count: int) -> Heap:
    """Places stones in a hole in ranks of three while they fit, then of four and more, so that they are easy to count.

    Every stone lies inside the box. The stones keep their size from the first to the twelfth, and become smaller in few
    steps beyond: one stone more does not change how the others look.
    """
    long, short = max(box.w, box.h), min(box.w, box.h)
    pitch, lanes, most = next(grid for grid in map(partial(_grid, long, short), _STEPS) if grid[1] * grid[2] >= count)
    lanes = next(n for n in range(min(3, lanes), lanes + 1) if ceil(count / n) <= most)
    ranks = ceil(count / lanes)
    upright = box.h >= box.w
    at = []
    for stone in range(count):
        rank = stone // lanes
        in_rank = lanes if rank < ranks - 1 else count - lanes * rank
        u = (stone % lanes - (in_rank - 1) / 2) * pitch
        v = (rank - (ranks - 1) / 2) * pitch
        at.append((box.x + box.w / 2 + (u if upright else v), box.y + box.h / 2 + (v if upright else u)))
    return Heap(pitch * 0.44, tuple(at))


def pack_store(box: Box, count: int, most: int, *, backwards: bool) -> Heap:
    """Places stones in a store so that tens can be counted: rows of five with a gap after every two, or rows of two
    fives.

    Args:
        box: the field for them.
        count: how many.
        most: the most stones that the store can hold, which determines their size.
        backwards: whether they fill from the right or lower end.
    """
    along = box.w >= box.h
    long, short = (box.w, box.h) if along else (box.h, box.w)
    fives = min(short / 5, long / (ceil(most / 5) * 1.25), _LARGEST_IN_STORE)
    tens = min(short / (10 + _TEN), long / ceil(most / 10), _LARGEST_IN_STORE)
    lanes, pitch = (10, tens) if tens > fives else (5, fives)
    at = []
    for stone in range(count):
        lane, rank = stone % lanes, stone // lanes
        across = (lane - (lanes - 1) / 2) * pitch
        far = (rank + 0.5) * pitch
        if lanes == 10:
            across += (-_TEN if lane < 5 else _TEN) * pitch / 2
        else:
            far += rank // 2 * pitch * _TEN
        u = long - far if backwards else far
        at.append((box.x + u, box.y + short / 2 + across) if along else (box.x + short / 2 + across, box.y + u))
    return Heap(pitch * 0.44, tuple(at))


def rect(box: Box) -> str:
    """A box as attributes of SVG."""
    return f'x="{number(box.x)}" y="{number(box.y)}" width="{number(box.w)}" height="{number(box.h)}"'
