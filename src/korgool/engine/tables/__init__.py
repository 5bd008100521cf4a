"""Endgame tables: what is still to be gained, exactly, in every position with few stones on the board."""

from korgool.engine.tables.building import FileStep, build, plan
from korgool.engine.tables.cycles import Cycle, Drawn, find_drawn, holding_moves
from korgool.engine.tables.draws import DrawCounts, Draws, Ends, RoundMove
from korgool.engine.tables.files import default_folder, game_folder, table_files
from korgool.engine.tables.native import TableError
from korgool.engine.tables.probing import Bounds, Tables

__all__ = [
    "Bounds",
    "Cycle",
    "DrawCounts",
    "Drawn",
    "Draws",
    "Ends",
    "FileStep",
    "RoundMove",
    "TableError",
    "Tables",
    "build",
    "default_folder",
    "find_drawn",
    "game_folder",
    "holding_moves",
    "plan",
    "table_files",
]
