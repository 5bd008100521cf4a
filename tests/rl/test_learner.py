"""The learner of `benchmarks/learner.py`: what it sees, what it tries, that a lesson goes downhill, and a short run."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import numpy as np
import pytest

from korgool.engine.kernel import pack
from korgool.rl import BatchEnv
from korgool.rules import GAMES

ROOT = Path(__file__).parents[2]


def load() -> ModuleType:
    place = ROOT / "benchmarks" / "learner.py"
    spec = importlib.util.spec_from_file_location("learner", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


learner = load()


@pytest.mark.parametrize("name", GAMES)
def test_every_move_of_many_positions(name: str) -> None:
    """Against the rules, also where a turn stays and where a move ends the game."""
    rules, ended = GAMES[name], 0
    env, ahead = BatchEnv(name, n=20, seed=3), learner.Lookahead(rules, 30)
    for step in range(90):
        if step % 6 == 0:
            children, legal, signs, finals = ahead(env.positions)
            for row in range(20):
                position = env.position(row)
                assert [hole + 1 for hole in np.flatnonzero(legal[row])] == list(position.legal_moves())
                for hole in position.legal_moves():
                    after = position.play(hole)
                    assert children[row, hole - 1].tobytes() == pack(after)
                    assert signs[row, hole - 1] == (1 if after.to_move is position.to_move else -1)
                    outcome = after.outcome()
                    assert np.isnan(finals[row, hole - 1]) == (outcome is None)
                    if outcome is not None:
                        ended += 1
                        mine, theirs = outcome.stores[position.to_move], outcome.stores[position.to_move.other]
                        assert finals[row, hole - 1] == pytest.approx(2 * (mine - theirs) / rules.total)
        env.step(env.random_actions())
    assert ended > 0


def test_at_first_it_takes_all_that_it_can() -> None:
    """The guess of an empty network is what is in the stores, so the player sees a capture and the answer to it."""
    network = learner.Network(GAMES["toguz"], 4)
    player = learner.Player(network, 2)
    env = BatchEnv("toguz", n=2)
    worths = learner.worths(player.answered, *player.own(env.positions))
    start = GAMES["toguz"].start()
    for hole in range(1, 10):
        after = start.play(hole)
        best = max(after.play(answer).stores[1] - after.play(answer).stores[0] for answer in after.legal_moves())
        assert worths[0, hole - 1] == pytest.approx(-best / 81)
    assert player.choose(env.positions).tolist() == [int(worths[0].argmax())] * 2


def test_a_lesson_goes_downhill() -> None:
    chance, network = np.random.default_rng(1), learner.Network(GAMES["castle"], 16)
    env = BatchEnv("castle", n=64, seed=1)
    for _ in range(20):
        env.step(env.random_actions())
    positions, wanted = env.positions.copy(), chance.normal(0, 0.3, 64).astype(np.float32)
    errors = [network.learn(positions, wanted, 0.01) for _ in range(200)]
    assert errors[-1] < 0.2 * errors[0]


def test_a_short_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture, weights = tmp_path / "curve.svg", tmp_path / "weights.npz"
    learner.main([
        *("--game", "bestemshe", "--minutes", "0.02", "--games", "10", "--parallel", "32"),
        *("--curve", str(picture), "--weights", str(weights)),
    ])  # fmt: skip
    said = capsys.readouterr().out
    assert "before learning" in said
    assert "at the end, 10 games: " in said
    root = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
    assert root.tag.endswith("svg")
    assert len(list(root.iter("{http://www.w3.org/2000/svg}circle"))) >= 2
    assert set(np.load(weights)) == {"a", "b", "c", "d"}


@pytest.mark.long
def test_it_beats_the_third_level_of_bestemshe() -> None:
    """Half a minute of learning; toguz korgool takes longer, see the manual."""
    network = learner.Network(GAMES["bestemshe"], seed=1)
    learner.learn(network, 0.5, 1, 256, lambda minutes, plies: None)
    assert learner.match(network, 3, 100, 5) > 70


def test_it_is_short_enough_to_be_read() -> None:
    assert len((ROOT / "benchmarks" / "learner.py").read_text(encoding="utf-8").splitlines()) <= 300


def test_no_position_at_all() -> None:
    """As where every answer to every move ends the game."""
    network = learner.Network(GAMES["toguz"], 4)
    assert network(np.zeros((0, 24), np.uint8)).shape == (0,)
