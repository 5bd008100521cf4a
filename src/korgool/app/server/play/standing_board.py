"""The board of a position as a picture, with the marks of the move that led to it."""

from __future__ import annotations

from typing import Literal

from korgool.app.server.play.board_picture import LowBoard, Row
from korgool.rules import Game, Position, Side, Sowing


def picture(game: Game) -> LowBoard:
    """The board as it stands, White below, with the marks of the last move."""
    return picture_of(game.position, last_move(game))


def last_move(game: Game) -> Sowing | None:
    """The sowing that led to the position of a game; None at its start."""
    return game.positions[-2].sow(game.moves[-1]) if game.moves else None


def picture_of(position: Position, last: Sowing | None) -> LowBoard:
    """The board with a position, White below, with the marks of the sowing that led there."""
    swept = None if last is None or last.outcome is None else last.outcome
    none = (0,) * position.rules.holes
    rows = (none, none) if swept is not None and any(swept.swept) else position.holes
    return LowBoard(
        position.rules.name,
        (rows[0], rows[1]),
        position.stores if swept is None else swept.stores,
        tuz=(position.tuz[Side.BLACK], position.tuz[Side.WHITE]),
        marks=None if last is None else _marks(last),
    )


def _marks(sowing: Sowing) -> tuple[tuple[Row, int], tuple[Row, int]]:
    rows: dict[Side, Literal["near", "far"]] = {Side.WHITE: "near", Side.BLACK: "far"}
    return (rows[sowing.mover], sowing.hole), (rows[sowing.last.side], sowing.last.hole)
