"""Ensures that one server owns a database at a time, because only one process knows the state of a running game.

A lock keeps a second server out. PostgreSQL drops its locks when a connection ends or when PostgreSQL restarts, and
then a second server may take the lock while the first still runs. So the owner also has a number in the database, the
epoch:

- Every transaction of the owner first updates the row with the epoch, on condition that the epoch is still its own. A
server whose epoch is over cannot write, whatever state it believes to be in.
- The owner checks regularly whether it still has its lock. After `LEASE` seconds without an answer it no longer counts
as the owner and serves no game until it has the lock again. A new owner whose predecessor did not shut down cleanly
waits as long before it serves, so that no two servers report the state of a game at the same time.
"""

from __future__ import annotations

import logging
import os
import threading
import time

from sqlalchemy import Engine, select, text
from sqlalchemy.engine import URL, Connection
from sqlalchemy.exc import SQLAlchemyError

from korgool.app.server.now import now_ms
from korgool.app.server.storage.schema import owner
from korgool.app.server.storage.writer import StorageError, Trouble

LEASE = 3.0
_EVERY = 0.5
"""Seconds between two checks of the lock."""
_PATIENCE = 5.0
_BEAT = text("UPDATE owner SET beat_ms = :now WHERE id = 1 AND epoch = :epoch")
_ADVISORY = 0x6B6F7267  # "korg"
_LOG = logging.getLogger(__name__)


class Ownership:
    """The lock and the epoch of one server. Its methods may be called from any thread.

    Attributes:
        lasting: whether the lock cannot be lost while this process lives.
        last_beat: when the server before this one last gave a sign, in milliseconds since 1970; 0 where there was none.
    """

    def __init__(self, engine: Engine, url: URL) -> None:
        """Take the lock.

        Raises:
            StorageError: another server has it.
        """
        self._engine = engine
        self._connection: Connection | None = None
        self._file: int | None = None
        self._confirmed = time.monotonic()
        self._epoch = 0
        self.last_beat = 0
        self._ended = threading.Event()
        self._watcher: threading.Thread | None = None
        self.lasting = url.drivername == "sqlite"
        if self.lasting:
            self._file = os.open(f"{url.database}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        until = time.monotonic() + _PATIENCE
        while not (self._file_taken() if self.lasting else self._server_taken()):
            # A server that was just killed may take a moment to disappear.
            if time.monotonic() > until:
                self.release()
                raise StorageError(f"another Korgool server uses the database {url.database}; stop it first")
            time.sleep(0.1)

    @property
    def epoch(self) -> int:
        """The number of this ownership of the database. If it changes, another server was the owner in between."""
        return self._epoch

    @property
    def held(self) -> bool:
        """Whether this server certainly is the owner: it had the lock less than `LEASE` seconds ago."""
        return self.lasting or time.monotonic() - self._confirmed < LEASE

    def begin(self) -> None:
        """Become the owner, once the tables exist."""
        if not self._claim() and not self.lasting:
            time.sleep(LEASE)  # the previous owner did not sign off and may not know yet that it lost the lock
            self._confirmed = time.monotonic()
        if not self.lasting:
            self._watcher = threading.Thread(target=self._watch, name="korgool-owner", daemon=True)
            self._watcher.start()

    def fence(self, connection: Connection) -> None:
        """Begin a transaction that writes.

        Raises:
            StorageError: this server is not the owner; nothing may be written.
        """
        beat = {"now": now_ms(), "epoch": self._epoch}
        if not self.held or connection.execute(_BEAT, beat).rowcount != 1:
            message = "another server owns the database now, or nobody knows; nothing is written"
            raise StorageError(message, Trouble.LOST)

    def release(self) -> None:
        """Give up ownership."""
        self._ended.set()
        if self._watcher is not None:
            self._watcher.join()
        if self._epoch:
            try:
                signed_off = {"clean": 1, "beat_ms": now_ms()}
                with self._engine.begin() as connection:
                    connection.execute(owner.update().where(owner.c.epoch == self._epoch).values(signed_off))
            except SQLAlchemyError as error:
                _LOG.warning("the next server will wait a moment, for this one could not sign off: %s", error)
        self._let_go()
        if self._file is not None:
            os.close(self._file)
            self._file = None

    # Internals

    def _claim(self) -> bool:
        """Begin a new epoch; return whether the previous one ended cleanly."""
        with self._engine.begin() as connection:
            row = connection.execute(select(owner).with_for_update()).one()
            connection.execute(owner.update().values(epoch=row.epoch + 1, clean=0))
        self._epoch = int(row.epoch) + 1
        self.last_beat = int(row.beat_ms)
        return bool(row.clean)

    def _watch(self) -> None:
        while not self._ended.wait(_EVERY):
            asked = time.monotonic()
            try:
                if self._connection is None:
                    self._come_back()
                else:
                    self._connection.scalar(text("SELECT 1"))  # the lock lasts as long as the connection
                    self._confirmed = asked
            except SQLAlchemyError as error:
                _LOG.warning("the lock on the database is lost: %s", " ".join(str(error).split())[:200])
                self._let_go()

    def _come_back(self) -> None:
        """Take the lock again. If the epoch is still this server's, nobody has written in the meantime."""
        asked = time.monotonic()
        if not self._server_taken():
            return
        with self._engine.begin() as connection:
            same = connection.scalar(select(owner.c.epoch)) == self._epoch
        if not same and not self._claim():
            self._ended.wait(LEASE)
            asked = time.monotonic()
        self._confirmed = asked
        _LOG.warning("the database is this server's again%s", "" if same else ", after another's")

    def _server_taken(self) -> bool:
        if self._connection is None:
            self._connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        taken = bool(self._connection.scalar(text(f"SELECT pg_try_advisory_lock({_ADVISORY})")))
        if not taken:
            self._let_go()
        return taken

    def _file_taken(self) -> bool:
        try:
            import fcntl
        except ImportError:  # Windows refuses a second writer by itself, though later
            return True
        try:
            fcntl.flock(self._file or 0, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _let_go(self) -> None:
        if self._connection is None:
            return
        connection, self._connection = self._connection, None
        try:
            connection.detach()  # the lock ends with the connection, which must not return to the pool
            connection.close()
        except SQLAlchemyError:
            connection.invalidate()
