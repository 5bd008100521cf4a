"""The SQLite database of an event file: its tables, how it is opened, and its errors as messages.

A file may come from anyone, and a database can hold code and pages that lead round in circles. So nothing is read of
one before its tables are known to be, letter for letter, those that this program writes, and its pages to be sound.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from korgool.competition.codec import JsonError
from korgool.competition.errors import CompetitionError, Message
from korgool.competition.storage.line import Line, migrated
from korgool.languages import N_

FORMAT = 2
"""Version of the file format; a newer one is refused. Version 1 had no details: its log held everything."""
APPLICATION = 0x4B4F5247  # "KORG", so that `file` and others can tell what it is
WAIT_S = 5.0
"""Seconds that an official waits while another one writes."""
_LOG = """CREATE TABLE log (
    at INTEGER PRIMARY KEY,
    time TEXT NOT NULL,
    by TEXT NOT NULL,
    reason TEXT NOT NULL,
    action TEXT NOT NULL,
    chain TEXT NOT NULL
) STRICT"""
_DETAILS = "CREATE TABLE details (at INTEGER PRIMARY KEY, data TEXT NOT NULL) STRICT"
_PERSONAL = "CREATE TABLE personal (player INTEGER PRIMARY KEY, data TEXT NOT NULL) STRICT"
_TABLES = {
    1: {("log", _LOG), ("personal", _PERSONAL)},
    2: {("log", _LOG), ("details", _DETAILS), ("personal", _PERSONAL)},
}
"""The tables of each version of the format, as every release has written them. SQLite keeps their text."""
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 16_000_000,  # bytes of a row: a log of 50,000 lines has some of a hundred thousand
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 10_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 20,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 20,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 10_000,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
}
_STEPS = 10_000
"""Steps of SQLite's machine between two looks at the time that checking has taken."""
_SCHEMA_SECONDS = 0.1
"""Processor time in which the tables are known: three rows are read."""
_SECONDS, _BYTES_A_SECOND = 0.5, 10_000_000
"""The same for the pages: some for any file, and more for a large one, a hundredth of which it needs."""
_SUPER_JOURNAL = bytes.fromhex("d9d505f920a163d7")
"""The last bytes of a journal with such a name (sqlite.org/fileformat2.html, section 3)."""
_NO_EVENT = N_("{path} is not an event file")
_OTHER_TABLES = N_("{path} is not an event file: its tables are not those that korgool makes")
_ENDLESS = N_("its tables do not end")
_DAMAGED = N_(
    "{path} is not an event file, or it is damaged: {error}; "
    "`korgool event salvage` saves the log of a damaged one up to the damage"
)


