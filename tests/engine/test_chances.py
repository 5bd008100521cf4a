"""What a search tells: chances as games end, also after short searches, and stones that keep the order of the moves."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from korgool.engine.games import STEP, STEPS, figures_of
from korgool.engine.limits import Limits
from korgool.engine.search import Engine
from korgool.rules import GAMES, MANGALA_CASTLE, TOGUZ_KORGOOL, Game, Rules
from tests.slices import drawn

PROGRAM = Path(__file__).parents[2] / "benchmarks" / "chances.py"
SLOPES = {"toguz": (0.5, 1.5), "mangala": (0.6, 1.4), "castle": (0.6, 1.3), "bestemshe": (0.5, 1.7)}
"""What few games of 1,000 nodes a move may show where 0.9 to 1.1 is meant; it was 2.5 in bestemshe."""


def chances(*words: str | Path) -> str:
    """What `benchmarks/chances.py` says."""
    command = list(map(str, (sys.executable, PROGRAM, *words)))
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("name", ["bestemshe", *drawn("slopes of chances", ("toguz", "mangala", "castle"), 1)])
def test_chances_after_short_searches_are_those_of_games(name: str, tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    count = "30" if name == "toguz" else "100"
    games.write_text(chances("play", name, "--nodes", "1000", "--games", count, "--seed", "2"), encoding="utf-8")
    found = re.search(r"([\d.]+) ± ", chances("report", games))
    assert found
    low, high = SLOPES[name]
    assert low < float(found[1]) < high


def test_a_fit_names_the_depths_that_were_searched(tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    games.write_text(chances("play", "mangala", "--nodes", "300", "--games", "40", "--seed", "1"), encoding="utf-8")
    lines = chances("fit", games).splitlines()
    assert lines
    assert all(int(line.split()[1]) % STEP == 0 and 0.05 < float(line.split()[3].rstrip(",")) < 20 for line in lines)


@pytest.mark.parametrize("rules", [TOGUZ_KORGOOL, MANGALA_CASTLE], ids=["toguz", "castle"])
def test_told_stones_keep_the_order_of_the_moves_and_what_the_board_has(rules: Rules) -> None:
    random, engine = Random(3), Engine(rules, tables=None)
    for _ in range(40):
        game = Game(rules)
        for _ in range(random.randint(0, 50)):
            if game.outcome() is None:
                game.play(random.choice(game.position.legal_moves()))
        if game.outcome() is not None:
            continue
        position = game.position
        side, board = position.to_move, sum(map(sum, position.holes))
        lines = engine.analyse(position, Limits(nodes=2000), lines=9).lines
        assert [line.evaluation for line in lines] == sorted((line.evaluation for line in lines), reverse=True)
        stored = position.stores[side] - position.stores[side.other]
        assert all(stored - board <= line.evaluation <= stored + board for line in lines if line.draw != 1)


@pytest.mark.parametrize("name", GAMES)
def test_curves_have_a_factor_for_each_depth(name: str) -> None:
    """Surer with each step, and stones as found without looking ahead and after long searches."""
    curve = figures_of(GAMES[name]).weights.chances
    for steps in (curve.hand, curve.network):
        assert len(steps) == STEPS
        assert list(steps) == sorted(steps)
    assert len(curve.stones) == STEPS
    assert curve.stones[:2] == (1, 1)
    assert curve.stones[5:] == (1,) * (STEPS - 5)
    assert all(1 <= factor <= 1.2 for factor in curve.stones)
