"""The database of a server: opening it, migrating its tables, starting its writer, and checking that it writes."""

from __future__ import annotations

import asyncio
import os
import secrets as randomness
import shutil
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event, inspect, select, text
from sqlalchemy.engine import URL, Connection
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from korgool.app.server.core.settings import ServerSettings, check_bus
from korgool.app.server.storage.file_ownership import FileOwnership
from korgool.app.server.storage.outages import missed_ms, note_outage
from korgool.app.server.storage.postgres_writer import PostgresWriter
from korgool.app.server.storage.schema import secrets
from korgool.app.server.storage.server_processes import ServerProcesses, lock_for_migration, servers_alive
from korgool.app.server.storage.sqlite_writer import SqliteWriter
from korgool.app.server.storage.writer import Commit, CommitCallbacks, StorageError, WriteFailure, Writer
from korgool.installing import advice

KNOWN = ("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009", "0010", "0011", "0012", "0013", "0014")
"""The revisions of the tables that this code knows, oldest first; it works with the last one."""
_LEAST_FREE = 1 << 20
"""Bytes that must be free on the disk of an SQLite file, for the next games."""
_ANSWER_SECONDS = 5.0


class Storage:
    """The database of a server. Reading methods block, and may be called from any thread.

    Attributes:
        lease: says whether this process may serve games, and fences its transactions.
        processes: this process among those of its database; None with SQLite, which has one.
    """

    def __init__(self, engine: Engine, lease: FileOwnership | ServerProcesses, folder: Path | None) -> None:
        self._engine = engine
        self._folder = folder
        self.lease = lease
        self.processes = lease if isinstance(lease, ServerProcesses) else None
        self._batch_writer = (
            SqliteWriter(engine, lease.fence, lease.fence_moves)
            if isinstance(lease, FileOwnership)
            else PostgresWriter(engine, lease.fence, lease.touch)
        )
        self.writer = Writer(self._batch_writer)
        self._callbacks: CommitCallbacks | None = None

    @classmethod
    def open(cls, settings: ServerSettings) -> Storage:
        """Open the database, create or update its tables, and keep other servers out of an SQLite file.

        Raises:
            StorageError: it cannot be opened or written, was made by a newer version, or is used by another server.
            SettingsError: the settings name no database, or a bus that there is not.
        """
        check_bus(settings)
        url = settings.url()
        place = url.render_as_string(hide_password=True)
        if url.drivername == "sqlite":
            place = str(url.database)
            _make_file(Path(place))
        try:
            engine = _engine(url)
        except ImportError:
            raise StorageError(f"PostgreSQL needs one more package; type: {advice('postgresql')}") from None
        lease: FileOwnership | ServerProcesses | None = None
        try:
            lease = FileOwnership(engine, url) if url.drivername == "sqlite" else ServerProcesses(engine, KNOWN[-1])
            with engine.begin() as connection:
                if isinstance(lease, ServerProcesses):
                    lock_for_migration(connection)
                migrate(connection, place)
            lease.begin()
        except (DBAPIError, StorageError) as error:
            if lease is not None:
                lease.release()
            engine.dispose()
            if isinstance(error, StorageError):
                raise
            raise StorageError(f"the database {place} cannot be used: {_reason(error)}") from None
        return cls(engine, lease, Path(place).parent if url.drivername == "sqlite" else None)

    @property
    def ownership(self) -> FileOwnership:
        """This server as the owner of its SQLite file."""
        assert isinstance(self.lease, FileOwnership)
        return self.lease

    @property
    def engine(self) -> Engine:
        """The database itself, for tables that are no part of a game."""
        return self._engine

    def close(self) -> None:
        """Write what is queued, and close."""
        self.writer.close()
        self._batch_writer.close()
        self.lease.release()
        self._engine.dispose()

    def secret(self) -> str:
        """The key that signs the cookies of this database, created on first use: 64 hexadecimal digits."""
        return stored_secret(self._engine, "cookies", lambda: randomness.token_hex(32))

    def note_outage(self, began_ms: int, ended_ms: int, but: Collection[str] = ()) -> None:
        """Note that no server could take a move: all deadlines shift by that time, but those of some games."""
        with self._engine.begin() as connection:
            self.lease.fence(connection)
            note_outage(connection, began_ms, ended_ms, but)

    def missed_ms(self, since_ms: int, until_ms: int) -> int:
        """Milliseconds of this time in which no server could take a move."""
        with self._engine.begin() as connection:
            return missed_ms(connection, since_ms, until_ms)

    def check(self) -> None:
        """Make a test write to disk in the same way as a move.

        Raises:
            StorageError: the write failed, or the disk is full.
        """
        if self._folder is not None and shutil.disk_usage(self._folder).free < _LEAST_FREE:
            raise StorageError(f"the disk of {self._folder} is full", WriteFailure.FULL)
        try:
            self.writer.submit(Commit("")).result(_ANSWER_SECONDS)
        except TimeoutError:
            message = f"the database has not answered for {_ANSWER_SECONDS:g} seconds"
            raise StorageError(message, WriteFailure.SILENT) from None

    async def write(self, commit: Commit) -> None:
        """Write a commit to disk; return when it is there.

        Raises:
            StorageError: it is not there, or its state is unknown.
        """
        loop = asyncio.get_running_loop()
        if self._callbacks is None or self._callbacks.loop is not loop:
            self._callbacks = CommitCallbacks(self.writer, loop)
        await self._callbacks.send(commit)


