"""What the tests make once is what the server makes each time (`tests/server/once.py`)."""

from __future__ import annotations

import subprocess
import sys
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from alembic.config import Config
from litestar import Litestar
from litestar.datastructures import State
from sqlalchemy import create_engine, text

from korgool.accounts.passwords import HASHING
from korgool.app.server import application
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.people.sign_in import password_hashing
from korgool.app.server.play.game_repository import GameRepository
from korgool.app.server.storage import database
from korgool.app.server.storage.database import Storage

from . import once
from .support import postgresql_database, run_async


def contents(path: Path) -> tuple[list[Any], dict[str, Any]]:
    """What a database says of its tables, and their rows."""
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        tables = connection.execute(text("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name")).all()
        rows = {
            row.name: connection.execute(text(f'SELECT * FROM "{row.name}"')).all()
            for row in tables
            if row.type == "table"
        }
    engine.dispose()
    return [tuple(row) for row in tables], rows


def test_tables_are_those_of_the_migrations(tmp_path: Path) -> None:
    quick, slow = tmp_path / "quick.sqlite3", tmp_path / "slow.sqlite3"
    for path, upgrade in ((quick, once.upgraded), (slow, once.upgrade)):
        config = Config()
        config.set_main_option("script_location", str(Path(database.__file__).parent / "migrations"))
        engine = create_engine(f"sqlite:///{path}")
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            upgrade(config, "head")
        engine.dispose()
    assert contents(quick) == contents(slow)
    assert contents(quick)[1]["alembic_version"] == [(database.KNOWN[-1],)]


def test_tables_of_postgresql_are_those_of_the_migrations() -> None:
    told: list[Any] = []
    for _ in range(3):  # as the migrations make them, recorded if they are the first of this process, and again
        with postgresql_database() as url:
            engine = create_engine(url)
            upgrade = once.upgraded if told else once.upgrade
            with engine.begin() as connection:
                config = Config()
                config.set_main_option("script_location", str(Path(database.__file__).parent / "migrations"))
                config.attributes["connection"] = connection
                upgrade(config, "head")
                columns = connection.execute(
                    text(
                        "SELECT table_name, column_name, data_type, character_maximum_length, column_default,"
                        " is_nullable FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2"
                    )
                ).all()
                indexes = connection.scalars(
                    text("SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexdef")
                ).all()
                bounds = connection.scalars(
                    text(
                        "SELECT pg_get_constraintdef(oid) FROM pg_constraint ORDER BY conname, conrelid::regclass::text"
                    )
                ).all()
                comments = connection.execute(text("SELECT count(*), max(description) FROM pg_description")).all()
                version = connection.scalars(text("SELECT version_num FROM alembic_version")).all()
            engine.dispose()
            told.append((columns, indexes, bounds, comments, version))
    assert told[0] == told[1] == told[2]
    assert told[0][-1] == [database.KNOWN[-1]]


def test_passwords_are_hashed_by_the_figures_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of nobody, which stands in for a hash that there is not, has the figures of the others."""

    def figures(stored: str) -> str:
        return "$".join(stored.split("$")[1:4])

    assert (
        figures(password_hashing._NOBODYS)
        == figures(password_hashing.hasher().hash("a"))
        == "argon2id$v=19$m=64,t=1,p=1"
    )
    monkeypatch.setattr(password_hashing, "HASHING", HASHING)
    assert figures(password_hashing.hasher().hash("a")) == "argon2id$v=19$m=19456,t=2,p=1"
    code = "from korgool.app.server.people.sign_in import password_hashing; print(password_hashing._NOBODYS)"
    told = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert figures(told) == "argon2id$v=19$m=19456,t=2,p=1"
    assert len(told.strip()) == len(password_hashing.hasher().hash("a"))


def doors(app: Litestar) -> dict[str, list[str]]:
    """The paths and methods that an application answers, with the handlers behind them."""
    return {
        route.path: sorted(f"{sorted(getattr(one, 'http_methods', ()))} {one}" for one in route_handlers(route))
        for route in app.routes
    }


def route_handlers(route: Any) -> list[Any]:
    return list(route.route_handlers) if hasattr(route, "route_handlers") else [route.route_handler]


def test_applications_share_their_doors_and_nothing_else(tmp_path: Path) -> None:
    """Each has the rights, cookies and life of its own settings; the doors are those that a server registers."""

    async def run() -> None:
        found = []
        for name in ("one", "other"):
            settings = ServerSettings(data=tmp_path / name, allowed_hosts=(f"{name}.example",))
            app = application.create_app(settings)
            called: Any = app
            async with app.lifespan(), httpx.AsyncClient(transport=httpx.ASGITransport(app=called)) as client:
                assert (await client.get(f"http://{name}.example/")).status_code == 200
                assert (await client.get("http://elsewhere.example/")).status_code == 421
                found.append((app, set(client.cookies)))
        (one, its), (other, others) = found
        assert doors(one) == doors(other)
        assert one.state.game_registry is not other.state.game_registry
        assert len(its & others) == 1  # that of the token; the others are named by the secret of their database

    run_async(run())


def test_the_doors_are_those_that_are_registered() -> None:
    @asynccontextmanager
    async def life(_: Litestar) -> Any:
        yield

    assert doors(once.registered(life, State())) == doors(once.register(life, State()))


def test_a_database_that_is_not_empty_is_migrated(tmp_path: Path) -> None:
    settings = ServerSettings(data=tmp_path)
    with closing(Storage.open(settings)) as storage, storage.engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(Path(database.__file__).parent / "migrations"))
        config.attributes["connection"] = connection
        once.upgraded(config, "head")
        assert connection.scalar(text("SELECT count(*) FROM alembic_version")) == 1


def test_statements_are_shared_by_databases_of_a_kind(tmp_path: Path) -> None:
    found = []
    for name in ("one", "other"):
        with closing(Storage.open(ServerSettings(data=tmp_path / name))) as storage:
            assert GameRepository(storage.engine).load("a" * 12) is None
            assert storage.secret() == storage.secret()
        found.append(len(once._statements))
    assert found[0] == found[1] > 1
    assert {kind.name for kind, *_ in once._statements} <= {"sqlite", "postgresql"}
