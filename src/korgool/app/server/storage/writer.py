"""The single thread that writes: simultaneous commits of many games go to disk in one transaction."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeAlias

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from korgool.accounts import Way
from korgool.app.server.core.counters import Histogram
from korgool.app.server.storage.challenge_rows import challenge_row, old, settled_row
from korgool.app.server.storage.game_terms import seat_rows, terms_row
from korgool.app.server.storage.journal import JournalEntry, write_event
from korgool.app.server.storage.rated_games import RatedEnd
from korgool.app.server.storage.schema import challenges, evaluations, events, games, seats
from korgool.live import Challenge, ChallengeState, OnlineGame, due

_LOG = logging.getLogger(__name__)
ABORTED = "aborted"
"""The termination of a game that ended without a result."""
_SUMMARY = ("version", "to_move", "plies", "termination", "result_text", "due_ms", "ended_ms", "rematch")
_PROGRESS = (
    games.update()
    .where(games.c.id == bindparam("game_id"))
    .values({name: bindparam(f"new_{name}") for name in _SUMMARY})
)
_SIGN = (
    seats.update()
    .where((seats.c.game_id == bindparam("game")) & (seats.c.side == bindparam("seat")))
    .values(sign_ms=bindparam("new_sign_ms"))
)
ENDED = seats.update().where((seats.c.game_id == bindparam("game")) & (seats.c.running == 1)).values(running=0)
"""The seats of a game that is over."""
_SETTLE = (
    challenges.update()
    .where((challenges.c.id == bindparam("challenge")) & (challenges.c.state == ChallengeState.OPEN.value))
    .values({name: bindparam(f"new_{name}") for name in ("state", "by", "reason", "result")})
)
_SIZES = 1, 2, 5, 10, 20, 50, 100, 200, 500
"""Bounds for the commits in a transaction."""
FORGOTTEN_AT_ONCE = 500
"""Challenges forgotten in one commit."""


class WriteFailure(Enum):
    """Causes of failed writes."""

    FULL = "the disk is full"
    SILENT = "the database does not answer"
    LOST = "another server has the database"
    REFUSED = "the database refuses to write"


class StorageError(ValueError):
    """Games cannot be stored or read; the message names the place and the reason.

    Attributes:
        trouble: the kind of reason.
    """

    def __init__(self, message: str, trouble: WriteFailure = WriteFailure.REFUSED) -> None:
        super().__init__(message)
        self.trouble = trouble


class TakenError(StorageError):
    """Somebody was quicker: this version of the game, a game with this address, or the challenge's end is written."""


@dataclass(frozen=True, slots=True)
class Commit:
    """Rows that are written together or not at all.

    Attributes:
        game: the game's address; a commit with nothing else only tests that writing works.
        entries: new rows of its journal.
        after: the game as it stands after them.
        new: whether the game itself is new.
        by_time: whether time alone decided it; where many processes write, it counts only if the deadline in the
            database has come.
        evaluations: JSON to store with the game.
        signs: for White and Black, the time of the last sign of life, in milliseconds since 1970; None to leave it.
        others: what has to happen with it or not at all, such as the rematch that this game leads to.
        challenge: a new challenge.
        settles: a challenge that is no longer open; if the database has it open no more, nothing of this is written.
        forgets: up to when challenges that led to no game are forgotten, a batch of them.
        ways: of a rated game that this ends, how White and Black ended it.
    """

    game: str
    entries: tuple[JournalEntry, ...] = ()
    after: OnlineGame | None = None
    new: bool = False
    by_time: bool = False
    evaluations: str | None = None
    signs: tuple[int | None, int | None] = (None, None)
    others: tuple[Commit, ...] = ()
    challenge: Challenge | None = None
    settles: Challenge | None = None
    forgets: int | None = None
    ways: tuple[Way | None, Way | None] | None = None


