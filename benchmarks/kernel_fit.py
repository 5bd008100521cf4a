"""Fits the hand evaluation and the curves of win, draw and loss to games that the engine plays with itself.

Run `python benchmarks/kernel_fit.py toguz --games 2000`; it prints the weights for `korgool/engine/games.py` and the
first three numbers of its curve; `chances.py` fits the others. The games are played out to the end, without a
goal; the opening is random, and so is a ply now and then. The weights are least squares for the stones that still
change hands, the curves maximum likelihood.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from random import Random

from korgool.engine.limits import Limits
from korgool.engine.search import UNIT, Engine
from korgool.rules import GAMES, Position, Rules

RIDGE = 30.0


def features(position: Position) -> list[float]:
    """The move, the stones of each hole, the tuz by place and the stones on the board for who owns one."""
    rules, mover = position.rules, position.to_move
    own, other = position.holes[mover], position.holes[mover.other]
    row = [1.0, *map(float, own), *map(float, other)]
    board = float(sum(own) + sum(other))
    for side in (mover, mover.other):
        tuz = position.tuz[side]
        row += [float(tuz == hole) for hole in range(1, rules.holes + 1)]
        row.append(0.0 if tuz is None else board)
    return row


def play(rules: Rules, engine: Engine, random: Random, nodes: int) -> list[tuple[Position, int]]:
    """One game: its positions after the opening with the final difference for the side to move."""
    position, positions = rules.start(), []
    outcome = None
    opening = random.randint(2, 10)
    for ply in range(400):
        legal = [hole for hole, stones in enumerate(position.holes[position.to_move], 1) if stones]
        if ply < opening or random.random() < 0.03:
            hole = random.choice(legal)
        else:
            positions.append(position)
            hole = engine.analyse(position, Limits(nodes=nodes)).move
        sowing = position.sow(hole)
        position, outcome = sowing.after, sowing.outcome
        if outcome is not None:
            break
    if outcome is None:
        return []
    difference = outcome.stores[0] - outcome.stores[1]
    return [(at, -difference if at.to_move else difference) for at in positions]


def solve(matrix: list[list[float]], vector: list[float]) -> list[float]:
    """Gauss elimination with pivots."""
    size = len(vector)
    rows = [[*row, value] for row, value in zip(matrix, vector, strict=True)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(size):
            if row != column and rows[row][column]:
                factor = rows[row][column] / rows[column][column]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column], strict=True)]
    return [rows[index][size] / rows[index][index] for index in range(size)]


def fit_weights(samples: list[tuple[Position, int]]) -> list[float]:
    """Least squares with a little ridge, in stones."""
    size = len(features(samples[0][0]))
    matrix = [[RIDGE if a == b else 0.0 for a in range(size)] for b in range(size)]
    vector = [0.0] * size
    for position, difference in samples:
        row = [(index, value) for index, value in enumerate(features(position)) if value]
        mover = position.to_move
        target = difference - (position.stores[mover] - position.stores[mover.other])
        for index, value in row:
            vector[index] += value * target
            line = matrix[index]
            for other, factor in row:
                line[other] += value * factor
    return solve(matrix, vector)


def likelihood(samples: list[tuple[float, int, int]], width: float, growth: float, band: float) -> float:
    """The mean logarithm of the chance given to what happened; samples hold evaluation, stones on the board, sign."""
    total = 0.0
    for evaluation, board, sign in samples:
        scale = width + growth * board
        win = 1 / (1 + math.exp(min(60.0, -(evaluation - band) / scale)))
        loss = 1 / (1 + math.exp(min(60.0, (evaluation + band) / scale)))
        chance = win if sign > 0 else loss if sign < 0 else 1 - win - loss
        total += math.log(max(chance, 1e-6))
    return total / len(samples)


def fit_chances(samples: list[tuple[float, int, int]]) -> tuple[list[float], float]:
    """Maximum likelihood by trying steps that shrink."""
    best = [1.0, 0.06, 0.5]
    value = likelihood(samples, *best)
    step = 0.5
    while step > 0.02:
        better = False
        for index in range(3):
            for factor in (1 + step, 1 / (1 + step)):
                tried = list(best)
                tried[index] *= factor
                found = likelihood(samples, *tried)
                if found > value:
                    best, value, better = tried, found, True
        if not better:
            step /= 2
    return best, value


def table(rules: Rules, weights: list[float]) -> str:
    """The weights as `korgool.engine.games` has them, without the curve of chances."""
    n = rules.holes
    units = [round(weight * UNIT) for weight in weights]
    parts = [f"own={tuple(units[1 : n + 1])}", f"other={tuple(-unit for unit in units[n + 1 : 2 * n + 1])}"]
    parts.append(f"move={units[0]}")
    if rules.tuz:
        lost = tuple(-unit for unit in units[3 * n + 2 : 4 * n + 2])
        parts += [f"tuz_own={tuple(units[2 * n + 1 : 3 * n + 1])}", f"tuz_other={lost}"]
        parts.append(f"tuz_stones={(units[3 * n + 1], -units[4 * n + 2])}")
    return "Weights(\n    " + ",\n    ".join(parts) + ",\n)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rules = replace(GAMES[options.game], goal=0)
    engine, random = Engine(rules, tables=None), Random(options.seed)
    samples = [sample for _ in range(options.games) for sample in play(rules, engine, random, options.nodes)]
    print(table(rules, fit_weights(random.sample(samples, min(len(samples), 60_000)))))
    deeper, board = [], []
    for position, difference in random.sample(samples, min(len(samples), 8_000)):
        line = engine.analyse(position, Limits(nodes=20_000)).lines[0]
        if line.win not in (0.0, 1.0):
            deeper.append((line.evaluation, sum(map(sum, position.holes)), (difference > 0) - (difference < 0)))
        board.append(abs(line.evaluation - difference))
    numbers, value = fit_chances(deeper)
    print(f"chances {tuple(round(number, 3) for number in numbers)}, mean log-likelihood {value:.4f}")
    print(f"{len(samples)} positions; 20,000 nodes miss the final difference by {sum(board) / len(board):.2f}")


if __name__ == "__main__":
    main()
