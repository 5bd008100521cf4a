"""Checks of the data folder and the database of a site."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from korgool.app.doctor.diagnosis import Diagnosis, good, note, wrong
from korgool.installing import advice

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from sqlalchemy.engine import URL

_LEAST_FREE, _GOOD_FREE = 1 << 20, 1 << 30
_CLOCK_SECONDS = 2.0


def data_folder(path: Path) -> Iterator[Diagnosis]:
    """Check that the data folder can be written, and the free space of its disk."""
    if not path.exists():
        yield note("data folder", f"{path} does not exist yet", "korgool serve makes it")
        return
    try:
        with tempfile.TemporaryFile(dir=path) as file:
            file.write(bytes(1 << 16))
    except OSError as error:
        yield wrong(
            "data folder",
            f"{path} cannot be written: {error.strerror}",
            "give the folder to the user of the service: chown USER, and run korgool doctor as that user",
        )
    else:
        yield good("data folder", f"{path} can be written")
    free = shutil.disk_usage(path).free
    said = f"{free >> 20} MiB are free on the disk of {path}"
    if free < _LEAST_FREE:
        yield wrong("free space", said, "make room; a server takes no moves on a full disk")
    elif free < _GOOD_FREE:
        yield note("free space", said, "make room before it is full")
    else:
        yield good("free space", said)


def sqlite_database(path: Path) -> Iterator[Diagnosis]:
    """Check that an SQLite database is whole, private and of this version, and name the process that uses it."""
    if not path.exists():
        yield note("database", f"there is no {path} yet", "korgool serve makes it")
        return
    yield from _private(path)
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True, timeout=10)) as database:
            (integrity,) = database.execute("PRAGMA integrity_check(1)").fetchone()
            (size,) = database.execute(
                "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
            ).fetchone()
            tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            revision = None
            if "alembic_version" in tables:
                revision = str(database.execute("SELECT version_num FROM alembic_version").fetchone()[0])
    except sqlite3.OperationalError as error:  # locked, or closed to this user: it may be whole
        yield wrong("database", f"{path} cannot be read: {error}", "run korgool doctor as the user of the service")
        return
    except sqlite3.DatabaseError as error:
        integrity, revision, size, tables = str(error), None, 0, set()
    if integrity != "ok":
        yield wrong(
            "database", f"{path} is damaged: {integrity}", "korgool restore ARCHIVE --replace with the last backup"
        )
        return
    yield good("database", f"{path} is whole, {size} bytes")
    yield _revision(revision, of_others=bool(tables))
    yield _owner(path)


def postgresql_database(url: URL) -> Iterator[Diagnosis]:
    """Check that a PostgreSQL database answers, is of this version and durable, and name the servers that use it."""
    from sqlalchemy import create_engine, inspect, text
    from sqlalchemy.exc import DBAPIError

    place = url.set(drivername="postgresql").render_as_string()
    try:
        engine = create_engine(url, hide_parameters=True, connect_args={"connect_timeout": 10})
    except ImportError:
        yield wrong("database", f"{place} needs one more package", advice("postgresql"))
        return
    try:
        with engine.connect() as connection:
            version = str(connection.scalar(text("SHOW server_version")))
            yield good("database", f"{place} answers, PostgreSQL {version}")
            tables = inspect(connection).get_table_names()
            known = "alembic_version" in tables
            revision = connection.scalar(text("SELECT version_num FROM alembic_version")) if known else None
            yield _revision(None if revision is None else str(revision), of_others=bool(tables))
            for name in ("fsync", "full_page_writes"):
                if connection.scalar(text(f"SHOW {name}")) != "on":
                    yield wrong(
                        "database",
                        f"{name} is off: acknowledged moves are lost when the machine fails",
                        f"ALTER SYSTEM SET {name} = on; SELECT pg_reload_conf();",
                    )
            yield _clock(connection)
            if "processes" in tables:
                alive = connection.scalar(
                    text("SELECT count(*) FROM processes WHERE beat_ms > extract(epoch FROM now()) * 1000 - 5000")
                )
                yield good("servers", f"servers that have used the database within five seconds: {alive}")
            yield _dump_program(version)
    except DBAPIError as error:
        said = " ".join(str(error.orig).split())[:200]
        yield wrong("database", f"{place} cannot be used: {said}", "look whether it runs, and at name and password")
    finally:
        engine.dispose()


def _revision(revision: str | None, *, of_others: bool) -> Diagnosis:
    from korgool.app.server.storage.database import KNOWN, TablesState, state_of_tables

    state = state_of_tables(revision, of_others=of_others)
    if state is TablesState.FOREIGN:
        return wrong(
            "tables of games",
            "the database holds the tables of another program, and korgool serve refuses it",
            "name another place by --data or --database",
        )
    if state is TablesState.NONE:
        return note("tables of games", "there are none yet", "korgool serve makes them")
    if state is TablesState.NEWER:
        said = f"they are at {revision}, and this version knows {KNOWN[-1]}"
        return wrong("tables of games", said, "install the newer version of Korgool that made them")
    if state is TablesState.OLDER:
        return note(
            "tables of games", f"they are at {revision}", f"the next start of korgool serve brings them to {KNOWN[-1]}"
        )
    return good("tables of games", f"at {revision}, as this version needs them")


def _private(path: Path) -> Iterator[Diagnosis]:
    if os.name != "posix":
        return
    stat = path.stat()
    if stat.st_mode & 0o077:
        yield wrong("secrets", f"others can read {path}, which holds the keys of the site", f"chmod 600 {path}")
    if stat.st_uid != os.geteuid() and os.geteuid() != 0:
        yield note("database", f"{path} belongs to another user", "run korgool doctor as the user of the service")


def _owner(path: Path) -> Diagnosis:
    """Report the process that holds the lock of a database."""
    lock = Path(f"{path}.lock")
    try:
        import fcntl

        with lock.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return note("server", "no server uses the database now")
    except (ImportError, FileNotFoundError):
        return note("server", "no server uses the database now, as far as can be seen")
    except PermissionError:
        return note("server", f"{lock} cannot be read", "run korgool doctor as the user of the service")
    except OSError:
        return good("server", f"{_holder(lock)} uses the database")


def _holder(lock: Path) -> str:
    """Name the process that holds a lock, if the system shows it."""
    number = lock.stat().st_ino
    try:
        for line in Path("/proc/locks").read_text(encoding="ascii").splitlines():
            words = line.split()
            if words[1] == "FLOCK" and words[5].rpartition(":")[2] == str(number):
                command = Path(f"/proc/{words[4]}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                return f"process {words[4]} ({command.strip()[:100]})"
    except (OSError, IndexError):
        pass
    return "a server"


def _clock(connection: Connection) -> Diagnosis:
    from sqlalchemy import text

    before = time.time()
    there = float(connection.scalar(text("SELECT extract(epoch FROM clock_timestamp())")) or 0)
    ahead = there - (before + time.time()) / 2
    said = f"the database is {abs(ahead):.3f} s {'ahead of' if ahead > 0 else 'behind'} this machine"
    if abs(ahead) < _CLOCK_SECONDS:
        return good("clock", said)
    return note("clock", said, "servers go by the database; let both machines set their clocks by NTP")


def _dump_program(version: str) -> Diagnosis:
    from korgool.app.backup.postgresql import program_for
    from korgool.app.backup.scratch import BackupError

    try:
        major = int(version.partition(".")[0])
        paths = [program_for(name, major) for name in ("pg_dump", "pg_restore", "psql")]
    except (BackupError, ValueError) as error:
        said, _, typed = str(error).partition("; ")
        return note("backup programs", said, typed)
    return good("backup programs", ", ".join(paths))
