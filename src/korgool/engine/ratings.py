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

LEAST = 100
"""Numbers from here on are ratings and no levels. A mover by lot stands at 0 in every game."""
SIGHT_NODES = 5_000
"""Positions that a player who overlooks moves looks at, at most."""

STRENGTHS: Mapping[str, tuple[tuple[int, float, int], ...]] = {
    "toguz": (
        (200, 0.1356, SIGHT_NODES),
        (210, 0.14, SIGHT_NODES),
        (340, 0.2, SIGHT_NODES),
        (531, 0.32, SIGHT_NODES),
        (697, 0.45, SIGHT_NODES),
        (855, 0.58, SIGHT_NODES),
        (1012, 0.7, SIGHT_NODES),
        (1169, 0.8, SIGHT_NODES),
        (1326, 0.88, SIGHT_NODES),
        (1491, 0.94, SIGHT_NODES),
        (1598, 0.9661, SIGHT_NODES),
        (1599, 1.0, 500),
        (1917, 1.0, 2_000),
        (2160, 1.0, 8_000),
        (2312, 1.0, 32_000),
        (2516, 1.0, 128_000),
    ),
    "mangala": (
        (100, 0.279, SIGHT_NODES),
        (119, 0.32, SIGHT_NODES),
        (191, 0.45, SIGHT_NODES),
        (278, 0.58, SIGHT_NODES),
        (374, 0.7, SIGHT_NODES),
        (470, 0.8, SIGHT_NODES),
        (566, 0.88, SIGHT_NODES),
        (670, 0.94, SIGHT_NODES),
        (696, 0.949, SIGHT_NODES),
        (697, 1.0, 500),
        (872, 1.0, 2_000),
        (965, 1.0, 8_000),
        (1023, 1.0, 32_000),
        (1070, 1.0, 128_000),
    ),
    "castle": (
        (200, 0.2533, SIGHT_NODES),
        (270, 0.32, SIGHT_NODES),
        (395, 0.45, SIGHT_NODES),
        (519, 0.58, SIGHT_NODES),
        (636, 0.7, SIGHT_NODES),
        (748, 0.8, SIGHT_NODES),
        (864, 0.88, SIGHT_NODES),
        (1001, 0.94, SIGHT_NODES),
        (1111, 0.966, SIGHT_NODES),
        (1112, 1.0, 500),
        (1190, 1.0, 2_000),
        (1278, 1.0, 8_000),
        (1351, 1.0, 32_000),
        (1389, 1.0, 128_000),
    ),
    "bestemshe": (
        (200, 0.305, SIGHT_NODES),
        (209, 0.32, SIGHT_NODES),
        (283, 0.45, SIGHT_NODES),
        (363, 0.58, SIGHT_NODES),
        (455, 0.7, SIGHT_NODES),
        (555, 0.8, SIGHT_NODES),
        (667, 0.88, SIGHT_NODES),
        (798, 0.94, SIGHT_NODES),
        (857, 0.9559, SIGHT_NODES),
        (858, 1.0, 500),
        (999, 1.0, 2_000),
        (1214, 1.0, 8_000),
        (1341, 1.0, 32_000),
        (1403, 1.0, 128_000),
    ),
}
"""Settings by rating, for each game: rating, sight, positions. Between two of them sight goes straight, and positions
grow by equal shares."""
