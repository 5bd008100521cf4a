"""Work on many items in threads, with the results in the order of the items."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

_Item = TypeVar("_Item")
T = TypeVar("T")
_AHEAD = 4
"""Items for each thread that are begun before their turn."""
_SOON = 0.2
"""Seconds after which a Ctrl-C is seen at the latest."""


def in_turn(work: Callable[[_Item], T], items: Iterable[_Item], workers: int = 1) -> Iterator[T]:
    """The result for each item, in their order.

    Args:
        work: what is done with an item; with several workers, in other threads.
        items: they are taken as they are needed, never all at once.
        workers: the number of threads; with one the work is done in the thread that asks, one item at a time.
    """
    if workers == 1:
        yield from map(work, items)
        return
    pool = ThreadPoolExecutor(workers)
    waiting: deque[Future[T]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > _AHEAD * workers:
                yield _result(waiting.popleft())
        while waiting:
            yield _result(waiting.popleft())
    finally:
        pool.shutdown(cancel_futures=True)


def _result(future: Future[T]) -> T:
    while not future.done():
        wait([future], _SOON)
    return future.result()
