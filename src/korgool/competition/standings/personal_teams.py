"""Team totals in an individual event: the points of each team's players ("personal team", WNG-TK §XI)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from korgool.competition.event_state import EventState
from korgool.competition.model import Row
from korgool.competition.standings.ranking import rank


@dataclass(frozen=True, slots=True)
class TeamTotal:
    """A team's total.

    Attributes:
        rank: place from 1; equal teams share it.
        team: its name, as in the entries.
        points: half points of the players who count.
        values: sums of their tie-breaks, except those that order a tie (personal meetings).
        places: sum of their places in the individual standings.
        counted: ids of the players who count, the best first.
        others: ids of its other players.
    """

    rank: int
    team: str
    points: int
    values: tuple[float, ...]
    places: int
    counted: tuple[int, ...]
    others: tuple[int, ...]


def team_totals(
    state: EventState, *, rounds: int | None = None, best: int | None = None, tiebreaks: Sequence[str] | None = None
) -> tuple[TeamTotal, ...]:
    """The teams of an individual event, ranked by the points of their players.

    Args:
        state: the event; players without a team do not count.
        rounds: after how many rounds, all when None.
        best: how many players count, the best placed; 0 for all, None for the setting `team_best`. Excluded players
            never count.
        tiebreaks: of the individual standings, those of the settings when None.

    Equal teams are separated by the sums of the tie-breaks in order, then by the lower sum of places if equally many
    players count. A team with fewer players has only their points.
    """
    ranking = rank(state, rounds=rounds, tiebreaks=tiebreaks, players=True)
    number = state.event.team_best if best is None else best
    summed = [at for at, one in enumerate(ranking.tiebreaks) if one.value is not None]
    signs = [-1 if ranking.tiebreaks[at].lowest else 1 for at in summed]
    members: dict[str, list[Row]] = {}
    for row in ranking.rows():
        if team := state.players[row.competitor].entry.team.strip():
            members.setdefault(team, []).append(row)
    totals = []
    for team, rows in members.items():
        may = [row for row in rows if not state.players[row.competitor].excluded]
        counted = may[:number] if number else may
        ids = tuple(row.competitor for row in counted)
        totals.append(
            TeamTotal(
                0,
                team,
                sum(row.points for row in counted),
                tuple(sum(row.values[at] for row in counted) for at in summed),
                sum(row.rank for row in counted),
                ids,
                tuple(row.competitor for row in rows if row.competitor not in ids),
            )
        )

    def key(one: TeamTotal) -> tuple[float, ...]:
        ordered = (sign * value for sign, value in zip(signs, one.values, strict=True))
        return (one.points, *ordered, len(one.counted), -one.places)

    totals.sort(key=lambda one: one.team)
    totals.sort(key=key, reverse=True)
    ranked: list[TeamTotal] = []
    for at, one in enumerate(totals, 1):
        place = ranked[-1].rank if ranked and key(ranked[-1]) == key(one) else at
        ranked.append(TeamTotal(place, one.team, one.points, one.values, one.places, one.counted, one.others))
    return tuple(ranked)
