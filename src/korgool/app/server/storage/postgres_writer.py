"""Writing where many processes write: one transaction for many commits, each of which is judged by itself.

No process owns a game. The keys of the journal decide, (game, version) and (game, side, command): rows that are there
already are passed over by `ON CONFLICT DO NOTHING`, the commits whose rows did not land have lost, and all others land
with one flush to disk. What follows from the rows, such as the summary of a game, is written for the winners alone.

Rows go in by the order of their games, so that two processes with the same games wait for each other in one direction.
A batch of moves alone, which is nearly every batch, is one statement and one way to the database and back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import IntegrityError, OperationalError, SQLAlchemyError

from korgool.app.server.storage.rated_commit import UncountedError, count_and_commit
from korgool.app.server.storage.rated_games import RatedEnd, count
from korgool.app.server.storage.writer import (
    ENDED,
    Commit,
    RowBatch,
    StorageError,
    TakenError,
    event_row,
    summary_of,
)

_EVENTS = """
INSERT INTO events (game_id, version, at_ms, kind, payload, side, command)
SELECT * FROM unnest(%(game_id)s::text[], %(version)s::bigint[], %(at_ms)s::bigint[], %(kind)s::text[],
                     %(payload)s::text[], %(side)s::smallint[], %(command)s::text[])
ON CONFLICT DO NOTHING RETURNING game_id, version
"""
_STANDS = """
SELECT games.id FROM games JOIN unnest(%(id)s::text[], %(at_ms)s::bigint[]) AS decided (id, at_ms) USING (id)
WHERE games.due_ms <= decided.at_ms ORDER BY games.id FOR NO KEY UPDATE OF games
"""
_REMOVE = """
DELETE FROM events USING unnest(%(game_id)s::text[], %(version)s::bigint[]) AS lost (game_id, version)
WHERE events.game_id = lost.game_id AND events.version = lost.version
"""
_PROGRESS = """
UPDATE games SET version = n.version, to_move = n.to_move, plies = n.plies, termination = n.termination,
                 result_text = n.result_text, due_ms = n.due_ms, ended_ms = n.ended_ms, rematch = n.rematch,
                 swept_ms = NULL, thinks_ms = NULL
FROM unnest(%(id)s::text[], %(version)s::bigint[], %(to_move)s::smallint[], %(plies)s::int[], %(termination)s::text[],
            %(result_text)s::text[], %(due_ms)s::bigint[], %(ended_ms)s::bigint[], %(rematch)s::text[])
  AS n (id, version, to_move, plies, termination, result_text, due_ms, ended_ms, rematch)
