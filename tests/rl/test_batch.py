"""Many games at once: they go by the rules, begin anew, and refuse without a trace."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from korgool.engine.kernel import pack
from korgool.rl import BatchEnv
from korgool.rl.layout import Array
from korgool.rules import GAMES, MANGALA, TOGUZ_KORGOOL, Game, Position, Rules, Side
from tests.kernel.reference import variations

from .reference import FEW, MANY, outcome_of, reward


def follow(env: BatchEnv, starts: list[Position], games: int) -> dict[str, int]:
    """Play random actions until so many games have ended, and hold every row of every step against the rules."""
    rows = [Game(start) for start in starts]
    counts = {"ended": 0, "repetition": 0, "truncated": 0, "lost by own ply": 0}
    while counts["ended"] < games:
        actions = env.random_actions().copy()
        observations, rewards, terminated, truncated = env.step(actions)
        numbers = env.as_float32(env.positions)
        for row in range(env.n):
            game = rows[row]
            mover = game.position.to_move
            game.play(int(actions[row]) + 1)
            outcome, position = outcome_of(game), game.position
            cut = outcome is None and len(game.moves) >= env.max_plies
            assert (bool(terminated[row]), bool(truncated[row])) == (outcome is not None, cut), game
            assert rewards[row] == reward(outcome, mover), game
            if outcome is not None or cut:
                counts["ended"] += 1
                counts["truncated"] += cut
                counts["repetition"] += outcome is not None and outcome.termination == "repetition"
                counts["lost by own ply"] += rewards[row] < 0
                assert env.final_observations[row].tobytes() == pack(position), game
                assert env.final_turn[row] == position.to_move
                assert tuple(env.final_stores[row]) == (outcome.stores if outcome else position.stores)
                game = rows[row] = Game(starts[row])
                position = game.position
            assert observations[row].tobytes() == pack(position), game
            assert (int(env.turn[row]), int(env.plies[row])) == (position.to_move, len(game.moves))
            assert env.position(row) == position
            assert [hole + 1 for hole in np.flatnonzero(env.legal[row])] == list(position.legal_moves())
            assert numbers[row].tolist() == pytest.approx(as_numbers(position))
    return counts


def as_numbers(position: Position) -> list[float]:
    """A row of float32 in the plainest words."""
    rules, mover = position.rules, position.to_move
    sides = (mover, mover.other)
    stones = [*position.holes[mover], *position.holes[mover.other], *(position.stores[side] for side in sides)]
    tuz = [float(position.tuz[side] == hole) for side in sides for hole in range(1, rules.holes + 1)]
    return [count / rules.total for count in stones] + (tuz if rules.tuz else [])


@pytest.mark.parametrize("name", GAMES)
def test_random_games_go_by_the_rules(name: str) -> None:
    env = BatchEnv(name, n=5, seed=11)
    assert follow(env, [GAMES[name].start()] * 5, FEW[name])["ended"] >= FEW[name]


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_ten_thousand_random_games_go_by_the_rules(name: str) -> None:
    counts = follow(BatchEnv(name, n=64, seed=12), [GAMES[name].start()] * 64, MANY)
    repeated = counts["repetition"]
    assert repeated == 0 if name == "mangala" else repeated >= (name == "bestemshe")


@pytest.mark.parametrize("name", GAMES)
def test_every_option(name: str) -> None:
    for rules in variations(GAMES[name]):
        follow(BatchEnv(rules, n=3, seed=1, max_plies=60), [rules.start()] * 3, 3)


def test_an_endless_game_is_a_draw_at_the_third_time_or_cut_short() -> None:
    """Bestemshe goes round now and then. A limit comes first where it is lower, and an option lets games go on."""
    start = GAMES["bestemshe"].start()
    usual = follow(BatchEnv("bestemshe", n=32, seed=4), [start] * 32, 100)
    assert usual["repetition"] > 0 == usual["truncated"]
    short = follow(BatchEnv("bestemshe", n=8, seed=4, max_plies=40), [start] * 8, 40)
    assert short["truncated"] > 0
    endless = replace(GAMES["bestemshe"], threefold=0)
    counts = follow(BatchEnv("bestemshe", n=32, seed=4, rules={"threefold": 0}), [endless.start()] * 32, 100)
    assert counts["repetition"] == 0


def test_a_reward_is_that_of_the_side_that_made_the_ply() -> None:
    """White empties Black's side, and all that is left goes to Black, whose side is empty (WNG-M §III.4)."""
    position = Position.parse("5,1S/1S,10S,10S,10S,6S,1S 0 9 N 1", MANGALA)
    env = BatchEnv("mangala", n=1, positions=position)
    _, rewards, terminated, _ = env.step([0])
    assert terminated[0]
    after = position.play(1).outcome()
    assert after is not None
    assert rewards[0] == reward(after, Side.BLACK)


