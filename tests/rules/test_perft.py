"""Counts of sequences from the start that every implementation must reproduce (docs/rules/options.md)."""

from __future__ import annotations

import pytest

from korgool import GAMES, TOGUZ_KORGOOL, Position, perft, perft_divide

COUNTS = {
    "toguz": (9, 73, 613, 5_199, 43_184, 360_035, 3_003_052, 25_166_174),
    "mangala": (6, 36, 213, 1_233, 6_956, 38_116, 204_921, 1_087_622),
    "castle": (6, 36, 210, 1_197, 6_468, 34_751, 181_332, 953_582),
    "bestemshe": (5, 21, 91, 407, 1_761, 7_782, 34_285, 153_588),
}


@pytest.mark.parametrize("name", GAMES)
def test_counts(name: str) -> None:
    start = GAMES[name].start()
    depth = 6 if name == "toguz" else 7
    assert tuple(perft(start, plies) for plies in range(1, depth + 1)) == COUNTS[name][:depth]


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_counts_to_the_eighth_ply(name: str) -> None:
    assert perft(GAMES[name].start(), 8) == COUNTS[name][7]


def test_divide_adds_up() -> None:
    parts = perft_divide(TOGUZ_KORGOOL.start(), 4)
    assert tuple(parts) == tuple(range(1, 10))
    assert sum(parts.values()) == 5_199
    assert perft_divide(TOGUZ_KORGOOL.start(), 0) == {}


def test_a_finished_game_has_no_children() -> None:
    over = Position.parse("9/9S,8 90 63 N 9")
    assert perft(over, 0) == 1
    assert perft(over, 1) == perft(over, 3) == 0
