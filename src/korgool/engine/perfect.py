"""The level above all levels: exact play wherever the solver reaches, the strongest search elsewhere."""

from __future__ import annotations

import os
from collections.abc import Sequence

from korgool.engine.levels import USUAL_SECONDS
from korgool.engine.limits import Limits
from korgool.engine.search import Engine
from korgool.engine.solving import Solver, perfect_move
from korgool.rules import Position

EXACT_SECONDS = 5.0
"""Time that the solver gets for a move when nobody says otherwise."""


class PerfectPlayer:
    """Plays mangala without a fault from the solved book and by search down to the tables, as far as the time allows.

    The endings of the other games are played so too. It is not thread-safe.

    Args:
        engine: searches where nothing is exact.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._solver = Solver(engine.rules, workers=os.cpu_count() or 1)

    def choose(
        self, position: Position, *, history: Sequence[Position] = (), seconds: float | None = None
    ) -> tuple[int, bool]:
        """A move, and whether it is proven to keep everything.

        Args:
            position: one that is not over.
            history: earlier positions of the game, for repetition.
            seconds: the most time; the half of it is the solver's. Five seconds and one without it.

        Raises:
            ValueError: the game is over.
        """
        legal = position.legal_moves()
        if len(legal) == 1:
            return legal[0], True
        exact = EXACT_SECONDS if seconds is None else seconds / 2
        limits = Limits(seconds=USUAL_SECONDS if seconds is None else seconds / 2)
        found = perfect_move(position, self._solver, seconds=exact)
        if found is None:
            return self._engine.analyse(position, limits, history=history).move, False
        if len(found.best) == 1:
            return found.best[0], True
        # Of moves that are equal under perfect play, the one that the search likes most is the hardest to answer.
        quick = Limits(seconds=min(0.2, limits.seconds or 0.2))
        lines = self._engine.analyse(position, quick, lines=len(legal), history=history).lines
        return next((line.move for line in lines if line.move in found.best), found.best[0]), True
