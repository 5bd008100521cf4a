"""The levels: what they pick, that they are repeatable, and that each is stronger than the one below it."""

from __future__ import annotations

import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from korgool.engine.levels import (
    NUMBERS,
    Level,
    choose,
    levels_of,
    limits_of,
    of_number,
    pick,
)
from korgool.engine.limits import Limits
from korgool.engine.search import Engine, Line
from korgool.rules import GAMES, TOGUZ_KORGOOL, Game, Position, Rules, Side
from tests.patience import PATIENCE
from tests.slices import drawn

LONGEST_GAME = 400


def line(move: int, evaluation: float) -> Line:
    return Line(move, evaluation, 0.4, 0.2, 0.4, False, 1, (move,))


def match(rules: Rules, strong: int, weak: int, games: int, seconds: float | None = None) -> tuple[float, float]:
    """Points of the stronger level, and its mean store difference, over games from random openings with both sides."""
    points, difference = 0.0, 0
    # A weak level clears its table before every move.
    engines = {level: Engine(rules, table_mib=16 if level == 8 else 1) for level in (strong, weak)}
    for number in range(games):
        random = Random(number // 2)
        game = Game(rules)
        for _ in range(2):
            game.play(random.choice(game.position.legal_moves()))
        seats = (strong, weak) if number % 2 == 0 else (weak, strong)
        while game.outcome() is None and len(game.moves) < LONGEST_GAME:
            if any(claim.reason == "threefold" for claim in game.claims()):
                break
            level = seats[game.position.to_move]
            time = seconds if level == 8 else None
            history = game.positions[:-1]
            chosen = choose(engines[level], game.position, level, history=history, seconds=time, random=random)
            game.play(chosen.move)
        outcome = game.outcome()
        side = Side(number % 2)
        stores = game.position.stores if outcome is None else outcome.stores
        points += 0.5 if outcome is None or outcome.winner is None else float(outcome.winner is side)
        difference += stores[side] - stores[side.other]
    return points, difference / games


def test_there_are_eight_numbered_from_one() -> None:
    for rules in GAMES.values():
        levels = levels_of(rules)
        assert [level.number for level in levels] == list(NUMBERS) == list(range(1, 9))
        assert of_number(3, rules) is levels[2]
        for number in (0, 9, -1):
            with pytest.raises(ValueError, match=f"no strength {number}; levels are 1 to 8, ratings in"):
                of_number(number, rules)


@pytest.mark.parametrize("name", GAMES)
def test_every_level_sees_no_less_and_picks_less_freely(name: str) -> None:
    levels = levels_of(GAMES[name])
    for weaker, stronger in pairwise(levels[:6]):
        assert (weaker.depth or 0) <= (stronger.depth or 0)
        assert weaker.spread > stronger.spread > 0
        assert weaker.loss > stronger.loss > 0
    assert not any(level.spread or level.loss for level in levels[6:])


@pytest.mark.parametrize("name", GAMES)
def test_the_manual_tells_the_levels_as_they_are(name: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "levels.md").read_text(encoding="utf-8")
    stones = GAMES[name].total
    for level in levels_of(GAMES[name])[:7]:
        sees = str(level.depth) if level.depth else f"{level.nodes:,} positions"
        free = f"{stones * level.spread:.1f} | {stones * level.loss:.1f}" if level.spread else "– | –"
        told = f"| {level.number} | {sees} | {free} |"
        assert told in page, told


@pytest.mark.parametrize("name", GAMES)
def test_only_the_highest_takes_time(name: str) -> None:
    levels = levels_of(GAMES[name])
    assert limits_of(levels[7]) == Limits(seconds=1.0)
    assert limits_of(levels[7], 0.2) == Limits(seconds=0.2)
    assert all(limits_of(level).seconds is None for level in levels[:7])
    assert limits_of(levels[0], 0.2) == Limits(seconds=0.2, depth=1)


def test_a_pick_is_near_the_best_and_the_nearer_the_likelier() -> None:
    level = Level(1, depth=1, spread=0.05, loss=0.1)
    lines = [line(1, 10.0), line(2, 8.0), line(3, 0.0), line(4, -10.0)]
    random = Random(1)
    seen = Counter(pick(lines, level, 162, random).move for _ in range(2000))
    assert seen[1] > seen[2] > seen[3] > 0
    assert 4 not in seen
    assert pick(lines, of_number(8, TOGUZ_KORGOOL), 162, random) is lines[0]


def test_no_level_gives_away_the_game_for_nothing() -> None:
    """A move that looks worse by a quarter of the stones is never picked, by any level."""
    for rules in GAMES.values():
        lines = [line(1, 5.0), line(2, 5.0 - 0.25 * rules.total)]
        for level in levels_of(rules):
            assert all(pick(lines, level, rules.total, Random(seed)).move == 1 for seed in range(200))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("number", range(1, 8))
def test_the_same_seed_picks_the_same_moves(name: str, number: int) -> None:
    def moves(engine: Engine) -> list[int]:
        game, random = Game(GAMES[name]), Random(5)
        for _ in range(5):
            game.play(choose(engine, game.position, number, random=random).move)
        return list(game.moves)

    engine = Engine(GAMES[name], table_mib=1)
    assert moves(engine) == moves(engine) == moves(Engine(GAMES[name], table_mib=1))


def test_weak_levels_vary() -> None:
    engine = Engine(TOGUZ_KORGOOL, table_mib=1)
    start = TOGUZ_KORGOOL.start()
    assert len({choose(engine, start, 1, random=Random(seed)).move for seed in range(40)}) > 2


def test_a_single_move_needs_no_thought() -> None:
    position = Position.parse("1,1S,7/8,2S 79 80 S 60")
    chosen = choose(Engine(TOGUZ_KORGOOL), position, 8, seconds=2 * PATIENCE)
    assert (chosen.move, chosen.line.move) == (9, 9)
    assert chosen.analysis.seconds < PATIENCE


def test_a_finished_game_has_nothing_to_choose() -> None:
    with pytest.raises(ValueError, match="the game is over"):
        choose(Engine(TOGUZ_KORGOOL), Position.parse("9/8,1S 79 82 S 70"), 3)


def test_the_highest_level_keeps_to_its_time() -> None:
    used = time.process_time()
    chosen = choose(Engine(TOGUZ_KORGOOL), TOGUZ_KORGOOL.start(), 8, seconds=0.1)
    assert chosen.analysis.seconds > 0.02
    assert time.process_time() - used < 0.4  # of this process: what others run beside it does not count


@pytest.mark.parametrize("name", drawn("eight beats one", GAMES, 2))
def test_eight_beats_one(name: str) -> None:
    points, difference = match(GAMES[name], 8, 1, 6, seconds=0.01)
    assert points >= 5
    assert difference > 0.15 * GAMES[name].total


def test_level_one_is_truly_weak_and_yet_no_dice() -> None:
    """Three plies of foresight beat it nearly always, in every game. It beats blind chance."""
    for rules in GAMES.values():
        points, _ = match(rules, 3, 1, 10)
        assert points >= 8, rules.name
    assert _against_chance(TOGUZ_KORGOOL, 20) > 10


def _against_chance(rules: Rules, games: int) -> float:
    points: float = 0
    engine = Engine(rules, table_mib=1)
    for number in range(games):
        random, game, side = Random(number), Game(rules), Side(number % 2)
        while game.outcome() is None and len(game.moves) < LONGEST_GAME:
            own = game.position.to_move is side
            legal = game.position.legal_moves()
            game.play(choose(engine, game.position, 1, random=random).move if own else random.choice(legal))
        outcome: Any = game.outcome()
        points += 0.5 if outcome is None or outcome.winner is None else float(outcome.winner is side)
    return points


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("number", range(1, 8))
def test_each_level_beats_the_one_below(name: str, number: int) -> None:
    games = 24
    points, difference = match(GAMES[name], number + 1, number, games, seconds=0.2)
    assert points > games / 2, (points, difference)
