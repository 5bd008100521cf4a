"""An event as it stands: what the log of actions has made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, TypeAlias

from korgool.competition.actions import AnyAction
from korgool.competition.errors import CompetitionError
from korgool.competition.model import LentForm, Official, Player, Round, Row, Settings, Team
from korgool.competition.text_cleaning import clean

Kept: TypeAlias = Literal["players", "teams", "officials", "forms"]
"""What has ids."""
Done: TypeAlias = tuple[AnyAction, str]
"""A line of the log as far as it makes the event: an action and its reason."""


@dataclass(frozen=True, slots=True)
class EventState:
    """An event at one moment.

    Attributes:
        settings: the regulations; None before the first action.
        players, teams: by id, in the order of entering.
        officials: by id; those excluded stay listed.
        rounds: the rounds paired so far; all but the last have all their results.
        seeded: whether pairing numbers are given.
        white_first: whether the lot gave White on the first board to the competitor with number 1.
        lot: the seed of that lot.
        forms: record forms lent, by id.
        published: standings by the number of rounds they were published after, with the names of their values.
        done: the lines that made this state; states are equal that were made otherwise.
        spent: highest ids that lines taken back have given; they are not given again.
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
    done: tuple[Done, ...] = field(default=(), compare=False, repr=False)
    spent: Mapping[Kept, int] = field(default_factory=lambda: MappingProxyType({}), compare=False)

    @property
    def actions(self) -> int:
        """How many lines the log has."""
        return len(self.done)

    def fresh_id(self, kind: Kept) -> int:
        """The id that the next player, team, official or form gets: one above all that were given."""
        held: Mapping[int, object] = getattr(self, kind)
        return max(max(held, default=0), self.spent.get(kind, 0)) + 1

    @property
    def event(self) -> Settings:
        """The settings; raises CompetitionError before there are any."""
        if self.settings is None:
            raise CompetitionError("the event is not opened yet")
        return self.settings

    @property
    def complete(self) -> bool:
        """Whether every game paired has its result."""
        return not (self.rounds and self.rounds[-1].missing)

    @property
    def over(self) -> bool:
        """Whether the last planned round has all its results."""
        return len(self.rounds) >= self.event.rounds and self.complete

    def player(self, reference: int | str) -> Player:
        """The player with a pairing number, or whose name begins so, whatever the case.

        Raises:
            CompetitionError: nobody, or several, are meant.
        """
        text = str(reference).strip()
        if text.isdecimal():
            found = [player for player in self.players.values() if player.number == int(text)]
        else:
            key = clean(text).casefold()
            names = [(player, clean(player.entry.name).casefold()) for player in self.players.values()]
            found = [player for player, name in names if name == key] or [
                player for player, name in names if key and name.startswith(key)
            ]
        if len(found) == 1:
            return found[0]
        if not found:
            raise CompetitionError(f"there is no player {text!r}")
        listed = ", ".join(f"{player.number} {player.entry.name}" for player in found[:5])
        raise CompetitionError(f"{text!r} may be any of {listed}; give the number")

    def team(self, reference: int | str) -> Team:
        """The team with a pairing number, or whose name begins so; raises CompetitionError as `player` does."""
        text = str(reference).strip()
        if text.isdecimal():
            found = [team for team in self.teams.values() if team.number == int(text)]
        else:
            key = clean(text).casefold()
            names = [(team, clean(team.name).casefold()) for team in self.teams.values()]
            found = [team for team, name in names if name == key] or [
                team for team, name in names if key and name.startswith(key)
            ]
        if len(found) == 1:
            return found[0]
        raise CompetitionError(f"{text!r} may be any of several teams" if found else f"there is no team {text!r}")

    def round(self, number: int) -> Round:
        """A round that is paired; raises CompetitionError when it is not."""
        if not 1 <= number <= len(self.rounds):
            paired = f"rounds 1 to {len(self.rounds)} are" if self.rounds else "no round is"
            raise CompetitionError(f"round {number} is not paired, {paired}")
        return self.rounds[number - 1]
