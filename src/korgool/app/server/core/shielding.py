"""Waiting for work that goes on when whoever waits has gone."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

T = TypeVar("T")


async def outcome_of(work: asyncio.Future[T]) -> T:
    """Wait for its result or exception; a cancelled waiter does not cancel it.

    `asyncio.shield` waits in the same way, but from Python 3.14 on it also logs a failure for which nobody waits any
    more. Here that is routine: a refusal whose reader has gone.
    """
    try:
        await asyncio.wait([work])
    except asyncio.CancelledError:
        work.add_done_callback(_take)
        raise
    return work.result()


def _take(work: asyncio.Future[Any]) -> None:
    """Look at the failure, so that asyncio does not report it."""
    if not work.cancelled():
        work.exception()
