"""Jobs for workers, and the order in which their turns come.

A job says everything that a search needs, so a worker reads no game and any worker can do any job.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from korgool.app.server.storage.game_terms import read_rules, write_options
from korgool.live import OnlineGame
from korgool.rules import Game, Position

QUEUE, TASK = "engine", "search"
DELAYS = (0, 1, 2, 10)
"""Seconds by which a job of each lane lets later ones of the lanes before it pass."""
_OWN, _NEAR = 2.0, 0.25
"""Seconds by which each waiting job of the same session, and of the same address, puts a new one back."""
_SPAN = 2**31
"""Priorities in PostgreSQL are integers of 32 bits; with this offset, times until 2106 are."""


class Job(msgspec.Struct, frozen=True, omit_defaults=True):
    """A search, as it stands in the queue.

    Attributes:
        kind: a move of the engine, or the evaluation of every position.
        game: the rules by their short name.
        rules: the named options that differ from them, as JSON, or None; as in the table of games.
        start: position text of the start.
        moves: the holes sown since.
        strength: of the engine for a move, as the engine room numbers it.
        clock: milliseconds on the engine's clock and its increment when it was asked, or None.
        lane: where it waits.
    """

    kind: Literal["move", "review"]
    game: str
    start: str
    moves: tuple[int, ...]
    rules: str | None = None
    strength: int = 0
    clock: tuple[int, int] | None = None
    lane: int = 0

    def positions(self) -> Sequence[Position]:
        """All positions from the start to the present.

        Raises:
            KeyError, ValueError: it is no game that this version knows.
        """
        return Game(Position.parse(self.start, read_rules(self)), self.moves).positions


def job_of(
    kind: Literal["move", "review"],
    game: OnlineGame,
    lane: int,
    strength: int = 0,
    clock: tuple[int, int] | None = None,
) -> Job:
    """The job that a game as it stands leads to."""
    rules = game.terms.rules
    start, moves = str(game.game.positions[0]), tuple(game.game.moves)
    return Job(kind, rules.name, start, moves, write_options(rules), strength, clock, lane)


def priority(now: float, lane: int, own: int, near: int) -> int:
    """The priority of a new job: the earlier its turn should come, the higher.

    Its turn is a time, and not only a rank, so that whatever waits comes to its turn at last.

    Args:
        now: seconds since 1970 by the clock of the database.
        lane: its lane.
        own: how many jobs of the same session wait.
        near: how many of the same address wait.
    """
    return _SPAN - 1 - round(now + DELAYS[lane] + _OWN * own + _NEAR * near)
