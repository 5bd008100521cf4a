"""The tables of few stones that the package ships: what anybody builds, and what is used where nothing was built."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from korgool.app.cli import main
from korgool.engine.tables import Tables, build
from korgool.engine.tables.files import SHIPPED, game_folder, table_files
from korgool.rules import GAMES, MANGALA

STONES = {"toguz": 4, "mangala": 9, "castle": 6, "bestemshe": 10}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user who has built nothing yet."""
    monkeypatch.setattr("korgool.engine.tables.files.default_folder", lambda: tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", STONES)
def test_they_are_what_the_command_builds(name: str, home: Path) -> None:
    build(GAMES[name], STONES[name], folder=home)
    built = {(layer, tuz): path for layer, tuz, path in table_files(game_folder(GAMES[name], home))}
    shipped = {(layer, tuz): path for layer, tuz, path in table_files(game_folder(GAMES[name], SHIPPED))}
    assert shipped.keys() == built.keys()
    for file, path in shipped.items():
        assert path.read_bytes() == built[file].read_bytes(), file


def test_they_serve_until_the_user_has_built_his_own(home: Path) -> None:
    assert {name: Tables.usual(GAMES[name]).stones for name in GAMES} == {name: STONES.get(name, 0) for name in GAMES}
    assert Tables.usual(MANGALA, most=3).stones == 3
    assert not Tables.usual(replace(MANGALA, sweep="owner")).files, "they are of other rules"
    build(MANGALA, 2, folder=home)
    assert Tables.usual(MANGALA).stones == 2


def test_a_fresh_installation_knows_small_endings(home: Path) -> None:
    command = ["analyse", "--position", "4,1S/2,2S,1,1S 22 24 S 1", "--depth", "1", "--game", "bestemshe", "--json"]
    known = json.loads(CliRunner().invoke(main, command).stdout)["lines"][0]
    searched = json.loads(CliRunner().invoke(main, [*command, "--no-tables"]).stdout)["lines"][0]
    assert known["exact"]
    assert not searched["exact"]


def test_they_serve_games_whose_other_options_do_not_matter(home: Path) -> None:
    """A goal is one, however high; without one, tables of a game that has one are those of another game."""
    toguz = GAMES["toguz"]
    assert Tables.usual(replace(toguz, goal=25, threefold=0, recurrence=5)).stones == STONES["toguz"]
    assert not Tables.usual(replace(toguz, goal=0)).files
    assert not Tables.usual(replace(MANGALA, goal=25)).files
    build(replace(GAMES["bestemshe"], goal=0), 4, folder=home)
    assert Tables.usual(GAMES["bestemshe"]).stones == STONES["bestemshe"]
    assert Tables.usual(replace(GAMES["bestemshe"], goal=0)).stones == 4


def test_they_are_opened_once_until_the_files_are_others(home: Path) -> None:
    first = Tables.shared(MANGALA)
    assert Tables.shared(MANGALA) is first
    assert first.stones == STONES["mangala"]
    build(MANGALA, 2, folder=home)
    assert Tables.shared(MANGALA).stones == 2
    assert first.stones == STONES["mangala"]
