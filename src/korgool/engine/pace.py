"""Keeping to a clock from move to move: plans each search, and learns from the clock what a move costs beyond it."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, replace
from statistics import fmean, stdev

from korgool.engine.timing import UNMEASURED, Allotment, Overhead, TimeLeft, allot, plies_ahead
from korgool.rules import Game, Side

MEASURES = 256
"""Number of last moves from which the overhead is computed."""
_RECENT = 64
"""Moves, the last ones, of which the worst may come again."""
_FEW = 4
"""Moves that tell little of how much the overhead varies."""
_LONGEST = 5.0
"""Seconds that no move loses on its way: the clock was set by hand."""
_SURPRISING = 1.0
"""Seconds on a move's way that, lost once, are no rule: here too the clock may have been set by hand."""
_ROUNDING = 0.01
"""Seconds by which a clock may run slow; beyond that it was set by hand."""
_SPIKE = 0.02
"""Seconds that a busy machine may take for itself at any move, at least."""


@dataclass(frozen=True, slots=True)
class _Planned:
    """Planned move with its times.

    Attributes:
        game: the game.
        plies: plies of the game before it.
        side: the side to move.
        left: seconds on the clock.
        most: seconds that were planned for it.
        used: seconds that the same turn had used before it.
        move: the answer; 0 as long as there is none.
        seconds: time taken for the answer.
    """

    game: Game
    plies: int
    side: Side
    left: TimeLeft
    most: float
    used: float
    move: int = 0
    seconds: float = 0.0


class Pace:
    """The pace of one player. It lives through many games: what a move costs on its way is the same in all of them."""

    def __init__(self) -> None:
        self._costs: deque[float] = deque(maxlen=MEASURES)
        self._last: _Planned | None = None

    def __copy__(self) -> Pace:
        made = Pace()
        made._costs, made._last = self._costs.copy(), self._last
        return made

    def __eq__(self, other: object) -> bool:
        return (self._costs, self._last) == (other._costs, other._last) if isinstance(other, Pace) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it learns

    def __repr__(self) -> str:
        overhead = self.overhead()
        return (
            f"<Pace: {len(self._costs)} moves measured, each costs {overhead.each:.4f} s, at most {overhead.worst:.4f}>"
        )

    def plan(self, game: Game, left: TimeLeft, least: float = 0.0) -> Allotment:
        """Time for the next move of the side to move. `answered` has to follow.

        Args:
            game: the game so far. A clock is compared with that of the move before only if it is the same object.
            left: the clock of the side to move.
            least: seconds that each move costs beyond its search, at least; 0 for what was measured alone.
        """
        side, last, used = game.position.to_move, self._last, 0.0
        overhead = self.overhead(least)
        if last is not None and last.game is game and last.side is side and self._played(last):
            self._learn(last, left)
            overhead = self.overhead(least)
            if len(game.moves) == last.plies + 1:
                used = last.used + last.seconds + overhead.each
        time = allot(_within_turn(left, used) if game.rules.extra_turn else left, plies_ahead(game.position), overhead)
        self._last = _Planned(game, len(game.moves), side, left, time.most, used)
        return time

    def answered(self, move: int, seconds: float) -> None:
        """Record the move that answers the last `plan`, and the seconds that it took by the engine's own clock."""
        if self._last is not None:
            self._last = replace(self._last, move=move, seconds=seconds)

    def leave(self) -> None:
        """The next clock tells nothing of the last move."""
        self._last = None

    def overhead(self, least: float = 0.0) -> Overhead:
        """Overhead of a move beyond its search, as far as it is known; the fewer moves were measured, the more."""
        count = len(self._costs)
        if not count:
            return Overhead(least, max(least, _SPIKE)) if least else UNMEASURED
        if count < _FEW:
            each = fmean(self._costs) * (1 + 1 / math.sqrt(count))
        else:
            usual = sorted(self._costs)
            if usual[-1] > _SURPRISING:
                usual.pop()
            each = fmean(usual) + 2 * stdev(usual) / math.sqrt(count)
        each = max(least, each)
        return Overhead(each, max(each, _SPIKE, *list(self._costs)[-_RECENT:]))

    @staticmethod
    def _played(last: _Planned) -> bool:
        """Return whether the game has gone on by the answer, and the same side had no other move since."""
        game, now = last.game, len(last.game.moves)
        if not last.move or now <= last.plies or game.moves[last.plies] != last.move:
            return False
        return all(position.to_move is not last.side for position in game.positions[last.plies + 1 : now])

    def _learn(self, last: _Planned, left: TimeLeft) -> None:
        """Time that the clock has lost since the last move, beyond the time that was planned for it."""
        before = last.left
        if any(clock.delay or clock.period or clock.moves for clock in (before, left)):
            return  # they give time back, and do not tell how much
        turn_over = len(last.game.moves) > last.plies + 1
        gained = before.increment if turn_over else 0.0
        cost = before.stock + gained - left.stock - min(last.seconds, last.most)
        if -_ROUNDING <= cost <= _LONGEST:
            self._costs.append(max(0.0, cost))


def _within_turn(left: TimeLeft, used: float) -> TimeLeft:
    """The clock for one ply of a turn that may have several: what is for the whole turn is halved for each of them."""
    return replace(
        left, moves=2 * left.moves, delay=max(0.0, left.delay - used) / 2, period=max(0.0, left.period - used) / 2
    )
