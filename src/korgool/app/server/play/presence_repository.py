"""Connections to a game by process, as rows: all that other processes know of them.

A row says that a player is there as long as its process beats. It is written when that changes, not as long as it
lasts: the process that has the connection notes from when on it is silent, and a process that ends without a word is
known by its last beat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Engine, select
from sqlalchemy.dialects.postgresql import insert

from korgool.app.server.storage.schema import attendance, processes, seats


class ProcessPresence(msgspec.Struct, frozen=True, array_like=True):
    """The connections of one process to a game.

    Attributes:
        lags: the way of White's and of Black's connection there and back, in milliseconds; None for no connection.
        silent: since when they are silent, in milliseconds since 1970; None where they are not.
        watchers: how many others watch.
    """

    lags: tuple[int | None, int | None] = (None, None)
    silent: tuple[int | None, int | None] = (None, None)
    watchers: int = 0


NOBODY_HERE = ProcessPresence()


class PresenceRepository:
    """Reads and writes who is where. Methods block, and may be called from any thread."""

    def __init__(self, engine: Engine, process: str) -> None:
        self._engine = engine
        self._process = process

    def write(self, rows: Mapping[str, ProcessPresence]) -> None:
        """Note the connections of this process to some games."""
        gone = sorted(game for game, here in rows.items() if here == NOBODY_HERE)
        present = [self._row(game, here) for game, here in sorted(rows.items()) if here != NOBODY_HERE]
        with self._engine.begin() as connection:
            if gone:
                mine = (attendance.c.process == self._process) & attendance.c.game_id.in_(gone)
                connection.execute(attendance.delete().where(mine))
            if present:
                statement = insert(attendance)
                changed = {name: statement.excluded[name] for name in present[0] if name not in {"game_id", "process"}}
                keys = ["game_id", "process"]
                connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=changed), present)

    def others(self, games: Sequence[str]) -> dict[str, dict[str, ProcessPresence]]:
        """The connections of all other processes to some games, by game and process."""
        wanted = attendance.c.game_id.in_(games) & (attendance.c.process != self._process)
        with self._engine.connect() as connection:
            rows = connection.execute(select(attendance).where(wanted)).all()
        found: dict[str, dict[str, ProcessPresence]] = {}
        for row in rows:
            found.setdefault(row.game_id, {})[row.process] = _here(row)
        return found

    def signs(self, game: str, now_ms: int) -> tuple[int | None, int | None]:
        """Return when White and Black last gave a sign that any process knows of, as far as the database has it.

        A connection that is not silent is a sign as late as the last beat of its process.
        """
        where = attendance.join(processes, processes.c.id == attendance.c.process)
        with self._engine.connect() as connection:
            known = connection.execute(select(seats.c.side, seats.c.sign_ms).where(seats.c.game_id == game)).all()
            query = select(attendance, processes.c.beat_ms).select_from(where).where(attendance.c.game_id == game)
            rows = connection.execute(query).all()
        signs = {row.side: row.sign_ms for row in known}
        for row in rows:
            here = _here(row)
            for side, lag in enumerate(here.lags):
                if lag is not None:
                    signs[side] = max(signs.get(side) or 0, here.silent[side] or min(row.beat_ms, now_ms))
        return signs.get(0), signs.get(1)

    def _row(self, game: str, here: ProcessPresence) -> dict[str, Any]:
        return {
            "game_id": game,
            "process": self._process,
            "white_lag_ms": here.lags[0],
            "black_lag_ms": here.lags[1],
            "white_silent_ms": here.silent[0],
            "black_silent_ms": here.silent[1],
            "watchers": here.watchers,
        }


def _here(row: Any) -> ProcessPresence:
    lags, silent = (row.white_lag_ms, row.black_lag_ms), (row.white_silent_ms, row.black_silent_ms)
    return ProcessPresence(lags, silent, row.watchers)
