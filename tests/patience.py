"""How long tests wait for what must come: a busy machine is no fault, and only a hang reaches the end of it."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE = float(os.environ.get("KORGOOL_TEST_PATIENCE", "120"))
"""Seconds."""


RETRIES = 3
"""Of a GET: the server may close a connection that has been idle in the moment in which it is used again."""


def eventually(true: Callable[[], bool], what: str) -> None:
    """Wait until something is true.

    Raises:
        AssertionError: it did not become true within `PATIENCE`; `what` says what was awaited.
    """
    until = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < until, f"waited in vain: {what}"
        time.sleep(0.02)


async def in_time(work: Awaitable[T], seconds: float = PATIENCE) -> T:
    """What the work gives. Unlike `asyncio.wait_for` of Python 3.11, a cancellation that comes with its end is heard.

    Raises:
        TimeoutError: it took longer.
    """
    async with asyncio.timeout(seconds):
        return await work


async def until(true: Callable[[], object]) -> None:
    """Wait in a loop of asyncio until something is true.

    Raises:
        TimeoutError: it did not become true within `PATIENCE`.
    """
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.01)


def best_of(tries: int, trial: Callable[[], T], good: Callable[[T], bool]) -> T:
    """The first good result of so many trials, or the last one.

    For what is told to keep to a clock on the wall: a stall of the machine spoils a trial, a fault spoils each of them.
    """
    result = trial()
    for _ in range(tries - 1):
        if good(result):
            break
        result = trial()
    return result
