"""Engines and levels against each other: balanced openings, paired games, Elo with its error, SPRT."""

from korgool.engine.arena.arena_game import Played, play_game
from korgool.engine.arena.clock import Control, Standing
from korgool.engine.arena.compliance import Finding, check_engine
from korgool.engine.arena.elo import MatchScore, Sprt, elo_of, fraction_of
from korgool.engine.arena.openings import level_openings, read_openings
from korgool.engine.arena.opponents import LevelOpponent, Opponent, OpponentError, UgiOpponent
from korgool.engine.arena.series import Series, run_series

__all__ = [
    "Control",
    "Finding",
    "LevelOpponent",
    "MatchScore",
    "Opponent",
    "OpponentError",
    "Played",
    "Series",
    "Sprt",
    "Standing",
    "UgiOpponent",
    "check_engine",
    "elo_of",
    "fraction_of",
    "level_openings",
    "play_game",
    "read_openings",
    "run_series",
]
