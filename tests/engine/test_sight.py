"""Strength by rating: what a player who overlooks sees and picks, and the settings of each game."""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.engine.arena import LevelOpponent, Series, level_openings, run_series
from korgool.engine.arena.clock import Standing
from korgool.engine.arena.opponents import Opponent
from korgool.engine.levels import NUMBERS, Level, choose, is_rating, nearest, of_number, ratings_of
from korgool.engine.limits import Limits
from korgool.engine.ratings import STRENGTHS
from korgool.engine.search import Engine, Line
from korgool.engine.sight import best_seen, lines_seen, plies_seen
from korgool.rules import GAMES, TOGUZ_KORGOOL, Game, Rules
from tests.slices import drawn

MANUAL = (Path(__file__).parents[2] / "docs" / "levels.md").read_text(encoding="utf-8")


def line(move: int, evaluation: float, depth: int = 1, win: float = 0.5) -> Line:
    return Line(move, evaluation, win, 0.0, 1 - win, False, depth, (move,))


@given(st.floats(0, 1, exclude_max=True), st.integers(1, 80), st.floats(0.01, 0.99))
def test_a_longer_sowing_and_a_shorter_sight_show_no_more(chance: float, stones: int, sight: float) -> None:
    seen = plies_seen(chance, stones, 9, sight)
    assert seen >= 0
    assert plies_seen(chance, stones + 1, 9, sight) <= seen
    assert plies_seen(chance, stones, 9, sight * 0.9) <= seen
    assert plies_seen(max(chance, min(chance * 1.1, 0.999999)), stones, 9, sight) >= seen


@pytest.mark.parametrize(("stones", "sight"), [(9, 0.6), (1, 0.3), (20, 0.9)])
def test_each_ply_is_seen_as_often_as_sight_says(stones: int, sight: float) -> None:
    random, draws = Random(1), 20_000
    seen = [plies_seen(random.random(), stones, 9, sight) for _ in range(draws)]
    for plies in (1, 2, 3):
        expected = sight ** (stones / 9 + plies - 1)
        assert abs(sum(one >= plies for one in seen) / draws - expected) < 0.015


def test_a_move_looks_as_far_as_it_is_followed() -> None:
    depths = [[line(1, 5.0), line(2, 3.0), line(3, 9.0)], [line(1, -4.0, 2), line(2, 4.0, 2), line(3, 0.0, 2)]]
    seen = {one.move: one.evaluation for one in lines_seen(depths, {1: 1, 2: 7, 3: 0})}
    assert seen == {1: 5.0, 2: 4.0}
    # A proven line tells a greater depth at once; it is all that there is to be seen of the move.
    assert lines_seen([[line(1, 2.0, 30)]], {1: 1}) == [line(1, 2.0, 30)]


def test_the_best_that_is_seen_is_picked_and_equals_by_lot() -> None:
    lines = [line(3, 2.0), line(1, 2.0), line(2, -1.0)]
    assert {best_seen(lines, lines, chance).move for chance in (0.0, 0.3, 0.7, 0.999)} == {1, 3}
    assert {best_seen([], lines, chance).move for chance in (0.0, 0.5, 0.999)} == {1, 2, 3}
    assert best_seen([line(1, 40.0), line(2, 1.0, win=1.0)], lines, 0.5).move == 2
    assert best_seen([line(1, -1.0, win=0.0), line(2, -40.0)], lines, 0.5).move == 2


@pytest.mark.parametrize("name", GAMES)
def test_settings_rise_with_the_rating(name: str) -> None:
    rules = GAMES[name]
    ratings = ratings_of(rules)
    assert len(ratings) > 900
    before = of_number(ratings[0], rules)
    for rating in ratings[1:]:
        level = of_number(rating, rules)
        assert level.number == rating
        assert 0 < before.sight <= level.sight <= 1
        if before.sight == level.sight == 1:
            assert (before.nodes or 0) <= (level.nodes or 0)
        before = level
    assert before.sight == 1


