"""Personal meetings (direct encounter): the games among those who are tied (WNG-TK §XII; FIDE C.07 6, 13.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from korgool.competition.standings.figures import Measure, StandingsTable, gained


@dataclass(frozen=True, slots=True)
class Order:
    """Order in which a tie was broken.

    Attributes:
        groups: the competitors from the first place on; those still tied are together.
        values: the points to show for each: those won against the others if they decided something, else 0.
    """

    groups: tuple[tuple[int, ...], ...]
    values: Mapping[int, float]


def direct_encounter(table: StandingsTable, tied: Sequence[int]) -> Order:
    """DE, personal meetings: the points that the tied won against each other (WNG-TK §XII; C.07 6, both editions).

    Forfeits do not count, but in a round robin (6.1.1, 15.2); those who met more often count the mean of their games
    (6.1.2). Where all have met, these points rank them, and those still equal are compared again among themselves
    (6.2). Where not all have met, whoever stays first whatever the missing games had given goes first, then the second,
    and so on; the others are compared again without them (6.3).

    The value shown is what somebody won against the others where that decided something, else 0; the places may part
    competitors whose values are equal, when they were compared again.
    """
    return _order(table, tuple(tied), "points")


def extended_direct_encounter(table: StandingsTable, tied: Sequence[int]) -> Order:
    """EDE: direct encounter by match points, then by board points, begun again with each smaller tie (C.07 13.3)."""
    order = _order(table, tuple(tied), "points")
    if len(order.groups) == 1 and len(tied) > 1:
        order = _order(table, tuple(tied), "game_points")
    if len(order.groups) == 1:
        return order
    groups = [one for group in order.groups for one in extended_direct_encounter(table, group).groups]
    return Order(tuple(groups), order.values)


def meetings_among(
    table: StandingsTable, tied: Sequence[int], measure: Measure = "points"
) -> dict[int, dict[int, Fraction]]:
    """Mean half points of each tied competitor against each other one that they met."""
    among = set(tied)
    found: dict[int, dict[int, Fraction]] = {}
    for id_ in tied:
        games: dict[int, list[int]] = {}
        for meeting in table.lines[id_].meetings:
            if meeting.opponent in among and meeting.opponent is not None and table.as_game(meeting):
                games.setdefault(meeting.opponent, []).append(gained(meeting, measure))
        found[id_] = {other: Fraction(sum(points), len(points)) for other, points in games.items()}
    return found


def _order(table: StandingsTable, tied: tuple[int, ...], measure: Measure) -> Order:
    if len(tied) < 2:
        return Order((tied,) if tied else (), dict.fromkeys(tied, 0.0))
    met = meetings_among(table, tied, measure)
    won = {id_: sum(met[id_].values(), Fraction()) for id_ in tied}
    if all(len(met[id_]) == len(tied) - 1 for id_ in tied):
        groups = _by(tied, won)
        values = {id_: float(points) / 2 for id_, points in won.items()}
    else:
        groups, ahead = _certain(table, tied, met, won, measure)
        values = {id_: float(won[id_]) / 2 if id_ in ahead else 0.0 for id_ in tied}
    if len(groups) == 1:
        return Order(tuple(groups), values)
    parts: list[tuple[int, ...]] = []
    for group in groups:
        inner = _order(table, group, measure)
        parts += inner.groups
        if all(values[id_] == 0 for id_ in group):
            values.update(inner.values)
    return Order(tuple(parts), values)


def _by(tied: tuple[int, ...], won: Mapping[int, Fraction]) -> list[tuple[int, ...]]:
    marks = sorted(set(won.values()), reverse=True)
    return [tuple(id_ for id_ in tied if won[id_] == mark) for mark in marks]


def _certain(
    table: StandingsTable,
    tied: tuple[int, ...],
    met: Mapping[int, Mapping[int, Fraction]],
    won: Mapping[int, Fraction],
    measure: Measure,
) -> tuple[list[tuple[int, ...]], set[int]]:
    """The tied in the order that holds whatever the missing games had given, and those who are ahead for certain."""
    win = 2 * table.draw(measure)
    most = {id_: won[id_] + win * (len(tied) - 1 - len(met[id_])) for id_ in tied}
    waiting = sorted(tied, key=lambda id_: (-won[id_], -most[id_]))
    groups: list[tuple[int, ...]] = []
    while len(waiting) > 1 and won[waiting[0]] > max(most[id_] for id_ in waiting[1:]):
        groups.append((waiting.pop(0),))
    ahead = {group[0] for group in groups}
    return [*groups, tuple(id_ for id_ in tied if id_ in set(waiting))], ahead
