"""Hook for drawing positions in notebooks: a place for one function, which the front of the package fills.

Drawing belongs to a room above this one, and notebooks ask the position for its picture. `korgool/__init__.py`, which
knows both, brings them together with `draw_positions_with`; no room writes into another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_drawers: list[Callable[[Any], str]] = []


def draw_positions_with(draw: Callable[[Any], str]) -> None:
    """From now on notebooks show a position as the SVG that `draw` makes of it; an earlier function is replaced."""
    _drawers[:] = [draw]


def drawn(position: object) -> str | None:
    """The SVG of a position, or None where no function was given."""
    return _drawers[0](position) if _drawers else None
