"""Writing into an SQLite file, which one process owns: a batch of commits is one transaction, and lands whole or not at
all.

A batch of moves alone, which is nearly every batch, has a connection of its own that stays open, and its statements go
to SQLite itself: to take a connection from the pool, to make the objects of a transaction and to look statements up
takes longer than SQLite needs for all of it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

from sqlalchemy import Connection, Engine, PoolProxiedConnection

from korgool.app.server.storage.journal import write_event
from korgool.app.server.storage.rated_games import count
from korgool.app.server.storage.writer import Commit, RowBatch, StorageError, TakenError, refused
from korgool.live import due

_APPEND = "INSERT INTO events (game_id, version, at_ms, kind, payload, side, command) VALUES (?, ?, ?, ?, ?, ?, ?)"
_PROGRESS = """
UPDATE games SET version = ?, to_move = ?, plies = ?, termination = NULL, result_text = NULL, due_ms = ?,
                 ended_ms = NULL, rematch = NULL
WHERE id = ?
"""


class SqliteWriter:
    """Writes batches of commits to SQLite. Only one thread calls it.

    Args:
        engine: the database.
        fence: called at the start of every transaction; raises StorageError if this process may not write.
        fence_moves: the same for a transaction of moves alone.
    """

    def __init__(
        self, engine: Engine, fence: Callable[[Connection], None], fence_moves: Callable[[sqlite3.Cursor], None]
    ) -> None:
        self._engine = engine
        self._fence = fence
        self._fence_moves = fence_moves
        self._connection: PoolProxiedConnection | None = None
        self._open_cursor: sqlite3.Cursor | None = None

    def __call__(self, commits: Sequence[Commit]) -> Sequence[StorageError | None]:
        """Write commits.

        Returns:
            None for each.

        Raises:
            StorageError: this process may not write, or the database refuses; nothing of all is written.
            TakenError: one of them is written already, or a challenge is open no more; nothing of all is written.
            SQLAlchemyError: nothing of all is written.
        """
        if all(map(_only_moves, commits)):
            self._moves(commits)
        else:
            rows = RowBatch()
            for commit in commits:
                rows.add(commit)
            with self._engine.begin() as connection:
                self._fence(connection)
                rows.write(connection)
                count(connection, rows.rated)
        return [None] * len(commits)

    def close(self) -> None:
        """Let go of the connection for moves; what it has begun and not ended is undone."""
        connection, self._connection, self._open_cursor = self._connection, None, None
        if connection is not None:
            connection.close()  # the pool rolls back

    def _moves(self, commits: Sequence[Commit]) -> None:
        appended, progress = [], []
        for commit in commits:
            game, after = commit.game, commit.after
            for entry in commit.entries:
                kind, payload = write_event(entry.event)
                side = None if entry.side is None else int(entry.side)
                appended.append((game, entry.version, entry.at_ms, kind, payload, side, entry.command))
            if after is not None:
                progress.append((after.version, int(after.to_move), after.plies, due(after), game))
        try:
            cursor = self._cursor()
            cursor.execute("BEGIN IMMEDIATE")
            self._fence_moves(cursor)
            cursor.executemany(_APPEND, appended)
            cursor.executemany(_PROGRESS, progress)
            cursor.execute("COMMIT")
        except sqlite3.IntegrityError as error:
            self.close()
            raise TakenError("another process has written to this game") from error
        except sqlite3.Error as error:
            self.close()
            raise refused(error) from error
        except BaseException:
            self.close()
            raise

    def _cursor(self) -> sqlite3.Cursor:
        if self._open_cursor is None:
            self._connection = self._engine.raw_connection()
            connection = self._connection.driver_connection
            assert isinstance(connection, sqlite3.Connection)
            self._open_cursor = connection.cursor()
        return self._open_cursor


def _only_moves(commit: Commit) -> bool:
    """Return whether it appends to the journal of a game that goes on, or only tests that writing works."""
    after = commit.after
    return (
        (after is None or not (after.over or after.rematch))
        and not (commit.new or commit.others or commit.challenge or commit.settles)
        and commit.signs == (None, None)
        and commit.evaluations is None
        and commit.forgets is None
        and commit.ways is None
    )
