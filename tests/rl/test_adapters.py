"""The adapters pass the checks of the libraries that they are made for, and go by the rules."""

from __future__ import annotations

import subprocess
import sys
import warnings
from random import Random
from typing import Any

import numpy as np
import pytest

from korgool.engine.kernel import pack
from korgool.rules import GAMES, Side

from .reference import FEW, MANY, outcome_of, random_plies, reward

# Warnings that Gymnasium and PettingZoo give for games of their own too.
SPACES = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
LIMIT = 150


def gymnasium() -> Any:
    module = pytest.importorskip("gymnasium", reason="Gymnasium is not installed")
    import korgool.rl  # noqa: F401

    return module


def pettingzoo() -> Any:
    pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
    from korgool.rl import pettingzoo as adapter

    return adapter


def pyspiel() -> Any:
    module = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    import korgool.rl.openspiel  # noqa: F401

    return module


def legal(mask: Any) -> list[int]:
    return [int(action) + 1 for action in np.flatnonzero(mask)]


def follow_gymnasium(name: str, games: int, random: Random) -> None:
    env = gymnasium().make(f"korgool/{name.capitalize()}-v0", max_plies=LIMIT).unwrapped
    for _ in range(games):
        _, info = env.reset()
        for mover, hole, game, outcome in random_plies(GAMES[name], random, LIMIT):
            assert hole in legal(info["action_mask"])
            seen, got, terminated, truncated, info = env.step(hole - 1)
            assert (seen.tobytes(), got) == (pack(game.position), reward(outcome, mover)), game
            assert (terminated, truncated) == (outcome is not None, outcome is None and len(game.moves) == LIMIT), game
            moves = [] if outcome else list(game.position.legal_moves())
            assert (legal(info["action_mask"]), info["turn"]) == (moves, game.position.to_move), game


def follow_pettingzoo(name: str, games: int, random: Random) -> None:
    env = pettingzoo().env(game=name, max_plies=LIMIT)
    for _ in range(games):
        env.reset()
        for mover, hole, game, outcome in random_plies(GAMES[name], random, LIMIT):
            assert env.agent_selection == f"player_{mover:d}", game
            seen = env.observe(env.agent_selection)
            assert legal(seen["action_mask"]) == list(game.positions[-2].legal_moves()), game
            assert seen["observation"].tobytes() == pack(game.positions[-2]), game
            env.step(hole - 1)
            if outcome is not None or len(game.moves) == LIMIT:
                break
        for side in Side:
            assert env.terminations[f"player_{side:d}"] == (outcome is not None), game
            assert env.truncations[f"player_{side:d}"] == (outcome is None), game
            assert env.rewards[f"player_{side:d}"] == reward(outcome, side), game


def follow_openspiel(name: str, games: int, random: Random) -> None:
    loaded = pyspiel().load_game(f"python_korgool(game={name},max_plies={LIMIT})")
    for _ in range(games):
        state = loaded.new_initial_state()
        for mover, hole, game, outcome in random_plies(GAMES[name], random, LIMIT):
            assert state.current_player() == mover, game
            assert [action + 1 for action in state.legal_actions()] == list(game.positions[-2].legal_moves()), game
            state.apply_action(hole - 1)
            assert str(state).split()[:4] == str(game.position).split()[:4], game
            assert state.is_terminal() == (outcome is not None or len(game.moves) == LIMIT), game
        assert state.returns() == [reward(outcome_of(game), side) for side in Side], game


FOLLOW = {"gymnasium": follow_gymnasium, "pettingzoo": follow_pettingzoo, "openspiel": follow_openspiel}


@pytest.mark.parametrize("adapter", FOLLOW)
@pytest.mark.parametrize("name", GAMES)
def test_random_games_go_by_the_rules(adapter: str, name: str) -> None:
    FOLLOW[adapter](name, FEW[name] // 3, Random(f"{adapter} {name}"))


@pytest.mark.long
@pytest.mark.parametrize("adapter", FOLLOW)
@pytest.mark.parametrize("name", GAMES)
def test_ten_thousand_random_games_go_by_the_rules(adapter: str, name: str) -> None:
    FOLLOW[adapter](name, MANY, Random(f"{adapter} {name} whole"))


@pytest.mark.parametrize("name", GAMES)
def test_gymnasium_checks_one_game(name: str) -> None:
    env = gymnasium().make(f"korgool/{name.capitalize()}-v0", render_mode="ansi")
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped, skip_render_check=True)
    assert env.reset(seed=1)[0].shape == (24,)
    assert env.render() == str(GAMES[name].start())
    with pytest.raises(ValueError, match="there is no hole 10"):
        env.unwrapped.step(9)
    env.reset(options={"position": str(GAMES[name].start().play(2))})
    assert str(env.unwrapped.state.position).split()[:4] == str(GAMES[name].start().play(2)).split()[:4]


