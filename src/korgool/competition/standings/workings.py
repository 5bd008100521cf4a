"""Workings of each tie-break of one competitor: its parts, round by round or opponent by opponent.

The parts are those that the tie-breaks themselves add up, so that a page can show the sum and not only its result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from korgool.competition.round_history import RoundKind
from korgool.competition.standings.figures import Measure, StandingsTable
from korgool.competition.standings.opponent_points import Share, buchholz, cut_shares, shares
from korgool.competition.standings.opponent_ratings import perfect_performance, performance, rated
from korgool.competition.standings.personal_meetings import meetings_among
from korgool.competition.standings.ranking import Ranking
from korgool.competition.standings.team_boards import board_points
from korgool.competition.standings.tiebreaks import Tiebreak


class Joint(StrEnum):
    """Operation that joins the parts to the value."""

    SUM = "sum"
    MEAN = "mean"
    PARTS = "parts"
    """By a table or an order, and not by arithmetic that fits on a line."""
    ALONE = "alone"
    """No working: no other competitor is equal, or the value is given."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a tie-break.

    Attributes:
        value: what it adds, in points, stones or rating points.
        round: the round it belongs to, 0 if it is of the whole event.
        opponent: id of the opponent, None without one.
        strength, won: for a product, the opponent's points and the points won; else None.
        cut: whether it is left out of the sum.
    """

    value: float
    round: int = 0
    opponent: int | None = None
    strength: float | None = None
    won: float | None = None
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Working:
    """A tie-break of one competitor, worked out.

    Attributes:
        tiebreak: which.
        value: as the standings show it.
        joint: how the parts make it.
        parts: in the order of rounds.
        tied: ids of those who are still equal before it, the competitor included.
    """

    tiebreak: Tiebreak
    value: float
    joint: Joint
    parts: tuple[Part, ...]
    tied: tuple[int, ...]


_CUTS = {"": (0, 0), "C1": (1, 0), "C2": (2, 0), "M1": (1, 1), "M2": (2, 2)}
_PRODUCTS: dict[str, tuple[Measure, Measure]] = {
    "SB": ("points", "points"),
    "EMMSB": ("points", "points"),
    "EMGSB": ("points", "game_points"),
    "EGMSB": ("game_points", "points"),
    "EGGSB": ("game_points", "game_points"),
}
_BY_ROUND = ("WIN", "WON", "BPG", "BWG", "REP", "STD", "KS", "KL", "MPVGP")
"""Tie-breaks that are sums over the competitor's own rounds."""


def workings(found: Ranking, id_: int) -> tuple[Working, ...]:
    """Every tie-break of a competitor in the order of the standings."""
    tied = found.level(id_)
    return tuple(
        _working(found.table, one, found.values[at][id_], id_, tied[at]) for at, one in enumerate(found.tiebreaks)
    )


def _working(table: StandingsTable, tiebreak: Tiebreak, value: float, id_: int, tied: Sequence[int]) -> Working:
    base, _, cut = tiebreak.code.partition("-")
    joint, parts = Joint.SUM, list[Part]()
    if base == "PS":
        parts = _progress(table, id_, _CUTS[cut][0])
    elif base in ("BH", "FB"):
        parts = _buchholz(table.fore if base == "FB" else table, id_, *_CUTS[cut])
    elif base in _PRODUCTS:
        parts = _products(table, id_, *_PRODUCTS[base], *_CUTS[cut])
    elif base in _BY_ROUND:
        assert tiebreak.value is not None
        parts = _by_round(table, tiebreak.value, id_)
        line = table.lines[id_]
        if base == "MPVGP" and (taken := line.taken(len(line.meetings))):
            parts.append(Part(-taken / 2))
    elif base == "AOB":
        joint, parts = Joint.MEAN, _of_opponents(table, id_, lambda other: buchholz(table, other))
    elif base in ("ARO", "TPR", "PTP"):
        joint, parts = (Joint.MEAN if base == "ARO" else Joint.PARTS), _ratings(table, id_, *_CUTS[cut])
    elif base in ("APRO", "APPO"):
        of = performance if base == "APRO" else perfect_performance
        joint, parts = Joint.MEAN, _of_opponents(table, id_, lambda other: of(table, other))
    elif base in ("DE", "EDE"):
        joint, parts = Joint.PARTS if len(tied) > 1 else Joint.ALONE, _meetings(table, id_, tied)
    elif base in ("BC", "TBR", "BBE"):
        joint, parts = Joint.PARTS, _boards(table, id_)
    elif base == "SSSC":
        points = board_points(table, id_)
        parts = [Part(points), Part(value - points)]
    else:
        joint = Joint.ALONE
    return Working(tiebreak, value, joint, tuple(parts), tuple(tied))


