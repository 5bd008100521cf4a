"""Tie-breaks from the ratings of opponents (FIDE C.07 article 10), for single players.

Only played games count. C.07 drops these tie-breaks if unrated players take part, unless the regulations say how to
treat them; here unrated opponents and the points won against them are left out. Without rated opponents the value is 0.
"""

from __future__ import annotations

from bisect import bisect_left

from korgool.competition.round_history import Meeting, RoundKind
from korgool.competition.standings.figures import StandingsTable

_DIFFERENCES = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184, 193,
    202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589,
    677, 800,
)  # fmt: skip
"""Rating difference for 50, 51, … 100 per cent (FIDE B.02 8.1.1)."""

_LIMITS = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179, 188, 197,
    206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619,
    735,
)  # fmt: skip
"""Greatest rating difference at which 50, 51, … 99 per cent are expected (FIDE B.02 8.1.2)."""


def difference(percent: int) -> int:
    """The rating difference that corresponds to a score in per cent, 0 to 100."""
    return _DIFFERENCES[percent - 50] if percent >= 50 else -_DIFFERENCES[50 - percent]


def expected(own: int, other: int) -> int:
    """The expected score in per cent against an opponent, by the full table."""
    gap = own - other
    better = 50 + bisect_left(_LIMITS, abs(gap))
    return better if gap >= 0 else 100 - better


def average_rating(table: StandingsTable, id_: int, cut: int = 0, cut_best: int = 0) -> float:
    """ARO: the mean rating of the opponents, halves rounded up (C.07 10.1); ARO-C1 leaves out the lowest rating."""
    ratings = sorted(rating for _, rating in rated(table, id_))
    return float(_mean(ratings[cut : len(ratings) - cut_best]))


def performance(table: StandingsTable, id_: int) -> float:
    """TPR: the mean rating of the opponents plus the difference for the share of points (C.07 10.2)."""
    games = rated(table, id_)
    if not games:
        return 0.0
    percent = (_half_points(games) * 100 + len(games)) // (2 * len(games))
    return float(_mean([rating for _, rating in games]) + difference(percent))


def perfect_performance(table: StandingsTable, id_: int) -> float:
    """PTP: the lowest rating with that expected score (C.07 10.3); without a point 800 below the weakest opponent."""
    games = rated(table, id_)
    if not games:
        return 0.0
    ratings, aim = [rating for _, rating in games], _half_points(games) * 50
    if aim == 0:
        return float(min(ratings) - 800)
    low, high = min(ratings) - 800, max(ratings) + 800
    while low < high:
        middle = (low + high) // 2
        if sum(expected(middle, rating) for rating in ratings) >= aim:
            high = middle
        else:
            low = middle + 1
    return float(low)


def average_performance(table: StandingsTable, id_: int) -> float:
    """APRO: the mean TPR of the opponents, halves rounded up (C.07 10.4)."""
    return float(_mean([int(performance(table, one)) for one in _met(table, id_)]))


def average_perfect(table: StandingsTable, id_: int) -> float:
    """APPO: the mean PTP of the opponents, halves rounded up (C.07 10.5)."""
    return float(_mean([int(perfect_performance(table, one)) for one in _met(table, id_)]))


def _met(table: StandingsTable, id_: int) -> list[int]:
    games = table.lines[id_].meetings
    return [one.opponent for one in games if one.kind is RoundKind.PLAYED and one.opponent is not None]


def rated(table: StandingsTable, id_: int) -> list[tuple[Meeting, int]]:
    """The games of a competitor against rated opponents, with their ratings."""
    games = table.lines[id_].meetings
    met = [(one, table.lines[one.opponent].rating) for one in games if one.kind is RoundKind.PLAYED and one.opponent]
    return [(one, rating) for one, rating in met if rating]


def _half_points(games: list[tuple[Meeting, int]]) -> int:
    """Half points of the games, each a win, a draw or a loss also where sets give points."""
    total = 0
    for meeting, _ in games:
        assert meeting.result is not None
        total += meeting.result.white if meeting.white else meeting.result.black
    return total


def _mean(values: list[int]) -> int:
    return (2 * sum(values) + len(values)) // (2 * len(values)) if values else 0
