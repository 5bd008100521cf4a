"""The state of an event: what its log of actions adds up to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, TypeAlias

from korgool.competition.actions import AnyAction
from korgool.competition.errors import CompetitionError
from korgool.competition.model import LentForm, Official, Player, Round, Row, Settings, Team
from korgool.competition.result import Result
from korgool.competition.text_cleaning import clean
from korgool.languages import N_
from korgool.languages.name_search import matches

Kept: TypeAlias = Literal["players", "teams", "officials", "forms"]
"""The collections whose members have ids."""
Done: TypeAlias = tuple[AnyAction, str]
"""An action with its reason: the part of a line of the log that shapes the event."""


@dataclass(frozen=True, slots=True)
class EventState:
    """An event at one moment.

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
        done: the lines of the log so far; equality ignores them.
        spent: the highest ids that lines since taken back have used; they are not used again.
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
    done: tuple[Done, ...] = field(default=(), compare=False, repr=False)
    spent: Mapping[Kept, int] = field(default_factory=lambda: MappingProxyType({}), compare=False)

    @property
    def actions(self) -> int:
        """The number of lines in the log."""
        return len(self.done)

    def fresh_id(self, kind: Kept) -> int:
        """The id of the next player, team, official or form: one above all that were ever used."""
        held: Mapping[int, object] = getattr(self, kind)
        return max(max(held, default=0), self.spent.get(kind, 0)) + 1

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