@pytest.mark.parametrize("name", GAMES)
def test_a_rating_beyond_the_game_is_refused_with_the_range(name: str) -> None:
    ratings = ratings_of(GAMES[name])
    for number in (0, -5, 9, 50, ratings[0] - 1, ratings[-1] + 1, 10**9):
        with pytest.raises(ValueError, match=f"ratings in .* {ratings[0]} to {ratings[-1]}"):
            of_number(number, GAMES[name])
        expected = number if not is_rating(number) else max(ratings[0], min(ratings[-1], number))
        assert nearest(number, GAMES[name]) == expected
    assert not any(is_rating(number) for number in NUMBERS)


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_picks_the_same_moves(name: str) -> None:
    ratings = ratings_of(GAMES[name])
    engine = Engine(GAMES[name], table_mib=1)

    def moves(rating: int, seed: int) -> list[int]:
        game, random = Game(GAMES[name]), Random(seed)
        for _ in range(6):
            game.play(choose(engine, game.position, rating, history=game.positions[:-1], random=random).move)
        return list(game.moves)

    for rating in (ratings[0], ratings[len(ratings) // 3], ratings[len(ratings) // 2]):
        assert moves(rating, 5) == moves(rating, 5)
    assert len({tuple(moves(ratings[0], seed)) for seed in range(8)}) > 4


def test_whoever_sees_all_plays_the_best_move_and_whoever_sees_nothing_any() -> None:
    rules, engine = TOGUZ_KORGOOL, Engine(TOGUZ_KORGOOL, table_mib=1)
    start = rules.start()
    keen = choose(engine, start, Level(0, nodes=3_000, sight=1 - 1e-12), random=Random(1))
    engine.clear()
    assert keen.move == engine.analyse(start, Limits(nodes=3_000), lines=9).move
    blind = {choose(engine, start, Level(0, nodes=3_000, sight=1e-9), random=Random(seed)).move for seed in range(80)}
    assert blind == set(start.legal_moves())


def points(rules: Rules, rating: int, other: Opponent, games: int) -> float:
    """What a rating makes of the points."""
    openings = list(level_openings(rules, games // 2, seed=3))
    make = partial(LevelOpponent, rules, rating, seed=4, table_mib=1)
    *_, (tally, _, _) = run_series(Series(rules, make, lambda: other, openings, Limits(nodes=1)))
    return tally.fraction


class Lot:
    """A mover by lot."""

    name = "lot"

    def __init__(self, *, greedy: bool) -> None:
        self._random, self._greedy = Random(7), greedy

    def new_game(self, number: int = 0) -> None:
        """It remembers nothing."""

    def choose(self, game: Game, limits: Limits, clock: Standing | None = None) -> int:
        """Any move, or one that takes the most."""
        position = game.position
        moves = position.legal_moves()
        taken = {move: position.sow(move).after.stores[position.to_move] * self._greedy for move in moves}
        return self._random.choice([move for move in moves if taken[move] == max(taken.values())])

    def close(self) -> None:
        """Nothing is to be left."""


def test_a_mover_by_lot_wins_now_and_then_and_a_greedy_one_mostly() -> None:
    """A quarter of the points for chance, with room for the lot of 40 games; the greedy player is far above."""
    lowest = ratings_of(TOGUZ_KORGOOL)[0]
    assert 0.62 < points(TOGUZ_KORGOOL, lowest, Lot(greedy=False), 40) < 0.88
    assert points(TOGUZ_KORGOOL, lowest, Lot(greedy=True), 16) < 0.3


@pytest.mark.parametrize("name", drawn("300 points", GAMES))
def test_300_points_more_are_felt(name: str) -> None:
    rules = GAMES[name]
    low = ratings_of(rules)[0] + 200
    weaker = LevelOpponent(rules, low, seed=1, table_mib=1)
    assert points(rules, low + 300, weaker, 40) > 0.66


@pytest.mark.parametrize("name", [name for name in GAMES if f"rating, {GAMES[name].title.lower()}:" in MANUAL])
def test_the_manual_tells_the_settings_as_they_are(name: str) -> None:
    heading = f"Settings by rating, {GAMES[name].title.lower()}:\n\n"
    table = MANUAL.split(heading, 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    told = [tuple(re.sub(r"[ ,]", "", row).strip("|").split("|")) for row in table]
    assert told == [(str(rating), f"{sight:g}", str(nodes)) for rating, sight, nodes in STRENGTHS[name]]


def test_the_manual_tells_the_settings_of_games_that_were_measured() -> None:
    assert MANUAL.count("\nSettings by rating, ") >= 4


def test_a_table_of_settings_has_no_gap() -> None:
    for knots in STRENGTHS.values():
        assert all(low[0] < high[0] for low, high in pairwise(knots))
        assert all(low[1] <= high[1] for low, high in pairwise(knots))