@dataclass(slots=True)
class RowBatch:
    """The rows of a transaction, grouped by statement so that each statement runs once for all games."""

    games: list[dict[str, Any]] = field(default_factory=list)
    seats: list[dict[str, Any]] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    progress: list[dict[str, Any]] = field(default_factory=list)
    ended: list[dict[str, Any]] = field(default_factory=list)
    signs: list[dict[str, Any]] = field(default_factory=list)
    evaluations: list[dict[str, Any]] = field(default_factory=list)
    challenges: list[dict[str, Any]] = field(default_factory=list)
    settled: list[dict[str, Any]] = field(default_factory=list)
    forgotten: list[int] = field(default_factory=list)
    rated: list[RatedEnd] = field(default_factory=list)

    def add(self, commit: Commit) -> None:
        """Add the rows of a commit, and of what has to happen with it."""
        if commit.evaluations is not None:
            self.evaluations.append({"game_id": commit.game, "payload": commit.evaluations})
        for side, sign in enumerate(commit.signs):
            if sign is not None:
                self.signs.append({"game": commit.game, "seat": side, "new_sign_ms": sign})
        if commit.after is not None:
            summary = summary_of(commit.after)
            if commit.new:
                self.games.append({"id": commit.game, **terms_row(commit.after), **summary})
                self.seats += seat_rows(commit.game, commit.after)
            else:
                self.progress.append(
                    {"game_id": commit.game, **{f"new_{name}": value for name, value in summary.items()}}
                )
                if summary["termination"] is not None:
                    self.ended.append({"game": commit.game})
        for entry in commit.entries:
            self.events.append(event_row(commit.game, entry))
        if commit.challenge is not None:
            self.challenges.append(challenge_row(commit.challenge))
        if commit.settles is not None:
            self.settled.append(settled_row(commit.settles))
        if commit.forgets is not None:
            self.forgotten.append(commit.forgets)
        if commit.ways is not None and commit.after is not None:
            self.rated.append(RatedEnd(commit.game, commit.after, commit.ways))
        for other in commit.others:
            self.add(other)

    def write(self, connection: Connection) -> None:
        """Write them all within a transaction; rated games are still to be counted.

        Raises:
            IntegrityError: one of them is there already.
            TakenError: a challenge is open no more.
        """
        for statement, values in (
            (games.insert(), self.games),
            (seats.insert(), self.seats),
            (events.insert(), self.events),
            (_PROGRESS, self.progress),
            (ENDED, self.ended),
            (_SIGN, self.signs),
            (evaluations.insert(), self.evaluations),
            (challenges.insert(), self.challenges),
        ):
            if values:
                connection.execute(statement, values)
        for settled in self.settled:
            if connection.execute(_SETTLE, settled).rowcount != 1:
                raise TakenError("the challenge is open no more")
        for before in self.forgotten:
            batch = select(challenges.c.id).where(old(before)).limit(FORGOTTEN_AT_ONCE)
            connection.execute(challenges.delete().where(challenges.c.id.in_(batch)))


def event_row(game: str, entry: JournalEntry) -> dict[str, Any]:
    """The columns of an event."""
    kind, payload = write_event(entry.event)
    return {
        "game_id": game,
        "version": entry.version,
        "at_ms": entry.at_ms,
        "kind": kind,
        "payload": payload,
        "side": None if entry.side is None else int(entry.side),
        "command": entry.command,
    }


def summary_of(game: OnlineGame) -> dict[str, Any]:
    """The columns of a game that follow from its journal."""
    ending = game.ending
    return {
        "version": game.version,
        "to_move": int(game.to_move),
        "plies": game.plies,
        "termination": ABORTED if game.aborted else None if ending is None else ending.termination.value,
        "result_text": None if ending is None else ending.result_text,
        "due_ms": due(game),
        "ended_ms": game.ended if game.over else None,
        "rematch": game.rematch or None,
    }


Written: TypeAlias = Callable[[StorageError | None], None]
BatchWriter: TypeAlias = Callable[[Sequence[Commit]], Sequence[StorageError | None]]
"""Writes commits in one transaction (`wholly.py`, `singly.py`); what has become of each. Only one thread calls it."""


