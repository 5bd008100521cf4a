"""An event in one SQLite file: the log of actions, which only grows, and apart from it what is personal.

A line is confirmed when `EventFile.do` returns: it is on the disk then. The file needs no other beside it while nobody
writes, so it may be copied and mailed. Every line carries a hash of itself and of all lines before it.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

import msgspec

from korgool.competition.actions import AnyAction, Logged, Open
from korgool.competition.apply import apply
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Personal, Settings
from korgool.competition.state import State

FORMAT = 1
"""Version of the file; a newer one is refused."""
_APPLICATION = 0x4B4F5247  # "KORG", so that `file` and others can tell what it is
_WAIT_S = 5.0
_SCHEMA = """
CREATE TABLE log (
    at INTEGER PRIMARY KEY,
    time TEXT NOT NULL,
    by TEXT NOT NULL,
    reason TEXT NOT NULL,
    action TEXT NOT NULL,
    chain TEXT NOT NULL
) STRICT;
CREATE TABLE personal (player INTEGER PRIMARY KEY, data TEXT NOT NULL) STRICT;
"""
_decoder: msgspec.json.Decoder[AnyAction] = msgspec.json.Decoder(AnyAction)
_encode = msgspec.json.Encoder(order="deterministic").encode


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
        self._state = State()
        self._chain = ""
        self._read_on()

    @classmethod
    def create(
        cls, path: str | Path, settings: Settings, *, by: str, now: Callable[[], datetime] = utc_now
    ) -> EventFile:
        """Begin an event in a new file.

        Raises:
            CompetitionError: the file exists already or cannot be written.
        """
        path = Path(path)
        if path.exists():
            raise CompetitionError(f"{path} exists already; an event begins in a new file")
        try:
            handle, name = tempfile.mkstemp(prefix=".event-", suffix=".tmp", dir=path.parent)
        except OSError as error:
            raise CompetitionError(f"{path} cannot be written: {error.strerror}") from error
        os.close(handle)
        scratch = Path(name)
        try:
            with _told(path):
                connection = _connect(scratch)
                connection.executescript(
                    f"PRAGMA application_id={_APPLICATION}; PRAGMA user_version={FORMAT}; BEGIN; {_SCHEMA} COMMIT;"
                )
                with cls(scratch, connection, now) as begun:
                    begun.do(Open(settings), by=by)
            try:
                os.link(scratch, path)  # unlike a rename it never replaces a file that came meanwhile
            except FileExistsError:
                raise CompetitionError(f"{path} exists already; an event begins in a new file") from None
            except OSError:  # a file system without links
                scratch.rename(path)
        finally:
            scratch.unlink(missing_ok=True)
        return cls.open(path, now=now)

    @classmethod
    def open(cls, path: str | Path, *, now: Callable[[], datetime] = utc_now) -> EventFile:
        """Open an event.

        Raises:
            CompetitionError: there is no such file, it is no event, was made by a newer version, or is damaged.
        """
        path = Path(path)
        if not path.is_file():
            raise CompetitionError(f"there is no event file {path}")
        with _told(path):
            connection = _connect(path)
            try:
                (application,) = connection.execute("PRAGMA application_id").fetchone()
                (version,) = connection.execute("PRAGMA user_version").fetchone()
                if application != _APPLICATION:
                    raise CompetitionError(f"{path} is not an event file")
                if version > FORMAT:
                    raise CompetitionError(
                        f"{path} was made by a newer version of korgool ({version}, this is {FORMAT})"
                    )
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
    def state(self) -> State:
        """The event as this object last read or changed it."""
        return self._state

    def refresh(self) -> State:
        """Read what others have done since."""
        with _told(self.path):
            self._read_on()
        return self._state

    def do(
        self, *actions: AnyAction | tuple[AnyAction, str], by: str, reason: str = "", after: State | None = None
    ) -> State:
        """Apply actions and write them to the log, all or none; they are on the disk when this returns.

        Args:
            actions: what is done, in order; one may come with a reason of its own.
            by: the official who does it.
            reason: why, where it is asked for.
            after: the state the actions were thought out on; when somebody else has done something since, nothing is
                done.

        Raises:
            CompetitionError: an action is refused, others were quicker, or the file cannot be written. Nothing is
                changed then.
        """
        if not by.strip():
            raise CompetitionError("say which official does it")
        time = self._now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        with _told(self.path), self._writing():
            self._read_on()
            if after is not None and after.actions != self._state.actions:
                raise CompetitionError("another official has changed the event meanwhile; look again and repeat")
            state, chain, lines = self._state, self._chain, []
            for given in actions:
                action, why = given if isinstance(given, tuple) else (given, reason)
                state = apply(state, action, reason=why)
                text = _encode(action).decode()
                chain = _link(chain, time, by, why, text)
                lines.append((state.actions, time, by, why, text, chain))
            self._connection.executemany("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)", lines)
        self._state, self._chain = state, chain
        return state

    def log(self) -> tuple[Logged, ...]:
        """Every line of the log."""
        with _told(self.path):
            rows = self._connection.execute("SELECT at, time, by, reason, action FROM log ORDER BY at").fetchall()
            return tuple(Logged(at, time, by, reason, _action(at, text)) for at, time, by, reason, text in rows)

    def state_at(self, at: int) -> State:
        """The event as it stood after the first `at` lines of the log."""
        state = State()
        for line in self.log()[: max(at, 0)]:
            state = apply(state, line.action, reason=line.reason)
        return state

    def broken_links(self) -> tuple[int, ...]:
        """Lines of the log that were changed after they were written: their hash does not fit."""
        chain, broken = "", []
        with _told(self.path):
            rows = self._connection.execute("SELECT at, time, by, reason, action, chain FROM log ORDER BY at")
            for place, (at, time, by, reason, text, held) in enumerate(rows, 1):
                if at != place or _link(chain, time, by, reason, text) != held:
                    broken.append(at)
                chain = held
        return tuple(broken)

    def personal(self, player: int) -> Personal | None:
        """What is held of a player's personal data, by id, or None."""
        with _told(self.path):
            row = self._connection.execute("SELECT data FROM personal WHERE player = ?", (player,)).fetchone()
        return msgspec.json.decode(row[0], type=Personal) if row else None

    def set_personal(self, player: int, data: Personal) -> None:
        """Keep personal data of a player, by id, in place of what was held."""
        if player not in self.refresh().players:
            raise CompetitionError(f"there is no player with the id {player}")
        with _told(self.path), self._writing():
            self._connection.execute(
                "INSERT OR REPLACE INTO personal VALUES (?, ?)", (player, msgspec.json.encode(data).decode())
            )

    def remove_personal(self, player: int | None = None) -> int:
        """Remove the personal data of a player, or of all; what is removed is overwritten. Answers of how many."""
        with _told(self.path), self._writing():
            if player is None:
                return self._connection.execute("DELETE FROM personal").rowcount
            return self._connection.execute("DELETE FROM personal WHERE player = ?", (player,)).rowcount

    def _read_on(self) -> None:
        """Apply the lines that this object has not seen."""
        state = self._state
        rows = self._connection.execute(
            "SELECT at, reason, action, chain FROM log WHERE at > ? ORDER BY at", (state.actions,)
        ).fetchall()
        for at, reason, text, _ in rows:
            try:
                state = apply(state, _action(at, text), reason=reason)
            except CompetitionError as error:
                raise CompetitionError(f"line {at} of the log cannot stand there: {error}") from error
        if rows:
            self._state, self._chain = state, rows[-1][3]

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction that nobody else can write beside."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_WAIT_S, isolation_level=None)
    # One file at rest, nothing confirmed before it is on the disk, nothing removed that could be read again.
    connection.executescript("PRAGMA journal_mode=DELETE; PRAGMA synchronous=EXTRA; PRAGMA secure_delete=ON;")
    return connection


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Faults of the file in words."""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error)
        if "locked" in text or "busy" in text:
            raise CompetitionError(f"{path} is being written by another official; try again") from error
        if "full" in text:
            raise CompetitionError(f"{path}: the disk is full, nothing was written") from error
        if "readonly" in text or "read-only" in text:
            raise CompetitionError(f"{path} cannot be written: it is read-only") from error
        raise CompetitionError(f"{path}: {text}") from error
    except (sqlite3.DatabaseError, msgspec.DecodeError) as error:
        raise CompetitionError(f"{path} is not an event file, or it is damaged: {error}") from error


def _action(at: int, text: str) -> AnyAction:
    try:
        return _decoder.decode(text)
    except (msgspec.DecodeError, ValueError) as error:
        raise CompetitionError(f"line {at} of the log cannot be read: {error}") from error


def _link(chain: str, time: str, by: str, reason: str, text: str) -> str:
    return hashlib.sha256("\x1f".join((chain, time, by, reason, text)).encode()).hexdigest()
