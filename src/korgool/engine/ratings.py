"""Measured ratings of the levels: see the page on the levels in the manual for the method and the errors.

Ratings compare the levels of one game with each other, level 1 at 0. They are those of no rating list, and say nothing
of one game beside another.
"""

from __future__ import annotations

from collections.abc import Mapping

from korgool.engine.games import FIGURES, Knot

RATINGS: Mapping[str, tuple[int, ...]] = {name: figures.elo for name, figures in FIGURES.items()}
"""Elo of the levels 1 to 8 of each game, by its short name."""

PEOPLE: tuple[int | None, ...] = (500, 690, 860, 1060, 1300, 1570, None, None)
"""Rating of the people who give away as much a move in toguz korgool as each level; None for stronger than the data."""

PEOPLE_ABOVE: Mapping[int, int] = {7: 1700, 8: 1900}
"""For the levels that are stronger than the data a rating of people that they surpass surely: the least that follows
from the intervals of what they give away and of the curve."""

LEAST = 100
"""Numbers from here on are ratings and no levels. A mover by lot stands at 0 in every game."""

STRENGTHS: Mapping[str, tuple[Knot, ...]] = {name: figures.strengths for name, figures in FIGURES.items()}
"""Settings by rating, for each game: rating, sight, positions. Between two of them sight goes straight, and positions
grow by equal shares."""