@contextmanager
def snapshot(settings: ServerSettings) -> Iterator[Connection]:
    """A server's database as it is at one moment, to be read only; the server may run.

    Raises:
        StorageError: there is none, it cannot be read, or its tables are not those of this version.
        SettingsError: the settings name no database.
    """
    engine = beside(settings)
    try:
        with engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection
    finally:
        engine.dispose()


def known_secret(engine: Engine, name: str) -> str | None:
    """The secret of a name, None where none was made yet."""
    with engine.begin() as connection:
        return connection.scalar(select(secrets.c.value).where(secrets.c.name == name))


def stored_secret(engine: Engine, name: str, new: Callable[[], str]) -> str:
    """The secret of a name, made on first use; of several processes that make it at once, all get the same."""
    mine = select(secrets.c.value).where(secrets.c.name == name)
    found = known_secret(engine, name)
    if found is None:
        with suppress(IntegrityError), engine.begin() as connection:
            connection.execute(secrets.insert().values(name=name, value=new()))
        with engine.begin() as connection:
            found = connection.scalar(mine)
    return str(found)


def beside(settings: ServerSettings) -> Engine:
    """The database of a server that may be running, for what may be read and written beside it.

    Raises:
        StorageError: there is none, or a server of this version has never opened it.
        SettingsError: the settings name no database.
    """
    url = settings.url()
    place = url.render_as_string(hide_password=True) if url.drivername != "sqlite" else str(url.database)
    if url.drivername == "sqlite" and not Path(place).is_file():
        raise StorageError(f"there is no database {place}; start `korgool serve` once, or name another by --data")
    try:
        engine = _engine(url)
    except ImportError:
        raise StorageError(f"PostgreSQL needs one more package; type: {advice('postgresql')}") from None
    try:
        with engine.begin() as connection:
            tables = inspect(connection).get_table_names()
            known = "alembic_version" in tables
            version = connection.scalar(text("SELECT version_num FROM alembic_version")) if known else None
    except DBAPIError as error:
        engine.dispose()
        raise StorageError(f"the database {place} cannot be used: {_reason(error)}") from None
    state = state_of_tables(version, of_others=bool(tables))
    if state is not TablesState.RIGHT:
        engine.dispose()
        raise StorageError(_refusal(state, place, version))
    return engine


class TablesState(Enum):
    """State of a database's tables for this version, for the start, commands beside a server and `korgool doctor`."""

    NONE = "none"
    FOREIGN = "foreign"
    OLDER = "older"
    RIGHT = "right"
    NEWER = "newer"


