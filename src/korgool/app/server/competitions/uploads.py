"""Event files that come from elsewhere: held against what an event file can be before anything of them is read.

A file is a database that anybody may have made. So its tables must be those of an event, plain ones without code in
them, and its log may not be longer than an event's is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from korgool.app.server.competitions.competition import MOST_LINES
from korgool.competition.errors import CompetitionError
from korgool.competition.json_export import fill, read_json
from korgool.competition.storage.book import Book
from korgool.competition.storage.event_file import EventFile
from korgool.competition.storage.sqlite_database import told
from korgool.competition.storage.transfer import transfer

_TABLES = {"log", "details", "personal"}
_SQLITE = b"SQLite format 3\0"


def take(path: Path, target: Book) -> None:
    """Write an uploaded event into an empty book: an event file, or an event as JSON.

    Raises:
        CompetitionError: it is neither, is damaged, was made by a newer version, or its log was changed; the message
            does not tell where the file lies.
    """
    with _unnamed(path):
        with path.open("rb") as file:
            head = file.read(len(_SQLITE))
        if head != _SQLITE:
            found = read_json(path.read_bytes())
            if len(found.log) > MOST_LINES:
                raise _too_long(len(found.log))
            fill(target, found)
            return
        _check_tables(path)
        with EventFile.open(path) as source:
            if source.state.settings is None:
                raise CompetitionError("its log is empty")
            transfer(source, target)


@contextmanager
def _unnamed(path: Path) -> Iterator[None]:
    try:
        yield
    except CompetitionError as error:
        raise CompetitionError(str(error).replace(str(path), "the file")) from error


def _check_tables(path: Path) -> None:
    address = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    with told(path), closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
        connection.execute("PRAGMA trusted_schema=OFF")
        for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master"):
            code = " ".join(str(sql).upper().split())
            plain = code.startswith("CREATE TABLE ") and " AS " not in code and "CHECK" not in code
            if kind != "table" or name not in _TABLES or not plain:
                raise CompetitionError(f"the file is not an event file: it holds the {kind} {str(name)[:40]!r}")
        (lines,) = connection.execute("SELECT count(*) FROM log").fetchone()
        if lines > MOST_LINES:
            raise _too_long(lines)


def _too_long(lines: int) -> CompetitionError:
    return CompetitionError(f"its log has {lines:,} lines; an event from elsewhere has at most {MOST_LINES:,}")
