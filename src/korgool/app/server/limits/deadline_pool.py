"""`Pool`: threads with a deadline for each job.

A thread cannot be ended, so a job that hangs keeps its thread for ever. But nobody waits for it for ever: past the
deadline whoever waits gets an `OverdueError`, the log says where the job stands, the server's health is bad once all
threads of a pool are lost in this way, and the end of the process waits for none of them.

Overdue jobs are looked for on the event loop (`watch_pools`); submitting works from any thread.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import faulthandler
import logging
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, TypeVar
from weakref import WeakSet

T = TypeVar("T")
_LOOK_SECONDS: Final = 1.0
END_SECONDS: Final = 9.0
"""Seconds after the signal in which a process ends, whatever hangs."""
_CLOSE_SECONDS: Final = 3.0
"""Seconds for which the end of all pools together waits for jobs."""
_LOG = logging.getLogger(__name__)


class OverdueError(RuntimeError):
    """A job took longer than it may, or waited for threads that are all lost to such jobs."""


class _Job:
    """A job: what waits for its result does not wait for its thread."""

    def __init__(self, pool: DeadlinePool, work: Callable[[], Any]) -> None:
        self.pool, self.work = pool, work
        self.future: Future[Any] = Future()
        self.began: float | None = None
        self.thread = 0

    def run(self) -> None:
        """Work, in a thread of the pool."""
        with self.pool.lock:
            if self.future.done() or not self.future.set_running_or_notify_cancel():
                self.pool.jobs.discard(self)
                return
            self.began, self.thread = time.monotonic(), threading.get_ident()
        result, problem = None, None
        try:
            result = self.work()
        except BaseException as error:  # as an executor does: whoever waits gets it
            problem = error
        self.work = _nothing
        with self.pool.lock:
            self.pool.jobs.discard(self)
            if not self.future.done():
                if problem is None:
                    self.future.set_result(result)
                else:
                    self.future.set_exception(problem)
                return
        _LOG.warning("a job of the pool %r has ended at last", self.pool.name)

    def fail(self, error: OverdueError) -> bool:
        """Let nobody wait for it any more; False if nobody does anyhow."""
        with self.pool.lock:
            if self.future.done():
                return False
            self.future.set_exception(error)
            return True


class DeadlinePool(ThreadPoolExecutor):
    """An executor whose jobs have a deadline.

    Attributes:
        name: as the metrics and the health call it.
        threads: how many it may have.
        seconds: that a job may take, from when it begins.
        jobs: those that wait or work.
        lock: held for each change of a job.
    """

    def __init__(self, name: str, threads: int, seconds: float) -> None:
        super().__init__(threads, f"korgool-{name}")
        self.name, self.threads, self.seconds = name, threads, seconds
        self.jobs: set[_Job] = set()
        self.lock = threading.RLock()
        _POOLS.add(self)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Do something in a thread; the future fails with an `OverdueError` if that takes too long."""
        job = _Job(self, lambda: fn(*args, **kwargs))
        with self.lock:
            self.jobs.add(job)
        try:
            super().submit(job.run)
        except BaseException:
            self.jobs.discard(job)
            raise
        return job.future

    @property
    def busy(self) -> int:
        """Jobs that work."""
        return sum(job.began is not None for job in tuple(self.jobs))

    @property
    def waiting(self) -> int:
        """Jobs that wait for a thread."""
        return sum(job.began is None for job in tuple(self.jobs))

    @property
    def overdue(self) -> int:
        """Jobs that take longer than they may; each has its thread for itself."""
        before = time.monotonic() - self.seconds
        return sum(job.began is not None and job.began < before for job in tuple(self.jobs))

    @property
    def stuck(self) -> bool:
        """True if every thread is lost to an overdue job, so that nothing runs any more."""
        return self.overdue >= self.threads

    def look(self) -> None:
        """Let nobody wait for overdue jobs, nor for a thread where all are lost."""
        before, stuck = time.monotonic() - self.seconds, self.stuck
        for job in tuple(self.jobs):
            late = job.began is not None and job.began < before
            if late and job.fail(OverdueError(f"a job of the pool {self.name!r} takes more than {self.seconds:g} s")):
                frame = sys._current_frames().get(job.thread)
                place = "".join(traceback.format_stack(frame)[-6:]) if frame is not None else "an unknown place"
                text = "a job of the pool %r takes more than %g seconds; it stands at\n%s"
                _LOG.error(text, self.name, self.seconds, place)
            elif stuck and job.began is None:
                job.fail(OverdueError(f"all threads of the pool {self.name!r} are lost to jobs that do not end"))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the threads; with `wait` when their jobs have ended, but in bounded time."""
        super().shutdown(wait=False, cancel_futures=cancel_futures)
        _POOLS.discard(self)
        jobs = tuple(self.jobs)
        if cancel_futures:
            for job in jobs:
                if job.began is None and job.future.cancel():
                    self.jobs.discard(job)
        if wait:
            concurrent.futures.wait([job.future for job in jobs], timeout=_patience())
        _LEFT.update(job for job in tuple(self.jobs) if job.began is not None)


_POOLS: WeakSet[DeadlinePool] = WeakSet()
_LEFT: set[_Job] = set()
"""Jobs that still worked when their pool was closed."""
_ENDS: list[float] = []
"""Time by which the end of all pools has to be over, once it has begun."""


def _patience() -> float:
    now = time.monotonic()
    if not _ENDS or now > _ENDS[0] + 60:  # long over: another application in this process ends
        _ENDS[:] = [now + _CLOSE_SECONDS]
    return max(0.1, _ENDS[0] - now)


def pools() -> list[DeadlinePool]:
    """The pools of this process that are open, by name."""
    return sorted(_POOLS, key=lambda pool: pool.name)


def end_within(seconds: float) -> None:
    """End this process after so many seconds, if it has not ended by then, and say on stderr where all threads stand.

    A thread of C does it, which waits neither for the event loop nor for the interpreter's lock.
    """
    with suppress(RuntimeError, ValueError, OSError):  # there is no stderr
        faulthandler.dump_traceback_later(seconds, exit=True)


def leave_hung() -> None:
    """End this process with status 1 if a job of a closed pool hangs: Python would wait for its thread for ever."""
    hung = sorted({job.pool.name for job in _LEFT if job in job.pool.jobs})
    if hung:
        print(f"korgool: left behind, because it hangs: {', '.join(hung)}", file=sys.stderr, flush=True)
        sys.stdout.flush()
        os._exit(1)
    faulthandler.cancel_dump_traceback_later()


async def watch_pools() -> None:
    """Look for overdue jobs every second, for ever."""
    while True:
        await asyncio.sleep(_LOOK_SECONDS)
        for pool in pools():
            pool.look()


def _nothing() -> None:
    """Nothing is held of what a job has worked with."""
