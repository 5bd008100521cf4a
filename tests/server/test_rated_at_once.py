"""Rated games that several processes of one PostgreSQL database count: nobody waits for a process that stands still."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import create_engine, event, text

from korgool.accounts import Standing
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.rated_games import COUNTING, standing_row
from korgool.app.server.storage.rating_admin import check
from korgool.app.server.storage.schema import games, marks, rated_games, standings
from korgool.glicko import Glicko
from tests.patience import PATIENCE

from .rated import ANN, AT, BOB, EVE, random_games, rated, told
from .support import postgresql_database
from .test_rated_games import WHITE_RESIGNS, rows, write

HELD = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = :key AND granted")


@pytest.fixture
def servers() -> Iterator[tuple[Storage, Storage]]:
    with postgresql_database() as url:
        found = Storage.open(ServerSettings(database=url)), Storage.open(ServerSettings(database=url))
        yield found
        for storage in found:
            storage.close()


def check_ratings(storage: Storage) -> None:
    with storage.engine.connect() as connection:
        assert check(connection).differences == []


@contextmanager
def listening(storage: Storage, moment: str, hear: Any) -> Iterator[None]:
    def heard(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        hear(statement)

    event.listen(storage.engine, moment, heard)
    yield
    event.remove(storage.engine, moment, heard)


def test_the_lock_of_counting_is_never_held_while_a_process_is_waited_for(servers: tuple[Storage, Storage]) -> None:
    """Whenever the database has answered, and waits for what the process says next, others may count."""
    seen = []
    watching = create_engine(servers[0].engine.url)

    def look(statement: str) -> None:
        with watching.connect() as connection:
            seen.append((connection.scalar(HELD, {"key": COUNTING}), statement))

    with listening(servers[0], "after_cursor_execute", look):
        write(servers[0], *random_games(7, 12, players=3))
    watching.dispose()
    assert any("INSERT INTO rated_games" in statement for _, statement in seen)
    assert [statement for held, statement in seen if held] == []
    check_ratings(servers[0])


def test_what_another_process_has_counted_meanwhile_is_counted_first(servers: tuple[Storage, Storage]) -> None:
    """Of the same two players, after their standings were read: the numbers and the ratings follow one order."""
    met = []

    def meanwhile(statement: str) -> None:
        if "INSERT INTO rated_games" in statement:
            met.append(statement)
            if len(met) < 3:
                servers[1].writer.submit(told(f"{len(met)}" * 12, rated(BOB, ANN), WHITE_RESIGNS)).result(PATIENCE)

    with listening(servers[0], "before_cursor_execute", meanwhile):
        write(servers[0], told("g" * 12, rated(ANN, BOB), WHITE_RESIGNS))
    assert len(met) == 3
    found = sorted((row["seq"], row["game_id"]) for row in rows(servers[0], rated_games))
    assert found == [(1, "1" * 12), (2, "2" * 12), (3, "g" * 12)]
    check_ratings(servers[0])


def test_the_trouble_of_one_game_is_nobody_elses_here_too(
    servers: tuple[Storage, Storage], caplog: pytest.LogCaptureFixture
) -> None:
    storage = servers[0]
    odd = standing_row((ANN, "toguz", "rapid"), Standing(Glicko(1700, 80, 0.06), 9, AT, 99))
    with storage.engine.begin() as connection:
        connection.execute(standings.insert().values(odd))
    write(
        storage,
        told("a" * 12, rated(ANN, BOB), WHITE_RESIGNS),
        told("b" * 12, rated(BOB, EVE), WHITE_RESIGNS),
    )
    assert len([row for row in rows(storage, games) if row["termination"]]) == 2
    assert [(row["seq"], row["game_id"]) for row in rows(storage, rated_games)] == [(1, "b" * 12)]
    assert {row["game_id"] for row in rows(storage, marks)} == {"b" * 12}
    assert "game aaaaaaaaaaaa could not be counted" in caplog.text


def test_names_with_any_signs_are_literals(servers: tuple[Storage, Storage]) -> None:
    """The message is one text: nothing in it ends a literal or stands for something else."""
    names = ["o'%s\\ {NULL},\"x", "; COMMIT; -- %(a)s"]
    write(servers[0], told("g" * 12, rated(*names), WHITE_RESIGNS))
    (row,) = rows(servers[0], rated_games)
    assert [row["white"], row["black"]] == names
    assert {str(row["account"]) for row in rows(servers[0], standings)} == set(names)
