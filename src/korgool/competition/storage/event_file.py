"""`EventFile`: an event in one SQLite file, with the log, to which lines are only added, and the personal data apart.

When `EventFile.do` returns, its lines are on disk. Between writes the event is this one file, which can be copied
and mailed. Every line carries a hash of itself and of all lines before it. A file that comes from a server carries what
that one knows of the event beside the log, such as its address; it stands where the details of a line 0 would be, which
every version of the program leaves alone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from korgool.competition.actions import AnyAction, Open
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Personal, Settings
from korgool.competition.storage.book import Book, utc_now
from korgool.competition.storage.carried import PLACE, carried_text, read_carried
from korgool.competition.storage.line import Line
from korgool.competition.storage.sqlite_database import (
    FORMAT,
    add_lines,
    connect,
    connect_new,
    format_of,
    migrate,
    read_lines,
    told,
)
from korgool.competition.storage.whole_file import new_file
from korgool.languages import N_


class EventFile(Book):
    """An open event file. One thread uses it at a time; several processes may have the same file open.

    Make one with `create` or `open`, and close it, or use it in a `with` statement.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, now: Callable[[], datetime]) -> None:
        super().__init__(now)
        self.path = path
        self._connection = connection
        self.refresh()

    def __repr__(self) -> str:
        return f"<EventFile {str(self.path)!r} with {self.state.actions} lines>"

    @classmethod
    def create(
        cls,
        path: str | Path,
        settings: Settings,
        *then: AnyAction | tuple[AnyAction, str],
        by: str,
        now: Callable[[], datetime] = utc_now,
    ) -> EventFile:
        """Open an event in a new file and take the actions of `then`. The file appears complete or not at all.

        Raises:
            CompetitionError: the file exists already or cannot be written, or an action is refused.
        """
        path = Path(path)
        with new_file(path) as scratch, cls.begin(scratch, now=now) as begun:
            begun.do(Open(settings), *then, by=by)
        return cls.open(path, now=now)

    @classmethod
    def begin(cls, path: Path, *, now: Callable[[], datetime] = utc_now) -> EventFile:
        """An event whose log is still empty, in an empty file."""
        with told(path):
            return cls(path, connect_new(path), now)

    @classmethod
    def open(cls, path: str | Path, *, now: Callable[[], datetime] = utc_now) -> EventFile:
        """Open an event.

        Raises:
            CompetitionError: there is no such file, it is not an event, a newer version made it, or it is damaged.
        """
        path = Path(path)
        if not path.is_file():
            raise CompetitionError(N_("there is no event file {path}"), path=path)
        with told(path):
            connection = connect(path)
            try:
                return cls(path, connection, now)
            except BaseException:
                connection.close()
                raise

    def __enter__(self) -> EventFile:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; a second time does nothing."""
        self._connection.close()

    def personal(self, player: int) -> Personal | None:
        """The personal data of a player, by id, or None."""
        with told(self.path):
            return super().personal(player)

    def carried(self) -> dict[str, Any]:
        """Knowledge of a server about the event beside its log, as JSON; `id` is its address. Empty for none."""
        with told(self.path):
            if format_of(self._connection) < FORMAT:
                return {}
            row = self._connection.execute("SELECT data FROM details WHERE at = ?", (PLACE,)).fetchone()
        return read_carried(row[0]) if row else {}

    def carry(self, beside: Mapping[str, Any]) -> None:
        """Keep what a server knows of the event beside its log, in place of what was kept."""
        with self.together():
            self._put_details({PLACE: carried_text(beside)})

    def _lines(self, after: int) -> Sequence[Line]:
        with told(self.path):
            if self._in_transaction():
                return read_lines(self._connection, after)
            self._connection.execute("BEGIN")  # the version of the file and its lines at one moment
            try:
                return read_lines(self._connection, after)
            finally:
                self._connection.execute("COMMIT")

    def _append(self, lines: Sequence[Line]) -> None:
        add_lines(self._connection, lines)

    def _put_details(self, details: Mapping[int, str]) -> None:
        self._connection.executemany("DELETE FROM details WHERE at = ?", ((at,) for at in details))
        held = [(at, text) for at, text in details.items() if text]
        self._connection.executemany("INSERT INTO details VALUES (?, ?)", held)

    def _in_transaction(self) -> bool:
        return self._connection.in_transaction

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with told(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                migrate(self._connection)
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _personal(self, player: int) -> str | None:
        row = self._connection.execute("SELECT data FROM personal WHERE player = ?", (player,)).fetchone()
        return row[0] if row else None

    def _personal_of(self) -> Sequence[int]:
        return [id_ for (id_,) in self._connection.execute("SELECT player FROM personal ORDER BY player")]

    def _put_personal(self, player: int, text: str) -> None:
        self._connection.execute("INSERT OR REPLACE INTO personal VALUES (?, ?)", (player, text))

    def _drop_personal(self, players: Iterable[int]) -> None:
        self._connection.executemany("DELETE FROM personal WHERE player = ?", ((id_,) for id_ in players))
