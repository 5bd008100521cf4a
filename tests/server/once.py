"""What every application of the tests has in common, made once in a process, and once for all servers forked from it.

To register its doors takes Litestar half a second of processor time, and to migrate an empty database Alembic a fifth
of it; the tests open hundreds of both. Only what does not depend on the settings is kept, and nothing in the package
knows of it. `korgool serve`, where it is started as users start it, and `tests/server/test_once.py` do without.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from copy import copy
from functools import cache
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from litestar import Litestar
from litestar.datastructures import State
from litestar.events import SimpleEventEmitter
from sqlalchemy import Connection, create_engine, inspect

from korgool.app.server import application
from korgool.app.server.storage import database

register, upgrade = application.with_doors, command.upgrade
"""What is replaced."""
_first: list[Litestar] = []


def install() -> None:
    """Take from now on what has been made."""
    application.with_doors = registered
    command.upgrade = upgraded  # type: ignore[assignment]


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


def upgraded(config: Config, revision: str, **more: Any) -> None:
    """The tables of an empty SQLite file, as the migrations make them; all else is left to them."""
    connection: Connection = config.attributes["connection"]
    empty = connection.dialect.name == "sqlite" and not inspect(connection).get_table_names()
    if more or revision != "head" or not empty:
        upgrade(config, revision, **more)
        return
    for statement in prepare_tables():
        connection.exec_driver_sql(statement)


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
