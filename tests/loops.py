"""Event loops for tests: each in a thread of its own.

Playwright keeps a loop running in the thread of the tests for as long as its browser is open, and in such a thread
`asyncio.run` refuses. Which tests come after the browser differs from run to run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def run(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """What the coroutine returns, or raises, in a new loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
