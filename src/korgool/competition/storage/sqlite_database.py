"""The SQLite database of an event file: its tables, how it is opened, and its errors as messages."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from korgool.competition.codec import JsonError
from korgool.competition.errors import CompetitionError
from korgool.competition.storage.line import Line, migrated

FORMAT = 2
"""Version of the file format; a newer one is refused. Version 1 had no details: its log held everything."""
APPLICATION = 0x4B4F5247  # "KORG", so that `file` and others can tell what it is
WAIT_S = 5.0
"""Seconds that an official waits while another one writes."""
_DETAILS = "CREATE TABLE details (at INTEGER PRIMARY KEY, data TEXT NOT NULL) STRICT;"
_SCHEMA = f"""
CREATE TABLE log (
    at INTEGER PRIMARY KEY,
    time TEXT NOT NULL,
    by TEXT NOT NULL,
    reason TEXT NOT NULL,
    action TEXT NOT NULL,
    chain TEXT NOT NULL
) STRICT;
{_DETAILS}
CREATE TABLE personal (player INTEGER PRIMARY KEY, data TEXT NOT NULL) STRICT;
"""


def connect(path: Path) -> sqlite3.Connection:
    """A connection that opens no transaction on its own."""
    connection = sqlite3.connect(path, timeout=WAIT_S, isolation_level=None)
    # One file at rest, nothing confirmed before it is on the disk, nothing removed that could be read again.
    connection.executescript("PRAGMA journal_mode=DELETE; PRAGMA synchronous=EXTRA; PRAGMA secure_delete=ON;")
    return connection


def connect_new(path: Path) -> sqlite3.Connection:
    """A connection to an empty file, in which it creates the tables."""
    connection = connect(path)
    connection.executescript(
        f"PRAGMA application_id={APPLICATION}; PRAGMA user_version={FORMAT}; BEGIN; {_SCHEMA} COMMIT;"
    )
    return connection


def check_kind(path: Path, connection: sqlite3.Connection) -> None:
    """Raise CompetitionError unless the database is an event that this version can read."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise CompetitionError(f"{path} is not an event file")
    if version > FORMAT:
        raise CompetitionError(f"{path} was made by a newer version of korgool ({version}, this is {FORMAT})")


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
            raise CompetitionError(f"{path} is being written by another official; try again") from error
        if "full" in text or "I/O" in text:
            raise CompetitionError(f"{path}: the disk is full or fails ({text}), nothing was written") from error
        if "readonly" in text or "read-only" in text:
            raise CompetitionError(f"{path} cannot be written: it is read-only") from error
        raise CompetitionError(f"{path}: {text}") from error
    except (sqlite3.DatabaseError, UnicodeDecodeError, JsonError) as error:
        raise CompetitionError(
            f"{path} is not an event file, or it is damaged: {error}; "
            "`korgool event salvage` saves the log of a damaged one up to the damage"
        ) from error
