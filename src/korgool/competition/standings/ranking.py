"""The ranking: points, then each tie-break among those who are still equal (WNG-TK §XII; C.07 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from korgool.competition.event_state import EventState
from korgool.competition.model import ByeKind, Row, System
from korgool.competition.round_history import RoundKind
from korgool.competition.standings.figures import StandingsLine, StandingsTable, table, won
from korgool.competition.standings.groups import members
from korgool.competition.standings.tiebreaks import Tiebreak, find_tiebreak


@dataclass(frozen=True, slots=True)
class Ranking:
    """Standings with the figures behind them.

    Attributes:
        table: the figures.
        tiebreaks: in order.
        places: the competitors from the first place on; those who share one are together, by pairing number.
        values: the values of each tie-break, by id.
        before: the places before each tie-break.
    """

    table: StandingsTable
    tiebreaks: tuple[Tiebreak, ...]
    places: tuple[tuple[int, ...], ...]
    values: tuple[Mapping[int, float], ...]
    before: tuple[tuple[tuple[int, ...], ...], ...]

    @property
    def knockout(self) -> bool:
        """True if rounds survived come before points."""
        return self.table.settings.system is System.KNOCKOUT

    def level(self, id_: int) -> tuple[tuple[int, ...], ...]:
        """Before each tie-break, those who are still equal to a competitor, who is included."""
        return tuple(next(place for place in before if id_ in place) for before in self.before)

    def rows(self) -> tuple[Row, ...]:
        """The lines of the standings."""
        found, rank = [], 1
        for place in self.places:
            for id_ in place:
                figures = tuple(values[id_] for values in self.values)
                found.append(Row(rank=rank, competitor=id_, points=self.table.lines[id_].points, values=figures))
            rank += len(place)
        return tuple(found)


def standings(
    state: EventState,
    *,
    rounds: int | None = None,
    tiebreaks: Sequence[str] | None = None,
    group: str | None = None,
    competitors: Iterable[int] | None = None,
    players: bool = False,
) -> tuple[Row, ...]:
    """The standings.

    Args:
        state: the event.
        rounds: after how many rounds; all that are paired when None. Games without a result give nothing yet.
        tiebreaks: codes of `TIEBREAKS` in their order; those of the settings when None.
        group: only the members of a group (`groups.members`), with places of their own. Points and tie-breaks are those
            of the whole event, but personal meetings count within the group.
        competitors: only these ids.
        players: rank the players of a team event instead of its teams.

    Competitors who are equal in everything share a place. Excluded competitors come last. In a knock-out, rounds
    survived come before points.

    Raises:
        CompetitionError: there is no such tie-break or group.
    """
    return rank(state, rounds=rounds, tiebreaks=tiebreaks, group=group, competitors=competitors, players=players).rows()


def rank(
    state: EventState,
    *,
    rounds: int | None = None,
    tiebreaks: Sequence[str] | None = None,
    group: str | None = None,
    competitors: Iterable[int] | None = None,
    players: bool = False,
) -> Ranking:
    """The standings with the figures behind them; the arguments are those of `standings`."""
    figures = table(state, rounds=rounds, players=players)
    codes = state.event.tiebreaks if tiebreaks is None else tiebreaks
    chosen = tuple(
        find_tiebreak(code, teams=figures.teams)
        for code in codes
        if not (players and tiebreaks is None and state.event.system.of_teams and _of_teams(code))
    )
    ids = set(figures.lines)
    if group is not None:
        ids &= set(members(state, group))
    if competitors is not None:
        ids &= set(competitors)
    ordered = sorted(ids, key=lambda id_: figures.lines[id_].number)
    first = _leading(figures)
    places = _split([tuple(ordered)], lambda id_: first(figures.lines[id_]))
    values: list[Mapping[int, float]] = []
    before = []
    for one in chosen:
        before.append(tuple(places))
        places, found = _apply(figures, one, places)
        values.append(found)
    return Ranking(figures, chosen, tuple(places), tuple(values), tuple(before))


def _of_teams(code: str) -> bool:
    return find_tiebreak(code, teams=True).whom == "teams"


def _leading(figures: StandingsTable) -> Callable[[StandingsLine], tuple[int, ...]]:
    """Values that are compared before any tie-break, the greatest first."""
    if figures.settings.system is System.KNOCKOUT:
        return lambda line: (-int(line.excluded), survived(line), line.points)
    return lambda line: (-int(line.excluded), line.points)


def survived(line: StandingsLine) -> int:
    """Rounds of a knock-out that a player survived: games and forfeits won, and byes."""
    through = (ByeKind.FULL, ByeKind.ALLOCATED)
    return sum(one.bye in through if one.kind is RoundKind.BYE else won(one) for one in line.meetings)


def _split(places: Sequence[tuple[int, ...]], key: Callable[[int], float | tuple[int, ...]]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for place in places:
        parts: dict[float | tuple[int, ...], list[int]] = {}
        for id_ in place:
            parts.setdefault(key(id_), []).append(id_)
        found += [tuple(parts[mark]) for mark in sorted(parts, reverse=True)]
    return found


def _apply(
    figures: StandingsTable, tiebreak: Tiebreak, places: Sequence[tuple[int, ...]]
) -> tuple[list[tuple[int, ...]], Mapping[int, float]]:
    if tiebreak.value is not None:
        found = {id_: tiebreak.value(figures, id_) for place in places for id_ in place}
        sign = -1 if tiebreak.lowest else 1
        return _split(places, lambda id_: sign * found[id_]), found
    assert tiebreak.order is not None
    parts: list[tuple[int, ...]] = []
    shown: dict[int, float] = {}
    for place in places:
        order = tiebreak.order(figures, place)
        parts += order.groups
        shown.update(order.values)
    return parts, shown


def prize_winners(
    state: EventState, *, group: str | None = None, tiebreaks: Sequence[str] | None = None
) -> tuple[Row, ...]:
    """The rows on the prize places (`Settings.prizes`), including all who share the last of them.

    Players who were excluded or played no game win no prize.
    """
    found = rank(state, group=group, tiebreaks=tiebreaks)
    return tuple(
        row
        for row in found.rows()
        if row.rank <= state.event.prizes
        and not found.table.lines[row.competitor].excluded
        and any(one.opponent is not None for one in found.table.lines[row.competitor].meetings)
    )
