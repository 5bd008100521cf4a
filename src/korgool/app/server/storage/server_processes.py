"""The server processes of one PostgreSQL database: who of them lives, what time it is, and when none could write.

No process owns a game, so nothing here keeps anybody out. Each leaves a beat every second in a row of its own, by the
clock of the database, and so learns how far its own clock is away. Three things follow from the beats:

- A process whose last beat is `LEASE` seconds old serves no game and writes nothing before it has beaten again: it may
have stood still, and does not know what happened since.
- When nobody has beaten for `OUTAGE` seconds, nothing could be written, because no process lived or the database did
not. Whoever comes first notes that time, in the transaction of its beat and under a lock, and all deadlines shift by
it. As `OUTAGE` is longer than `LEASE`, no process serves a game without knowing of every such outage before.
- A shorter one is known by its trace: the database was started after the last beat of anybody; or a process begins, or
has lost a connection, and nobody has beaten for `SHORT` seconds. Whoever loses a connection serves no game before it
has beaten again, so its next decision knows of the outage. This costs nothing while nothing is lost.
- A process whose tables a newer version has changed beats no more. That version changes them only when nobody beats, so
only a process that stood still meanwhile can come to that.
- Players who were connected to a process that beats no more gave their last sign with its last beat.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, ExceptionContext, event, func, inspect, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import SQLAlchemyError

from korgool.app.server.core import wall_clock
from korgool.app.server.storage.outages import OUTAGE, Outage, missed_of, note_outage
from korgool.app.server.storage.schema import attendance, outages, processes, seats
from korgool.app.server.storage.writer import StorageError, WriteFailure

BEAT = 1.0
LEASE = 3.0
SHORT = 1.5
"""Seconds; every process that lives beats in this time, if it can."""
_FORGET_MS = 600_000
"""After how long the rows of a process that beats no more are removed."""
_REMEMBER_MS = 3_600_000
"""Age of the oldest outage that a game in memory may have missed."""
MIGRATING, _NOTING, _ALONE, STARTING = 0x6B6F7267, 0x6B6F7268, 0x6B6F7269, 0x6B6F726A
"""Keys of PostgreSQL's advisory locks; the first was held by servers that owned their database."""
_PATIENCE = 5.0
"""Seconds for which a server waits for whatever else has the first key."""
_TIME = "(extract(epoch FROM clock_timestamp()) * 1000)::double precision"
_START = "(extract(epoch FROM pg_postmaster_start_time()) * 1000)::double precision"
_BEATS = text(
    f"SELECT id, beat_ms, {_TIME} AS now, {_START} AS started FROM processes "
    f"UNION ALL SELECT '', beat_ms, {_TIME}, {_START} FROM owner"
)
_REVISION = text("SELECT version_num FROM alembic_version")
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Times that a beat reads, in milliseconds since 1970 by the clock of the database.

    Attributes:
        last: the last beat of anybody; 0 before the first.
        at: the time.
        started: when the database was started.
        alive: who lives.
    """

    last: float
    at: float
    started: float
    alive: frozenset[str]


class ServerProcesses:
    """This process among those of its database. Its methods may be called from any thread.

    Attributes:
        id: of this process, new at every start.
    """

    def __init__(self, engine: Engine, revision: str) -> None:
        """Make a process that does not beat yet.

        Args:
            engine: the database.
            revision: of the tables that this process knows.
        """
        self.id = secrets.token_hex(6)
        self._revision = revision
        self._engine = engine
        self._beaten = -float("inf")
        self._beating = threading.Lock()
        self._alive: frozenset[str] = frozenset({self.id})
        self._outages: tuple[Outage, ...] = ()
        self._cleaned = -float("inf")
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._ahead = 0.0
        self._lost = True  # whoever begins does not know either
        event.listen(engine, "handle_error", self._look_at)

    def begin(self) -> None:
        """Beat for the first time, once the tables exist, and then every second.

        Raises:
            SQLAlchemyError: the database does not answer.
        """
        self.beat()
        self._thread = threading.Thread(target=self._run, name="korgool-beats", daemon=True)
        self._thread.start()

    @property
    def held(self) -> bool:
        """True if this process may serve games: it has beaten less than `LEASE` seconds ago."""
        return time.monotonic() - self._beaten < LEASE

    @property
    def alive(self) -> frozenset[str]:
        """The processes that beat, this one among them."""
        return self._alive

    @property
    def serving_since(self) -> int:
        """Time since which the site could hear its players without interruption, in milliseconds since 1970."""
        return self._outages[-1].ended if self._outages else 0

    def missed_ms(self, since_ms: int, until_ms: int) -> int:
        """Milliseconds of this time in which nothing could be written, as far as that is an hour ago at most."""
        return missed_of(self._outages, since_ms, until_ms)

    def fence(self, connection: Connection) -> None:
        """Begin a transaction that writes.

        Raises:
            StorageError: an outage has been noted since this process last beat, and what it would write may have been
                decided without knowing of it; nothing may be written.
            SQLAlchemyError: the database does not answer.
        """
        if not self.held:
            known = self._outages
            self.beat()
            if self._outages != known:
                raise StorageError("nothing could be written for a while, and nothing is now", WriteFailure.SILENT)

    def alone(self, connection: Connection) -> None:
        """The same for a transaction that must not run beside another one that calls this.

        Raises:
            StorageError: as `fence`.
        """
        self.fence(connection)
        _lock(connection, _ALONE)

    def touch(self, connection: Connection) -> None:
        """Write something that changes nothing."""
        mine = processes.c.id == self.id
        connection.execute(processes.update().where(mine).values(beat_ms=processes.c.beat_ms))

    def release(self) -> None:
        """Beat no more. The last beat stays in the database."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
        wall_clock.go_by(0.0)

    def beat(self) -> None:
        """Give a sign of life, learn the time and who else lives, and note an outage where there was one.

        Raises:
            StorageError: another version has changed the tables; this process serves nothing any more.
            SQLAlchemyError: the database does not answer.
        """
        with self._beating:
            self._beat()

    # Internals

    def _beat(self) -> None:
        began = time.monotonic()
        with self._engine.begin() as connection:
            found = connection.scalar(_REVISION)
            if found != self._revision:
                self._beaten = -float("inf")
                raise StorageError(
                    f"another version of Korgool has changed the tables to {found}, and this one knows "
                    f"{self._revision}; end this server and start that version",
                    WriteFailure.LOST,
                )
            read = self._read(connection)
            if self._was_out(read):
                _lock(connection, _NOTING)
                read = self._read(connection)  # another one may have been quicker
                if self._was_out(read):
                    note_outage(connection, round(read.last), round(read.at))
                    seconds = (read.at - read.last) / 1000
                    _LOG.warning("nothing could be written for %.1f seconds; nobody is charged for them", seconds)
            at = read.at
            mine = {"id": self.id, "beat_ms": round(at)}
            connection.execute(insert(processes).on_conflict_do_update(index_elements=["id"], set_=mine), mine)
            recent = select(outages).where(outages.c.ended_ms > at - _REMEMBER_MS).order_by(outages.c.began_ms)
            noted = tuple(Outage(row.began_ms, row.ended_ms) for row in connection.execute(recent))
            if began - self._cleaned > _FORGET_MS / 1000:
                _forget(connection, round(at))
                self._cleaned = began
        self._lost = False
        self._alive, self._outages, self._beaten = read.alive | {self.id}, noted, began
        # Not earlier: after this computer has slept, no deadline may have passed before the outage is known.
        wall_clock.go_by(self._ahead)

    def _was_out(self, read: Heartbeat) -> bool:
        """Return whether nothing could be written between the last beat of any process and now."""
        silent = read.at - read.last
        out = silent > 1000 * OUTAGE or read.started > read.last or (self._lost and silent > 1000 * SHORT)
        return read.last > 0 and out

    def _look_at(self, context: ExceptionContext) -> None:
        """Serve nothing after a connection was lost, before it is known what that means."""
        if context.is_disconnect:
            self._lost, self._beaten = True, -float("inf")

    def _read(self, connection: Connection) -> Heartbeat:
        """The beats and the time. The way there and back bounds the error of the time."""
        self._ahead, before = wall_clock.ahead_ms(), wall_clock.own_ms()
        rows = connection.execute(_BEATS).all()
        after = wall_clock.own_ms()
        at = float(rows[0].now)
        ahead = at - (before + after) / 2
        if abs(ahead - wall_clock.ahead_ms()) > (after - before) / 2:
            self._ahead = ahead
        beats = {row.id: row.beat_ms for row in rows}
        alive = frozenset(name for name, last in beats.items() if name and last > at - 1000 * OUTAGE)
        return Heartbeat(max(beats.values()), at, float(rows[0].started), alive)

    def _run(self) -> None:
        while not self._ended.wait(BEAT):
            try:
                self.beat()
            except StorageError as error:
                _LOG.warning("%s", error)
            except SQLAlchemyError as error:
                self._lost = True
                _LOG.warning("the database does not answer: %s", " ".join(str(error).split())[:200])


