"""How strong the levels are, as measured: see the page on the levels in the manual, which tells how and how surely.

Ratings compare the levels of one game with each other, level 1 at 0. They are those of no rating list, and say nothing
of one game beside another.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate


def _from_steps(*steps: int) -> tuple[int, ...]:
    return tuple(accumulate(steps, initial=0))


RATINGS: Mapping[str, tuple[int, ...]] = {
    "toguz": (0, 457, 1082, 1594, 2003, 2474, 2976, 3418),
    "mangala": _from_steps(199, 227, 206, 200, 223, 215, 204),
    "castle": _from_steps(238, 264, 242, 262, 216, 202, 213),
    "bestemshe": _from_steps(317, 221, 253, 215, 280, 389, 327),
}
"""Elo of the levels 1 to 8 of each game, by its short name."""

PEOPLE: tuple[int | None, ...] = (450, 710, 920, 1030, 1240, 1580, None, None)
"""Rating of the people who give away as much a move in toguz korgool as each level; None for stronger than the data."""