def _progress(table: StandingsTable, id_: int, cut: int) -> list[Part]:
    line, running, parts = table.lines[id_], 0, []
    for number, meeting in enumerate(line.meetings, 1):
        running += meeting.points
        taken = line.taken(number) if table.settings.penalised_progress else 0
        parts.append(Part((running - taken) / 2, number, meeting.opponent, cut=number <= cut))
    return parts


def _buchholz(table: StandingsTable, id_: int, low: int, high: int) -> list[Part]:
    every = shares(table, table.lines[id_], "points", None)
    kept = cut_shares(every, low, high)
    return [Part(one.value / 2, one.round, one.opponent, cut=one not in kept) for one in every]


def _products(table: StandingsTable, id_: int, strength: Measure, factor: Measure, low: int, high: int) -> list[Part]:
    every = shares(table, table.lines[id_], strength, factor)
    kept = cut_shares(every, low, high)
    return [_product(one, one not in kept, table, id_, factor) for one in every]


def _product(one: Share, cut: bool, table: StandingsTable, id_: int, factor: Measure) -> Part:
    meeting = table.lines[id_].meetings[one.round - 1]
    won = meeting.points if factor == "points" else meeting.game_points
    return Part(one.value / 4, one.round, one.opponent, one.strength / 2, won / 2, cut)


def _by_round(table: StandingsTable, value: Callable[[StandingsTable, int], float], id_: int) -> list[Part]:
    """Share of each round alone: these tie-breaks look at one round after the other."""
    line, parts = table.lines[id_], []
    for meeting in line.meetings:
        boards = tuple(one for one in line.boards if one[1].round == meeting.round)
        alone = replace(line, meetings=(meeting,), penalties=(), boards=boards)
        # The opponents stay as they are, and so does what counts as enough points for Koya.
        amount = value(replace(table, lines={**table.lines, id_: alone}), id_)
        if amount:
            parts.append(Part(amount, meeting.round, meeting.opponent))
    return parts


def _of_opponents(table: StandingsTable, id_: int, value: Callable[[int], float]) -> list[Part]:
    return [
        Part(value(one.opponent), one.round, one.opponent)
        for one in table.lines[id_].meetings
        if one.kind is RoundKind.PLAYED and one.opponent is not None
    ]


def _ratings(table: StandingsTable, id_: int, low: int, high: int) -> list[Part]:
    games = rated(table, id_)
    order = sorted(range(len(games)), key=lambda at: games[at][1])
    kept = set(order[low : len(order) - high])
    return [
        Part(float(rating), meeting.round, meeting.opponent, cut=at not in kept)
        for at, (meeting, rating) in enumerate(games)
    ]


def _meetings(table: StandingsTable, id_: int, tied: Sequence[int]) -> list[Part]:
    met = meetings_among(table, tied)[id_]
    rounds = {one.opponent: one.round for one in table.lines[id_].meetings}
    return [Part(float(points) / 2, rounds.get(other, 0), other) for other, points in met.items()]


def _boards(table: StandingsTable, id_: int) -> list[Part]:
    """Points won on each board of the match; `round` is the board here."""
    sums: dict[int, int] = {}
    for place, meeting in table.lines[id_].boards:
        sums[place] = sums.get(place, 0) + meeting.points
    return [Part(points / 2, place) for place, points in sorted(sums.items())]
