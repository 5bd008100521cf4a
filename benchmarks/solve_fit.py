"""Fits the move ordering of the mangala solver to its own table.

`python benchmarks/solve_fit.py > kernel/solve_weights.h`

Least squares over random positions of the table's upper layers: a weight for every hole of either side and every number
of stones in it. The default takes half a minute and 0.3 GB.
"""

from __future__ import annotations

import argparse
import sys
from random import Random

from korgool.engine.solving.mangala_table import MangalaTable, bytes_of
from korgool.rules import MANGALA

HOLES, MOST, KNOWN = 6, 48, 13
"""Holes of a side, stones on the board, and the highest count with a weight of its own; beyond it a line goes on."""
UNIT = 16


def features(row: tuple[int, ...], other: tuple[int, ...]) -> list[int]:
    """The numbers of the weights that a position adds up."""
    return [
        side * HOLES * KNOWN + hole * KNOWN + min(stones, KNOWN - 1)
        for side, holes in enumerate((row, other))
        for hole, stones in enumerate(holes)
    ]


def solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Gauss' elimination; the matrix is positive definite."""
    size = len(right)
    for column in range(size):
        pivot = matrix[column]
        for line in range(column + 1, size):
            factor = matrix[line][column] / pivot[column]
            if factor:
                row = matrix[line]
                for at in range(column, size):
                    row[at] -= factor * pivot[at]
                right[line] -= factor * right[column]
    answer = [0.0] * size
    for line in range(size - 1, -1, -1):
        rest = right[line] - sum(matrix[line][at] * answer[at] for at in range(line + 1, size))
        answer[line] = rest / matrix[line][line]
    return answer


def fit(table: MangalaTable, samples: int, random: Random) -> tuple[list[float], float]:
    """The weights and the mean square of what they miss."""
    size = 2 * HOLES * KNOWN
    matrix = [[0.0] * size for _ in range(size)]
    right = [0.0] * size
    for at in range(size):
        matrix[at][at] = 1.0
    low, high = bytes_of(table.stones - 3), bytes_of(table.stones)
    drawn = []
    for _ in range(samples):
        index = random.randrange(low, high)
        position = table.position_at(index)
        drawn.append((features(*position.holes), table.at(index)))
    for active, value in drawn:
        for one in active:
            line = matrix[one]
            right[one] += value
            for two in active:
                line[two] += 1
    weights = solve(matrix, right)
    missed = sum((value - sum(weights[at] for at in active)) ** 2 for active, value in drawn)
    return weights, missed / samples


def written(weights: list[float], miss: float, stones: int, samples: int) -> str:
    """The header file."""
    lines = [
        "/* Made by benchmarks/solve_fit.py, not by hand: sixteenths of a stone for each hole and number of stones in",
        f" * it, by least squares over {samples} random positions of {stones - 2} to {stones} stones of the default",
        f" * rules; the error is {miss**0.5:.2f} stones. */",
    ]
    for side, name in enumerate(("own", "other")):
        lines.append(f"static const int16_t kg_solve_{name}[KG_SOLVE_HOLES][KG_SOLVE_STONES + 1] = {{")
        for hole in range(HOLES):
            row = weights[side * HOLES * KNOWN + hole * KNOWN :][:KNOWN]
            slope = (row[KNOWN - 1] - row[4]) / (KNOWN - 5)
            row = [*row, *(row[-1] + slope * (count - KNOWN + 1) for count in range(KNOWN, MOST + 1))]
            numbers = ", ".join(str(round(UNIT * value)) for value in row)
            lines.append(f"    {{{numbers}}},")
        lines.append("};")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stones", type=int, default=20)
    parser.add_argument("--samples", type=int, default=100_000)
    options = parser.parse_args()
    table = MangalaTable(MANGALA, options.stones)
    table.grow(options.stones, workers=2)
    weights, miss = fit(table, options.samples, Random(1))
    print(written(weights, miss, options.stones, options.samples))
    return 0


if __name__ == "__main__":
    sys.exit(main())
