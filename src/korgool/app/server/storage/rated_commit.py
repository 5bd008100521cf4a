"""Rated games on PostgreSQL are counted by one message, which holds the lock of all counting while the database works.

The standings are read and the new ones computed without the lock. The last message of the transaction then takes the
lock, makes sure that the standings are still those that were read, writes, and commits. The lock is never held while
the database waits for this process, which may be slow, or stand still.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select, tuple_
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError

from korgool.accounts import Standing, rate
from korgool.accounts.leaving import REMEMBER_MS
from korgool.app.server.storage.rated_games import (
    COUNTING,
    Pool,
    RatedEnd,
    counted_game,
    game_row,
    last_number,
    marks_of,
    pools_of,
    read_standing,
    standing_row,
)
from korgool.app.server.storage.schema import marks, rated_games, standings

_ARRAYS = {"BIGINT": "bigint[]", "INTEGER": "int[]", "SMALLINT": "smallint[]", "DOUBLE PRECISION": "float8[]"}
_KEY = "account, game, speed"
_NUMBERS = tuple(column.name for column in standings.c if not column.primary_key)
_DIVIDED_BY_ZERO = "22012"


class UncountedError(Exception):
    """Nothing of the transaction is written.

    Attributes:
        stale: whether another process has counted games of the same players meanwhile.
    """

    def __init__(self, *, stale: bool) -> None:
        super().__init__()
        self.stale = stale


def count_and_commit(connection: Connection, ended: Sequence[RatedEnd]) -> None:
    """Count games in the order given, and commit the transaction that writes their ends.

    Raises:
        UncountedError: it must be tried again; where it is not stale, something stored of one of them is damaged.
    """
    if not ended:
        return
    try:
        text = _message(connection, ended)
    except (ValueError, ArithmeticError) as error:
        raise UncountedError(stale=False) from error
    try:
        connection.exec_driver_sql(text).close()
    except DBAPIError as error:
        error.statement = None  # it holds what was to be written, which logs do not tell
        if not isinstance(error, (DataError, IntegrityError)):
            raise
        raise UncountedError(stale=getattr(error.orig, "sqlstate", None) == _DIVIDED_BY_ZERO) from error


def _message(connection: Connection, ended: Sequence[RatedEnd]) -> str:
    """All statements, in the order in which they are carried out."""
    known = _known(connection, ended)
    last = last_number(connection)  # after the standings, so that none of them is younger
    now = dict(known)
    games: list[dict[str, Any]] = []
    for one in ended:
        game = counted_game(last + len(games) + 1, one.game)
        if game is None:
            continue
        pools = pools_of(game)
        before = now[pools[0]] or Standing(), now[pools[1]] or Standing()
        after = rate(*before, game)
        now |= zip(pools, after, strict=True)
        games.append(game_row(one.id, game, one.game.plies, before, after))
    rows = [row for one in ended for row in marks_of(one)]
    old = [{"account": row["account"], "at_ms": row["at_ms"] - REMEMBER_MS} for row in rows]
    made = [standing_row(pool, one) for pool, one in now.items() if one is not None and one != known[pool]]
    statements = [
        _insert(marks, rows, _unnest(connection, marks, rows)),
        f"DELETE FROM marks USING {_unnest(connection, marks, old)} AS old (account, at_ms) "
        "WHERE marks.account = old.account AND marks.at_ms < old.at_ms"
        if old
        else "",
    ]
    if games:
        number = f"seq - {last} + (SELECT coalesce(max(seq), 0) FROM rated_games)"
        changes = ", ".join(f"{name} = excluded.{name}" for name in _NUMBERS)
        upsert = f" ON CONFLICT ({_KEY}) DO UPDATE SET {changes}"
        statements += [
            f"SELECT pg_advisory_xact_lock({COUNTING})",
            _unchanged(connection, known),
            _insert(standings, made, _unnest(connection, standings, made), number) + upsert if made else "",
            _insert(rated_games, games, _unnest(connection, rated_games, games), number),
        ]
    return ";\n".join([*filter(None, statements), "COMMIT"])


def _known(connection: Connection, ended: Iterable[RatedEnd]) -> dict[Pool, Standing | None]:
    """The standings of all players of games that count, as they are now."""
    found = [counted_game(1, one.game) for one in ended]
    known: dict[Pool, Standing | None] = {pool: None for game in found if game is not None for pool in pools_of(game)}
    key = tuple_(standings.c.account, standings.c.game, standings.c.speed)
    for row in connection.execute(select(standings).where(key.in_(list(known)))) if known else ():
        known[row.account, row.game, row.speed] = read_standing(row)
    return known


def _unchanged(connection: Connection, known: Mapping[Pool, Standing | None]) -> str:
    """Divides by zero where a standing is not what it was."""
    none = dict.fromkeys(_NUMBERS)
    rows = [
        dict(zip(_KEY.split(", "), pool, strict=True)) | none if one is None else standing_row(pool, one)
        for pool, one in known.items()
    ]
    names = ", ".join(rows[0])
    now, then = (", ".join(f"{table}.{name}" for name in _NUMBERS) for table in ("standings", "known"))
    return (
        f"SELECT 1 / (NOT EXISTS (SELECT FROM {_unnest(connection, standings, rows)} AS known ({names}) "
        f"LEFT JOIN standings USING ({_KEY}) WHERE ({now}) IS DISTINCT FROM ({then})))::int"
    )


def _insert(table: Any, rows: Sequence[Mapping[str, Any]], source: str, number: str = "seq") -> str:
    if not rows:
        return ""
    names = ", ".join(rows[0])
    chosen = ", ".join(number if name == "seq" else name for name in rows[0])
    return f"INSERT INTO {table.name} ({names}) SELECT {chosen} FROM {source} AS given ({names})"


def _unnest(connection: Connection, table: Any, rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as a table within a statement, a column for each member of the first."""
    from psycopg import sql

    def array(name: str) -> str:
        kind = _ARRAYS.get(str(table.c[name].type.compile(connection.dialect)), "text[]")
        values = sql.Literal([row[name] for row in rows]).as_string(connection.connection.driver_connection)
        return f"{values.replace('%', '%%')}::{kind}"

    return f"unnest({', '.join(array(name) for name in rows[0])})" if rows else ""
