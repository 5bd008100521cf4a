"""Requests to an engine: about a position or a game, and from an event loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from korgool.rules import Game, Position

T = TypeVar("T")
_AGAIN = 0.05
"""Seconds after which a search that has not stopped is told again: it may not have begun."""


def asked(what: Position | Game, history: Sequence[Position] | None = None) -> tuple[Position, Sequence[Position]]:
    """The position to search, and those before it.

    Args:
        what: a position, or a game for its present one after all before it.
        history: the positions before, where `what` is a position.

    Raises:
        ValueError: the game has ended by a declaration, so that there is nothing to search; or it comes with a history.
        TypeError: `what` is neither.
    """
    if isinstance(what, Position):
        return what, () if history is None else history
    if not isinstance(what, Game):
        advice = "Position.parse reads position text, and position.play or game.play plays a move"
        raise TypeError(f"an engine is asked about a Position or a Game, not {what!r}; {advice}")
    if history is not None:
        raise ValueError("a game brings its own history; give one with a position alone")
    outcome = what.outcome()
    if outcome is not None:
        raise ValueError(f"there is nothing to search, the game is over: {outcome.result_text}, {outcome.termination}")
    return what.position, what.positions[:-1]


async def aside(work: Callable[[], T], stop: Callable[[], object]) -> T:
    """Do the work in a thread, so that the event loop goes on.

    A task that is cancelled meanwhile stops the work and waits until it has ended.
    """
    import asyncio  # most who search have no event loop

    running = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        while not running.done():
            stop()
            await asyncio.wait([running], timeout=_AGAIN)
        running.exception()  # its result is not wanted any more
        raise
