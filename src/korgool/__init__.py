"""Korgool: toguz korgool, mangala and bestemshe for players, arbiters, coaches and researchers.

>>> import korgool
>>> position = korgool.TOGUZ_KORGOOL.start()
>>> position.play(7).stores
(10, 0)
"""

from korgool.rules import (
    BESTEMSHE,
    GAMES,
    MANGALA,
    MANGALA_CASTLE,
    TOGUZ_KORGOOL,
    Claim,
    Drop,
    Game,
    Match,
    Outcome,
    Position,
    PositionError,
    Rules,
    Setup,
    Side,
    Sowing,
    Termination,
    perft,
    perft_divide,
)

__version__ = "0.1.0"

__all__ = [
    "BESTEMSHE",
    "GAMES",
    "MANGALA",
    "MANGALA_CASTLE",
    "TOGUZ_KORGOOL",
    "Claim",
    "Drop",
    "Game",
    "Match",
    "Outcome",
    "Position",
    "PositionError",
    "Rules",
    "Setup",
    "Side",
    "Sowing",
    "Termination",
    "perft",
    "perft_divide",
]
