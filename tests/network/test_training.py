"""From games to a network, end to end; the steps with PyTorch are skipped where it is not installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from korgool.clusters import pool
from korgool.engine.kernel import Kernel, unpack
from korgool.engine.networks import FOLDER
from korgool.engine.networks.layout import network_of, stored_checks
from korgool.engine.search import Engine
from korgool.engine.training.__main__ import main
from korgool.engine.training.calibrate import bins, calibrate, plot
from korgool.engine.training.generate import generate, play
from korgool.engine.training.promotion import elo_of, match, speeds, verdict
from korgool.engine.training.samples import SAMPLE_BYTES, GenerationPlan, SampleStruct
from korgool.rules import BESTEMSHE, GAMES, TOGUZ_KORGOOL, Rules, Side

from .samples import by_hand, played_positions

SMALL = GenerationPlan("bestemshe", nodes=100, opening=4)


def test_a_seed_decides_its_games() -> None:
    """However the work is cut, and wherever it is done."""
    whole = play(SMALL, 5, 60)
    assert whole == play(SMALL, 5, 20) + play(SMALL, 25, 40)
    assert b"".join(generate(SMALL, 5, 60)) == whole
    with pool(2) as place:
        assert b"".join(generate(SMALL, 5, 60, place)) == whole
    assert play(SMALL, 5, 1) != play(SMALL, 6, 1)
    assert play(GenerationPlan("bestemshe", nodes=100, opening=4, network=""), 5, 3) == play(SMALL, 5, 3)


def test_samples_are_positions_of_games(rules: Rules) -> None:
    data = play(GenerationPlan(rules.name, nodes=60), 1, 12)
    count = len(data) // SAMPLE_BYTES
    assert count > 100
    kernel, signs = Kernel(rules), set()
    for sample in (SampleStruct * count).from_buffer_copy(data):
        position = unpack(bytes(sample)[:24], rules, Side.WHITE)
        kernel.pack(position)
        assert sum(map(sum, position.holes)) + sum(position.stores) == rules.total
        assert max(position.stores) <= rules.total // 2
        assert sample.result == (sample.difference > 0) - (sample.difference < 0)
        assert abs(sample.difference) <= rules.total
        assert position.holes[0][sample.move] > 0
        board = sum(map(sum, position.holes))
        assert abs(sample.value - 32 * (position.stores[0] - position.stores[1])) <= 32 * board
        signs.add(sample.result)
    assert signs >= {-1, 1}


def test_plans_that_cannot_be() -> None:
    for wrong in ({"nodes": 0}, {"stray": 1.0}, {"stray": -0.1}, {"opening": -1}, {"opening": 300}):
        with pytest.raises(ValueError, match="not"):
            GenerationPlan("toguz", **wrong)
    with pytest.raises(ValueError, match="the game is one of"):
        play(GenerationPlan("go"), 1, 1)


def test_the_network_wins_the_gate() -> None:
    """A few games; the figures in the manual come from many."""
    found = match(Engine(TOGUZ_KORGOOL), Engine(TOGUZ_KORGOOL, network=None), TOGUZ_KORGOOL, pairs=12, nodes=600)
    assert found.wins + found.draws + found.losses == 24
    assert found.elo > 100


def test_an_engine_is_its_own_equal() -> None:
    found = match(Engine(BESTEMSHE), Engine(BESTEMSHE), BESTEMSHE, pairs=6, nodes=300)
    assert (found.elo, found.error, found.wins) == (0, 0, found.losses)


def test_elo_and_its_error() -> None:
    assert elo_of(0.75) == pytest.approx(190.85, abs=0.01)
    even = verdict([(2, 0), (0, 2), (1, 1), (2, 1), (1, 0)])
    assert (even.wins, even.draws, even.losses, even.elo) == (3, 4, 3, 0)
    assert even.error > 0
    assert verdict([(2, 0)] * 9).error == 0
    assert verdict([(2, 2)] * 9).elo > 1000


def test_the_network_keeps_its_word() -> None:
    """On games of other seeds than any it was trained on: nearer than the stores, and better than the bare shares."""
    engine = Engine(TOGUZ_KORGOOL)
    samples = play(GenerationPlan("toguz", nodes=200, network=str(FOLDER / "toguz.kgn")), 910_000_000, 80)
    found = calibrate(engine, TOGUZ_KORGOOL, samples)
    stores = [
        abs(sample.difference - (sample.position[2] >> 16 & 255) + (sample.position[2] >> 24 & 255))
        for sample in (SampleStruct * (len(samples) // SAMPLE_BYTES)).from_buffer_copy(samples)
    ]
    assert found.missed < 0.9 * sum(stores) / len(stores)
    assert found.unlikely < found.uninformed - 0.05
    assert sum(part.count for part in found.wins) == found.positions == len(stores)
    picture = plot("toguz", found)
    assert picture.startswith("<svg")
    assert picture.count("<circle") >= 10
    assert bins([(0.04, 0), (0.06, 1), (0.95, 1)], 0.1)[0].count == 2
    with pytest.raises(ValueError, match="needs samples"):
        calibrate(engine, TOGUZ_KORGOOL, b"")


def test_chances_come_from_the_network() -> None:
    engine, start = Engine(TOGUZ_KORGOOL), TOGUZ_KORGOOL.start()
    wins = []
    for stones in range(-160, 161, 5):
        win, draw, loss = engine.chances(start, stones)
        assert win + draw + loss == pytest.approx(1)
        assert min(win, draw, loss) >= 0
        assert 0 < win < 1
        wins.append(win)
    assert wins == sorted(wins)
    assert engine.chances(start, 5)[0] == pytest.approx(engine.chances(start, -5)[2])
    by_formula = Engine(TOGUZ_KORGOOL, network=None)
    assert by_formula.chances(start, 10) != engine.chances(start, 10)


def test_errors_end_a_step_with_a_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "x.bin")
    for arguments, reason in (
        (["generate", "toguz", out, "--nodes", "0"], "at least 1 node"),
        (["generate", "toguz", out, "--network", str(tmp_path / "no.kgn"), "--games", "1"], "cannot be read"),
        (["gate", "toguz", "hand", str(tmp_path / "no.kgn")], "cannot be read"),
        (["calibrate", "mangala", str(FOLDER / "toguz.kgn"), out], "other rules"),
        (["calibrate", "toguz", str(FOLDER / "toguz.kgn"), out], "No such file"),
    ):
        assert main(arguments) == 1
        assert reason in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_steps_run_as_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games, again, picture = tmp_path / "games.bin", tmp_path / "again.bin", tmp_path / "plot.svg"
    generating = ["--games", "30", "--nodes", "60", "--seed", "4"]
    assert main(["generate", "toguz", str(games), *generating]) == 0
    count = len(games.read_bytes()) // SAMPLE_BYTES
    assert capsys.readouterr().out == f"{games}: {count} positions of 30 games\n"
    assert main(["generate", "toguz", str(again), *generating, "--processes", "2"]) == 0
    assert again.read_bytes() == games.read_bytes()
    capsys.readouterr()
    assert main(["gate", "toguz", "hand", "hand", "--pairs", "2", "--nodes", "50"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("hand against hand: +")
    assert said.endswith(": +0 ± 0 Elo\n")
    assert main(["calibrate", "toguz", str(FOLDER / "toguz.kgn"), str(games), "--plot", str(picture)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("stones: ")
    assert sum(int(line.split()[1]) for line in lines if line.startswith("points: ")) == count
    assert lines[-1].startswith("missed by ")
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    assert main(["calibrate", "toguz", "hand", str(games)]) == 1
    assert capsys.readouterr().err == "error: calibration needs samples and a network\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again.bin", "games.bin", "plot.svg"]


def test_equal_time_is_given_by_measured_speeds() -> None:
    """The evaluation by hand and the network need different times; the match counts every game all the same."""
    first, second = Engine(BESTEMSHE, network=None), Engine(BESTEMSHE)
    assert min(speeds(first, second, BESTEMSHE, 200, 1)) > 0
    found = match(first, second, BESTEMSHE, pairs=1, nodes=40, equal_time=True)
    assert found.wins + found.draws + found.losses == 2


@pytest.fixture(scope="module")
def torch_here() -> None:
    """Skips without PyTorch."""
    pytest.importorskip("torch", reason="training needs PyTorch (extra train)")


@pytest.mark.usefixtures("torch_here")
def test_from_games_to_a_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every step with its command: a small network of bestemshe learns, is written, taken, and plays."""
    games, network, again = tmp_path / "games.bin", tmp_path / "small.kgn", tmp_path / "again.kgn"
    assert main(["generate", "bestemshe", str(games), "--games", "150", "--nodes", "200", "--processes", "2"]) == 0
    training = ["--epochs", "12", "--batch", "256", "--seed", "3"]
    assert main(["train", "bestemshe", str(network), str(games), *training]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("epoch")]
    errors = [float(line.partition("error ")[2].partition(",")[0]) for line in lines]
    assert errors[-1] < 0.7 * errors[0]
    assert main(["train", "bestemshe", str(again), str(games), *training]) == 0
    assert network_of(again.read_bytes(), BESTEMSHE).numbers == network_of(network.read_bytes(), BESTEMSHE).numbers
    capsys.readouterr()
    assert main(["train", "bestemshe", str(again), str(games), "--epochs", "1", "--start", str(network)]) == 0
    further = capsys.readouterr().out.partition("epoch 1: error ")[2]
    assert float(further.partition(",")[0]) < 0.9 * errors[0]
    assert main(["gate", "bestemshe", str(network), "hand", "--pairs", "4", "--nodes", "200", "--equal-time"]) == 0
    assert main(["calibrate", "bestemshe", str(network), str(games), "--plot", str(tmp_path / "plot.svg")]) == 0
    assert "Elo" in capsys.readouterr().out
    assert main(["train", "bestemshe", str(again), str(games), "--start", str(FOLDER / "toguz.kgn")]) == 1
    assert "other rules" in capsys.readouterr().err
    games.write_bytes(games.read_bytes()[:-5])
    assert main(["train", "bestemshe", str(again), str(games)]) == 1
    assert "whole samples" in capsys.readouterr().err


