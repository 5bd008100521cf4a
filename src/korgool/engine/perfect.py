"""The level above all levels: exact play wherever the solver reaches, the strongest search elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NoReturn

from korgool.engine.levels import NUMBERS, USUAL_SECONDS
from korgool.engine.limits import Limits
from korgool.engine.search import Engine
from korgool.engine.solving import BookError, Solver, perfect_move, shipped_book
from korgool.engine.solving.solver import USUAL_MEMORY
from korgool.rules import Position, Rules

PERFECT = NUMBERS[-1] + 1
"""Number of perfect play among the levels; people are shown the word."""
EXACT_SECONDS = 5.0
"""Default time of the solver for a move, in seconds."""


def is_solved(rules: Rules) -> bool:
    """Return whether perfect play begins at the start of a game: the package holds its whole solution."""
    with suppress(BookError):
        return shipped_book(rules) is not None
    return False


class PerfectPlayer:
    """Plays mangala without a fault from the solved book and by search down to the tables, as far as the time allows.

    The endings of the other games are played so too. It is not thread-safe.

    Args:
        engine: searches where nothing is exact.
        memory: the most bytes for the solver's tables.
        workers: threads that fill them; all of the machine without it.
    """

    def __init__(self, engine: Engine, *, memory: int = USUAL_MEMORY, workers: int | None = None) -> None:
        self._engine = engine
        self._solver = Solver(engine.rules, memory=memory, workers=workers or os.cpu_count() or 1)

    def __repr__(self) -> str:
        return f"<PerfectPlayer with {self._engine!r} and {self._solver!r}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a player has an engine at work and is not copied or pickled: make another one")

    def choose(
        self,
        position: Position,
        *,
        history: Sequence[Position] = (),
        seconds: float | None = None,
        exact: float | None = None,
        stopped: Callable[[], bool] | None = None,
    ) -> tuple[int, bool]:
        """A move, and whether it is proven to keep everything.

        Args:
            position: one that is not over.
            history: earlier positions of the game, for repetition.
            seconds: the most time. Five seconds and one without it.
            exact: the solver's part of it; the half without it.
            stopped: asked now and then, at least every second or so, while the solver works; True ends that with a
                move that is only legal.

        Raises:
            ValueError: the game is over.
        """
        legal = position.legal_moves()
        if len(legal) == 1:
            return legal[0], True
        if exact is None:
            exact = EXACT_SECONDS if seconds is None else seconds / 2
        limits = Limits(seconds=USUAL_SECONDS if seconds is None else max(0.0, seconds - exact))

        def watch(_doing: str, _count: int) -> None:
            if stopped is not None and stopped():
                raise _StoppedError

        try:
            found = perfect_move(position, self._solver, seconds=exact, on_progress=watch)
        except _StoppedError:
            return self._engine.analyse(position, Limits(depth=1), history=history).move, False
        if found is None:
            return self._engine.analyse(position, limits, history=history).move, False
        if len(found.best) == 1:
            return found.best[0], True
        # Of moves that are equal under perfect play, the one that the search likes most is the hardest to answer.
        quick = Limits(seconds=min(0.2, limits.seconds or 0.2))
        lines = self._engine.analyse(position, quick, lines=len(legal), history=history).lines
        return next((line.move for line in lines if line.move in found.best), found.best[0]), True

    def prepare(self, stones: int, stopped: Callable[[], bool]) -> bool:
        """Make the solver's table ahead, as far as memory and `stopped` allow, so that the first move takes less long.

        Args:
            stones: how many are on the board, at most, in the positions of the table.
            stopped: as for `choose`.

        Returns:
            Whether there is nothing left to make.
        """
        return self._solver.prepare(stones, stopped)


class _StoppedError(Exception):
    """The solver was stopped; its answer is no longer wanted."""
