"""Photographs of scoresheets: the last one from each seat of a round, for the officials of its board.

They are no part of the log. A board that is paired anew has none of those who sat there before. Methods block; any
thread may call them.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import Connection, Engine, delete, insert, select

from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.tables.codes import Seat
from korgool.app.server.storage.event_tables import sheet_photos as table
from korgool.competition.model import PairedGame

KEPT_MS: Final = 30 * 86_400_000
"""Time for which a photograph is kept."""


class SheetPhotos:
    """Reads and writes the photographs of all events.

    Args:
        engine: the database.
        fence: begins a transaction that writes.
    """

    def __init__(self, engine: Engine, fence: Callable[[Connection], None]) -> None:
        self._engine = engine
        self._fence = fence

    def keep(self, competition: str, seat: Seat, game: PairedGame, picture: bytes) -> None:
        """Keep a picture from a seat in place of an earlier one, and remove all that are too old.

        Args:
            competition: the id of the event, without a group.
            seat: from which it comes.
            game: that is played there.
            picture: a JPEG.
        """
        now = now_ms()
        row = {
            "competition": competition,
            "part": seat.group,
            "round": seat.round,
            "board": seat.board,
            "side": seat.side,
            "player": _player(game, seat.side),
            "taken_ms": now,
            "picture": b64encode(picture).decode(),
        }
        with self._engine.begin() as connection:
            self._fence(connection)
            connection.execute(delete(table).where(table.c.taken_ms < now - KEPT_MS))
            connection.execute(delete(table).where(_at(competition, seat)))
            connection.execute(insert(table), [row])

    def picture(self, competition: str, seat: Seat, game: PairedGame) -> bytes | None:
        """The JPEG from a seat, or None."""
        mine = _at(competition, seat) & (table.c.player == _player(game, seat.side)) & _fresh()
        with self._engine.begin() as connection:
            held = connection.scalar(select(table.c.picture).where(mine))
        return None if held is None else b64decode(held)

    def has(self, competition: str, seat: Seat, game: PairedGame) -> bool:
        """Return whether there is a picture from a seat."""
        mine = _at(competition, seat) & (table.c.player == _player(game, seat.side)) & _fresh()
        with self._engine.begin() as connection:
            return connection.scalar(select(table.c.board).where(mine)) is not None

    def of_round(self, competition: str, group: int, round_: int) -> set[tuple[int, str, int]]:
        """The pictures of a round, each as its board, its colour and the id of the player."""
        at = table.c
        mine = (at.competition == competition) & (at.part == group) & (at.round == round_) & _fresh()
        with self._engine.begin() as connection:
            rows = connection.execute(select(at.board, at.side, at.player).where(mine))
            return {(row.board, row.side, row.player) for row in rows}

    def clear(self, competition: str) -> None:
        """Remove all of an event."""
        with self._engine.begin() as connection:
            self._fence(connection)
            connection.execute(delete(table).where(table.c.competition == competition))

    def clear_old(self) -> None:
        """Remove those that are too old, of all events."""
        with self._engine.begin() as connection:
            self._fence(connection)
            connection.execute(delete(table).where(table.c.taken_ms < now_ms() - KEPT_MS))


def _player(game: PairedGame, side: str) -> int:
    return game.white if side == "white" else game.black


def _at(competition: str, seat: Seat) -> Any:
    at = table.c
    own = (at.board == seat.board) & (at.side == seat.side)
    return (at.competition == competition) & (at.part == seat.group) & (at.round == seat.round) & own


def _fresh() -> Any:
    return table.c.taken_ms >= now_ms() - KEPT_MS