@pytest.mark.usefixtures("torch_here")
@pytest.mark.parametrize("name", GAMES)
def test_whole_numbers_stay_near_the_trained_ones(name: str, tmp_path: Path) -> None:
    """A network with weights as training makes them: the value in stones, the logarithms of width and band."""
    import numpy as np
    import torch

    from korgool.engine.training.filter import distinct
    from korgool.engine.training.quantise import outputs, quantise, restored, save
    from korgool.engine.training.train import STONES, Network, table

    rules, packed = GAMES[name], played_positions(GAMES[name], 300, 9)
    torch.manual_seed(4)
    network = Network(rules, 64, 8)
    rows: Any = np.zeros((len(packed), SAMPLE_BYTES), np.uint8)
    rows[:, :24] = np.frombuffer(b"".join(packed), np.uint8).reshape(-1, 24)
    data = table(rows, rules)
    with torch.no_grad():
        exact = network(data.counts, data.tuz, data.board)
    weights = quantise(network, "near")
    for position, numbers in zip(packed, exact.tolist(), strict=True):
        value, width, band = outputs(weights, position)
        assert (value, width, band) == by_hand(weights, position)
        assert abs(value / 32 - numbers[0] * STONES) < 0.5
        assert abs(width / 256 - numbers[1]) < 0.02
        assert abs(band / 256 - numbers[2]) < 0.02
    save(weights, tmp_path / "near.kgn")
    again = quantise(restored(weights), "near")
    for position in packed[::10]:
        for number, other in zip(outputs(weights, position), outputs(again, position), strict=True):
            assert abs(number - other) <= 2
    assert Engine(rules, network=tmp_path / "near.kgn").network is not None
    assert len(stored_checks((tmp_path / "near.kgn").read_bytes())) == 24
    assert len(distinct(np.concatenate([rows, rows]))) == len(set(packed))


@pytest.mark.usefixtures("torch_here")
def test_rows_too_large_are_refused() -> None:
    import torch

    from korgool.engine.training.quantise import quantise
    from korgool.engine.training.train import Network

    network = Network(BESTEMSHE, 64, 4)
    with torch.no_grad():
        network.rows += 60
    with pytest.raises(ValueError, match="past 16 bits"):
        quantise(network, "large")
