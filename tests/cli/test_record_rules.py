"""`--rule` without `--game`, for every command that reads records: the option is of whatever game a record names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke

TOGUZ = "1. 76(10) 76(10) *\n"
MIXED = TOGUZ + '\n[Variant "Mangala"]\n[Result "*"]\n\n1. 30,14 *\n'


@pytest.fixture
def record(tmp_path: Path) -> str:
    path = tmp_path / "game.pgn"
    path.write_text(TOGUZ)
    return str(path)


@pytest.mark.parametrize(
    "words",
    [["replay"], ["convert", "--to", "bare"], ["analyse", "--depth", "1", "--record"], ["sheet", "-o", "-"]],
    ids=lambda words: words[0],
)
def test_a_goal_that_only_toguz_can_have_needs_no_game(words: list[str], record: str, invoke: Invoke) -> None:
    done = invoke(*words, record, "--rule", "goal=82")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout_bytes


def test_an_option_that_a_records_game_cannot_have_is_told_of_that_record(tmp_path: Path, invoke: Invoke) -> None:
    done = invoke("replay", "-", "--json", "--rule", "goal=60", text=MIXED)
    toguz, mangala = map(json.loads, done.stdout.splitlines())
    assert done.exit_code == 1
    assert toguz["error"] is None
    assert "--rule goal=60: rule goal is a whole number from 0 (off) to 48" in mangala["error"]["reason"]


def test_an_option_counts_for_records_of_another_game_than_the_chosen(invoke: Invoke) -> None:
    """`--game` is for records that name no game, `--rule` for all."""
    text = '[Variant "Bestemshe"]\n[FEN "4,1S/4S,4 20 25 N 9"]\n\n*\n'
    for goal, result in (("25", "0-1"), ("26", "*")):
        done = invoke("replay", "-", "--json", "--game", "toguz", "--rule", f"goal={goal}", text=text)
        assert json.loads(done.stdout)["result"] == result, done.stderr


def test_a_number_that_is_too_large_is_called_a_number(invoke: Invoke) -> None:
    done = invoke("referee", "-", text='{"at": 1e12, "by": "referee", "do": "start"}\n')
    assert "'at' must be seconds from 0 to 10000000000, not 1e+12" in done.stderr
