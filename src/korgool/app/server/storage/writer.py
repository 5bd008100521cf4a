"""The single thread that writes: simultaneous commits of many games go to disk in one transaction."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, bindparam
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from korgool.app.server.storage.journal import Proposal, Terms
from korgool.app.server.storage.schema import evaluations, events, games

_LOG = logging.getLogger(__name__)
_UPDATE = games.update().where(games.c.id == bindparam("game_id"))
_PROGRESS = _UPDATE.values(
    {name: bindparam(f"new_{name}") for name in ("version", "to_move", "termination", "result_text")}
)
_REMATCH = _UPDATE.values(rematch=bindparam("new_rematch"))


class StorageError(ValueError):
    """Games cannot be stored or read; the message names the place and the reason."""


class TakenError(StorageError):
    """Another process has already written this version of the game, or a game with this address."""


@dataclass(frozen=True, slots=True)
class Commit:
    """What must be written together.

    Attributes:
        game: the game's address; a commit with nothing else only tests that writing works.
        proposal: new lines of its journal.
        new: the terms, if the game itself is new.
        follows: the game whose rematch the new one is.
        evaluations: JSON to store with the game.
    """

    game: str
    proposal: Proposal | None = None
    new: Terms | None = None
    follows: str | None = None
    evaluations: str | None = None


@dataclass(slots=True)
class _Rows:
    """The rows of a transaction, grouped by statement so that each statement runs once for all games."""

    games: list[dict[str, Any]] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    progress: list[dict[str, Any]] = field(default_factory=list)
    rematches: list[dict[str, Any]] = field(default_factory=list)
    evaluations: list[dict[str, Any]] = field(default_factory=list)

    def add(self, commit: Commit) -> None:
        if commit.evaluations is not None:
            self.evaluations.append({"game_id": commit.game, "payload": commit.evaluations})
        if commit.proposal is None:
            return
        outcome = commit.proposal.outcome
        progress = {
            "version": commit.proposal.entries[-1].version,
            "to_move": int(commit.proposal.to_move),
            "termination": None if outcome is None else outcome.termination.value,
            "result_text": None if outcome is None else outcome.result_text,
        }
        if commit.new is not None:
            terms = {name: getattr(commit.new, name) for name in commit.new.__slots__}
            self.games.append({**terms, **progress, "side": int(commit.new.side)})
        else:
            new = {f"new_{name}": value for name, value in progress.items()}
            self.progress.append({"game_id": commit.game, **new})
        if commit.follows is not None:
            self.rematches.append({"game_id": commit.follows, "new_rematch": commit.game})
        for entry in commit.proposal.entries:
            payload = msgspec.json.encode(entry.payload).decode()
            line = {"version": entry.version, "at_ms": entry.at_ms, "kind": entry.kind, "payload": payload}
            self.events.append({"game_id": commit.game, **line})


class Writer:
    """Accepts commits from any thread and writes them in the order of arrival, many in one transaction."""

    def __init__(self, engine: Engine, fence: Callable[[Connection], None], *, most: int = 500) -> None:
        """Start the thread.

        Args:
            engine: the database.
            fence: called at the start of every transaction; raises StorageError if this process may not write.
            most: the most commits in a transaction; 1 gives every commit its own.
        """
        self._engine = engine
        self._fence = fence
        self._most = most
        self._queue: queue.SimpleQueue[tuple[Commit, Future[None]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="korgool-writer", daemon=True)
        self._thread.start()
        self.transactions = 0

    def submit(self, commit: Commit) -> Future[None]:
        """A future that completes when the commit is on disk, or fails with the StorageError that says why it is
        not."""
        done: Future[None] = Future()
        self._queue.put((commit, done))
        return done

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

    def _write(self, batch: list[tuple[Commit, Future[None]]]) -> None:
        if not batch:
            return
        try:
            self._transact([commit for commit, _ in batch])
        except Exception as error:
            if len(batch) > 1 and isinstance(error, IntegrityError):
                # One of them has failed; write them one by one, so that the others succeed.
                for item in batch:
                    self._write([item])
                return
            failure = _failure(error)
            for _, done in batch:
                done.set_exception(failure)
            return
        for _, done in batch:
            done.set_result(None)

    def _transact(self, commits: Sequence[Commit]) -> None:
        rows = _Rows()
        for commit in commits:
            rows.add(commit)
        with self._engine.begin() as connection:
            self._fence(connection)
            for statement, values in (
                (games.insert(), rows.games),
                (events.insert(), rows.events),
                (_PROGRESS, rows.progress),
                (_REMATCH, rows.rematches),
                (evaluations.insert(), rows.evaluations),
            ):
                if values:
                    connection.execute(statement, values)
        self.transactions += 1


def _failure(error: Exception) -> StorageError:
    if isinstance(error, IntegrityError):
        return TakenError("another process has written to this game")
    if isinstance(error, StorageError):
        _LOG.error("a commit was not written: %s", error)
        return error
    if not isinstance(error, SQLAlchemyError):
        _LOG.exception("a commit could not be written", exc_info=error)
    else:
        _LOG.error("a commit could not be written: %s", error)
    return StorageError(f"the database could not be written: {error}")
