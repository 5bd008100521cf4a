"""What every pairing system hands back: a round that is not published yet."""

from __future__ import annotations

from dataclasses import dataclass

from korgool.competition.actions import Pair
from korgool.competition.model import Bye, PairedGame, TeamMatch


@dataclass(frozen=True, slots=True)
class Paired:
    """A round as it was paired, before anybody published it.

    Attributes:
        games: by board, counted from 1 through the round.
        byes: those without an opponent; in a team event they hold ids of teams.
        matches: tables of a team event, each naming the boards of its games; empty for single players.
        engine: who paired it, with the version: `gacrux 1.11.65, file 2`, `korgool Berger`.
    """

    games: tuple[PairedGame, ...]
    byes: tuple[Bye, ...] = ()
    matches: tuple[TeamMatch, ...] = ()
    engine: str = ""

    def action(self, number: int) -> Pair:
        """The action that publishes it as a round."""
        return Pair(number, self.games, self.byes, self.matches, self.engine)