def test_a_turn_that_stays() -> None:
    env = BatchEnv("mangala", n=2)
    env.step([3, 0])  # hole 4 holds four stones: the last one falls into the store
    assert env.turn.tolist() == [0, 1]


def test_seeds_decide_everything_whatever_the_size() -> None:
    def played(n: int, seed: int) -> list[list[int]]:
        env = BatchEnv("toguz", n=n, seed=seed)
        found = []
        for _ in range(150):
            actions = env.random_actions()
            found.append(actions[:3].tolist())
            env.step(actions)
        return found

    assert played(3, 7) == played(3, 7) == played(50, 7)
    assert played(3, 7) != played(3, 8)
    env = BatchEnv("toguz", n=3, seed=8)
    env.reset(seed=7)
    assert [env.random_actions().tolist()] == played(3, 7)[:1]


def test_each_legal_action_is_as_likely() -> None:
    position = Position.parse("9S,9S,9S,9S,9S,9S,9S,9S,9S/1,9S,1,9S,4,9S 30 24 S 1", TOGUZ_KORGOOL)
    env = BatchEnv("toguz", n=30_000, seed=5, positions=position)
    counts = np.bincount(env.random_actions(), minlength=9)
    assert counts[[0, 2, 4, 5, 6, 7]].sum() == 0
    assert (abs(counts[[1, 3, 8]] - 10_000) < 400).all()


def test_without_auto_reset_a_game_stays_over() -> None:
    near = Position.parse("8,1S/8,1S 80 80 S 1", TOGUZ_KORGOOL)
    far = TOGUZ_KORGOOL.start()
    env = BatchEnv("toguz", n=2, auto_reset=False, positions=[near, far])
    observations, rewards, terminated, _ = env.step([8, 0])
    ended = observations[0].copy()
    assert (terminated.tolist(), env.legal[0].tolist()) == ([True, False], [False] * 9)
    assert env.random_actions()[0] == -1
    assert rewards[0] == reward(near.play(9).outcome(), Side.WHITE) == 1
    for wrong in ([0, 0], [8, 0], [-2, 0]):
        with pytest.raises(ValueError, match=r"game 0 .* the game is over; it takes -1 until it is reset"):
            env.step(wrong)
    _, rewards, terminated, _ = env.step([-1, 3])
    assert (rewards.tolist(), terminated.tolist(), env.plies.tolist()) == ([0, 0], [False, False], [1, 2])
    assert (env.observations[0] == ended).all()
    env.reset(where=np.array([True, False]))
    assert (env.plies.tolist(), env.legal[0].tolist()) == ([0, 2], [False] * 8 + [True])
    assert env.position(0) == near


def test_positions_may_be_taken_from_another_environment() -> None:
    """As a search does that tries every move of many positions at once."""
    env = BatchEnv("toguz", n=4, seed=3)
    for _ in range(21):
        env.step(env.random_actions())
    wide = BatchEnv("toguz", n=36, auto_reset=False)
    wide.reset(positions=np.repeat(env.observations, 9, 0), turn=np.repeat(env.turn, 9))
    actions = np.tile(np.arange(9), 4)
    legal = env.legal.reshape(-1)
    wide.step(np.where(legal, actions, np.repeat(env.legal.argmax(1), 9)))
    for row in map(int, np.flatnonzero(legal)):
        assert wide.position(row) == env.position(row // 9).play(int(actions[row]) + 1)


def test_float32_on_request() -> None:
    env = BatchEnv("castle", n=6, seed=2, observations="float32")
    assert (env.observations.shape, str(env.observations.dtype), env.width) == ((6, 26), "float32", 26)
    for _ in range(30):
        observations, *_ = env.step(env.random_actions())
    assert observations is env.observations
    assert observations.tolist() == [pytest.approx(as_numbers(env.position(row))) for row in range(6)]
    out: Array = np.zeros((6, 26), np.float32)
    assert env.as_float32(env.positions, out) is out
    assert (out == observations).all()
    widths = {name: BatchEnv(name, n=1).width for name in GAMES}
    assert widths == {"toguz": 38, "mangala": 14, "castle": 26, "bestemshe": 12}


@pytest.mark.parametrize("rules", [replace(TOGUZ_KORGOOL, holes=1, stones=5, goal=0, tuz=False), MANGALA], ids=str)
def test_boards_of_any_size(rules: Rules) -> None:
    follow(BatchEnv(rules, n=2, seed=1), [rules.start()] * 2, 4)


def test_random_setups_too() -> None:
    from tests.kernel.reference import random_setup

    random, starts = Random(9), list[Position]()
    while len(starts) < 30:
        position = random_setup(TOGUZ_KORGOOL, random)
        if position.outcome() is None and sum(map(sum, position.holes)) + sum(position.stores) == 162:
            starts.append(position)
    starts = [replace(start, fullmove=1) for start in starts]
    follow(BatchEnv("toguz", n=30, seed=1, positions=starts), starts, 60)
