"""`korgool solve` as outside users call it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner, Result

from korgool.app.cli import main
from korgool.engine.solving import BeyondLimitsError, Solver
from korgool.rules import MANGALA
from tests.patience import PATIENCE

ENDING = "1,2S,1,1S,1,1S/1S,2,1S,1S,1 20 21 S 30"


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["solve", *words])


def test_the_answer_holds_what_is_promised() -> None:
    done = run("--position", ENDING, "--json")
    assert done.exit_code == 0
    answer = json.loads(done.stdout)
    assert answer["game"] == "mangala"
    assert answer["difference"] == 2
    assert answer["moves"] == {"1": 2, "4": 0, "5": 0}
    assert answer["position"] == ENDING
    assert answer["seconds"] >= 0
    assert answer["cpu_seconds"] >= 0


def test_plain_output_ends_with_the_value() -> None:
    done = run("--position", ENDING)
    assert done.exit_code == 0
    assert done.stdout.splitlines() == ["1: +2  keeps", "4: +0  gives away 2", "5: +0  gives away 2", "+2"]


def test_the_sweep_option_is_used() -> None:
    emptied = json.loads(run("--position", ENDING, "--json").stdout)
    owner = json.loads(run("--position", ENDING, "--json", "--rule", "sweep=owner").stdout)
    assert emptied["moves"] != owner["moves"]


@pytest.mark.parametrize(
    ("position", "game"),
    [
        ("4S,2S,1S,3S,1/2S,4 24 14 N 39", "bestemshe"),
        ("1,1S,6S,2,t/t,1,1S,1S,1S,2S 15 21 N 16", "castle"),
        ("5,t,1S,2/3,1S,2,1S,2S,1S 84 72 S 104", "toguz"),
    ],
)
def test_endings_of_the_other_games(position: str, game: str) -> None:
    done = run("--position", position, "--json")
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    assert answer["game"] == game
    assert answer["difference"] == max(answer["moves"].values())


def test_a_finished_game_has_its_difference_and_no_moves() -> None:
    done = run("--position", "6/1S,5 20 27 S 40", "--json")
    answer = json.loads(done.stdout)
    assert (answer["difference"], answer["moves"]) == (20 - 27 - 1, {})


@pytest.mark.parametrize(
    ("words", "what"),
    [(("--memory", "16"), "memory of 16 MiB was full"), (("--seconds", "0.05", "--no-book"), "the time was over")],
)
def test_beyond_the_limits_is_exit_3(words: tuple[str, ...], what: str) -> None:
    done = run("--game", "toguz", "--json", *words)
    assert done.exit_code == 3
    assert done.stdout == ""
    assert "not within these limits" in done.stderr
    assert what in done.stderr
    assert re.search(r"; \d+\.\d\d processor seconds were used$", done.stderr)


def test_the_processor_time_is_told() -> None:
    began = time.process_time()
    done = run("--position", ENDING, "--no-book", "--workers", "2", "--memory", "64")
    used = time.process_time() - began
    told = re.fullmatch(r"korgool: (\d+\.\d\d) s by the clock, (\d+\.\d\d) processor seconds\n", done.stderr)
    assert told is not None
    assert 0 < float(told[2]) <= used + 0.01


def test_a_search_that_ends_early_tells_bounds_of_the_move_it_was_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the side to move, like everything else, though the move was valued from the other side."""
    rules = MANGALA.with_option("sweep", "owner")
    solver, clock = Solver(rules, memory=16 << 20, book=False), [0.0]
    monkeypatch.setattr("korgool.engine.solving.solver.time.monotonic", lambda: clock[0])

    def after_two_million(what: str, done: int) -> None:
        clock[0] = float(what == "searching" and done >= 2_000_000)

    with pytest.raises(BeyondLimitsError) as raised:
        solver.solve(rules.start(), seconds=0.5, on_progress=after_two_million)
    hole, lower, upper = map(int, re.findall(r"hole (\d) is between (-?\d+) and (-?\d+)$", str(raised.value))[0])
    assert hole == 1
    assert lower <= -12 <= upper < 48  # docs/solved.md


def test_wrong_input_is_exit_1_and_wrong_usage_2() -> None:
    done = run("--position", "9S/9S")
    assert done.exit_code == 1
    assert "--position" in done.stderr
    assert run("--game", "mangala", "--rule", "sweep=half").exit_code == 2
    assert run("--memory", "1").exit_code == 2
    assert run("--seconds", "nan").exit_code == 2
    assert run("--game", "castle", "--prove", "folder").exit_code == 1
    assert run("--position", ENDING, "--prove", "folder").exit_code == 2


@pytest.mark.parametrize("sweep", ["emptied", "owner"])
def test_a_fresh_process_answers_the_start_of_mangala_at_once(sweep: str) -> None:
    command = [sys.executable, "-m", "korgool", "solve", "--game", "mangala", "--rule", f"sweep={sweep}", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["means"] == "book"
    assert len(answer["moves"]) == 6
