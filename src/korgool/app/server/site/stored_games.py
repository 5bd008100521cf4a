"""Games that the first page shows where nobody plays: level 8 against level 7, one of each game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A whole game.

    Attributes:
        moves: hole numbers, White first.
        shown: plies that stand on the picture with which a page comes.
        white: the level of White.
        black: that of Black.
    """

    moves: str
    shown: int
    white: int = 8
    black: int = 7


STORED_GAMES: Mapping[str, StoredGame] = {
    "toguz": StoredGame("24827543643252466246969336523949534355847", 13),
    "mangala": StoredGame("336155126342562652261556636362446565246455636265", 9),
    "castle": StoredGame("1662664143665121652655343354336142544426352636554354564556", 12),
    "bestemshe": StoredGame("12542522443211245311134412214413322234434434435", 9),
}
"""By the game's short name. After the first two moves, by lot, each has a second for a move at level 8, and 10,000
positions or fewer at level 7."""
