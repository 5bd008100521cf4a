"""The course of a rating as a picture, drawn by the server: it needs no script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from korgool.app.server.people.profiles.profile_repository import RatingPoint

WIDTH, HEIGHT = 600, 160
_MARGIN = 6
_LEAST_SPAN = 100
"""Rating points that the picture shows at least, so that small changes look small."""


@dataclass(frozen=True, slots=True)
class RatingGraph:
    """A picture of a rating, a game after the other.

    Attributes:
        line: the points of the rating, as SVG has them.
        band: the outline of the rating with its deviation.
        low: the lowest rating.
        high: the highest one.
        last: where the last point lies.
        games: how many there are.
    """

    line: str
    band: str
    low: int
    high: int
    last: tuple[float, float]
    games: int

    @classmethod
    def of(cls, points: Sequence[RatingPoint]) -> RatingGraph | None:
        """The picture of some games; None for fewer than two."""
        if len(points) < 2:
            return None
        bottom = min(point.rating - point.deviation for point in points)
        top = max(point.rating + point.deviation for point in points)
        middle, span = (bottom + top) / 2, max(_LEAST_SPAN, top - bottom)
        step, rise = (WIDTH - 2 * _MARGIN) / (len(points) - 1), (HEIGHT - 2 * _MARGIN) / span

        def place(number: int, rating: float) -> tuple[float, float]:
            return round(_MARGIN + number * step, 1), round(HEIGHT / 2 - (rating - middle) * rise, 1)

        line = [place(number, point.rating) for number, point in enumerate(points)]
        above = [place(number, point.rating + point.deviation) for number, point in enumerate(points)]
        below = [place(number, point.rating - point.deviation) for number, point in enumerate(points)]
        ratings = [point.rating for point in points]
        return cls(_text(line), _text([*above, *reversed(below)]), min(ratings), max(ratings), line[-1], len(points))


def _text(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in places)
