"""Results across the groups of an event: the medals and points of every federation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from korgool.competition.event_state import EventState
from korgool.competition.standings import standings

_MEDALS = 3


@dataclass(frozen=True, slots=True)
class MedalRow:
    """A federation's line.

    Attributes:
        rank: place from 1; equal federations share it.
        federation: as the entries have it; empty for players without one.
        gold, silver, bronze: first, second and third places in groups that are over.
        points: half points of the players who count.
        players: number of its players, once for each group.
    """

    rank: int
    federation: str
    gold: int
    silver: int
    bronze: int
    points: int
    players: int

    @property
    def medals(self) -> int:
        """The number of medals."""
        return self.gold + self.silver + self.bronze


def medals(groups: Sequence[EventState], *, best: int = 0) -> tuple[MedalRow, ...]:
    """The federations by their medals, then by points.

    Args:
        groups: the groups of an event; an event without groups is one.
        best: players or teams of a federation whose points count in each group, the best placed; 0 for all.
    """
    won: dict[str, list[int]] = defaultdict(lambda: [0] * _MEDALS)
    scored: dict[str, int] = defaultdict(int)
    many: dict[str, int] = defaultdict(int)
    for state in groups:
        counted: dict[str, int] = defaultdict(int)
        for row in standings(state):
            federation = _federation(state, row.competitor)
            many[federation] += 1
            if state.over and row.rank <= _MEDALS and state.rounds:
                won[federation][row.rank - 1] += 1
            if not best or counted[federation] < best:
                counted[federation] += 1
                scored[federation] += row.points
    ordered = sorted(many, key=lambda name: (*(-count for count in won[name]), -scored[name], name))
    rows: list[MedalRow] = []
    for at, name in enumerate(ordered, 1):
        gold, silver, bronze = won[name]
        line = MedalRow(at, name, gold, silver, bronze, scored[name], many[name])
        before = rows[-1] if rows else None
        if before is not None and (before.gold, before.silver, before.bronze, before.points) == (
            *(gold, silver, bronze),
            line.points,
        ):
            line = replace(line, rank=before.rank)
        rows.append(line)
    return tuple(rows)


def _federation(state: EventState, competitor: int) -> str:
    if state.event.system.of_teams:
        return state.teams[competitor].federation.strip()
    return state.players[competitor].entry.federation.strip()
