"""A bot with a fixed rating: who may have one, and that games move the opponents alone."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner
from sqlalchemy import select

from korgool.accounts import Speed
from korgool.app.cli import main
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.rated_games import read_standing
from korgool.app.server.storage.rating_admin import check
from korgool.app.server.storage.schema import standings
from korgool.live import journal
from korgool.rules import Side
from tests.patience import PATIENCE

from .rated import ANN, EVE, open_account, rated, told


def test_a_bot_keeps_the_rating_that_it_is_given(tmp_path: Path) -> None:
    def run(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(main, ["ratings", "fix", *words, "--data", str(tmp_path)])
        return done.exit_code, done.output

    storage = Storage.open(ServerSettings(data=tmp_path))
    open_account(storage.engine, ANN)
    open_account(storage.engine, EVE, kind="bot", owner=ANN)
    storage.close()
    for words, reason in (
        (("nobody", "toguz", "rapid", "1240"), "there is no account 'nobody'"),
        (("anna", "toguz", "rapid", "1240"), "is not a bot"),
    ):
        assert run(*words)[0] == 1
        assert reason in run(*words)[1]
    for wrong in (("eve", "chess", "rapid", "1"), ("eve", "toguz", "fast", "1"), ("eve", "toguz", "rapid", "-1")):
        assert run(*wrong)[0] == 2
    assert run("EVE", "toguz", "blitz", "900")[0] == 0, "names are found however they are written"
    assert run("eve", "toguz", "blitz", "1240") == (0, "eve has the rating 1240 in toguz, blitz, and keeps it\n")

    storage = Storage.open(ServerSettings(data=tmp_path))
    moves = journal.Moved(7), journal.Moved(1)
    game = told("a" * 12, rated(EVE, ANN, clock="5+3"), (*moves, journal.Resigned(Side.WHITE)))
    storage.writer.submit(game).result(PATIENCE)
    with storage.engine.begin() as connection:
        found = {row.account: read_standing(row) for row in connection.execute(select(standings))}
        assert check(connection).differences == []
    storage.close()
    assert (found[EVE].rating.rating, found[EVE].fixed) == (1240.0, True)
    assert found[EVE].shown(0).rating == 1240
    assert found[ANN].rating.rating > 1500
    assert (found[ANN].games, found[EVE].games) == (1, 0)
    status, said = run("eve", "toguz", "blitz", "1300")
    assert status == 1
    assert "eve has played rated games in toguz, blitz: 1" in said
    assert run("eve", "toguz", "rapid", "1300")[0] == 0


def test_the_speeds_of_the_command_are_all_there_are() -> None:
    words = main.get_command(None, "ratings").get_command(None, "fix").params  # type: ignore[arg-type,union-attr]
    (speed,) = (one for one in words if one.name == "speed")
    assert list(speed.type.choices) == list(Speed)
