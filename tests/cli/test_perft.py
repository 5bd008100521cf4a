"""`korgool perft` and `korgool bench`: counts and their forms."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from korgool.app.cli.perft import POSITIONS, bench_positions
from korgool.rules import GAMES, MANGALA, Position, perft, perft_divide

Invoke = Callable[..., Any]
COUNTS = {
    "toguz": [9, 73, 613, 5_199, 43_184, 360_035, 3_003_052, 25_166_174],
    "mangala": [6, 36, 213, 1_233, 6_956, 38_116, 204_921, 1_087_622],
    "castle": [6, 36, 210, 1_197, 6_468, 34_751, 181_332, 953_582],
    "bestemshe": [5, 21, 91, 407, 1_761, 7_782, 34_285, 153_588],
}
"""Sequences of 1 to 8 plies from the start (docs/rules/options.md)."""


@pytest.mark.parametrize("name", COUNTS)
def test_the_published_counts(name: str, invoke: Invoke) -> None:
    for depth, count in enumerate(COUNTS[name], 1):
        assert invoke("perft", str(depth), "--game", name).stdout == f"{count}\n"


def test_toguz_is_the_default_and_depth_nothing_is_one(invoke: Invoke) -> None:
    assert invoke("perft", "4").stdout == "5199\n"
    assert invoke("perft", "0").stdout == "1\n"
    assert json.loads(invoke("perft", "0", "--divide", "--json").stdout)["count"] == 1


def test_divide_splits_by_the_first_move_and_ends_with_the_count(invoke: Invoke) -> None:
    for depth in (1, 2, 3, 4):
        *rows, last = invoke("perft", str(depth), "--divide", "--game", "mangala").stdout.splitlines()
        divided = {int(row.split(": ")[0]): int(row.split(": ")[1]) for row in rows}
        assert divided == perft_divide(MANGALA.start(), depth)
        assert int(last) == sum(divided.values())
        data = json.loads(invoke("perft", str(depth), "--divide", "--game", "mangala", "--json").stdout)
        assert data["divide"] == {str(move): count for move, count in divided.items()}
        assert (data["count"], data["depth"], data["game"]) == (int(last), depth, "mangala")


@pytest.mark.parametrize("text", ["2,T,24S,2S,9S,3S,9S,9S/2S,11S,2S,T,2,9S,9S,4S 30 39 S 16", "9/8,1S 79 82 S 70"])
def test_positions(text: str, invoke: Invoke) -> None:
    for depth in (1, 2, 3):
        done = invoke("perft", str(depth), "--position", text)
        assert int(done.stdout) == perft(Position.parse(text), depth)


def test_rules_count(invoke: Invoke) -> None:
    usual, single = (
        int(invoke("perft", "6", "--game", "mangala", *words).stdout)
        for words in ([], ["--rule", "extra_turn=no", "--rule", "empty_capture=no"])
    )
    assert usual == 38_116
    odd = MANGALA.with_option("extra_turn", "no").with_option("empty_capture", "no")
    assert single == perft(odd.start(), 6) != usual


@pytest.mark.parametrize("name", GAMES)
def test_bench_has_a_fingerprint(name: str, invoke: Invoke) -> None:
    first, second = (json.loads(invoke("bench", "--depth", "4", "--game", name, "--json").stdout) for _ in range(2))
    assert first["nodes"] == second["nodes"] > 1000
    assert first["positions"] == POSITIONS
    assert first["depth"] == 4
    # The seconds are rounded to thousandths, the speed is not.
    nodes, seconds, speed = first["nodes"], first["cpu_seconds"], first["nodes_per_cpu_second"]
    assert nodes / (seconds + 0.001) < speed
    assert speed * (seconds - 0.001) < nodes
    plain = invoke("bench", "--depth", "4", "--game", name).stdout
    assert f"{first['nodes']} nodes" in plain


def test_bench_positions_are_played_from_the_start_and_differ() -> None:
    for rules in GAMES.values():
        positions = bench_positions(rules)
        assert len(set(positions)) == POSITIONS
        assert all(position.outcome() is None for position in positions)
    odd = GAMES["toguz"].with_option("goal", "3")
    assert 1 <= len(bench_positions(odd)) < POSITIONS
