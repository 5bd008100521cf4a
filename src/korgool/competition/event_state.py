"""The state of an event: what its log of actions adds up to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, TypeAlias

from korgool.competition.actions import Announce, AnyAction
from korgool.competition.errors import CompetitionError
from korgool.competition.model import LentForm, Official, Player, Round, Row, Settings, Team
from korgool.competition.result import Result
from korgool.competition.tables import TableCall, TableReport
from korgool.competition.text_cleaning import clean
from korgool.languages import N_
from korgool.languages.name_search import matches

Kept: TypeAlias = Literal["players", "teams", "officials", "forms", "groups", "announcements"]
"""The collections whose members have ids."""
Done: TypeAlias = tuple[AnyAction, str]
"""An action with its reason: the part of a line of the log that shapes the event. An action in another group is an
`actions.InGroup`."""


@dataclass(frozen=True, slots=True)
class EventState:
    """An event at one moment, or one group of an event that has several.

    Every group has a state of its own, with its settings, players and rounds. Officials and the log are those of the
    whole event, and permanent ids of players too.

    Attributes:
        settings: the regulations; None before the first action.
        players, teams: by id, in the order of entering.
        officials: by id; those excluded stay listed.
        rounds: the rounds paired so far; all but the last have all their results.
        seeded: whether the competitors have pairing numbers.
        white_first: whether the lot gave number 1 White on the first board.
        lot: the seed of that lot.
        forms: lent record forms, by id.
        published: published standings by the number of rounds played, with the codes of their tie-breaks.
        present: ids of the players noted as being there, by round.
        disputes: what officials said of a game other than its result, by round and board, the earliest first.
        clocks: when rounds begin or have begun in UTC, by round, where an official has said it.
        announcements: what was announced on the wall and not taken from it, by id, also where its time is over.
        reports: what players said at their tables, White first, by round and board; only of games without a result.
        calls: calls for a referee that are not done, by round and board.
        done: the lines of the log so far; equality ignores them.
        spent: the highest ids that lines since taken back have used; they are not used again.
        group: the id of the group that this is the state of, 1 in an event without groups.
        groups: the names of all groups by id, the first one first; empty in an event without groups.
        title: the name of the whole event; empty in an event without groups.
        elsewhere: those who are entered in other groups alone, by id.
        emblem: the picture of the organiser as `actions.SetEmblem` holds it, empty for none; of the whole event.
    """

    settings: Settings | None = None
    players: Mapping[int, Player] = field(default_factory=lambda: MappingProxyType({}))
    teams: Mapping[int, Team] = field(default_factory=lambda: MappingProxyType({}))
    officials: Mapping[int, Official] = field(default_factory=lambda: MappingProxyType({}))
    rounds: tuple[Round, ...] = ()
    seeded: bool = False
    white_first: bool = True
    lot: str = ""
    forms: Mapping[int, LentForm] = field(default_factory=lambda: MappingProxyType({}))
    published: Mapping[int, tuple[tuple[str, ...], tuple[Row, ...]]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    present: Mapping[int, frozenset[int]] = field(default_factory=lambda: MappingProxyType({}))
    disputes: Mapping[tuple[int, int], tuple[Result | None, ...]] = field(default_factory=lambda: MappingProxyType({}))
    clocks: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    announcements: Mapping[int, Announce] = field(default_factory=lambda: MappingProxyType({}))
    reports: Mapping[tuple[int, int], tuple[TableReport, ...]] = field(default_factory=lambda: MappingProxyType({}))
    calls: Mapping[tuple[int, int], TableCall] = field(default_factory=lambda: MappingProxyType({}))
    done: tuple[Done, ...] = field(default=(), compare=False, repr=False)
    spent: Mapping[Kept, int] = field(default_factory=lambda: MappingProxyType({}), compare=False)
    group: int = 1
    groups: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    title: str = ""
    elsewhere: Mapping[int, Player] = field(default_factory=lambda: MappingProxyType({}))
    emblem: str = field(default="", repr=False)

    @property
    def actions(self) -> int:
        """The number of lines in the log."""
        return len(self.done)

    def fresh_id(self, kind: Kept) -> int:
        """The id of the next player, team, official or form: one above all that were ever used."""
        held: Mapping[int, object] = getattr(self, kind)
        least = 1 if kind == "groups" else max(self.elsewhere, default=0) if kind == "players" else 0
        return max(max(held, default=0), least, self.spent.get(kind, 0)) + 1

    @property
    def blank(self) -> EventState:
        """The same group before the first line of the log."""
        return EventState(group=self.group)

    @property
    def people(self) -> Mapping[int, Player]:
        """All who are entered in the event, by id, those of this group as it knows them."""
        return MappingProxyType({**self.elsewhere, **self.players}) if self.elsewhere else self.players

    def group_named(self, name: str) -> int:
        """The id of a group, by its name in any case.

        Raises:
            CompetitionError: there is no such group; the message lists those that there are.
        """
        key = clean(name).casefold()
        for id_, held in self.groups.items():
            if held.casefold() == key:
                return id_
        if not self.groups:
            raise CompetitionError(N_("this event has no groups, and so none called {name!r}"), name=name[:60])
        listed = ", ".join(self.groups.values())
        raise CompetitionError(N_("there is no group {name!r}; there are {listed}"), name=name[:60], listed=listed)

    @property
    def event(self) -> Settings:
        """The settings; raises CompetitionError before the event is opened."""
        if self.settings is None:
            raise CompetitionError(N_("the event is not opened yet"))
        return self.settings

    @property
    def complete(self) -> bool:
        """True if every paired game has a result."""
        return not (self.rounds and self.rounds[-1].missing)

    @property
    def over(self) -> bool:
        """True if the last planned round has all its results."""
        return len(self.rounds) >= self.event.rounds and self.complete

    def player(self, reference: int | str) -> Player:
        """Find a player by pairing number, or by a name as it was typed.

        Raises:
            CompetitionError: no player fits, or several do.
        """
        text = str(reference).strip()
        if text.isdecimal():
            found = [player for player in self.players.values() if player.number == int(text)]
        else:
            found = matches(clean(text), ((player, clean(player.name)) for player in self.players.values()))
        if len(found) == 1:
            return found[0]
        if not found:
            raise CompetitionError(N_("there is no player {text!r}"), text=text)
        listed = ", ".join(f"{player.number} {player.name}" for player in found[:5])
        raise CompetitionError(N_("{text!r} may be any of {listed}; give the number"), text=text, listed=listed)

    def team(self, reference: int | str) -> Team:
        """The team with this pairing number, or which is meant by this name; raises what `player` raises."""
        text = str(reference).strip()
        if text.isdecimal():
            found = [team for team in self.teams.values() if team.number == int(text)]
        else:
            found = matches(clean(text), ((team, clean(team.name)) for team in self.teams.values()))
        if len(found) == 1:
            return found[0]
        if found:
            listed = ", ".join(f"{team.number} {team.name}" for team in found[:5])
            raise CompetitionError(N_("{text!r} may be any of {listed}; give the number"), text=text, listed=listed)
        raise CompetitionError(N_("there is no team {text!r}"), text=text)

    def round(self, number: int) -> Round:
        """A round; raises CompetitionError if it is not paired."""
        if not 1 <= number <= len(self.rounds):
            if not self.rounds:
                raise CompetitionError(N_("round {number} is not paired, no round is"), number=number)
            last = len(self.rounds)
            raise CompetitionError(N_("round {number} is not paired, rounds 1 to {last} are"), number=number, last=last)
        return self.rounds[number - 1]
