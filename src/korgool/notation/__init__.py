"""Text in and out: moves, running text and game records in every dialect, boards as text, SVG and PNG.

Position text itself lies in the rules room, because a position reads and writes it: `Position.parse`, `str(position)`.
The modules are loaded when a name of theirs is first used, so that `import korgool` stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from korgool.notation.animation import animated_board
    from korgool.notation.board import text_board
    from korgool.notation.coordinates import format_coordinates, format_place, parse_coordinates, parse_place
    from korgool.notation.headers import Header, read_game, read_headers
    from korgool.notation.moves import NotationError, ParsedMove, format_move, parse_move
    from korgool.notation.movetext import Movetext, parse_movetext
    from korgool.notation.movewriting import format_movetext
    from korgool.notation.png import png_board
    from korgool.notation.reading import parse_records, read_records
    from korgool.notation.record import Record, RecordError
    from korgool.notation.shapes import Shape, read_shapes, write_shapes
    from korgool.notation.svg import svg_board
    from korgool.notation.variation import Variation
    from korgool.notation.writing import DIALECTS, write_record, write_records

__all__ = [
    "DIALECTS",
    "Header",
    "Movetext",
    "NotationError",
    "ParsedMove",
    "Record",
    "RecordError",
    "Shape",
    "Variation",
    "animated_board",
    "format_coordinates",
    "format_move",
    "format_movetext",
    "format_place",
    "parse_coordinates",
    "parse_move",
    "parse_movetext",
    "parse_place",
    "parse_records",
    "png_board",
    "read_game",
    "read_headers",
    "read_records",
    "read_shapes",
    "svg_board",
    "text_board",
    "write_record",
    "write_records",
    "write_shapes",
]

_MODULES = {
    "animation": ("animated_board",),
    "board": ("text_board",),
    "coordinates": ("format_coordinates", "format_place", "parse_coordinates", "parse_place"),
    "headers": ("Header", "read_game", "read_headers"),
    "moves": ("NotationError", "ParsedMove", "format_move", "parse_move"),
    "movetext": ("Movetext", "parse_movetext"),
    "movewriting": ("format_movetext",),
    "png": ("png_board",),
    "reading": ("parse_records", "read_records"),
    "record": ("Record", "RecordError"),
    "shapes": ("Shape", "read_shapes", "write_shapes"),
    "svg": ("svg_board",),
    "variation": ("Variation",),
    "writing": ("DIALECTS", "write_record", "write_records"),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
