"""Ensures that one server owns an SQLite file at a time, because only one process knows the state of a running game.

A lock of the operating system keeps a second server out as long as the first one lives. The owner also has a number in
the database, the epoch: every transaction of the owner first updates the row with the epoch, on condition that it is
still its own. A server whose epoch is over cannot write, whatever state it believes to be in.

On PostgreSQL nobody owns the games; `processes.py` tells what holds there.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import time

from sqlalchemy import Engine, select
from sqlalchemy.engine import URL, Connection
from sqlalchemy.exc import SQLAlchemyError

from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.storage.schema import owner
from korgool.app.server.storage.writer import StorageError, WriteFailure

_PATIENCE = 5.0
_BEAT = "UPDATE owner SET beat_ms = ? WHERE id = 1 AND epoch = ?"
_LOG = logging.getLogger(__name__)


class FileOwnership:
    """The lock and the epoch of one server. Its methods may be called from any thread.

    Attributes:
        held: whether this process may serve games; the lock is lost with the process only.
        last_beat: when the server before this one last gave a sign, in milliseconds since 1970; 0 where there was none.
    """

    held = True

    def __init__(self, engine: Engine, url: URL) -> None:
        """Take the lock.

        Raises:
            StorageError: another server has it.
        """
        self._engine = engine
        self._epoch = 0
        self.last_beat = 0
        self._file: int | None = os.open(f"{url.database}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        until = time.monotonic() + _PATIENCE
        while not self._taken():
            # A server that was just killed may take a moment to disappear.
            if time.monotonic() > until:
                self.release()
                raise StorageError(f"another Korgool server uses the database {url.database}; stop it first")
            time.sleep(0.1)

    @property
    def epoch(self) -> int:
        """The number of this ownership of the database."""
        return self._epoch

    def begin(self) -> None:
        """Become the owner, once the tables exist: a new epoch begins."""
        with self._engine.begin() as connection:
            row = connection.execute(select(owner)).one()
            connection.execute(owner.update().values(epoch=row.epoch + 1, clean=0))
        self._epoch = int(row.epoch) + 1
        self.last_beat = int(row.beat_ms)

    def fence(self, connection: Connection) -> None:
        """Begin a transaction that writes.

        Raises:
            StorageError: this server is not the owner; nothing may be written.
        """
        self._check(connection.exec_driver_sql(_BEAT, (now_ms(), self._epoch)).rowcount)

    def fence_moves(self, cursor: sqlite3.Cursor) -> None:
        """The same on a connection of SQLite itself.

        Raises:
            StorageError: as `fence`.
        """
        self._check(cursor.execute(_BEAT, (now_ms(), self._epoch)).rowcount)

    def alone(self, connection: Connection) -> None:
        """The same for a transaction that must not run beside another one that calls this: here none does.

        Raises:
            StorageError: as `fence`.
        """
        self.fence(connection)

    def release(self) -> None:
        """Give up ownership."""
        if self._epoch:
            try:
                signed_off = {"clean": 1, "beat_ms": now_ms()}
                with self._engine.begin() as connection:
                    connection.execute(owner.update().where(owner.c.epoch == self._epoch).values(signed_off))
            except SQLAlchemyError as error:
                _LOG.warning("the time of this server's end could not be noted: %s", error)
        if self._file is not None:
            os.close(self._file)
            self._file = None

    @staticmethod
    def _check(beaten: int) -> None:
        if beaten != 1:
            raise StorageError("another server owns the database now; nothing is written", WriteFailure.LOST)

    def _taken(self) -> bool:
        try:
            import fcntl
        except ImportError:  # Windows refuses a second writer by itself, though later
            return True
        try:
            fcntl.flock(self._file or 0, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
