"""`Imported`: the event of a report file, and the actions that put it into a log."""

from __future__ import annotations

from dataclasses import dataclass, replace

import korgool.competition.actions as do
from korgool.competition.eligibility import same_person
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Absence, Bye, ByeKind, Official, Player, Round, Settings, Team, TeamMatch
from korgool.competition.people_index import name_key

ENGINE = do.IMPORTED
"""The engine that the log names for an imported round."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The contents of a report file.

    Attributes:
        settings: the regulations, as far as the file states them.
        players: in the order of their ids, which count from 1.
        teams: of a team event, in the order of their ids.
        officials: in order.
        rounds: with results; only the last may lack some. Players and teams are named by id.
        white_first: whether the lot gave number 1 White.
        lot: its seed, empty if the file has none.
        edition: `2026`, or `2016` for a file without any record that is new in TRF26.
        encoding: the encoding that the bytes were read in.
        notes: what is not kept and what had to be assumed, in sentences with line numbers.
        lost: letters of names that seem to be lost, in sentences with line and column.
    """

    settings: Settings
    players: tuple[Player, ...]
    teams: tuple[Team, ...] = ()
    officials: tuple[Official, ...] = ()
    rounds: tuple[Round, ...] = ()
    white_first: bool = True
    lot: str = ""
    edition: str = "2026"
    encoding: str = "utf-8"
    notes: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()

    def actions(self) -> tuple[tuple[do.AnyAction, str], ...]:
        """The actions that make this event, each with its reason; raises CompetitionError if one is refused."""
        return tuple(_Maker(self).make()[0])

    @property
    def state(self) -> EventState:
        """The event after all the actions."""
        return _Maker(self).make()[1]


class _Maker:
    """Collects the actions and applies each at once, so that the next one fits."""

    def __init__(self, imported: Imported) -> None:
        self.of = imported
        self.state = EventState()
        self.found: list[tuple[do.AnyAction, str]] = []

    def make(self) -> tuple[list[tuple[do.AnyAction, str]], EventState]:
        of = self.of
        self.act(do.Open(of.settings))
        for official in of.officials:
            self.act(do.Appoint(official.name, official.role, official.category, official.federation))
            if official.excluded:
                self.act(do.Dismiss(max(self.state.officials)), official.excluded)
        late = self.late()
        for player in of.players:
            if player.id not in late:
                self.enter(player)
        for team in of.teams:
            self.team(team)
        if of.settings.system.of_teams:
            order = [self.team_id(one) for one in sorted(of.teams, key=lambda one: one.number)]
        else:
            entered = (one for one in of.players if one.id not in late)
            order = [one.id for one in sorted(entered, key=lambda one: one.number)]
        if order:
            self.act(do.Seed(tuple(order), of.white_first, of.lot))
        self.decisions(0)
        for one in of.rounds:
            self.pair(one)
            come = [player for player in of.players if player.id in late and player.since == one.number + 1]
            for player in come:
                self.enter(player)
            for team in of.teams:
                if any(player.id in team.players for player in come):
                    self.team(team)
            self.decisions(one.number)
        self.correct_byes()
        return self.found, self.state

    def act(self, action: do.AnyAction, reason: str = "") -> None:
        self.state = apply(self.state, action, reason=reason)
        self.found.append((action, reason))

    def late(self) -> set[int]:
        """Ids of players who can be entered late, as they were, if all ids and numbers then come out as in the file."""
        players = self.of.players
        late = [one for one in players if one.since > 1]
        ordered = [one.since for one in players] == sorted(one.since for one in players)
        last = all(one.number == one.id for one in late)
        in_time = all(one.since <= len(self.of.rounds) + 1 for one in late)
        return {one.id for one in late} if ordered and last and in_time else set()

    def enter(self, player: Player) -> None:
        same = [id_ for id_, one in self.state.players.items() if same_person(one.entry, player.entry)]
        self.act(do.Enter(player.entry, bool(same) and all(self.are_two(id_, player.id) for id_ in same)))
        absences = {one.round: one for one in player.absences}
        if self.state.players[player.id].since < player.since:
            for number in range(1, player.since):
                absences.setdefault(number, Absence(number, ByeKind.ZERO))
        for number in sorted(absences):
            if len(self.state.rounds) < number <= self.of.settings.rounds:
                self.act(do.Miss(player.id, absences[number]))

    def are_two(self, one: int, other: int) -> bool:
        """Return whether two lines with one name are of two people: both were paired in one round."""
        seats = [{id_ for game in held.games for id_ in (game.white, game.black)} for held in self.of.rounds]
        return any({one, other} <= seated for seated in seats)

    def team(self, team: Team) -> None:
        """Complete a team that the entries of its players have made already, or enter it, with those who are there."""
        if not self.of.settings.system.of_teams:
            return
        made = next((one.id for one in self.state.teams.values() if name_key(one.name) == name_key(team.name)), 0)
        here = tuple(id_ for id_ in team.players if id_ in self.state.players)
        self.act(do.SetTeam(replace(team, id=made, players=here)))

    def team_id(self, team: Team) -> int:
        return next(one.id for one in self.state.teams.values() if name_key(one.name) == name_key(team.name))

    def pair(self, one: Round) -> None:
        of_teams = self.of.settings.system.of_teams
        games = tuple(replace(game, result=None, records=(), special=False) for game in one.games)
        byes: tuple[Bye, ...] = one.byes
        matches: tuple[TeamMatch, ...] = ()
        if of_teams:
            ids = {team.id: self.team_id(team) for team in self.of.teams}
            byes = tuple(Bye(ids[bye.player], bye.kind) for bye in byes)
            matches = tuple(TeamMatch(one.table, ids[one.home], ids[one.away], one.boards) for one in one.matches)
        else:
            byes = tuple(bye for bye in byes if self.is_in(bye.player, one.number))
        self.act(do.Pair(one.number, games, byes, matches, ENGINE))
        for game in one.games:
            if game.result is not None:
                self.act(do.EnterResult(one.number, game.board, game.result))
            if game.special:
                self.act(do.Choose(one.number, game.board))

    def is_in(self, player: int, number: int) -> bool:
        """Return whether a player is entered and has not left when a round is paired."""
        held = self.state.players.get(player)
        return held is not None and held.since <= number and (held.until is None or number <= held.until)

    def correct_byes(self) -> None:
        """Byes with points for rounds before a late entry or after a withdrawal, as corrections gave them."""
        for one, held in zip(self.of.rounds, self.state.rounds, strict=True):
            for bye in one.byes if not self.of.settings.system.of_teams else ():
                if bye not in held.byes:
                    self.act(do.CorrectBye(one.number, bye.player, bye.kind), "bye of the report")

    def decisions(self, number: int) -> None:
        """Warnings, penalties, exclusions and withdrawals that were decided after a round had begun."""
        for player in self.of.players:
            if player.id in self.state.players:
                self.judge(player, number)

    def judge(self, player: Player, number: int) -> None:
        for at, warning in enumerate(player.warnings, 1):
            if warning.round == number and not self.state.players[player.id].excluded:
                self.act(do.GiveWarning(player.id), warning.reason or f"warning {at}")
        taken = [one for one in player.penalties if one.round == number]
        own = [one for one in self.state.players[player.id].penalties if one.round == number]
        for one in taken:
            if one in own:
                own.remove(one)
            else:
                self.act(do.Penalise(player.id, one.half_points), one.reason or "record 299")
        if player.until == number and self.state.players[player.id].until is None:
            if player.excluded:
                self.act(do.Exclude(player.id), "excluded")
            else:
                self.act(do.Withdraw(player.id))