def state_of_tables(revision: str | None, *, of_others: bool) -> TablesState:
    """The state of the tables at a revision; None where they have none.

    Args:
        revision: what `alembic_version` holds.
        of_others: whether there are any tables.
    """
    if revision is None:
        return TablesState.FOREIGN if of_others else TablesState.NONE
    if revision not in KNOWN:
        return TablesState.NEWER
    return TablesState.RIGHT if revision == KNOWN[-1] else TablesState.OLDER


def _refusal(state: TablesState, place: str, revision: str | None) -> str:
    """The reason why the tables of a database cannot be used as they are, and what to do."""
    match state:
        case TablesState.NEWER:
            return (
                f"the database {place} was made by a newer version of Korgool (its tables are at {revision}, "
                f"this version knows {KNOWN[-1]}); install the newer version, or choose another place by --data"
            )
        case TablesState.FOREIGN:
            return f"the database {place} holds other tables and none of Korgool's; choose another place"
        case TablesState.NONE:
            return f"the database {place} has no tables yet; start `korgool serve` once"
        case _:
            return (
                f"the tables of {place} are at {revision}, and this version of Korgool works with {KNOWN[-1]}; start "
                "`korgool serve` of this version once"
            )


def migrate(connection: Connection, place: str) -> None:
    """Migrate the tables within the connection's transaction.

    Raises:
        StorageError: the tables were made by a newer version of Korgool or by another program, or servers of an older
            one use them.
    """
    tables = inspect(connection).get_table_names()
    present: Sequence[Any] = ()
    if "alembic_version" in tables:
        present = connection.scalars(text("SELECT version_num FROM alembic_version")).all()
        unknown = [revision for revision in present if revision not in KNOWN]
        if unknown:
            raise StorageError(_refusal(TablesState.NEWER, place, unknown[0]))
    elif tables:
        raise StorageError(_refusal(TablesState.FOREIGN, place, None))
    if list(present) == [KNOWN[-1]]:
        return
    if connection.dialect.name == "postgresql" and servers_alive(connection):
        raise StorageError(
            f"servers of an older version use the database {place}, whose tables this version would change; stop all "
            "of them first"
        )
    from alembic import command  # imported here because it takes a third of the start-up time and is rarely needed
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _make_file(path: Path) -> None:
    """Create an SQLite file that only its owner can read, because it holds the secret of the cookies."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise StorageError(
            f"games cannot be stored in {path.parent}: {error.strerror}; choose another folder by --data"
        ) from None


def _engine(url: URL) -> Engine:
    """The database; its errors go to the log, and what was to be written is not told there (`hide_parameters`)."""
    if url.drivername != "sqlite":
        # PostgreSQL may be configured to acknowledge commits before they are on disk; here it must not.
        arguments = {"connect_timeout": 10, "options": "-c synchronous_commit=on"}
        return create_engine(url, pool_size=5, pool_pre_ping=True, hide_parameters=True, connect_args=arguments)
    engine = create_engine(url, pool_size=5, hide_parameters=True, connect_args={"timeout": 10})

    @event.listens_for(engine, "connect")
    def connected(connection: sqlite3.Connection, _record: object) -> None:
        # SQLAlchemy starts every transaction explicitly below, so that changes of tables are in transactions too.
        connection.isolation_level = None
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    return engine


def _reason(error: SQLAlchemyError) -> str:
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    return " ".join(str(cause).split())


_HEALTH_SECONDS = 2.0
"""Seconds for which the result of a test write holds."""


class WriteHealth:
    """The health of a storage, asked as often as anybody likes."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._found: tuple[float, StorageError | None] | None = None
        self._asking = asyncio.Lock()

    async def examine(self) -> None:
        """Check that moves reach the disk; the result is kept for a few seconds.

        Raises:
            StorageError: they do not reach it.
        """
        async with self._asking:
            if self._found is None or time.monotonic() - self._found[0] >= _HEALTH_SECONDS:
                problem = None
                try:
                    await asyncio.to_thread(self._storage.check)
                except StorageError as error:
                    problem = error
                self._found = time.monotonic(), problem
            problem = self._found[1]
        if problem is not None:
            raise problem
