"""What may be played: rules records, positions, sowings, outcomes, whole games and their counts.

This room needs the standard library only and is the readable truth that the native kernel is compared with.
"""

from korgool.rules.game import DrawClaim, Game
from korgool.rules.match import Match
from korgool.rules.outcome import Outcome, Side, Termination
from korgool.rules.perft import perft, perft_divide
from korgool.rules.position import Position
from korgool.rules.record import BESTEMSHE, GAMES, MANGALA, MANGALA_CASTLE, TOGUZ_KORGOOL, Rules
from korgool.rules.setup import PositionError, Setup
from korgool.rules.sowing import Drop, Sowing

__all__ = [
    "BESTEMSHE",
    "GAMES",
    "MANGALA",
    "MANGALA_CASTLE",
    "TOGUZ_KORGOOL",
    "DrawClaim",
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
