"""`EventFile`: an event in one SQLite file, with the log, to which lines are only added, and the personal data apart.

When `EventFile.do` returns, its lines are on disk. While nobody writes, the event is this one file, which can be copied
and mailed. Every line carries a hash of itself and of all lines before it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from korgool.competition.actions import ANY_ACTION, AnyAction, Forget, Logged, Open
from korgool.competition.codec import JsonError, from_json, to_json
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.log.replay import go_on, replay
from korgool.competition.model import Personal, Settings
from korgool.competition.storage.hash_chain import Head, link
from korgool.competition.storage.sqlite_database import check_kind, connect, connect_new, told
from korgool.competition.storage.whole_file import new_file


def utc_now() -> datetime:
    """The present time."""
    return datetime.now(UTC)


class EventFile:
    """An open event file. One thread uses it at a time; several processes may have the same file open.

    Make one with `create` or `open`, and close it, or use it in a `with` statement.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, now: Callable[[], datetime]) -> None:
        self.path = path
        self._connection = connection
        self._now = now
        self._state = EventState()
        self._chain = ""
        self._read_on()

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
            raise CompetitionError(f"there is no event file {path}")
        with told(path):
            connection = connect(path)
            try:
                check_kind(path, connection)
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

    @property
    def state(self) -> EventState:
        """The event as this object last read or wrote it."""
        return self._state

    def refresh(self) -> EventState:
        """Read the lines that others have written since."""
        with told(self.path):
            self._read_on()
        return self._state

    def do(
        self, *actions: AnyAction | tuple[AnyAction, str], by: str, reason: str = "", after: EventState | None = None
    ) -> EventState:
        """Apply actions and write them to the log, all or none; they are on disk when this returns.

        Args:
            actions: in order, each alone or with a reason of its own.
            by: the official.
            reason: for the actions without one of their own.
            after: the state that the actions are based on; if others have written since, nothing is done.

        Raises:
            CompetitionError: an action is refused, others have written since, or the file cannot be written. Nothing
                is changed then.
        """
        if not by.strip():
            raise CompetitionError("say which official does it")
        time = self._now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        with self.together():
            self._read_on()
            if after is not None and after.actions != self._state.actions:
                raise CompetitionError("another official has changed the event meanwhile; look again and repeat")
            state, chain, lines = self._state, self._chain, []
            for given in actions:
                action, why = given if isinstance(given, tuple) else (given, reason)
                state = apply(state, action, reason=why)
                text = to_json(action)
                chain = link(chain, time, by, why, text)
                lines.append((state.actions, time, by, why, text, chain))
            self._connection.executemany("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)", lines)
            self._state, self._chain = state, chain
        return state

    @contextmanager
    def together(self) -> Iterator[None]:
        """One transaction: the block is written completely or not at all, and nobody else writes meanwhile. It nests.

        Raises:
            CompetitionError: another official holds the file too long, or it cannot be written. Nothing is changed
            then.
        """
        if self._connection.in_transaction:
            yield
            return
        before = self._state, self._chain
        with told(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                self._state, self._chain = before
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def head(self, at: int | None = None) -> Head:
        """The head of the chain after a line of the log, by default the last one that this object has read or written.

        Raises:
            CompetitionError: there is no such line.
        """
        at = self._state.actions if at is None else at
        with told(self.path):
            row = self._connection.execute("SELECT chain FROM log WHERE at = ?", (at,)).fetchone()
        if row is None:
            raise CompetitionError(f"the log has {self._state.actions} lines, there is no line {at}")
        return Head.of(at, row[0])

    def log(self) -> tuple[Logged, ...]:
        """Every line of the log."""
        with told(self.path):
            rows = self._connection.execute("SELECT at, time, by, reason, action FROM log ORDER BY at").fetchall()
            return tuple(Logged(at, time, by, reason, read_action(at, text)) for at, time, by, reason, text in rows)

    def state_at(self, at: int) -> EventState:
        """The event as it stood after the first `at` lines of the log."""
        return replay([(line.action, line.reason) for line in self.log()[: max(at, 0)]])

    def broken_links(self) -> tuple[int, ...]:
        """Lines of the log whose hash does not fit: they were changed after they were written."""
        chain, broken = "", []
        with told(self.path):
            rows = self._connection.execute("SELECT at, time, by, reason, action, chain FROM log ORDER BY at")
            for place, (at, time, by, reason, text, held) in enumerate(rows, 1):
                if at != place or link(chain, time, by, reason, text) != held:
                    broken.append(at)
                chain = held
        return tuple(broken)

    def personal(self, player: int) -> Personal | None:
        """The personal data of a player, by id, or None."""
        with told(self.path):
            row = self._connection.execute("SELECT data FROM personal WHERE player = ?", (player,)).fetchone()
        return from_json(row[0], Personal) if row else None

    def set_personal(self, player: int, data: Personal) -> None:
        """Store the personal data of a player, by id, in place of the earlier."""
        with self.together():
            if player not in self.refresh().players:
                raise CompetitionError(f"there is no player with the id {player}")
            self._connection.execute("INSERT OR REPLACE INTO personal VALUES (?, ?)", (player, to_json(data)))

    def remove_personal(self, player: int | None = None, *, by: str, reason: str = "") -> int:
        """Remove the personal data of a player, by id, or of all players, and overwrite it in the file.

        The log keeps who removed it when, and of which players. If there is none, nothing is logged.

        Returns:
            The number of players whose data was removed.
        """
        with self.together():
            rows = self._connection.execute("SELECT player FROM personal ORDER BY player").fetchall()
            held = tuple(id_ for (id_,) in rows if player in (None, id_))
            if held:
                self.do(Forget(held), by=by, reason=reason)
                self._connection.executemany("DELETE FROM personal WHERE player = ?", ((id_,) for id_ in held))
        return len(held)

    def _read_on(self) -> None:
        """Apply the lines that this object has not read yet."""
        rows = self._connection.execute(
            "SELECT at, reason, action, chain FROM log WHERE at > ? ORDER BY at", (self._state.actions,)
        ).fetchall()
        if rows:
            self._state = go_on(self._state, [(read_action(at, text), reason) for at, reason, text, _ in rows])
            self._chain = rows[-1][3]


def read_action(at: int, text: str) -> AnyAction:
    """The action in a line of the log; raises CompetitionError if the text is not one."""
    try:
        return from_json(text, ANY_ACTION)
    except JsonError as error:
        raise CompetitionError(f"line {at} of the log cannot be read: {error}") from error
