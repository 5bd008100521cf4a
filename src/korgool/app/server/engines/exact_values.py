"""Exact values of all moves of a position for analysis boards: by the rules, the solved book, tables, or the solver.

One thread answers one question at a time, so that neither games nor claims wait for it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from korgool.app.server.engines.adjudication import REACH, PositionValues
from korgool.app.server.engines.searches import CancelledSearchError, Search
from korgool.app.server.limits import Caller
from korgool.app.server.limits.admission import Gate
from korgool.app.server.limits.deadline_pool import DeadlinePool
from korgool.engine.solving import BeyondLimitsError, Solver
from korgool.engine.solving.mangala_table import refusal
from korgool.engine.tables import TableError, Tables
from korgool.rules import Position, Rules, Side

_LOG = logging.getLogger(__name__)
SECONDS = 3.0
"""The most seconds for one position."""
MEMORY = 128 << 20
"""The most bytes for the tables of mangala's solver."""
MOST_PLIES = 400
"""A line of perfect play that is longer has no distance."""
_JOB_SECONDS = 60.0
_KEPT_SECONDS = 900.0
ExactSource = Literal["rules", "table", "solver"]
Stopped = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class ExactMove:
    """Proven value of a move.

    Attributes:
        move: hole number.
        winner: who wins if both play perfectly from then on, None for a draw.
        difference: final difference of the stores, for the side that moves, a goal played over; None where somebody
            surely wins and the other could then go on for ever.
        plies: to the end of the game along a line in which both keep their value, this one included; None where the
            line is not known, or has no end.
        source: what proves it: the `rules` end the game there, a `table` holds the position, or the `solver`, with its
            book, has followed it to the end.
    """

    move: int
    winner: Side | None
    difference: int | None
    plies: int | None
    source: ExactSource


class ExactValues:
    """Answers what is certain about moves, for one question at a time."""

    def __init__(self) -> None:
        self._thread = DeadlinePool("exact", 1, _JOB_SECONDS)
        self.gate = Gate(1, estimate=0.05)
        self._solver: Solver | None = None  # used by the thread only
        self._closing = threading.Event()
        self._drop: asyncio.TimerHandle | None = None

    async def of(self, position: Position, search: Search, caller: Caller) -> list[ExactMove]:
        """The moves of a position whose value is certain within the limits, in the order of their holes.

        Raises:
            CancelledSearchError: the thread was closed before it was done.
        """
        loop = asyncio.get_running_loop()
        try:
            async with self.gate.turn(caller):
                return await loop.run_in_executor(self._thread, self._work, position, search)
        except asyncio.CancelledError:
            search.cancel()
            raise
        finally:
            self._rest(loop)

    def _work(self, position: Position, search: Search) -> list[ExactMove]:
        deadline = time.monotonic() + SECONDS

        def stopped() -> bool:
            return search.cancelled or self._closing.is_set() or time.monotonic() > deadline

        try:
            found = self._solved(position, stopped) if refusal(position.rules) is None else _ended(position, stopped)
        except (OSError, MemoryError):
            _LOG.exception("there is no memory for exact values")
            self._forget()
            found = []
        if search.cancelled or self._closing.is_set():
            raise CancelledSearchError
        return found

    def _solved(self, position: Position, stopped: Stopped) -> list[ExactMove]:
        """By the solver of mangala: its book answers at once, few stones soon."""
        solver = self._solver
        if solver is None or solver.rules != position.rules:
            self._solver = None  # given back before more is taken
            solver = self._solver = Solver(position.rules, memory=MEMORY)

        def watch(_doing: str, _count: int) -> None:
            if stopped():
                raise _StoppedError

        def difference(at: Position) -> int | None:
            """For the side to move; None where it is not known in time."""
            within = sum(map(sum, at.holes)) <= REACH["mangala"][0]
            with suppress(BeyondLimitsError, _StoppedError):
                return solver.difference(at, seconds=SECONDS if within else 0.0, on_progress=watch)
            return None

        children = {move: position.play(move) for move in position.legal_moves()}
        values = {move: difference(child) for move, child in children.items()}
        return [
            ExactMove(
                move,
                _winner(child, value),
                value if child.to_move is position.to_move else -value,
                _plies(child, difference, stopped),
                "solver" if child.outcome() is None else "rules",
            )
            for move, child in children.items()
            if (value := values[move]) is not None
        ]

    def _rest(self, loop: asyncio.AbstractEventLoop) -> None:
        """Give the memory back after a long time without a question."""
        if self._drop is not None:
            self._drop.cancel()
        if not self._closing.is_set():
            self._drop = loop.call_later(_KEPT_SECONDS, self._submit_forget)

    def _submit_forget(self) -> None:
        with suppress(RuntimeError):  # it may have closed in the meantime
            self._thread.submit(self._forget)

    def _forget(self) -> None:
        self._solver = None

    def cancel(self) -> None:
        """Cancel the waiting questions; call it on the event loop."""
        self._closing.set()
        if self._drop is not None:
            self._drop.cancel()
        self.gate.close()

    def close(self) -> None:
        """End the thread; its current work ends within about a second."""
        self._closing.set()
        self._thread.shutdown(cancel_futures=True)


class _StoppedError(Exception):
    """The time is over, or nobody waits for the answer any more."""


def _ended(position: Position, stopped: Stopped) -> list[ExactMove]:
    """By tables, and by listing all that can follow where few stones are left."""
    values = PositionValues(position.rules, _tables_of(position.rules))
    if within_reach(position):
        values.extend(position, stopped)
    found = []
    for move in position.legal_moves():
        child = position.play(move)
        if values.verdict(child) is None and within_reach(child) and not stopped():
            values.extend(child, stopped)  # a capture may lead there from further away
        winner = values.verdict(child)
        if winner is None:
            continue
        difference = values.difference(child)
        if difference is not None and child.to_move is not position.to_move:
            difference = -difference
        source: ExactSource = "table" if values.in_tables(child) else "solver"
        found.append(
            ExactMove(
                move,
                None if winner == "draw" else winner,
                difference,
                _plies(child, values.difference, stopped),
                source if child.outcome() is None else "rules",
            )
        )
    return found


def within_reach(position: Position) -> bool:
    """Return whether all that can follow is few enough to be listed."""
    reach = REACH.get(position.rules.name, (0, 0, 0))
    return sum(map(sum, position.holes)) <= reach[2 - position.tuz.count(None)]


def _tables_of(rules: Rules) -> Tables | None:
    try:
        return Tables.shared(rules)
    except TableError as error:
        _LOG.warning("exact values do without the tables of %s: %s", rules.title, error)
        return None


def _winner(position: Position, difference: int) -> Side | None:
    """The winner by the final difference for the side to move."""
    mover = position.to_move
    return None if not difference else mover if difference > 0 else mover.other


def _plies(position: Position, difference: Callable[[Position], int | None], stopped: Stopped) -> int | None:
    """Plies to the end from before a position, itself included, along a line in which both keep their value.

    Of equal moves the one that leaves the fewest stones, then the lowest hole: it takes the shorter way mostly.
    """
    seen = {position}
    for plies in range(1, MOST_PLIES):
        if position.outcome() is not None:
            return plies
        best: tuple[int, int, int] | None = None
        for move in position.legal_moves():
            child = position.play(move)
            value = None if stopped() else difference(child)
            if value is None:
                return None
            key = value if child.to_move is position.to_move else -value, -sum(map(sum, child.holes)), -move
            best = key if best is None else max(best, key)
        assert best is not None
        position = position.play(-best[2])
        if position in seen:
            return None  # it goes on for ever
        seen.add(position)
    return None