@pytest.mark.parametrize("name", GAMES)
def test_gymnasium_plays_many_games_at_once(name: str) -> None:
    """A vector of its own, which goes as one of single environments does that begin anew in the same step."""
    gym, random, games = gymnasium(), Random(name), 3
    envs = gym.make_vec(f"korgool/{name.capitalize()}-v0", num_envs=games)
    assert envs.metadata["autoreset_mode"] is gym.vector.AutoresetMode.SAME_STEP
    singles = gym.make_vec(
        f"korgool/{name.capitalize()}-v0", num_envs=games, vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": gym.vector.AutoresetMode.SAME_STEP},
    )  # fmt: skip
    assert envs.action_space == singles.action_space
    assert envs.observation_space == singles.observation_space
    (seen, info), (same, other) = envs.reset(seed=5), singles.reset(seed=5)
    ended = 0
    for _ in range(250):
        assert (seen == same).all()
        assert (info["action_mask"] == other["action_mask"]).all()
        actions = np.array([random.choice(legal(mask)) - 1 for mask in info["action_mask"]])
        seen, *told, info = envs.step(actions)
        same, *tells, other = singles.step(actions)
        for mine, theirs in zip(told, tells, strict=True):
            assert (mine == theirs).all()
            assert mine.dtype == theirs.dtype
        assert ("final_obs" in info) == ("final_obs" in other)
        if "final_obs" in info:
            assert (info["_final_obs"] == other["_final_obs"]).all()
            for row in np.flatnonzero(info["_final_obs"]):
                ended += 1
                assert (info["final_obs"][row] == other["final_obs"][row]).all()
    assert ended > 3
    envs.close()
    with pytest.raises(ValueError, match="the environment is closed"):
        envs.step(actions)


def test_gymnasium_knows_the_games_from_the_import_on() -> None:
    gymnasium()
    code = "import gymnasium, korgool.rl; print(sorted(name for name in gymnasium.registry if name[:7] == 'korgool'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(sorted(f"korgool/{name.capitalize()}-v0" for name in GAMES))


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_checks_the_turns(name: str) -> None:
    adapter = pettingzoo()
    from pettingzoo.test import api_test

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for known in SPACES:
            warnings.filterwarnings("ignore", message=known)
        api_test(adapter.env(game=name, render_mode="ansi"), num_cycles=300)
    env = adapter.env(game=name, render_mode="ansi")
    env.reset(options={"position": str(GAMES[name].start().play(2))})
    assert env.agent_selection == f"player_{GAMES[name].start().play(2).to_move:d}"
    assert env.render().split()[:4] == str(GAMES[name].start().play(2)).split()[:4]


def test_a_turn_stays_in_mangala_with_pettingzoo() -> None:
    env = pettingzoo().env(game="mangala")
    env.reset()
    env.step(3)  # hole 4: the last of its four stones falls into the store
    assert env.agent_selection == "player_0"
    own, other = env.observe("player_0"), env.observe("player_1")
    assert (own["observation"][18], other["observation"][19]) == (1, 1)
    assert (own["action_mask"].sum(), other["action_mask"].sum()) == (6, 0)
    before = own["observation"].tobytes()
    env.step(3)
    assert env.agent_selection == "player_1"
    assert env.observe("player_0")["observation"].tobytes() != before
    with pytest.raises(ValueError, match="there is no hole"):
        env.unwrapped.step(None)


@pytest.mark.parametrize("name", GAMES)
def test_openspiel_simulates(name: str) -> None:
    module = pyspiel()
    game = module.load_game(f"python_korgool(game={name})")
    assert (game.num_distinct_actions(), game.max_game_length()) == (GAMES[name].holes, 400)
    module.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


def test_openspiel_writes_a_playthrough_twice_alike() -> None:
    pyspiel()
    from open_spiel.python.algorithms import generate_playthrough

    first, second = (
        generate_playthrough.playthrough("python_korgool(game=bestemshe,max_plies=9)", None, seed=2) for _ in range(2)
    )
    assert first == second
    assert "Returns() = [0, 0]" in first


def test_openspiel_takes_options() -> None:
    module = pyspiel()
    game = module.load_game("python_korgool(game=mangala,rules=sweep:owner;threefold:0)")
    assert game.first.rules == GAMES["mangala"].with_option("sweep", "owner").with_option("threefold", "0")
    with pytest.raises(ValueError, match="no rule is called 'swept'"):
        module.load_game("python_korgool(rules=swept:owner)")
    state = game.new_initial_state()
    for action in (3, 1, 0):
        state.apply_action(action)
    assert str(state.clone()) == str(state)
    seen = game.make_py_observer()
    seen.set_from(state, 1 - state.current_player())
    other = seen.tensor.copy()
    seen.set_from(state, state.current_player())
    assert (seen.tensor[:8] == other[8:16]).all()
    assert seen.string_from(state, 0) == str(state)
