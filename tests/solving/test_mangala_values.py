"""Values of mangala against a naive solver written apart, with every option under which the game has no cycles."""

from __future__ import annotations

from random import Random

import pytest

from korgool.engine.solving import MangalaTable, NotAcyclicError, Solver
from korgool.engine.solving.mangala_table import bytes_of
from korgool.engine.solving.search import Searcher
from korgool.rules import MANGALA, MANGALA_CASTLE, TOGUZ_KORGOOL, Position, Rules, Side

from .naive_mangala import Naive, rows
from .positions import laid, played

OPTIONS = [("emptied", "yes"), ("owner", "yes"), ("emptied", "no"), ("owner", "no")]


def rules_of(sweep: str, single: str) -> Rules:
    return MANGALA.with_option("sweep", sweep).with_option("extra_turn_single", single)


def naive_of(rules: Rules) -> Naive:
    return Naive(rules.sweep == "emptied", rules.extra_turn_single)


def compare_all(rules: Rules, stones: int, table_stones: int) -> int:
    """Every position with so many stones: by the table alone, and by the search above a smaller table."""
    whole, small = MangalaTable(rules, stones), MangalaTable(rules, stones)
    whole.grow(stones)
    small.grow(table_stones)
    searcher, naive, count = Searcher(small, 1 << 20), naive_of(rules), 0
    for total in range(stones + 1):
        for own_stones in range(total + 1):
            for own in rows(own_stones):
                for other in rows(total - own_stones):
                    position = Position(rules, (own, other))
                    expected = naive.value(own, other)
                    assert whole.value(position) == expected, position
                    if total > table_stones:
                        assert searcher.value(position) == expected, position
                    count += 1
    assert count == bytes_of(stones)
    return count


@pytest.mark.parametrize(("sweep", "single"), OPTIONS)
def test_every_position_with_few_stones(sweep: str, single: str) -> None:
    assert compare_all(rules_of(sweep, single), 4, 2) == 1820


@pytest.mark.long
@pytest.mark.parametrize(("sweep", "single"), OPTIONS)
def test_every_position_with_8_stones(sweep: str, single: str) -> None:
    assert compare_all(rules_of(sweep, single), 8, 4) == 125_970


def compare_random(rules: Rules, count: int, seed: int) -> None:
    random, naive = Random(seed), naive_of(rules)
    solver = Solver(rules, memory=32 << 20, book=False)
    for _ in range(count):
        position = laid(rules, random.randint(5, 12), random)
        own, other = position.holes[position.to_move], position.holes[position.to_move.other]
        stores = position.stores[position.to_move] - position.stores[position.to_move.other]
        solution = solver.solve(position)
        assert solution.difference == stores + naive.value(own, other), position
        assert solution.moves == {move: stores + worth for move, worth in naive.moves(own, other).items()}, position
        assert solver.difference(position) == solution.difference


@pytest.mark.parametrize(("sweep", "single"), OPTIONS)
def test_random_positions_up_to_12_stones(sweep: str, single: str) -> None:
    compare_random(rules_of(sweep, single), 30, 1)


@pytest.mark.long
@pytest.mark.parametrize(("sweep", "single"), OPTIONS)
def test_ten_thousand_positions_up_to_12_stones(sweep: str, single: str) -> None:
    compare_random(rules_of(sweep, single), 10_000, 2)


@pytest.mark.parametrize("option", ["extra_turn=no", "empty_capture=no", "ending=no_move", "sweep=nobody", "goal=25"])
def test_other_options_agree_with_the_listing_of_endings(option: str) -> None:
    """The naive solver knows them not; the table and the listing of all positions are two ways of our own."""
    from korgool.engine.solving.graph import Graph

    rules, random = MANGALA.with_option(*option.split("=")), Random(3)
    table = MangalaTable(rules, 8)
    table.grow(8)
    for _ in range(60):
        position = laid(rules, random.randint(1, 8), random)
        graph = Graph(rules, 1 << 24)
        assert graph.value(position)
        assert graph.bounds(position) == (table.value(position),) * 2, position


def test_search_far_above_its_table_agrees_with_a_larger_one() -> None:
    large, small, random = MangalaTable(MANGALA, 14), MangalaTable(MANGALA, 14), Random(4)
    large.grow(14, workers=2)
    small.grow(5)
    searcher = Searcher(small, 1 << 20)
    for _ in range(150):
        position = large.position_at(random.randrange(bytes_of(13), bytes_of(14)))
        value = large.value(position)
        assert searcher.value(position) == value
        assert searcher.known(position) == (value, value)
        assert searcher.test(position, value) >= value
        assert searcher.test(position, value + 1) <= value


def test_threads_share_one_search_table() -> None:
    from concurrent.futures import ThreadPoolExecutor

    table, random = MangalaTable(MANGALA, 10), Random(5)
    table.grow(10)
    first = Searcher(table, 1 << 20)
    second = Searcher(table, shared=first)
    positions = [played(MANGALA, 26, random) for _ in range(12)]
    alone = [Searcher(table, 1 << 20).value(position) for position in positions]
    with ThreadPoolExecutor(2) as pool:
        both = pool.map(lambda searcher: [searcher.value(position) for position in positions], (first, second))
        assert list(both) == [alone, alone]


def test_numbers_name_every_position_once() -> None:
    table = MangalaTable(MANGALA, 4)
    table.grow(4)
    assert {table.position_at(at).holes for at in range(bytes_of(4))} == {
        (own, other) for n in range(5) for a in range(n + 1) for own in rows(a) for other in rows(n - a)
    }
    random, keys = Random(6), set[int]()
    for _ in range(500):
        position = laid(MANGALA, random.randint(0, 48), random)
        key = table.key(position)
        mover = position.to_move
        assert key < 1 << 50
        assert table.position_of(key).holes == (position.holes[mover], position.holes[mover.other])
        keys.add(key)
    assert len(keys) > 450


def test_a_table_grows_and_says_what_it_lacks() -> None:
    table = MangalaTable(MANGALA, 6)
    position = Position(MANGALA, ((1, 0, 0, 1, 0, 1), (0, 1, 0, 0, 1, 0)), (43, 0))
    with pytest.raises(ValueError, match="at most -1 stones, this one has 5"):
        table.value(position)
    assert not table.grow(6, stopped=lambda: table.stones >= 3)
    assert 3 <= table.stones < 6
    told = list[int]()
    assert table.grow(6, workers=2, on_part=told.append)
    assert told[-1] == bytes_of(6) - bytes_of(3)
    fresh = MangalaTable(MANGALA, 6)
    fresh.grow(6)
    assert [table.at(at) for at in range(bytes_of(6))] == [fresh.at(at) for at in range(bytes_of(6))]
    with pytest.raises(ValueError, match="room for 6 stones"):
        table.grow(7)


@pytest.mark.parametrize("rules", [MANGALA_CASTLE, TOGUZ_KORGOOL, MANGALA.with_option("store_sown", "no")])
def test_games_with_cycles_get_no_table(rules: Rules) -> None:
    with pytest.raises(NotAcyclicError):
        MangalaTable(rules, 4)


def test_both_sides_are_alike() -> None:
    solver, random = Solver(MANGALA, memory=32 << 20, book=False), Random(7)
    for _ in range(20):
        white = laid(MANGALA, 9, random)
        black = Position(MANGALA, white.holes[::-1], white.stores[::-1], (None, None), Side(1 - white.to_move))
        assert solver.solve(white).moves == solver.solve(black).moves