def lock_for_migration(connection: Connection) -> None:
    """Keep others from changing the tables until the transaction ends. Of servers that begin at once, each waits here
    for those before it, however long they make or change tables.

    Raises:
        StorageError: a server of an earlier version, which owns its database, still runs.
    """
    _lock(connection, STARTING)
    until = time.monotonic() + _PATIENCE
    while True:
        # A transaction that ends releases its locks one after another, so the first attempt may come between the two.
        last = time.monotonic() > until
        if connection.scalar(text(f"SELECT pg_try_advisory_xact_lock({MIGRATING})")):
            return
        if last:
            raise StorageError(
                "another Korgool server changes this database, or owns it as versions before 0005 did; stop it first"
            )
        time.sleep(0.1)


def servers_alive(connection: Connection) -> bool:
    """Return whether a server serves this database; one that has ended a moment ago is waited for."""
    if "processes" not in inspect(connection).get_table_names():
        return False
    query = text(f"SELECT max(beat_ms) AS last, {_TIME} AS now FROM processes")
    first = connection.execute(query).one()
    while True:
        found = connection.execute(query).one()
        if found.last is None or found.last < found.now - 1000 * OUTAGE:
            return False
        if found.last > first.last:
            return True
        time.sleep(0.1)


def _lock(connection: Connection, key: int) -> None:
    connection.execute(text(f"SELECT pg_advisory_xact_lock({key})"))


def _forget(connection: Connection, at: int) -> None:
    """Remove processes that ended long ago; what they knew of players becomes the last signs of these."""
    ended = (
        select(processes.c.id)
        .where(processes.c.beat_ms < at - _FORGET_MS)
        .order_by(processes.c.id)
        .with_for_update(skip_locked=True)
    )
    names = list(connection.scalars(ended))
    newest = connection.scalar(select(func.max(processes.c.beat_ms)))
    for side, silent in ((0, attendance.c.white_silent_ms), (1, attendance.c.black_silent_ms)):
        present: Any = (attendance.c.white_lag_ms, attendance.c.black_lag_ms)[side]
        sign = func.greatest(seats.c.sign_ms, func.coalesce(silent, processes.c.beat_ms))
        connection.execute(
            seats.update()
            .where((seats.c.game_id == attendance.c.game_id) & (seats.c.side == side) & present.is_not(None))
            .where((attendance.c.process == processes.c.id) & processes.c.id.in_(names))
            .values(sign_ms=sign)
        )
    connection.execute(attendance.delete().where(attendance.c.process.in_(names)))
    connection.execute(processes.delete().where(processes.c.id.in_(names) & (processes.c.beat_ms < newest)))
