"""Rules of the games: positions, sowings, outcomes, whole games and their counts.

This room needs the standard library only and is the readable truth that the native kernel is compared with.
"""

from korgool.rules.game import DrawClaim, Game
from korgool.rules.games import VARIANTS, Variant
from korgool.rules.match import Match
from korgool.rules.outcome import Outcome, Side, Termination
from korgool.rules.perft import perft, perft_divide
from korgool.rules.position import (
    BESTEMSHE,
    GAMES,
    MANGALA,
    MANGALA_CASTLE,
    TOGUZ_KORGOOL,
    Position,
    Rules,
    Sowing,
)
from korgool.rules.problems import MoveError, PositionError, Problem, ProblemKind
from korgool.rules.setup import Setup
from korgool.rules.sowing import Drop

__all__ = [
    "BESTEMSHE",
    "GAMES",
    "MANGALA",
    "MANGALA_CASTLE",
    "TOGUZ_KORGOOL",
    "VARIANTS",
    "DrawClaim",
    "Drop",
    "Game",
    "Match",
    "MoveError",
    "Outcome",
    "Position",
    "PositionError",
    "Problem",
    "ProblemKind",
    "Rules",
    "Setup",
    "Side",
    "Sowing",
    "Termination",
    "Variant",
    "perft",
    "perft_divide",
]
