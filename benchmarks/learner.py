"""Teaches itself a game on a CPU, and plays the engine's levels: `python benchmarks/learner.py [--game G --minutes M]`.

The least that learns well, with NumPy alone, to be read from top to bottom:

1. `Network` guesses, from a position as the side to move sees it, by how many stones that side will win.
2. `Lookahead` puts every move of many positions on boards at once, so that a player can compare what they lead to.
3. `learn` lets a thousand games play on with the moves that look best, sometimes another one, and after every 32 plies
   moves the guesses towards what came of them, the later the less: TD(λ) (Sutton 1988), as TD-Gammon learned.
4. `match` plays a level of the engine, looking one answer ahead; the curve is drawn from these matches.

Minutes are of processor time. One processor is enough; a second one can teach another seed meanwhile.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

# The matrices are small: threads that wait for each other cost nine tenths of the time here.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from korgool.engine.levels import choose
from korgool.engine.search import Engine
from korgool.rl import BatchEnv, State
from korgool.rl.layout import Array
from korgool.rules import GAMES, Rules

HOLES = [*range(8), 16, *range(8, 16), 17]
"""The places in the 24 bytes: holes 1 to 9 of the side to move, then those of the opponent."""
MARKS = 8
LONGEST = 300


class Network:
    """A guess for each position: the final difference of the stores for the side to move, as a part of half the stones.

    Each hole is told by eight marks (how full, empty, 1, 2, 3, even, beyond a round, beyond its row). One hidden layer.

    Args:
        rules: the game.
        hidden: units of the hidden layer.
        seed: of the first weights.
    """

    def __init__(self, rules: Rules, hidden: int = 96, seed: int = 0) -> None:
        self.rules, chance = rules, np.random.default_rng(seed)
        self.places = [place for number, place in enumerate(HOLES) if number % 9 < rules.holes]
        count = np.arange(256)
        marks = [
            *(
                np.minimum(count, 40) / 20,
                count == 0,
                count == 1,
                count == 2,
                count == 3,
                (count % 2 == 0) & (count > 0),
            ),
            *(count > 2 * rules.holes, count > rules.holes),
        ]
        self.marks: Array = np.stack(marks, 1).astype(np.float32)
        self.tuz: Array = np.eye(10, dtype=np.float32)
        inputs = len(self.places) * MARKS + 2 + 2 * len(self.tuz)
        shapes = {"a": (inputs, hidden), "b": (hidden,), "c": (hidden,), "d": (1,)}
        self.weights: dict[str, Array] = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
        self.weights["a"][:] = chance.normal(0, 1 / np.sqrt(len(self.places) * 3), (inputs, hidden))
        self.mean = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        self.square = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        self.steps = 0

    def inputs(self, positions: Array) -> Array:
        """Marks of positions, k × 24 of uint8."""
        half = self.rules.total / 2
        holes = self.marks[positions[:, self.places]].reshape(len(positions), len(self.places) * MARKS)
        stores = positions[:, 18:20].astype(np.float32) / half
        found: Array = np.hstack([holes, stores, self.tuz[positions[:, 20]], self.tuz[positions[:, 21]]])
        return found

    def __call__(self, positions: Array) -> Array:
        """The guesses: what is in the stores, and what the network adds."""
        found: Array = self._guess(self.inputs(positions))[0]
        return found

    def _guess(self, inputs: Array) -> tuple[Array, Array]:
        weights, at = self.weights, len(self.places) * MARKS
        hidden = np.maximum(inputs @ weights["a"] + weights["b"], 0)
        return inputs[:, at] - inputs[:, at + 1] + hidden @ weights["c"] + weights["d"], hidden

    def learn(self, positions: Array, targets: Array, rate: float) -> float:
        """One step of Adam (Kingma, Ba 2015) towards targets; the mean squared error before it."""
        inputs = self.inputs(positions)
        guesses, hidden = self._guess(inputs)
        error = guesses - targets
        back = error[:, None] * self.weights["c"] * (hidden > 0) / len(error)
        gradients = {
            "a": inputs.T @ back,
            "b": back.sum(0),
            "c": hidden.T @ error / len(error),
            "d": error.mean()[None],
        }
        self.steps += 1
        for name, gradient in gradients.items():
            self.mean[name] += 0.1 * (gradient - self.mean[name])
            self.square[name] += 0.001 * (gradient**2 - self.square[name])
            mean, square = self.mean[name] / (1 - 0.9**self.steps), self.square[name] / (1 - 0.999**self.steps)
            self.weights[name] -= rate * mean / (np.sqrt(square) + 1e-8)
        return float((error**2).mean())


class Lookahead:
    """Every move of `n` positions, each on a board of its own.

    The side to move is always called White here: a position as the mover sees it knows no colours.
    """

    def __init__(self, rules: Rules, n: int) -> None:
        self.n, self.holes, self.half = n, rules.holes, rules.total / 2
        self.env = BatchEnv(rules, n * rules.holes, auto_reset=False, rules={"threefold": 0})
        self.start = self.env.positions[0].copy()

    def __call__(self, positions: Array) -> tuple[Array, Array, Array, Array]:
        """Play every move of positions, at most n × 24, none of them over.

        Returns:
            for each position and hole: the position after it (24 bytes), whether the move is legal, 1 where the same
            side goes on and -1 where the turn passes, and the final difference where the game ended, else NaN.
        """
        k, env, holes = len(positions), self.env, self.holes
        padded = np.concatenate([positions, np.broadcast_to(self.start, (self.n - k, 24))])
        legal = padded[:, HOLES[:holes]] > 0
        env.reset(positions=np.repeat(padded, holes, 0))
        wanted = np.arange(holes)[None, :]
        env.step(np.where(legal, wanted, legal.argmax(1)[:, None]).ravel())
        signs = np.where(env.turn == 0, np.float32(1), np.float32(-1))
        stores: Array = env.final_stores.astype(np.float32)
        finals = np.where(env.terminated, (stores[:, 0] - stores[:, 1]) / self.half, np.float32(np.nan))
        shape = (self.n, holes)
        children = env.positions.reshape(*shape, 24)[:k].copy()
        return children, legal[:k], signs.reshape(shape)[:k], finals.reshape(shape)[:k]


def worths(guess: Callable[[Array], Array], children: Array, legal: Array, signs: Array, finals: Array) -> Array:
    """What each move is worth to the side that makes it, from the guesses of what it leads to; illegal ones -9."""
    found: Array = np.where(legal, finals, np.float32(-9))
    going = legal & np.isnan(finals)
    found[going] = signs[going] * guess(children[going])
    return found


class Player:
    """Plays the move whose worst answer is best, by the guesses of a network. For at most `n` positions at once."""

    def __init__(self, network: Network, n: int) -> None:
        self.network, self.own = network, Lookahead(network.rules, n)
        self.answers = Lookahead(network.rules, n * network.rules.holes)

    def answered(self, positions: Array) -> Array:
        """A guess from what the best move of a position leads to."""
        found: Array = worths(self.network, *self.answers(positions)).max(1)
        return found

    def choose(self, positions: Array) -> Array:
        """The actions, holes from 0."""
        found: Array = worths(self.answered, *self.own(positions)).argmax(1)
        return found


def match(network: Network, level: int, games: int, seed: int) -> float:
    """Points in a hundred against a level, with both sides of openings of two random plies."""
    rules, random = network.rules, Random(seed)
    player, engine = Player(network, games), Engine(rules, table_mib=1)
    states, points = [State(rules) for _ in range(games)], 0.0
    for game, state in enumerate(states):
        opening = Random(seed + game // 2)
        for _ in range(2):
            state.play(opening.choice(state.legal))
    going = list(range(games))
    while going:
        mine = [game for game in going if states[game].turn == game % 2]
        if mine:
            actions = player.choose(np.stack([states[game].observation for game in mine]))
            for game, action in zip(mine, actions, strict=True):
                states[game].play(int(action) + 1)
        for game in set(going) - set(mine):
            states[game].play(choose(engine, states[game].position, level, random=random).move)
        for game in [game for game in going if states[game].over or states[game].plies >= LONGEST]:
            going.remove(game)
            outcome = states[game].outcome
            points += 0.5 if outcome is None or outcome.winner is None else float(outcome.winner == game % 2)
    return 100 * points / games


def learn(network: Network, minutes: float, seed: int, n: int, told: Callable[[float, int], None]) -> None:
    """Play and learn for some minutes of processor time, and call `told` with minutes and plies after each lesson."""
    rules, length, decay = network.rules, 32, 0.8
    env, ahead = BatchEnv(rules, n, seed), Lookahead(rules, n)
    chance, half, plies = np.random.default_rng(seed), rules.total / 2, 0
    began = time.process_time()
    while (spent := (time.process_time() - began) / 60) < minutes:
        seen: Array = np.zeros((length, n, 24), np.uint8)
        signs: Array = np.zeros((length, n), np.float32)
        guesses: Array = np.zeros((length, n), np.float32)
        finals: Array = np.zeros((length, n), np.float32)
        for step in range(length):
            seen[step] = env.positions
            children, legal, again, ends = ahead(env.positions)
            worth = worths(network, children, legal, again, ends)
            noisy = worth + np.where(legal, chance.gumbel(0, 0.012, worth.shape), 0)
            actions = np.where((env.plies < 8) & (chance.random(n) < 0.5), env.random_actions(), noisy.argmax(1))
            rows, mover = np.arange(n), env.turn.copy()
            signs[step], guesses[step] = again[rows, actions], worth[rows, actions]
            _, _, terminated, truncated = env.step(actions)
            stores: Array = env.final_stores.astype(np.float32)
            ended, difference = terminated | truncated, (stores[:, 0] - stores[:, 1]) / half
            finals[step] = np.where(ended, np.where(mover == 0, difference, -difference), np.nan)
        targets: Array = np.zeros((length, n), np.float32)
        later = guesses[-1]
        for step in reversed(range(length)):
            # `guesses` and `later` are both worth to the side that moved at this step.
            mixed = guesses[step] if step == length - 1 else (1 - decay) * guesses[step] + decay * signs[step] * later
            later = targets[step] = np.where(np.isnan(finals[step]), mixed, finals[step])
        flat, wanted = seen.reshape(-1, 24), targets.ravel()
        rate = 0.002 * (1 - 0.9 * spent / minutes)
        for _ in range(2):
            for chosen in np.array_split(chance.permutation(length * n), length * n // 256):
                network.learn(flat[chosen], wanted[chosen], rate)
        plies += length * n
        told((time.process_time() - began) / 60, plies)


def curve(points: list[tuple[float, float]], level: int, title: str) -> str:
    """The matches as a picture: minutes to the right, points in a hundred upwards."""
    most = max(minutes for minutes, _ in points) or 1
    places = [(60 + 520 * minutes / most, 270 - 2.4 * score) for minutes, score in points]
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 320" font-family="sans-serif" font-size="14">',
        f'<rect width="600" height="320" fill="#fff"/><text x="60" y="20">{title}</text>',
    ]
    for score in (0, 50, 100):
        y = 270 - 2.4 * score
        lines.append(
            f'<path d="M60 {y:.0f}H580" stroke="#bbb"/><text x="52" y="{y + 5:.0f}" text-anchor="end">{score}</text>'
        )
    for part in range(5):
        x = 60 + 130 * part
        lines.append(f'<text x="{x}" y="290" text-anchor="middle">{most * part / 4:.1f}</text>')
    lines.append('<text x="580" y="310" text-anchor="end">minutes of processor time</text>')
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    lines.append(f'<polyline points="{path}" fill="none" stroke="#1565c0" stroke-width="2"/>')
    lines += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#1565c0"/>' for x, y in places]
    return "\n".join([*lines, f"<desc>Points in a hundred against level {level}</desc>", "</svg>", ""])


def main(arguments: list[str] | None = None) -> None:
    """Learn, play matches on the way, draw the curve, and play a longer match at the end."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", choices=GAMES, default="toguz")
    parser.add_argument("--minutes", type=float, default=2.0, help="of processor time, without the matches")
    parser.add_argument("--level", type=int, default=3)
    parser.add_argument("--games", type=int, default=200, help="of the match at the end; a fifth of it on the way")
    parser.add_argument("--parallel", type=int, default=256, help="games that learn at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--curve", type=Path, default=Path("curve.svg"))
    parser.add_argument("--weights", type=Path)
    asked = parser.parse_args(arguments)
    network = Network(GAMES[asked.game], seed=asked.seed)
    points, pauses = [(0.0, match(network, asked.level, max(2, asked.games // 5), 7))], 10
    print(f"level {asked.level}, points in a hundred: {points[0][1]:.1f} before learning")

    def told(minutes: float, plies: int) -> None:
        if minutes < asked.minutes * len(points) / pauses:
            return
        score = match(network, asked.level, max(2, asked.games // 5), 1000 * len(points))
        points.append((minutes, score))
        print(f"{minutes:6.2f} minutes, {plies:10,} plies: {score:5.1f}", flush=True)

    learn(network, asked.minutes, asked.seed, asked.parallel, told)
    score = match(network, asked.level, asked.games, 77_000)
    print(f"at the end, {asked.games} games: {score:.1f}")
    title = f"{network.rules.title}: points in a hundred against level {asked.level}; {score:.0f} at the end"
    asked.curve.write_text(curve(points, asked.level, title), encoding="utf-8")
    if asked.weights:
        np.savez(asked.weights, **network.weights)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
