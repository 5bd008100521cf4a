"""The tables of the queue: those of procrastinate and one for answers, in a PostgreSQL schema of their own.

All that stands in them follows from the journals of games, so nothing is migrated: tables of an older procrastinate are
made anew, and the queue's transactions do not wait for the disk.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg
from procrastinate import App, PsycopgConnector
from procrastinate.schema import SchemaManager
from sqlalchemy.engine import URL

SCHEMA = "korgool_queue"
CHANNEL = "korgool_answers"
"""The channel that announces the key of every answer."""
_LOCK = 0x6B6F7271  # "korq"
_SECONDS = 10
_OPTIONS = f"-c search_path={SCHEMA} -c synchronous_commit=off"
_MADE_FOR = "SELECT obj_description(to_regnamespace(%s), 'pg_namespace')"
_ANSWERS = """
CREATE TABLE answers (
    key text PRIMARY KEY,
    answer jsonb NOT NULL,
    made timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX answers_by_time ON answers (made);
CREATE INDEX jobs_by_address ON procrastinate_jobs ((args ->> 'address')) WHERE status = 'todo';
"""


class QueueError(ValueError):
    """The queue cannot be used; the message says why."""


def address_of(url: URL) -> str:
    """The database as psycopg addresses it."""
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def connection_options() -> dict[str, Any]:
    """Options of every connection to the queue."""
    return {"options": _OPTIONS, "connect_timeout": _SECONDS}


def queue_app(url: URL, connections: int) -> App:
    """Procrastinate over the tables of this database, not open yet.

    Args:
        url: the database.
        connections: how many connections it may hold.
    """
    return App(
        connector=PsycopgConnector(
            conninfo=address_of(url),
            kwargs=connection_options(),
            min_size=1,
            max_size=connections,
            timeout=_SECONDS,
        )
    )


def check(url: URL) -> None:
    """Check that this is a kind of database that can hold the queue.

    Raises:
        QueueError: it is not.
    """
    if not url.drivername.startswith("postgresql"):
        raise QueueError("the queue of the engine's work needs PostgreSQL: --database postgresql://user@host/name")


def prepare(url: URL) -> None:
    """Create the tables, or create them anew if they were made for an older procrastinate.

    Raises:
        QueueError: the database cannot be used.
    """
    check(url)
    wanted = _revision()
    try:
        with psycopg.connect(address_of(url), connect_timeout=_SECONDS) as connection:
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            row = connection.execute(
                "SELECT obj_description(to_regnamespace(%s), 'pg_namespace')", (SCHEMA,)
            ).fetchone()
            if row is not None and row[0] is not None and row[0] >= wanted:
                return
            connection.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE; CREATE SCHEMA {SCHEMA}")
            connection.execute(f"SET LOCAL search_path TO {SCHEMA}")
            connection.execute(SchemaManager.get_schema())
            connection.execute(_ANSWERS)
            connection.execute(f"COMMENT ON SCHEMA {SCHEMA} IS '{wanted}'")
    except psycopg.Error as error:
        place = url.render_as_string(hide_password=True)
        raise QueueError(f"the database {place} cannot hold the queue: {' '.join(str(error).split())}") from None


def _revision() -> str:
    """The newest change of procrastinate's tables; its names sort by version."""
    return max(path.stem for path in Path(SchemaManager.get_migrations_path()).glob("*.sql"))