WHERE games.id = n.id AND games.version < n.version
"""
_SIGNS = """
UPDATE seats SET sign_ms = greatest(seats.sign_ms, n.sign_ms)
FROM unnest(%(game)s::text[], %(seat)s::smallint[], %(new_sign_ms)s::bigint[]) AS n (game_id, side, sign_ms)
WHERE seats.game_id = n.game_id AND seats.side = n.side
"""
_MOVES = """
WITH given AS (
  SELECT * FROM unnest(%(game_id)s::text[], %(version)s::bigint[], %(at_ms)s::bigint[], %(kind)s::text[],
                       %(payload)s::text[], %(side)s::smallint[], %(command)s::text[], %(to_move)s::smallint[],
                       %(plies)s::int[], %(termination)s::text[], %(result_text)s::text[], %(due_ms)s::bigint[],
                       %(ended_ms)s::bigint[])
  AS given (game_id, version, at_ms, kind, payload, side, command, to_move, plies, termination, result_text, due_ms,
            ended_ms)
), landed AS (
  INSERT INTO events (game_id, version, at_ms, kind, payload, side, command)
  SELECT game_id, version, at_ms, kind, payload, side, command FROM given
  ON CONFLICT DO NOTHING RETURNING game_id, version
), progress AS (
  UPDATE games SET version = given.version, to_move = given.to_move, plies = given.plies,
                   termination = given.termination, result_text = given.result_text, due_ms = given.due_ms,
                   ended_ms = given.ended_ms, swept_ms = NULL, thinks_ms = NULL
  FROM given JOIN landed USING (game_id, version) WHERE games.id = given.game_id AND games.version < given.version
)
SELECT game_id FROM landed
"""
_ATTEMPTS, _QUICK_ATTEMPTS = 5, 3
_TRY_AGAIN = {"40001", "40P01"}
"""SQLSTATE codes of transactions that PostgreSQL has broken off in favour of another."""
_EVENT_COLUMNS = ("game_id", "version", "at_ms", "kind", "payload", "side", "command")
_SUMMARY_COLUMNS = (
    "id",
    "version",
    "to_move",
    "plies",
    "termination",
    "result_text",
    "due_ms",
    "ended_ms",
    "rematch",
)
_MOVE_COLUMNS = (*_EVENT_COLUMNS, *(name for name in _SUMMARY_COLUMNS if name not in {"id", "version", "rematch"}))


class PostgresWriter:
    """Writes batches of commits to PostgreSQL, and judges each. Only one thread calls it.

    Args:
        engine: the database.
        fence: raises StorageError if this process may not write.
        touch: writes something that changes nothing, for batches that would write nothing.
    """

    def __init__(
        self, engine: Engine, fence: Callable[[Connection], None], touch: Callable[[Connection], None]
    ) -> None:
        self._engine = engine
        self._fence = fence
        self._touch = touch
        self._quick: Connection | None = None

    def __call__(self, commits: Sequence[Commit]) -> Sequence[StorageError | None]:
        """Write commits; for each None, or why it alone is not written.

        Raises:
            StorageError: this process may not write.
            SQLAlchemyError: nothing of all is written, or nobody knows.
        """
        damaged = False
        for attempt in range(_ATTEMPTS):
            try:
                if _only_moves(commits):
                    return self._moves(commits)
                return self._transaction(commits, quick=not damaged and attempt < _QUICK_ATTEMPTS)
            except UncountedError as error:
                damaged |= not error.stale
            except OperationalError as error:
                self.close()  # the next batch has a new connection
                if getattr(error.orig, "sqlstate", None) not in _TRY_AGAIN or attempt == _ATTEMPTS - 1:
                    raise
        raise AssertionError("the last attempt returns or raises")

    def close(self) -> None:
        """Let go of the connection for moves."""
        quick, self._quick = self._quick, None
        if quick is not None:
            with suppress(SQLAlchemyError):
                quick.close()

    def _transaction(self, commits: Sequence[Commit], *, quick: bool) -> list[StorageError | None]:
        with self._engine.begin() as connection:
            self._fence(connection)
            if all(commit == Commit(commit.game) for commit in commits):
                self._touch(connection)
            return write_each(connection, commits, count_and_commit if quick else count)

    def _moves(self, commits: Sequence[Commit]) -> list[StorageError | None]:
        if self._quick is None:
            self._quick = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        self._fence(self._quick)
        rows = [
            {**_progress(commit), **event_row(commit.game, commit.entries[0])}
            for commit in sorted(commits, key=lambda commit: commit.game)
        ]
        landed = set(self._quick.exec_driver_sql(_MOVES, _columns(rows, _MOVE_COLUMNS)).scalars())
        return [None if commit.game in landed else _lost() for commit in commits]


def _only_moves(commits: Sequence[Commit]) -> bool:
    """Return whether each only appends one entry to the journal of another game, which goes on."""
    if len({commit.game for commit in commits}) < len(commits):
        return False
    return all(
        len(commit.entries) == 1
        and commit.after is not None
        and not commit.after.over
        and not commit.by_time
        and commit.signs == (None, None)
        and _plain(commit)
        for commit in commits
    )


def _progress(commit: Commit) -> dict[str, Any]:
    assert commit.after is not None
    return summary_of(commit.after)


def write_each(
    connection: Connection,
    commits: Sequence[Commit],
    count_rated: Callable[[Connection, Sequence[RatedEnd]], None] = count,
) -> list[StorageError | None]:
    """Write commits within a transaction of PostgreSQL.

    Args:
        connection: the transaction.
        commits: what is to be written.
        count_rated: counts the rated games that end, when all else is written.

    Returns:
        For each commit None, or why it alone is not written.

    Raises:
        UncountedError: `count_rated` asks for another attempt.
        SQLAlchemyError: nothing of all is written.
    """
    verdicts: list[StorageError | None] = [None] * len(commits)
    plain = [number for number, commit in enumerate(commits) if _plain(commit)]
    _append(connection, commits, plain, verdicts)
    landed = [commits[number] for number in plain if verdicts[number] is None]
    progress = {commit.game: commit.after for commit in landed if commit.after is not None}
    if progress:
        rows = [{"id": game, **summary_of(after)} for game, after in sorted(progress.items())]
        connection.exec_driver_sql(_PROGRESS, _columns(rows, _SUMMARY_COLUMNS))
        over = [{"game": row["id"]} for row in rows if row["termination"] is not None]
        if over:
            connection.execute(ENDED, over)
    signs = RowBatch()
    for commit in landed:
        signs.add(Commit(commit.game, signs=commit.signs))
    if signs.signs:
        latest = {(row["game"], row["seat"]): row for row in sorted(signs.signs, key=lambda row: row["new_sign_ms"])}
        ordered = [latest[key] for key in sorted(latest)]
        connection.exec_driver_sql(_SIGNS, _columns(ordered, ("game", "seat", "new_sign_ms")))
    ended: list[RatedEnd] = []
    for number, commit in enumerate(commits):
        if not _plain(commit):
            verdicts[number] = _apart(connection, commit, ended)
    count_rated(connection, ended)
    return verdicts


def _plain(commit: Commit) -> bool:
    """Return whether it only continues the journal of a game, as moves do; all else is written by itself."""
    rare = commit.new or commit.others or commit.challenge or commit.settles or commit.forgets is not None
    return not rare and commit.evaluations is None and commit.ways is None


def _append(
    connection: Connection, commits: Sequence[Commit], plain: Iterable[int], verdicts: list[StorageError | None]
) -> None:
    """Append the entries of plain commits to their journals, and note which have lost."""
    rows: dict[int, list[dict[str, Any]]] = {}
    seen: set[tuple[object, ...]] = set()
    for number in plain:
        commit = commits[number]
        rows[number] = [event_row(commit.game, entry) for entry in commit.entries]
        keys = {key for row in rows[number] for key in _keys(row)}
        if keys & seen:  # twice in one transaction, where the database would let either of them land
            verdicts[number] = _lost()
        seen |= keys
    rows_to_append = sorted(
        (row for number, own in rows.items() if verdicts[number] is None for row in own),
        key=lambda row: (row["game_id"], row["version"]),
    )
    if not rows_to_append:
        return
    found = connection.exec_driver_sql(_EVENTS, _columns(rows_to_append, _EVENT_COLUMNS))
    landed = {(row.game_id, row.version) for row in found}
    early = _too_early(connection, [commits[number] for number in rows if commits[number].by_time])
    remove: list[dict[str, Any]] = []
    lost_games: set[str] = set()
    for number, own in rows.items():
        commit = commits[number]
        there = [row for row in own if (row["game_id"], row["version"]) in landed]
        if verdicts[number] is None and (
            len(there) < len(own)
            or (commit.by_time and commit.game in early)
            or (own and commit.game in lost_games)  # it was decided on what has not landed
        ):
            verdicts[number] = _lost()
            remove += there
        if verdicts[number] is not None:
            lost_games.add(commit.game)
    if remove:
        connection.exec_driver_sql(_REMOVE, _columns(remove, ("game_id", "version")))


def _too_early(connection: Connection, decided: Sequence[Commit]) -> set[str]:
    """The games whose deadline in the database has not come by the time at which something was decided by time."""
    if not decided:
        return set()
    times = [{"id": commit.game, "at_ms": commit.entries[0].at_ms} for commit in decided]
    stands = set(connection.exec_driver_sql(_STANDS, _columns(times, ("id", "at_ms"))).scalars())
    return {commit.game for commit in decided} - stands


def _apart(connection: Connection, commit: Commit, ended: list[RatedEnd]) -> StorageError | None:
    """Write one commit as a whole or not at all; the rated games that it ends are added to those to be counted."""
    rows = RowBatch()
    rows.add(commit)
    try:
        with connection.begin_nested():
            rows.write(connection)
            if commit.by_time and _too_early(connection, [commit]):
                raise _lost()
    except IntegrityError:
        return _lost()
    except TakenError as error:
        return error
    ended += rows.rated
    return None


def _keys(row: dict[str, Any]) -> Iterable[tuple[object, ...]]:
    yield row["game_id"], row["version"]
    if row["command"] is not None:
        yield row["game_id"], row["side"], row["command"]


def _columns(rows: Sequence[dict[str, Any]], names: Iterable[str]) -> dict[str, Any]:
    """Rows as an array for each column."""
    return {name: [row[name] for row in rows] for name in names}


def _lost() -> TakenError:
    return TakenError("another process has written to this game")
