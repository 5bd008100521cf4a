"""The table of figures from which all tie-breaks are computed.

Unplayed rounds are treated here and in `opponent_points`, by FIDE C.07 (Play-Off and Tie-Break Regulations), articles
15 and 16, in the edition of 2023 (in force until 28 February 2026, its later revisions included) or that of 1 March
2026.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

from korgool.competition.event_state import EventState
from korgool.competition.model import ByeKind, Penalty, Player, Round, Settings, System
from korgool.competition.pairing.berger import scheduled
from korgool.competition.round_history import Meeting, RoundKind, history, home_has_white, team_history

Measure: TypeAlias = Literal["points", "game_points"]
"""Measure that is summed: `points` (for a team: match points) or `game_points` (won on boards)."""

PREDETERMINED = (System.ROUND_ROBIN, System.DOUBLE_ROUND_ROBIN, System.TEAM_ROUND_ROBIN)
"""Systems whose pairings are fixed before the first round: their forfeits count as games (C.07 15.2)."""


@dataclass(frozen=True, slots=True)
class StandingsLine:
    """The figures of one competitor.

    Attributes:
        id, number: permanent id and pairing number.
        rating: 0 when unrated, and for teams.
        meetings: one for each round.
        scored: half points won, before penalties.
        penalties: each with the number of rounds begun by then; a team bears those of its players.
        team: whether this is a team; penalties then lower its board points and not its match points.
        excluded: whether the competitor was excluded.
        boards: for a team the games of its players, each with the board of the match; else empty.
    """

    id: int
    number: int
    rating: int
    meetings: tuple[Meeting, ...]
    scored: int
    penalties: tuple[Penalty, ...] = ()
    excluded: bool = False
    team: bool = False
    boards: tuple[tuple[int, Meeting], ...] = ()

    @property
    def points(self) -> int:
        """Half points, penalties deducted; may be negative (WNG-TK §XIV)."""
        return self.scored if self.team else self.scored - self.taken(len(self.meetings))

    def taken(self, rounds: int) -> int:
        """Half points taken by the end of a round."""
        return sum(one.half_points for one in self.penalties if one.round <= rounds)

    @property
    def game_points(self) -> int:
        """Half points won on boards, penalties deducted; the same as `points` for a single player."""
        return sum(meeting.game_points for meeting in self.meetings) - self.taken(len(self.meetings))


@dataclass(frozen=True)
class StandingsTable:
    """The figures of all competitors after some rounds.

    Attributes:
        lines: by id of the competitor.
        rounds: how many rounds count.
        settings: of the event.
        teams: whether the competitors are teams.
    """

    lines: Mapping[int, StandingsLine]
    rounds: int
    settings: Settings
    teams: bool = False

    @property
    def predetermined(self) -> bool:
        """True if C.07 15.2 applies: forfeits are games, and there are no other unplayed rounds."""
        return self.settings.system in PREDETERMINED

    @property
    def capped(self) -> bool:
        """True if the edition limits the dummy opponent of an unplayed round (C.07 16.4, since 1 March 2026)."""
        return self.settings.edition == "2026"

    def draw(self, measure: Measure) -> int:
        """Half points that a draw is worth."""
        if measure == "game_points" and self.teams:
            return self.settings.boards * self._game_draw
        return 1 if self.teams else self._game_draw

    @property
    def _game_draw(self) -> int:
        return self.settings.sets if self.settings.set_points else 1

    def total(self, line: StandingsLine, measure: Measure) -> int:
        """The points of a competitor, penalties deducted."""
        return line.points if measure == "points" else line.game_points

    def as_game(self, meeting: Meeting) -> bool:
        """Return whether a round counts as a game; a game without a result does, with no points so far."""
        if meeting.opponent is None:
            return False
        return meeting.kind is not RoundKind.FORFEIT or self.predetermined

    def adjusted(self, id_: int, measure: Measure = "points") -> int:
        """Points of a competitor as they count for the opponents (C.07 16.3, both editions), in half points.

        Requested byes after the last round that the competitor did not miss voluntarily count as draws; every other
        round counts what it gave. Penalties do not lower it.
        """
        return self._adjusted[measure][id_]

    @cached_property
    def _adjusted(self) -> Mapping[Measure, Mapping[int, int]]:
        measures: tuple[Measure, ...] = ("points", "game_points") if self.teams else ("points",)
        return {one: {id_: self._adjust(line, one) for id_, line in self.lines.items()} for one in measures}

    def _adjust(self, line: StandingsLine, measure: Measure) -> int:
        gains = [gained(meeting, measure) for meeting in line.meetings]
        if self.predetermined:
            return sum(gains)
        last = max((at for at, meeting in enumerate(line.meetings) if not voluntary(meeting)), default=-1)
        missed = sum(
            self.draw(measure) - gains[at]
            for at, meeting in enumerate(line.meetings)
            if at > last and meeting.opponent is None
        )
        return sum(gains) + missed

    @cached_property
    def fore(self) -> StandingsTable:
        """The table as if the games of the last planned round were drawn (C.07 8.3); itself before that round."""
        if self.rounds < self.settings.rounds:
            return self
        return replace(self, lines={id_: self._drawn(line) for id_, line in self.lines.items()})

    def _drawn(self, line: StandingsLine) -> StandingsLine:
        if not line.meetings or line.meetings[-1].opponent is None:
            return line
        last = line.meetings[-1]
        drawn = replace(
            last, kind=RoundKind.PLAYED, points=self.draw("points"), game_points=self.draw("game_points"), result=None
        )
        return replace(
            line, meetings=(*line.meetings[:-1], drawn), scored=line.scored - last.points + self.draw("points")
        )


def gained(meeting: Meeting, measure: Measure) -> int:
    """Half points from a round."""
    return meeting.points if measure == "points" else meeting.game_points


def voluntary(meeting: Meeting) -> bool:
    """True if a round was missed voluntarily: a requested bye or a forfeit loss (C.07 16.1.2)."""
    if meeting.kind is RoundKind.BYE:
        return meeting.bye in (ByeKind.HALF, ByeKind.ZERO)
    return meeting.kind is RoundKind.FORFEIT and meeting.points == 0


def won(meeting: Meeting) -> bool:
    """True if a round gave the points of a win, played or not."""
    if meeting.result is not None:
        return (meeting.result.white if meeting.white else meeting.result.black) == 2
    return meeting.points == 2 and meeting.kind is not RoundKind.PENDING


def lost(meeting: Meeting) -> bool:
    """True if a game was played and lost."""
    if meeting.kind is not RoundKind.PLAYED:
        return False
    if meeting.result is not None:
        return (meeting.result.white if meeting.white else meeting.result.black) == 0
    return meeting.points == 0


def table(state: EventState, *, rounds: int | None = None, players: bool = False) -> StandingsTable:
    """The table of an event after its first `rounds` rounds, by default all that are paired.
    Results of a round in progress count as far as they are known. In a team event the lines are teams, or with
    `players` the players of the teams.
    """
    teams = state.event.system.of_teams and not players
    counted = len(state.rounds) if rounds is None else max(0, min(rounds, len(state.rounds)))
    met = history(state, rounds=counted)
    if state.event.system in (System.ROUND_ROBIN, System.DOUBLE_ROUND_ROBIN):
        met = {id_: tuple(_as_scheduled(state, id_, one, met) for one in meetings) for id_, meetings in met.items()}
    elif players:
        met = {id_: tuple(map(_alone, meetings)) for id_, meetings in met.items()}
    if not teams:
        lines = {id_: _line(player, met[id_]) for id_, player in state.players.items()}
        return StandingsTable(lines, counted, state.event, False)
    matches = team_history(state, rounds=counted)
    lines = {
        id_: StandingsLine(
            id_,
            team.number,
            0,
            matches[id_],
            sum(one.points for one in matches[id_]),
            _fines(state, team.players),
            team=True,
            boards=_boards(state, state.rounds[:counted], id_, met),
        )
        for id_, team in state.teams.items()
    }
    return StandingsTable(lines, counted, state.event, True)


def _line(player: Player, meetings: tuple[Meeting, ...]) -> StandingsLine:
    return StandingsLine(
        player.id,
        player.number,
        player.entry.rating,
        meetings,
        sum(one.points for one in meetings),
        player.penalties,
        player.excluded,
    )


def _as_scheduled(state: EventState, id_: int, meeting: Meeting, met: Mapping[int, tuple[Meeting, ...]]) -> Meeting:
    """A round without a game in a round robin: a forfeit if the scheduled opponent had none either (C.07 15.2)."""
    if meeting.opponent is not None or not state.seeded:
        return meeting
    opponent = scheduled(state, meeting.round, id_)
    if opponent is None or met[opponent][meeting.round - 1].opponent is not None:
        return meeting
    return replace(meeting, kind=RoundKind.FORFEIT, opponent=opponent, bye=None)


def _alone(meeting: Meeting) -> Meeting:
    """A board for which the other team had no player (id 0): a forfeit without an opponent."""
    return replace(meeting, opponent=None) if meeting.opponent == 0 else meeting


def _fines(state: EventState, members: tuple[int, ...]) -> tuple[Penalty, ...]:
    return tuple(one for id_ in members if id_ in state.players for one in state.players[id_].penalties)


def _boards(
    state: EventState, rounds: tuple[Round, ...], team: int, met: Mapping[int, tuple[Meeting, ...]]
) -> tuple[tuple[int, Meeting], ...]:
    """The games of a team's players with their place in the match, from 1."""
    found: list[tuple[int, Meeting]] = []
    for at, one in enumerate(rounds):
        match = next((match for match in one.matches if team in (match.home, match.away)), None)
        for place, board in enumerate(match.boards if match else (), 1):
            assert match is not None
            game = one.game(board)
            white = home_has_white(state, match, game) is (team == match.home)
            if id_ := game.white if white else game.black:
                found.append((place, met[id_][at]))
    return tuple(found)
