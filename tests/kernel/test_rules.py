"""The kernel against the reference, ply by ply: legal moves, positions, who goes on, outcomes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from korgool.engine.kernel import Kernel, pack, unpack
from korgool.rules import GAMES, MANGALA, TOGUZ_KORGOOL, Position, Rules, Setup, Side, perft
from tests.slices import drawn

from .reference import compare, random_setup, share, variations

COUNTS: dict[str, tuple[int, ...]] = {
    "toguz": (1, 9, 73, 613, 5199, 43184, 360035, 3003052, 25166174),
    "mangala": (1, 6, 36, 213, 1233, 6956, 38116, 204921, 1087622),
    "castle": (1, 6, 36, 210, 1197, 6468, 34751, 181332, 953582),
    "bestemshe": (1, 5, 21, 91, 407, 1761, 7782, 34285, 153588),
}
COUNTS |= {
    name: tuple(perft(rules.start(), depth) for depth in range(6))
    for name, rules in GAMES.items()
    if name not in COUNTS
}
"""Sequences from the start; those of a game without known ones are what the reference counts."""
PARTS = 16


@pytest.mark.parametrize("name", GAMES)
def test_counts(name: str) -> None:
    rules = GAMES[name]
    kernel = Kernel(rules)
    depths = range(len(COUNTS[name]))
    assert tuple(kernel.perft(rules.start(), depth) for depth in depths) == COUNTS[name]
    assert tuple(kernel.perft(rules.start(), depth, bulk=False) for depth in depths) == COUNTS[name]


@pytest.mark.parametrize("name", GAMES)
def test_counts_by_the_general_path(name: str) -> None:
    """The same counts where the rules are no constant: a goal that nobody reaches in so few plies, or none."""
    rules = replace(GAMES[name], goal=0 if GAMES[name].goal else 48)
    if name == "bestemshe":
        rules = replace(GAMES[name], goal=50)
    assert (
        tuple(Kernel(rules).perft(rules.start(), depth) for depth in range(len(COUNTS[name][:7]))) == COUNTS[name][:7]
    )


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, PARTS))])
@pytest.mark.parametrize("name", GAMES)
def test_random_games(name: str, part: int) -> None:
    """20,000 games of each kind, in sixteen parts so that several processes can share them; one of them by default."""
    rules, random = GAMES[name], Random(f"{name} {part}")
    kernel = Kernel(rules)
    plies = sum(compare(kernel, rules.start(), random) for _ in range(share(20_000 // PARTS)))
    assert plies > 20 * share(20_000 // PARTS)


@pytest.mark.parametrize("name", GAMES)
def test_games_from_set_up_positions(name: str) -> None:
    rules, random = GAMES[name], Random(f"set up {name}")
    kernel = Kernel(rules)
    starts = [random_setup(rules, random) for _ in range(share(1500))]
    big = sum(max(map(max, start.holes)) >= 36 for start in starts)
    assert big > share(1500) // 50
    if rules.tuz:
        assert sum(None not in start.tuz for start in starts) > share(1500) // 50
    for start in starts:
        compare(kernel, start, random)


def _varied() -> Iterator[tuple[str, Rules]]:
    for name, rules in GAMES.items():
        for number, varied in enumerate(variations(rules)):
            yield f"{name}-{number}", varied


@pytest.mark.parametrize(("name", "rules"), list(_varied()), ids=[name for name, _ in _varied()])
def test_every_option(name: str, rules: Rules) -> None:
    """Every choice switched, alone and with others, from the start and from set-up positions."""
    random, kernel = Random(name), Kernel(rules)
    for _ in range(share(40)):
        compare(kernel, rules.start(), random)
        compare(kernel, random_setup(rules, random), random)


@pytest.mark.parametrize("seed", range(share(20)))
def test_boards_of_other_sizes(seed: int) -> None:
    random = Random(seed)
    base = random.choice(list(GAMES.values()))
    holes = random.randint(1, 9)
    rules = replace(base, holes=holes, stones=random.randint(1, 127 // holes))
    for varied in (rules, random.choice(variations(rules))):
        kernel = Kernel(varied)
        for _ in range(10):
            compare(kernel, varied.start(), random)
            compare(kernel, random_setup(varied, random), random)


@pytest.mark.parametrize("part", drawn("games of the kernel", range(4)))
def test_online_games(shared: Path, part: int) -> None:
    """All 500 real games, ply by ply against the reference and at the end against what the site says."""
    kernel = Kernel(TOGUZ_KORGOOL)
    lines = (shared / "data" / "games_online.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 500
    for line in lines[part::4]:
        game = json.loads(line)
        moves, position = bytes(int(digit) for digit in game["moves"]), TOGUZ_KORGOOL.start()
        done, packed, _, _, outcomes = kernel.trace(position, moves)
        assert done == game["plies"]
        for ply, move in enumerate(moves):
            position = position.play(move)
            assert packed[24 * ply : 24 * ply + 24] == pack(position)
            assert (outcomes[ply].termination == 0) == (position.outcome() is None)
        final = unpack(packed[-24:], TOGUZ_KORGOOL, Side(len(moves) % 2))
        assert [list(row) for row in final.holes] == [game["final"]["white"], game["final"]["black"]]
        assert list(final.stores) == game["final"]["kazan"]


def test_no_stone_is_lost_from_a_hole_of_36_or_more() -> None:
    """Known wrong elsewhere: table rows that end at 35 stones."""
    kernel = Kernel(TOGUZ_KORGOOL)
    for stones in range(1, 161):
        for hole in range(9):
            row = [0] * 9
            row[hole] = stones
            foe = [1] + [0] * 8
            position = Setup(TOGUZ_KORGOOL, (row, foe), (0, 161 - stones)).position()
            if position.outcome() is None:
                after = kernel.play(position, hole + 1)
                assert after == position.play(hole + 1)
                assert sum(map(sum, after.holes)) + sum(after.stores) == 162


def test_play_refuses() -> None:
    kernel = Kernel(TOGUZ_KORGOOL)
    start = TOGUZ_KORGOOL.start()
    for number in (-1, 0, 10, 300):
        with pytest.raises(ValueError, match=f"there is no hole {number}; holes are numbered 1 to 9"):
            kernel.play(start, number)
    with pytest.raises(ValueError, match="hole 1 is empty"):
        kernel.play(Position.parse("9S,9S,9S,9S,9S,9S,9S,9S,9S/1,9S,9S,9S,9S,9S,9S,9S,9S 9 0 S 1"), 1)
    with pytest.raises(ValueError, match="the game is over"):
        kernel.play(Position.parse("9S,9S,9S,9S,9S,9S,9S,9S,7S/1,1S,1,1,1,1,1,1,1 82 0 S 1"), 2)


def test_positions_that_cannot_be_are_refused() -> None:
    kernel, row = Kernel(TOGUZ_KORGOOL), (9,) * 9
    for position in (
        Position(TOGUZ_KORGOOL, ((256, *row[1:]), row)),
        Position(TOGUZ_KORGOOL, ((-1, *row[1:]), row)),
        Position(TOGUZ_KORGOOL, ((120, *row[1:]), row)),
        Position(TOGUZ_KORGOOL, (row, row), tuz=(9, None)),
        Position(TOGUZ_KORGOOL, ((0, *row[1:]), (0, *row[1:])), tuz=(1, 1)),
        Position(TOGUZ_KORGOOL, (row, row), tuz=(None, 2)),
        MANGALA.start(),
    ):
        with pytest.raises(ValueError, match=r"holds 0 to 255 stones|is no position of|has 9 holes"):
            kernel.perft(position, 1)


def test_rules_that_the_kernel_cannot_play_are_refused() -> None:
    for rules in (replace(MANGALA, holes=10), replace(MANGALA, holes=0), replace(TOGUZ_KORGOOL, stones=15)):
        with pytest.raises(ValueError, match="1 to 9 holes a side and at most 255 stones"):
            Kernel(rules)
