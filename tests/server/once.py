"""What every application of the tests has in common, made once in a process, and once for all servers forked from it.

To register its doors takes Litestar half a second of processor time, and to migrate an empty database Alembic a fifth
of it; the tests open hundreds of both. To compile the templates takes Jinja nearly a second: it keeps what it has
compiled in the folder of temporary files, for all processes, under the checksum of each template and the tag of its
release. A client of HTTP reads the certificates of the system, 30 ms, and the tests make thousands that need none.
SQLAlchemy keeps the text of a statement with the engine it was made for, and every database has one of its own: a
third of the time of a test that signs somebody up. Only what does not depend on the settings is kept, and nothing in
the package knows of it. Passwords are hashed by the same function with figures that cost nothing. `korgool serve`,
where it is started as users start it, and `tests/server/test_once.py` do without all this.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, closing, contextmanager
from copy import copy
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import httpx._transports.default as clients
from alembic import command
from alembic.config import Config
from jinja2 import Environment, FileSystemBytecodeCache
from litestar import Litestar
from litestar.datastructures import State
from litestar.events import SimpleEventEmitter
from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect

from korgool.accounts.passwords import HASHING, Hashing
from korgool.app.server import application
from korgool.app.server.http import responses
from korgool.app.server.http.release import release
from korgool.app.server.people.sign_in import password_hashing
from korgool.app.server.storage import database

register, upgrade = application.build_application, command.upgrade
"""What is replaced."""
CHEAP = replace(HASHING, memory_kib=64, passes=1)
_first: list[Litestar] = []
_postgresql: list[tuple[str, Any]] = []


class Statements(dict[tuple[Any, ...], Any]):
    """The texts of statements, by the kind of database instead of the engine.

    SQLAlchemy asks and fills it as the cache of each engine.
    """

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        """The text made for any engine of this kind."""
        return super().get((type(key[0]), *key[1:]), default)

    def __setitem__(self, key: tuple[Any, ...], value: Any) -> None:
        super().__setitem__((type(key[0]), *key[1:]), value)


_statements = Statements()


def install() -> None:
    """Take from now on what has been made."""
    application.build_application = registered
    database.create_engine = connected  # type: ignore[assignment, attr-defined]
    command.upgrade = upgraded  # type: ignore[assignment]
    responses.Environment = compiled_once  # type: ignore[assignment, attr-defined]
    clients.create_ssl_context = cache(clients.create_ssl_context)  # type: ignore[attr-defined]
    password_hashing.HASHING = CHEAP  # type: ignore[attr-defined]
    password_hashing._NOBODYS = password_hashing._NOBODYS.replace(_figures(HASHING), _figures(CHEAP))


def compiled_once(**settings: Any) -> Environment:
    """Templates that take what was compiled of them before, by the same Jinja, under the same settings, for the same
    release: the addresses of its files are compiled in, and no part of the source by which Jinja finds what it kept."""
    made_by = sha256(Path(responses.__file__).read_bytes() + version("jinja2").encode()).hexdigest()[:16]
    kept = FileSystemBytecodeCache(pattern=f"__korgool_{made_by}_{release().tag}_%s.cache")
    return Environment(bytecode_cache=kept, **settings)


def _figures(of: Hashing) -> str:
    """As they stand in a hash."""
    return f"$m={of.memory_kib},t={of.passes},p={of.lanes}$"


def registered(life: Callable[[Litestar], AbstractAsyncContextManager[None]], state: State) -> Litestar:
    """An application with the doors of the first one, and a life and a state of its own."""
    if not _first:
        _first.append(register(life, state))
    app = copy(_first[0])
    app.state, app._lifespan_managers = state, [life]
    app.on_startup, app.on_shutdown = [], []
    app.event_emitter = SimpleEventEmitter(listeners=[])
    app.asgi_router = copy(app.asgi_router)
    app.asgi_router.app = app
    app.asgi_handler = app._create_asgi_handler()
    return app


def connected(url: URL, **more: Any) -> Engine:
    """An engine with the statements of all."""
    engine = create_engine(url, **more)
    engine._compiled_cache = _statements
    return engine


def upgraded(config: Config, revision: str, **more: Any) -> None:
    """The tables of an empty database, as the migrations make them; all else is left to them."""
    connection: Connection = config.attributes["connection"]
    if more or revision != "head" or inspect(connection).get_table_names():
        upgrade(config, revision, **more)
    elif connection.dialect.name == "sqlite":
        raw: Any = connection.connection.driver_connection
        for statement in prepare_tables():
            raw.execute(statement)
    elif _postgresql:
        with closing(connection.connection.cursor()) as cursor:
            for statement, parameters in _postgresql:
                cursor.execute(statement, parameters)
    else:
        with _recorded(connection) as statements:
            upgrade(config, revision)
        _postgresql.extend(statements)


@contextmanager
def _recorded(connection: Connection) -> Iterator[list[tuple[str, Any]]]:
    """What is told to the database, without questions: an empty one answers them always alike."""
    statements: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, _many: bool) -> None:
        if not statement.lstrip().upper().startswith("SELECT"):
            statements.append((statement, parameters))

    event.listen(connection, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(connection, "before_cursor_execute", note)


@cache
def prepare_tables() -> list[str]:
    """The statements that make what the migrations leave in an empty file."""
    config = Config()
    config.set_main_option("script_location", str(Path(database.__file__).parent / "migrations"))
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        upgrade(config, "head")
        raw: Any = connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)
        return [line for line in raw.iterdump() if line not in ("BEGIN TRANSACTION;", "COMMIT;")]
