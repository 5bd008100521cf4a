"""`Paired`: a round that a pairing system has made and that is not published yet."""

from __future__ import annotations

from dataclasses import dataclass

from korgool.competition.actions import Pair
from korgool.competition.model import Bye, PairedGame, TeamMatch


@dataclass(frozen=True, slots=True)
class Paired:
    """A paired round before its publication.

    Attributes:
        games: by board, counted from 1 through the round.
        byes: competitors without an opponent; in a team event they hold ids of teams.
        matches: the matches of a team event with the boards of each; else empty.
        engine: what paired it, with the version: `gacrux 1.11.65, file 3`, `korgool Berger`.
    """

    games: tuple[PairedGame, ...]
    byes: tuple[Bye, ...] = ()
    matches: tuple[TeamMatch, ...] = ()
    engine: str = ""

    def action(self, number: int) -> Pair:
        """The action that publishes it as a round."""
        return Pair(number, self.games, self.byes, self.matches, self.engine)