class CommitCallbacks:
    """Brings what the writer's thread says into one event loop, many commits with one waking."""

    def __init__(self, writer: Writer, loop: asyncio.AbstractEventLoop) -> None:
        self._writer = writer
        self.loop = loop
        self._completed: deque[tuple[asyncio.Future[None], StorageError | None]] = deque()
        self._woken = False

    def send(self, commit: Commit) -> asyncio.Future[None]:
        """A future of the loop that completes when the commit is on disk."""
        future = self.loop.create_future()
        self._writer.send(commit, lambda error: self._written(future, error))
        return future

    def _written(self, future: asyncio.Future[None], error: StorageError | None) -> None:
        self._completed.append((future, error))
        if not self._woken:
            self._woken = True
            with suppress(RuntimeError):  # the loop is closed, and nobody waits any more
                self.loop.call_soon_threadsafe(self._complete)

    def _complete(self) -> None:
        self._woken = False
        while self._completed:
            future, error = self._completed.popleft()
            if future.done():
                continue
            if error is None:
                future.set_result(None)
            else:
                future.set_exception(error)


class Writer:
    """Accepts commits from any thread and writes them in the order of arrival, many in one transaction.

    Attributes:
        transactions: how many have been written.
        stored: how many events of games they held, by kind.
        batches: how many commits each had.
        seconds: how long each took.
    """

    def __init__(self, write_batch: BatchWriter, *, most: int = 500) -> None:
        """Start the thread.

        Args:
            judge: what writes.
            most: the most commits in a transaction; 1 gives every commit its own.
        """
        self._write_batch = write_batch
        self._most = most
        self._queue: queue.SimpleQueue[tuple[Commit, Written] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="korgool-writer", daemon=True)
        self._thread.start()
        self.transactions = 0
        self.stored: Counter[str] = Counter()
        self.batches = Histogram(_SIZES)
        self.seconds = Histogram()

    def submit(self, commit: Commit) -> Future[None]:
        """A future that completes when the commit is on disk, or fails with the StorageError that says why it is
        not."""
        done: Future[None] = Future()

        def written(error: StorageError | None) -> None:
            if error is None:
                done.set_result(None)
            else:
                done.set_exception(error)

        self.send(commit, written)
        return done

    def send(self, commit: Commit, written: Written) -> None:
        """Call `written` in the thread of the writer when the commit is on disk, or with the error if it is not."""
        self._queue.put((commit, written))

    def close(self) -> None:
        """Write what is queued, then end the thread."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        closing = False
        while not closing:
            batch = [self._queue.get()]
            while len(batch) < self._most and not self._queue.empty():
                batch.append(self._queue.get())
            closing = None in batch
            self._write([item for item in batch if item is not None])

    def _write(self, batch: list[tuple[Commit, Written]]) -> None:
        if not batch:
            return
        try:
            verdicts = self._transact([commit for commit, _ in batch])
        except Exception as error:
            if len(batch) > 1 and isinstance(error, (IntegrityError, TakenError)):
                # One of them has failed; write them one by one, so that the others succeed.
                for item in batch:
                    self._write([item])
                return
            verdicts = [_failure(error)] * len(batch)
        for (_, written), verdict in zip(batch, verdicts, strict=True):
            written(verdict)

    def _transact(self, commits: Sequence[Commit]) -> Sequence[StorageError | None]:
        began = time.perf_counter()
        verdicts = self._write_batch(commits)
        self.transactions += 1
        for commit, verdict in zip(commits, verdicts, strict=True):
            if verdict is None:
                self.stored.update(_kinds(commit))
        self.batches.add(len(commits))
        self.seconds.add(time.perf_counter() - began)
        return verdicts


def _kinds(commit: Commit) -> list[str]:
    """Of the events that a commit brings."""
    return [entry.kind for part in (commit, *commit.others) for entry in part.entries]


def _failure(error: Exception) -> StorageError:
    if isinstance(error, IntegrityError):
        return TakenError("another process has written to this game")
    if isinstance(error, TakenError):
        return error
    if isinstance(error, StorageError):
        _LOG.error("a commit was not written: %s", error)
        return error
    if not isinstance(error, SQLAlchemyError):
        _LOG.exception("a commit could not be written", exc_info=error)
    else:
        _LOG.error("a commit could not be written: %s", error)
    return refused(error)


def refused(error: Exception) -> StorageError:
    """Translate an error of the database into one of the writer."""
    trouble = WriteFailure.FULL if "disk is full" in str(error) else WriteFailure.REFUSED
    return StorageError(f"the database could not be written: {error}", trouble)
