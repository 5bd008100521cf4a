"""The figures of an event that its pages share, in every language: computed once, when the first page needs them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from korgool.app.publishing.privacy import public_event
from korgool.competition.event_state import EventState
from korgool.competition.model import PairedGame, Player, Row, Team
from korgool.competition.round_history import Meeting, competitors, history
from korgool.competition.standings import ChartRow, Ranking, TeamTotal, cross_table, rank, team_totals
from korgool.competition.standings.groups import group_names


class EventFigures:
    """An event as the public sees it.

    Attributes:
        state: the event without what is not public.
        teams: whether teams are paired.
    """

    def __init__(self, state: EventState) -> None:
        self.state = public_event(state)
        self.teams = self.state.event.system.of_teams

    @cached_property
    def ranking(self) -> Ranking:
        """The standings of the competitors, with results as they come."""
        return rank(self.state)

    @cached_property
    def players_ranking(self) -> Ranking:
        """The standings of the players, also in a team event."""
        return rank(self.state, players=True) if self.teams else self.ranking

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The groups of players that have standings of their own."""
        return group_names(self.state)

    @cached_property
    def prizes(self) -> bool:
        """True if the event offers prizes."""
        return bool(self.state.event.fund.prizes)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The lines of the standings."""
        return self.ranking.rows()

    @cached_property
    def players_rows(self) -> tuple[Row, ...]:
        """The lines of the players' standings."""
        return self.players_ranking.rows() if self.teams else self.rows

    @cached_property
    def chart(self) -> tuple[ChartRow, ...]:
        """Cross table of the event."""
        return cross_table(self.state)

    @cached_property
    def totals(self) -> tuple[TeamTotal, ...]:
        """Teams of an individual event by the points of their players; empty if no player has a team."""
        return () if self.teams else team_totals(self.state)

    @cached_property
    def rounds_of(self) -> Mapping[int, tuple[Meeting, ...]]:
        """The rounds of every player by id."""
        return history(self.state)

    @cached_property
    def matches_of(self) -> Mapping[int, tuple[Meeting, ...]]:
        """The rounds of every competitor by id: of teams in a team event."""
        return competitors(self.state) if self.teams else self.rounds_of

    @cached_property
    def by_number(self) -> tuple[Player, ...]:
        """The players by pairing number."""
        return tuple(sorted(self.state.players.values(), key=lambda one: (one.number, one.id)))

    @cached_property
    def teams_by_number(self) -> tuple[Team, ...]:
        """The teams by pairing number."""
        return tuple(sorted(self.state.teams.values(), key=lambda one: (one.number, one.id)))

    @cached_property
    def recorded(self) -> tuple[tuple[int, PairedGame], ...]:
        """The games with a record, each with its round."""
        return tuple((one.number, game) for one in self.state.rounds for game in one.games if game.records)

    @cached_property
    def points_before(self) -> Mapping[int, tuple[int, ...]]:
        """For every player by id, half points before each round and after the last, penalties deducted."""
        found = {}
        for id_, meetings in self.rounds_of.items():
            penalties, points = self.state.players[id_].penalties, [0]
            for meeting in meetings:
                points.append(points[-1] + meeting.points)
            found[id_] = tuple(
                total - sum(one.half_points for one in penalties if one.round <= at) for at, total in enumerate(points)
            )
        return found
