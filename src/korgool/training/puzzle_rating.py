"""The rating of a puzzle: the lowest rating of the engine that finds its line in half of its tries."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from korgool.engine import Engine, Level, Limits, Line
from korgool.engine.levels import of_number, ratings_of
from korgool.engine.sight import best_seen, lines_seen, plies_seen
from korgool.rules import Position
from korgool.training.puzzle import Puzzle

STEP = 50
"""Difference of two ratings that are tried."""
TRIES = 40
"""Tries of a player who overlooks moves, for each rating and each move of the line."""
_SEED = 1


def rating_of(puzzle: Puzzle, engine: Engine) -> int:
    """The first rating, from the lowest up, that finds every move of the line in half of its tries.

    A player of that rating is the engine's, `korgool play --rating N`; its chances of finding each move are multiplied.
    A puzzle that none of them finds has the highest rating.

    Args:
        puzzle: the puzzle.
        engine: an engine for its rules with a small table; what it remembers is forgotten.
    """
    tasks = _tasks(puzzle, engine)
    ratings = ratings_of(puzzle.start.rules)
    ladder: list[int] = [*ratings[::STEP], ratings[-1]]
    for rating in ladder:
        level = of_number(rating, puzzle.start.rules)
        chance = 1.0
        for task in tasks:
            chance *= task.chance(level)
            if chance < 0.5:
                break
        if chance >= 0.5:
            break
    return rating


def _tasks(puzzle: Puzzle, engine: Engine) -> list[_Task]:
    boards = [puzzle.start, *(sowing.after for sowing in puzzle.sowings())]
    found = []
    for board, accepted in zip(boards, puzzle.moves, strict=False):
        if board.to_move is puzzle.solver:
            found.append(_Task(board, accepted, engine))
    return found


class _Task:
    """One move to find, by players of several strengths; see `korgool.engine.levels.choose`."""

    def __init__(self, position: Position, accepted: Sequence[int], engine: Engine) -> None:
        self.position, self.accepted, self._engine = position, accepted, engine
        self._depths: list[Sequence[Line]] | None = None
        self._found: dict[int, float] = {}

    def chance(self, level: Level) -> float:
        """The share of tries in which a player finds the move."""
        if level.sight < 1:
            return self._overlooking(level)
        assert level.nodes is not None
        return self._seeing(level.nodes)

    def _seeing(self, nodes: int) -> float:
        """A player who sees all moves plays the same each time."""
        if nodes not in self._found:
            self._engine.clear()
            move = self._engine.analyse(self.position, Limits(nodes=nodes)).move
            self._found[nodes] = float(move in self.accepted)
        return self._found[nodes]

    def _overlooking(self, level: Level) -> float:
        row, usual = self.position.holes[self.position.to_move], self.position.rules.stones
        moves, depths = self.position.legal_moves(), self._searched(level.nodes)
        random, found = Random(_SEED), 0
        for _ in range(TRIES):
            plies = {move: plies_seen(random.random(), row[move - 1], usual, level.sight) for move in moves}
            deepest = max(1, *plies.values())
            # A search that ends at a depth tells what this one told of it.
            known = [lines for lines in depths if min(line.depth for line in lines) <= deepest] or depths[:1]
            found += best_seen(lines_seen(known, plies), known[-1], random.random()).move in self.accepted
        return found / TRIES

    def _searched(self, nodes: int | None) -> list[Sequence[Line]]:
        if self._depths is None:
            self._engine.clear()
            depths: list[Sequence[Line]] = []
            limits = Limits(nodes=nodes)
            count = len(self.position.legal_moves())
            last = self._engine.analyse(
                self.position, limits, lines=count, on_depth=lambda told: depths.append(told.lines)
            )
            self._depths = [*depths, last.lines]
        return self._depths
