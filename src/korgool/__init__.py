"""Korgool: toguz korgool, mangala and bestemshe for players, arbiters, coaches and researchers.

>>> import korgool
>>> position = korgool.TOGUZ_KORGOOL.start()
>>> position.play(7).stores
(10, 0)

Records are read and written by `korgool.notation`; the names used most stand here too, loaded when first used.
"""

from typing import TYPE_CHECKING

from korgool import notation
from korgool.rules import (
    BESTEMSHE,
    GAMES,
    MANGALA,
    MANGALA_CASTLE,
    TOGUZ_KORGOOL,
    DrawClaim,
    Drop,
    Game,
    Match,
    MoveError,
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
from korgool.rules.drawing import draw_positions_with

if TYPE_CHECKING:
    from korgool.notation import Record, read_records, write_record

__version__ = "0.1.0"

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
    "MoveError",
    "Outcome",
    "Position",
    "PositionError",
    "Record",
    "Rules",
    "Setup",
    "Side",
    "Sowing",
    "Termination",
    "perft",
    "perft_divide",
    "read_records",
    "write_record",
]


def __getattr__(name: str) -> object:
    if name in __all__:
        return getattr(notation, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _draw(position: Position) -> str:
    return notation.svg_board(position)


draw_positions_with(_draw)