def connect(path: Path) -> sqlite3.Connection:
    """A connection to an event file, once it is known to be one, which opens no transaction on its own.

    Raises:
        CompetitionError: it is not one, a newer version made it, or it is damaged.
    """
    check_journal(path)
    connection = _connect(path)
    try:
        connection.execute("BEGIN")  # version, tables and pages at one moment
        _check_kind(path, connection)
        _check_pages(path, connection)
        connection.execute("COMMIT")
        _settle(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def connect_new(path: Path) -> sqlite3.Connection:
    """A connection to an empty file, in which it creates the tables."""
    connection = _connect(path)
    _settle(connection)
    tables = "; ".join((_LOG, _DETAILS, _PERSONAL))
    connection.executescript(
        f"PRAGMA application_id={APPLICATION}; PRAGMA user_version={FORMAT}; BEGIN; {tables}; COMMIT;"
    )
    return connection


def _connect(path: Path) -> sqlite3.Connection:
    """A connection that has not yet read anything, with limits to what a file may make SQLite do."""
    connection = sqlite3.connect(path, timeout=WAIT_S, isolation_level=None)
    for limit, most in _LIMITS.items():
        connection.setlimit(limit, most)
    connection.executescript("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;")
    return connection


def _limit_time(connection: sqlite3.Connection, seconds: float) -> None:
    """Interrupt what comes when it has taken so many seconds of a processor."""
    until = time.thread_time() + seconds
    connection.set_progress_handler(lambda: time.thread_time() > until, _STEPS)


def check_journal(path: Path) -> None:
    """Refuse a journal that names a journal of several databases: SQLite would delete whatever file it names."""
    journal = path.with_name(f"{path.name}-journal")
    if journal.is_file() and journal.read_bytes().endswith(_SUPER_JOURNAL):
        raise CompetitionError(N_("the file {path} was not written by korgool; move it away"), path=journal)


def _settle(connection: sqlite3.Connection) -> None:
    """One file at rest, nothing confirmed before it is on the disk, nothing removed that could be read again."""
    connection.executescript("PRAGMA journal_mode=DELETE; PRAGMA synchronous=EXTRA; PRAGMA secure_delete=ON;")


def _check_kind(path: Path, connection: sqlite3.Connection) -> None:
    """Raise CompetitionError unless the head of the file is that of an event that this version can read."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION:
        raise CompetitionError(_NO_EVENT, path=path)
    version = format_of(connection)
    if version > FORMAT:
        raise CompetitionError(
            N_("{path} was made by a newer version of korgool ({version}, this is {format})"),
            path=path,
            version=version,
            format=FORMAT,
        )


def _check_pages(path: Path, connection: sqlite3.Connection) -> None:
    """Raise CompetitionError unless the tables are those of an event, and every page has its one place in them.

    The tables are compared first: SQLite would carry out code that stands in them even to check the pages. Until
    that is done, a table may lead round in circles, so the time is limited.
    """
    _limit_time(connection, _SCHEMA_SECONDS)
    try:
        found = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema LIMIT 4").fetchall()
        tables = _TABLES.get(format_of(connection), set())
        if {(name, sql) for _, name, _, sql in found} != tables or len(found) != len(tables):
            raise CompetitionError(_OTHER_TABLES, path=path)
        if any((kind, of) != ("table", name) for kind, name, of, _ in found):
            raise CompetitionError(_OTHER_TABLES, path=path)
        _limit_time(connection, _SECONDS + path.stat().st_size / _BYTES_A_SECOND)
        for (problem,) in connection.execute("PRAGMA quick_check(1)"):
            if problem != "ok":
                raise sqlite3.DatabaseError(" ".join(problem.replace("*** in database main ***", "").split()))
    finally:
        connection.set_progress_handler(None, 0)


def format_of(connection: sqlite3.Connection) -> int:
    """The version of the file format, as it is now."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def read_lines(connection: sqlite3.Connection, after: int) -> list[Line]:
    """The lines of the log after a number with their details, in a file of any version."""
    details = "coalesce(data, '')" if format_of(connection) > 1 else "''"
    joined = "log LEFT JOIN details USING (at)" if format_of(connection) > 1 else "log"
    rows = connection.execute(
        f"SELECT at, time, by, reason, action, chain, {details} FROM {joined} WHERE log.at > ? ORDER BY log.at",
        (after,),
    )
    return [Line(*row) for row in rows]


def add_lines(connection: sqlite3.Connection, lines: Iterable[Line]) -> None:
    """Add lines with their details, in a transaction."""
    lines = list(lines)
    connection.executemany("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)", [line[:6] for line in lines])
    held = [(line.at, line.details) for line in lines if line.details]
    connection.executemany("INSERT INTO details VALUES (?, ?)", held)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a file of version 1 to this one, in a transaction; a file of this version stays as it is.

    Raises:
        CompetitionError: a line of the log cannot be read.
    """
    if format_of(connection) > 1:
        return
    lines = migrated(read_lines(connection, 0))
    connection.execute(_DETAILS)
    connection.execute("DELETE FROM log")
    add_lines(connection, lines)
    connection.execute(f"PRAGMA user_version={FORMAT}")


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into CompetitionErrors that name the file and the reason."""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error)
        if "locked" in text or "busy" in text:
            raise CompetitionError(N_("{path} is being written by another official; try again"), path=path) from error
        if "full" in text or "I/O" in text:
            raise CompetitionError(
                N_("{path}: the disk is full or fails ({text}), nothing was written"), path=path, text=text
            ) from error
        if "readonly" in text or "read-only" in text:
            raise CompetitionError(N_("{path} cannot be written: it is read-only"), path=path) from error
        if "interrupted" in text:
            raise CompetitionError(_DAMAGED, path=path, error=Message(_ENDLESS)) from error
        raise CompetitionError(_DAMAGED, path=path, error=error) from error
    except (sqlite3.DatabaseError, UnicodeDecodeError, JsonError) as error:
        raise CompetitionError(_DAMAGED, path=path, error=error) from error
