"""Results across the groups of an event: the medals and points of every federation, and who counts for them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from korgool.competition.event_state import EventState
from korgool.competition.privacy import shown_name
from korgool.competition.standings import standings

_MEDALS = 3


class CountryOrder(StrEnum):
    """What orders federations: their medals and then their points, or the other way round."""

    MEDALS = "medals"
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class CountedPlayer:
    """A player or a team whose points count.

    Attributes:
        group: the id of the group.
        competitor: their id in it.
        rank: their place in it.
        points: their half points in it.
    """

    group: int
    competitor: int
    rank: int
    points: int


@dataclass(frozen=True, slots=True)
class MedalRow:
    """A federation's line.

    Attributes:
        rank: place from 1; equal federations share it.
        federation: as the entries have it; empty for players without one.
        gold, silver, bronze: first, second and third places in groups that are over.
        points: half points of the players who count.
        players: number of its players, once for each group.
        counted: those whose points count, group by group, the best first.
    """

    rank: int
    federation: str
    gold: int
    silver: int
    bronze: int
    points: int
    players: int
    counted: tuple[CountedPlayer, ...] = ()

    @property
    def medals(self) -> int:
        """The number of medals."""
        return self.gold + self.silver + self.bronze


def medals(
    groups: Sequence[EventState], *, best: int | None = None, order: CountryOrder = CountryOrder.MEDALS
) -> tuple[MedalRow, ...]:
    """The federations by their medals, then by points, or by their points, then by medals.

    Args:
        groups: the groups of an event; an event without groups is one.
        best: players or teams of a federation whose points count in each group, the best placed; 0 for all, None for
            the setting `team_best` of the group. Excluded players never count.
        order: what comes first.
    """
    won: dict[str, list[int]] = defaultdict(lambda: [0] * _MEDALS)
    many: dict[str, int] = defaultdict(int)
    counted: dict[str, list[CountedPlayer]] = defaultdict(list)
    for state in groups:
        most = state.event.team_best if best is None else best
        here: dict[str, int] = defaultdict(int)
        for row in standings(state):
            federation = _federation(state, row.competitor)
            many[federation] += 1
            if _excluded(state, row.competitor):
                continue
            if state.over and row.rank <= _MEDALS and state.rounds:
                won[federation][row.rank - 1] += 1
            if not most or here[federation] < most:
                here[federation] += 1
                counted[federation].append(CountedPlayer(state.group, row.competitor, row.rank, row.points))
    scored = {name: sum(one.points for one in counted[name]) for name in many}

    def key(name: str) -> tuple[int, ...]:
        found, points = [-count for count in won[name]], -scored[name]
        return (points, *found) if order is CountryOrder.POINTS else (*found, points)

    rows: list[MedalRow] = []
    ordered = sorted(many, key=lambda name: (*key(name), name))
    for at, name in enumerate(ordered, 1):
        gold, silver, bronze = won[name]
        line = MedalRow(at, name, gold, silver, bronze, scored[name], many[name], tuple(counted[name]))
        if rows and key(rows[-1].federation) == key(name):
            line = replace(line, rank=rows[-1].rank)
        rows.append(line)
    return tuple(rows)


def counted_names(groups: Sequence[EventState], row: MedalRow) -> list[tuple[str, str, CountedPlayer]]:
    """Those who count for a federation: the name of the group, their name, and what they have there."""
    states: Mapping[int, EventState] = {state.group: state for state in groups}
    found = []
    for one in row.counted:
        state = states[one.group]
        teams = state.event.system.of_teams
        name = state.teams[one.competitor].name if teams else shown_name(state.players[one.competitor])
        found.append((state.groups.get(one.group, state.event.name), name, one))
    return found


def _excluded(state: EventState, competitor: int) -> bool:
    return not state.event.system.of_teams and state.players[competitor].excluded


def _federation(state: EventState, competitor: int) -> str:
    if state.event.system.of_teams:
        return state.teams[competitor].federation.strip()
    return state.players[competitor].entry.federation.strip()
