"""Endings of games with cycles, against a naive solver that goes another way, and what endless play is worth."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest

from korgool.engine.solving import BeyondLimitsError, Solver
from korgool.engine.solving.graph import ENDLESS, Graph, settled
from korgool.engine.tables import build
from korgool.rules import BESTEMSHE, MANGALA_CASTLE, TOGUZ_KORGOOL, Position, Rules, Side

from .naive_endings import values
from .naive_mangala import rows
from .positions import laid, played

GAMES = [BESTEMSHE, MANGALA_CASTLE, TOGUZ_KORGOOL]


def compare(solver: Solver, position: Position) -> int:
    """One position and its moves; answers its value."""
    expected = values(position)
    sign = 1 if position.to_move is Side.WHITE else -1
    solution = solver.solve(position)
    open_position = replace(position, rules=replace(position.rules, goal=0))
    assert solution.difference == sign * expected[open_position], position
    assert solution.moves == {
        move: sign * expected[open_position.play(move)] for move in open_position.legal_moves()
    }, position
    return solution.difference


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_random_endings(rules: Rules) -> None:
    random, solver = Random(8), Solver(rules, memory=32 << 20)
    for _ in range(60):
        compare(solver, laid(rules, random.randint(1, 4), random))
    for _ in range(6):
        compare(solver, played(rules, 5, random))


@pytest.mark.long
@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_many_random_endings(rules: Rules) -> None:
    random, solver = Random(9), Solver(rules, memory=64 << 20)
    for _ in range(600):
        compare(solver, laid(rules, random.randint(1, 6), random))


@pytest.mark.parametrize(
    "rule", ["sweep=nobody", "sweep=emptied", "ending=side_empty", "tuz_takes=no", "tuz_last_hole=yes", "goal=0"]
)
def test_endings_with_other_options(rule: str) -> None:
    random = Random(10)
    rules = TOGUZ_KORGOOL.with_option(*rule.split("="))
    solver = Solver(rules, memory=32 << 20)
    for _ in range(25):
        compare(solver, laid(rules, random.randint(1, 3), random))


def all_positions(rules: Rules, stones: int) -> list[Position]:
    """Every position of so many stones without tuz, White to move, with even stores or nearly."""
    found = []
    for own in range(stones + 1):
        rest = rules.total - stones
        for mine, his in product(rows(own, rules.holes), rows(stones - own, rules.holes)):
            found.append(Position(rules, (mine, his), (rest // 2, rest - rest // 2)))
    return found


@pytest.mark.parametrize(("rules", "stones"), [(BESTEMSHE, 2), (MANGALA_CASTLE, 2), (TOGUZ_KORGOOL, 1)])
def test_every_ending_of_few_stones(rules: Rules, stones: int) -> None:
    solver = Solver(rules, memory=32 << 20)
    for position in all_positions(rules, stones):
        compare(solver, position)


def plain_bounds(rules: Rules, stones: int) -> int:
    """Every position without regard to stores: the two values satisfy their equations, and the start of a game is one
    of many: all layers are listed together in one graph."""
    graph = Graph(rules, 1 << 30)
    count = 0
    for position in all_positions(rules, stones):
        if graph.bounds(position) is None:
            assert graph.value(position)
        found = graph.bounds(position)
        assert found is not None
        if position.outcome() is None or not replace(rules, goal=0).goal:
            open_position = replace(position, rules=replace(rules, goal=0))
            if not open_position.legal_moves():
                continue
            lower = upper = -ENDLESS
            for move in open_position.legal_moves():
                child = open_position.play(move)
                gain = (child.stores[0] - child.stores[1]) - (open_position.stores[0] - open_position.stores[1])
                low, high = graph.bounds(child) or (-ENDLESS, ENDLESS)
                if child.to_move is Side.BLACK:
                    low, high = -high, -low
                lower = max(lower, low if abs(low) >= ENDLESS else gain + low)
                upper = max(upper, high if abs(high) >= ENDLESS else gain + high)
            assert (lower, upper) == found, position
            count += 1
    return count


@pytest.mark.long
@pytest.mark.parametrize(("rules", "stones"), [(BESTEMSHE, 6), (MANGALA_CASTLE, 5), (TOGUZ_KORGOOL, 4)])
def test_every_position_satisfies_its_equation(rules: Rules, stones: int) -> None:
    assert plain_bounds(rules, stones) > 1000


@pytest.mark.parametrize(("rules", "matters"), [(BESTEMSHE, True), (MANGALA_CASTLE, False)])
def test_endless_play_is_a_draw_for_who_would_lose(rules: Rules, matters: bool) -> None:
    """Where somebody can circle, and would lose otherwise, he does. With the castle rule it helps nobody here, although
    positions can recur: a side that is empty ends the set."""
    graph, found = Graph(rules, 32 << 20), list[int]()
    for stones in (2, 3):
        for position in all_positions(rules, stones):
            bounds = graph.bounds(position)
            if bounds is None:
                assert graph.value(position)
                bounds = graph.bounds(position)
            assert bounds is not None
            lower, upper = bounds
            rest = rules.total - stones
            for ahead in range(-rest, rest + 1, 2):
                if lower != upper and lower + ahead < 0 < upper + ahead:
                    stores = (rest + ahead) // 2, (rest - ahead) // 2
                    unequal = replace(position, stores=stores)
                    solution = Solver(rules, memory=32 << 20).solve(unequal)
                    assert solution.endless
                    assert compare(Solver(rules, memory=32 << 20), unequal) == 0
                    found.append(stones)
                    break
    assert bool(found) is matters


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_endgame_tables_shorten_the_listing_and_change_nothing(rules: Rules, tmp_path: Path) -> None:
    random = Random(19)
    tables = build(rules, 3, folder=tmp_path, odd=True)
    plain, helped = Solver(rules, memory=32 << 20), Solver(rules, memory=32 << 20, tables=tables)
    shorter = 0
    for _ in range(25):
        position = laid(rules, random.randint(3, 6), random)
        alone, together = plain.solve(position), helped.solve(position)
        assert (alone.difference, alone.moves) == (together.difference, together.moves), position
        shorter += together.positions < alone.positions
    assert shorter > 5


@pytest.mark.parametrize(
    ("lower", "upper", "stores", "value"),
    [
        (3, 3, 4, 7),
        (-5, -5, 2, -3),
        (-ENDLESS, ENDLESS, 9, 0),
        (2, ENDLESS, 1, 3),
        (2, ENDLESS, -5, 0),
        (-8, -2, -1, -3),
    ],
)
def test_what_endless_play_is_worth(lower: int, upper: int, stores: int, value: int) -> None:
    assert settled(lower, upper, stores) == value
    assert settled(-upper, -lower, -stores) == -value


def test_goals_are_played_over() -> None:
    """A store of 82 ends the game at the table, yet the difference is that of the game played out."""
    position = Position.parse("2S,8/8,2S 82 76 S 90", TOGUZ_KORGOOL)
    assert position.outcome() is not None
    solution = Solver(TOGUZ_KORGOOL, memory=32 << 20).solve(position)
    assert list(solution.moves) == [9]
    assert solution.difference == compare(Solver(TOGUZ_KORGOOL, memory=32 << 20), position)


def test_what_does_not_fit_is_refused() -> None:
    solver = Solver(TOGUZ_KORGOOL, memory=16 << 20)
    with pytest.raises(BeyondLimitsError, match="memory of 16 MiB was full"):
        solver.solve(TOGUZ_KORGOOL.start())
    with pytest.raises(BeyondLimitsError, match="the time was over"):
        Solver(TOGUZ_KORGOOL).solve(TOGUZ_KORGOOL.start(), seconds=0.05)
    with pytest.raises(ValueError, match="with other options"):
        solver.solve(BESTEMSHE.start())
    with pytest.raises(ValueError, match="needs 16 MiB"):
        Solver(TOGUZ_KORGOOL, memory=1 << 20)
