"""Steps of environments a processor second: `python benchmarks/environments.py [--games N]`, about a minute.

Everything plays at random and is measured in processor seconds of this process, the candidates in turn, so that a busy
machine slows them alike; a row shows the median and the range of the rounds. Korgool's batches stand beside OpenSpiel's
mancala (rollouts in C++, and a state from Python), PettingZoo's connect four and pgx's connect four on a CPU, each
where it is installed: `pip install '.[rl]' gymnasium 'pettingzoo[classic]' open_spiel pgx`.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from korgool.rl import BatchEnv, State
from korgool.rules import GAMES

ROUNDS = 7
GOALS = (
    ("batch with mask: toguz", "OpenSpiel mancala, C++ rollouts", 4.0),
    ("batch with mask: toguz", "pgx connect four, a batch", 12.0),
    ("State from Python: toguz", "OpenSpiel mancala, from Python", 1.0),
)
Work = Callable[[], int]


def batch(game: str, n: int, form: str, steps: int = 200) -> Work:
    """A step is a random action for each game, the sowing, and the mask; with float32 the numbers too."""
    env = BatchEnv(game, n, observations=form)

    def work() -> int:
        for _ in range(steps):
            env.step(env.random_actions())
        return n * steps

    return work


def state(game: str, plies: int = 100_000) -> Work:
    """As `spiel_python` plays: ask for the legal holes, draw one, play it."""

    def work() -> int:
        one, drawn = State(game), random.Random(1).random
        for _ in range(plies):
            if not one.legal:
                one = State(game)
            legal = one.legal
            one.play(legal[int(drawn() * len(legal))])
        return plies

    return work


def spiel_python(plies: int = 60_000) -> Work:
    import pyspiel

    game = pyspiel.load_game("mancala")

    def work() -> int:
        one, drawn = game.new_initial_state(), random.Random(1).random
        for _ in range(plies):
            if one.is_terminal():
                one = game.new_initial_state()
            legal = one.legal_actions()
            one.apply_action(legal[int(drawn() * len(legal))])
        return plies

    return work


def spiel_rollouts(rollouts: int = 4000) -> Work:
    """Random rollouts as OpenSpiel's own search makes them, with one simulation so that there is little search.

    Plies are counted as the rollouts' number times the mean length of random games.
    """
    import pyspiel

    game, lengths = pyspiel.load_game("mancala"), []
    for seed in range(2000):
        drawn, one = random.Random(seed), game.new_initial_state()
        while not one.is_terminal():
            one.apply_action(drawn.choice(one.legal_actions()))
        lengths.append(one.move_number())
    mean, start = float(statistics.mean(lengths)), game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=rollouts, seed=1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1, False, 1, False)

    def work() -> int:
        bot.step(start)
        return round(rollouts * mean)

    return work


def zoo(plies: int = 4_000) -> Work:
    from pettingzoo.classic import connect_four_v3

    env = connect_four_v3.env()

    def work() -> int:
        env.reset()
        drawn = random.Random(1)
        for _ in range(plies):
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                seen = env.last()[0]
            env.step(drawn.choice([at for at, legal in enumerate(seen["action_mask"]) if legal]))
        return plies

    return work


def pgx_batch(n: int = 4096, steps: int = 60) -> Work:
    """A batch compiled by JAX, which begins ended games anew, many steps in one call."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("connect_four")
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(carry: tuple[Any, Any], _: None) -> tuple[tuple[Any, Any], None]:
        states, key = carry
        key, now, begins = jax.random.split(key, 3)
        logits = jax.numpy.log(states.legal_action_mask.astype(jax.numpy.float32))
        actions = jax.random.categorical(now, logits, axis=-1)
        return (step(states, actions, jax.random.split(begins, n)), key), None

    played = jax.jit(lambda states, key: jax.lax.scan(one, (states, key), None, length=steps)[0])
    key = jax.random.PRNGKey(1)
    states = jax.jit(jax.vmap(env.init))(jax.random.split(key, n))
    jax.block_until_ready(played(states, key))

    def work() -> int:
        jax.block_until_ready(played(states, key))
        return n * steps

    return work


def candidates(n: int) -> dict[str, Work]:
    """What is measured, by name; what is not installed is left out, with a line that says so."""
    found = {f"batch with mask: {game}": batch(game, n, "uint8") for game in GAMES}
    found |= {f"batch with float32: {game}": batch(game, n, "float32") for game in GAMES}
    found |= {f"State from Python: {game}": state(game) for game in ("toguz", "mangala")}
    for name, module, make in (
        ("OpenSpiel mancala, C++ rollouts", "pyspiel", spiel_rollouts),
        ("OpenSpiel mancala, from Python", "pyspiel", spiel_python),
        ("PettingZoo connect four", "pygame" if find_spec("pettingzoo") else "pettingzoo", zoo),
        ("pgx connect four, a batch", "pgx", pgx_batch),
    ):
        if find_spec(module) is None:
            print(f"left out: {name}; {module} is not installed")
        else:
            found[name] = make()
    return found


def main() -> None:
    """Measure and print a table, then the goals."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=4096, help="games of a batch")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    works, rates = candidates(asked.games), dict[str, list[float]]()
    for turn in range(asked.rounds + 1):  # the first round does not count
        for name, work in works.items():
            began = time.process_time()
            done = work()
            if turn:
                rates.setdefault(name, []).append(done / (time.process_time() - began) / 1e6)
    print(f"{'steps a CPU-second, in millions':40} median   range ({asked.games} games of a batch)")
    for name, found in rates.items():
        print(f"{name:40} {statistics.median(found):7.3f}  {min(found):.3f} to {max(found):.3f}")
    for mine, theirs, wanted in GOALS:
        if theirs in rates:
            times = statistics.median(rates[mine]) / statistics.median(rates[theirs])
            print(f"{mine} is {times:.1f} times {theirs}; {wanted:g} wanted")


if __name__ == "__main__":
    main()
