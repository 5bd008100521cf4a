"""Transactions about people, one at a time across all servers and the command line."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, text

_ADVISORY = 0x70656F70  # "peop"
_SQLITE_LOCK = text("UPDATE owner SET clean = clean WHERE id < 0")
"""Changes nothing, but takes the lock for writing before anything is read."""


class PeopleTransactions:
    """The tables of people.

    Args:
        engine: the database.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that reads."""
        with self._engine.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that reads and then writes: no other one of this kind comes between, in any process."""
        with self._engine.begin() as connection:
            if connection.dialect.name == "sqlite":
                connection.execute(_SQLITE_LOCK)
            else:
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_ADVISORY})"))
            yield connection

    @contextmanager
    def raw(self) -> Iterator[Connection]:
        """A connection without a transaction, for statements that run in none."""
        with self._engine.connect() as connection:
            # The engine begins transactions by itself (`storage.database`); this one ends before anything is done.
            connection.execute(text("COMMIT"))
            yield connection


def new_identity() -> str:
    """An identity for an account; 128 random bits, as those of visitors are."""
    return secrets.token_urlsafe(16)


def new_id() -> str:
    """A public id for a session, a token or a report in lists; it opens nothing.

    It does not begin with a hyphen, which a command line takes for an option.
    """
    while (made := secrets.token_urlsafe(9)).startswith("-"):
        pass
    return made


def digest_of(purpose: str, value: str) -> str:
    """The SHA-256 of a value that is not stored itself, in hexadecimal digits."""
    return hashlib.sha256(f"{purpose} {value}".encode("utf-8", "surrogatepass")).hexdigest()
