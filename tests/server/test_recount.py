"""All ratings from the journals: the same numbers as were counted one by one, and what is wrong is found and mended."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import select, text

from korgool.accounts import Standing
from korgool.app.cli import main
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.rated_games import standing_row
from korgool.app.server.storage.rating_admin import check, recompute
from korgool.app.server.storage.schema import rated_games, standings
from korgool.glicko import Glicko
from tests.patience import PATIENCE

from .rated import random_games


def fill(storage: Storage, number: int) -> None:
    for done in [storage.writer.submit(one) for one in random_games(7, number)]:
        done.result(PATIENCE)


def everything(storage: Storage) -> list[list[tuple[object, ...]]]:
    with storage.engine.begin() as connection:
        return [
            [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key.columns))]
            for table in (rated_games, standings)
        ]


@pytest.mark.parametrize("number", [100, pytest.param(10_000, marks=pytest.mark.long)])
def test_random_games_give_the_same_numbers_once_more(tmp_path: Path, number: int) -> None:
    storage = Storage.open(ServerSettings(data=tmp_path))
    try:
        program = standing_row(("player00".ljust(22, "x"), "toguz", "blitz"), Standing(Glicko(1900, 50), fixed=True))
        with storage.engine.begin() as connection:
            connection.execute(standings.insert().values(program))
        fill(storage, number)
        stored = everything(storage)
        with storage.engine.begin() as connection:
            found = check(connection)
            assert found.differences == []
            assert found.games == len(stored[0]) > number // 3
            recompute(connection)
        assert everything(storage) == stored
    finally:
        storage.close()


def test_what_is_wrong_is_found_and_mended(tmp_path: Path) -> None:
    """By the command line: a forged rating, a result that was changed, and a game that was never counted."""
    storage = Storage.open(ServerSettings(data=tmp_path))
    fill(storage, 25)
    right = everything(storage)
    last = right[0][-1][0]

    def run(word: str) -> tuple[int, dict[str, object]]:
        done = CliRunner().invoke(main, ["ratings", word, "--data", str(tmp_path), "--json"])
        return done.exit_code, json.loads(done.stdout)

    assert run("check") == (0, {"games": last, "ratings": len(right[1]), "differences": []})
    with storage.engine.begin() as connection:
        late = connection.scalar(text(f"SELECT game_id FROM rated_games WHERE seq = {last}"))
        for forged in (
            "UPDATE standings SET rating = rating + 100 WHERE account = (SELECT white FROM rated_games WHERE seq = 1)",
            "UPDATE rated_games SET plies = 99 WHERE seq = 2",
            f"DELETE FROM rated_games WHERE seq = {last}",
        ):
            connection.execute(text(forged))
    status, told = run("check")
    assert status == 1
    said = " ".join(str(one) for one in told["differences"])  # type: ignore[attr-defined]
    for part in ("the standing of", "plies is 99", f"game {late} counts, and was not counted"):
        assert part in said
    storage.close()
    assert run("recompute")[0] == 0
    storage = Storage.open(ServerSettings(data=tmp_path))
    assert everything(storage) == right
    storage.close()
    assert run("check")[0] == 0


@pytest.mark.parametrize("wrong", [20, 21])
def test_as_many_differences_as_a_screen_holds_are_shown(tmp_path: Path, wrong: int) -> None:
    storage = Storage.open(ServerSettings(data=tmp_path))
    fill(storage, 60)
    with storage.engine.begin() as connection:
        connection.execute(text(f"UPDATE rated_games SET plies = 99 WHERE seq <= {wrong}"))
    storage.close()
    done = CliRunner().invoke(main, ["ratings", "check", "--data", str(tmp_path)])
    *shown, total = done.stdout.splitlines()
    assert total.endswith(f", {wrong} differences")
    assert [line for line in shown if "plies is 99" not in line] == (["… and 1 more"] if wrong > 20 else [])
    assert len(shown) == wrong, "the line with the number of others is not longer than they are"


def test_a_database_that_is_none(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["ratings", "check", "--data", str(tmp_path)])
    assert done.exit_code == 1
    assert "there is no database" in done.output
    assert not list(tmp_path.iterdir())
