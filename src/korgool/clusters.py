"""Work on many items at once: in this thread, in several threads, or by the workers of a Dask cluster.

Whoever has work cuts it into items whose results depend on nothing but the item, and takes the results in the order of
the items. So the same comes out wherever the work is done, and a worker that dies costs time and nothing else. Dask is
loaded only when a cluster is asked for.
"""

from __future__ import annotations

import logging
import os
import signal
import time
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from itertools import islice
from threading import Event
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar, cast

if TYPE_CHECKING:
    from distributed import Client

_Item = TypeVar("_Item")
T = TypeVar("T")
Surroundings = Callable[[], Mapping[str, str]]
"""Says on a machine what results depend on beside the items, each with its name; it is hashable and can be pickled."""

LOCAL = "local"
"""The address of a cluster of processes on this machine, which lasts as long as its pool."""
_AHEAD = 3
"""Tasks for each worker that wait or are done, so that no worker waits for the next one."""
_FINISHED = 16
"""Tasks for each worker that may be known at the same time, those among them that wait for their turn."""
_SOON = 0.2
"""Seconds after which a Ctrl-C is seen at the latest."""
_TASK_SECONDS = 0.5
"""Small items go to a cluster together, about so many seconds of work: sending a task costs some milliseconds."""
_MOST_ITEMS = 256
_LOOK = 2.0
"""Seconds between two looks at the workers of a cluster."""
_ANSWER = 10.0
"""Seconds in which a scheduler must answer, and have its first worker; when work has begun, three times as many."""
_WITHOUT_WORKERS = 120.0
"""Seconds that all workers may be missing."""
_QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.monitor-interval": "10s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.tick.interval": "500ms",
}
"""Settings of Dask for workers on this machine; else it watches two of them with 6 % of a processor, for a dashboard
that nobody looks at."""
_TRIES = 4
"""Times that Dask may give up a task because its workers have died; each time, four of them."""


class ClusterError(Exception):
    """A cluster that cannot be reached, has no worker, or has one that would come to other results."""


class Pool:
    """Place for work: here the thread that asks, one item at a time. A context manager.

    Attributes:
        workers: items that are worked on at the same time.
        remote: whether the work is done in other processes, so that work and items are pickled.
    """

    workers = 1
    remote = False

    def in_turn(self, work: Callable[[_Item], T], items: Iterable[_Item]) -> Iterator[T]:
        """The result for each item, in their order.

        Args:
            work: what is done with an item; for a cluster, a function of a module, or a `partial` of one.
            items: they are taken as they are needed, never all at once.

        Raises:
            ClusterError: the cluster is lost.
        """
        yield from map(work, items)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End what was begun; what waits is not done any more."""


class _Future(Protocol):
    """The results of a task that has been begun; those of threads and of Dask are such."""

    def done(self) -> bool:
        """Return whether it is done, has failed, or will never be done."""


class _Busy(Pool):
    """A pool whose items are worked on while others are asked for.

    Attributes:
        spent: seconds that its workers have worked so far, all together, on what has been finished.
    """

    spent = 0.0

    def in_turn(self, work: Callable[[_Item], T], items: Iterable[_Item]) -> Iterator[T]:
        left, waiting = iter(items), deque[_Task]()
        try:
            while True:
                self._feed(work, left, waiting)
                if not waiting:
                    return
                if waiting[0].future.done():
                    task = waiting.popleft()
                    found = self._result(task, waiting)
                    if found is not None:
                        yield from found
                else:
                    self._pause(waiting)
        finally:
            self._forget(waiting)

    def _feed(self, work: Callable[[_Item], T], left: Iterator[_Item], waiting: deque[_Task]) -> None:
        unfinished = sum(not task.future.done() for task in waiting)
        while unfinished < _AHEAD * self.workers and len(waiting) < _FINISHED * self.workers:
            some = list(islice(left, self._together()))
            if not some:
                return
            waiting.append(_Task(self, work, some))
            unfinished += 1

    def _together(self) -> int:
        """Number of items that make a task."""
        return 1

    @abstractmethod
    def _begin(self, work: Callable[[Any], Any], items: Sequence[Any]) -> _Future:
        """Let somebody work on some items."""

    @abstractmethod
    def _pause(self, waiting: Iterable[_Task]) -> None:
        """Wait until another task may be done, but no longer than a Ctrl-C may wait."""

    @abstractmethod
    def _result(self, task: _Task, waiting: deque[_Task]) -> Sequence[Any] | None:
        """The results of a task that is done; None if it was begun anew, and stands first among those that wait."""

    @abstractmethod
    def _forget(self, waiting: deque[_Task]) -> None:
        """Take back what nobody waits for any more."""


class _Task:
    """Some items that are worked on together."""

    def __init__(self, pool: _Busy, work: Callable[[Any], Any], items: Sequence[Any]) -> None:
        self.work, self.items, self.tries = work, items, 1
        self.future: Any = pool._begin(work, items)


def _done(work: Callable[[_Item], T], items: Sequence[_Item]) -> tuple[float, list[T]]:
    """The seconds that some items took, and their results."""
    began = time.perf_counter()
    found = [work(item) for item in items]
    return time.perf_counter() - began, found


class Threads(_Busy):
    """Threads of this process. The kernel runs outside Python's lock, so they are as good as processes for it."""

    def __init__(self, workers: int) -> None:
        self.workers, self._executor = workers, ThreadPoolExecutor(workers)

    def __exit__(self, *_: object) -> None:
        self._executor.shutdown(cancel_futures=True)

    def _begin(self, work: Callable[[Any], Any], items: Sequence[Any]) -> _Future:
        return self._executor.submit(_done, work, items)

    def _pause(self, waiting: Iterable[_Task]) -> None:
        wait([task.future for task in waiting if not task.future.done()], _SOON, FIRST_COMPLETED)

    def _result(self, task: _Task, waiting: deque[_Task]) -> Sequence[Any] | None:
        seconds, found = task.future.result()
        self.spent += seconds
        return cast("Sequence[Any]", found)

    def _forget(self, waiting: deque[_Task]) -> None:
        for task in waiting:
            task.future.cancel()


class Cluster(_Busy):
    """The workers of a Dask cluster.

    Args:
        address: of its scheduler, such as `tcp://10.0.0.1:8786`; `local` starts workers on this machine.
        workers: how many a local cluster has.
        surroundings: of these, every worker must have the same as this machine.

    Raises:
        ClusterError: there is no such cluster, it has no worker, or a worker differs.
    """

    remote = True

    def __init__(self, address: str, workers: int, surroundings: Surroundings) -> None:
        self._address, self._surroundings, self._expected = address, surroundings, dict(surroundings())
        self._size, self._looked, self._seen = 1, time.monotonic(), time.monotonic()
        self._changed = Event()
        self._stack = ExitStack()
        try:
            self._client = self._connected(workers)
            self._check()
        except BaseException:
            self._stack.close()
            raise

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _connected(self, workers: int) -> Client:
        try:
            from distributed import Client
        except ImportError as error:
            from korgool.installing import advice  # seldom needed, and slow to load

            raise ImportError(f"--cluster needs Dask ({error}); type: {advice('cluster')}", name=error.name) from None
        # What Dask says of its connections is said here in one sentence.
        for name in list(logging.root.manager.loggerDict):
            if name.partition(".")[0] == "distributed":
                logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        target: Any = self._address
        if self._address == LOCAL:
            target = _local_cluster(self._stack, workers)
        try:
            client = Client(target, timeout=_ANSWER, set_as_default=False)
        except (OSError, ValueError, RuntimeError, TypeError) as error:  # of the last kind: tls without certificates
            raise ClusterError(f"there is no Dask scheduler at {self._address}: {error}") from None
        self._stack.callback(_closed, client)
        try:
            client.wait_for_workers(1, timeout=_ANSWER)
        except TimeoutError:
            raise ClusterError(f"the scheduler at {self._address} has no worker; start some and try again") from None
        return client

    def _check(self) -> None:
        """Compare every worker with this machine; first the versions, which any worker can tell."""
        from importlib.metadata import PackageNotFoundError, version

        ours, told = version("korgool"), self._client.run(version, "korgool", on_error="return")
        for worker, its in told.items():
            if isinstance(its, PackageNotFoundError):
                raise ClusterError(f"the worker {worker} has no Korgool; install version {ours} there")
            if its != ours:
                raise ClusterError(f"the worker {worker} has Korgool {its}, this machine {ours}")
        self.workers = sum(self._client.nthreads().values()) or 1
        for worker, answers in self._client.run(self._surroundings, on_error="return").items():
            if isinstance(answers, BaseException):
                raise ClusterError(f"the worker {worker} cannot work: {answers}")
            _compare(worker, answers, self._expected)

    def _begin(self, work: Callable[[Any], Any], items: Sequence[Any]) -> _Future:
        task: Any = (self._surroundings, self._expected, work, items)
        with self._reached():
            future: Any = self._client.submit(_done_alike, *task, pure=False)
            future.add_done_callback(lambda _: self._changed.set())
        return cast("_Future", future)

    def _pause(self, waiting: Iterable[_Task]) -> None:
        self._changed.wait(_SOON)
        self._changed.clear()
        now = time.monotonic()
        if now < self._looked + _LOOK:
            return
        self._looked = now
        with self._reached():
            cores: dict[str, int] = self._client.sync(self._client.scheduler.ncores, callback_timeout=3 * _ANSWER)
        if cores:
            self.workers, self._seen = sum(cores.values()), now
        elif now > self._seen + _WITHOUT_WORKERS:
            raise ClusterError(f"the scheduler at {self._address} has had no worker for {_WITHOUT_WORKERS:g} s")

    def _result(self, task: _Task, waiting: deque[_Task]) -> Sequence[Any] | None:
        from distributed import KilledWorker

        if task.future.status == "error":
            with self._reached():
                error = task.future.exception(timeout=3 * _ANSWER)
            if not isinstance(error, KilledWorker):
                raise error
            if task.tries == _TRIES:
                raise ClusterError("a piece of work has ended every worker that took it; have they enough memory?")
            task.tries += 1
            task.future = self._begin(task.work, task.items)
            waiting.appendleft(task)
            return None
        with self._reached():
            seconds, found = task.future.result(timeout=3 * _ANSWER)
        self.spent += seconds
        self._size = max(1, min(_MOST_ITEMS, 2 * self._size, round(_TASK_SECONDS * len(found) / max(seconds, 1e-6))))
        return cast("Sequence[Any]", found)

    def _forget(self, waiting: deque[_Task]) -> None:
        waiting.clear()  # Dask takes back what nobody can ask for any more

    def _together(self) -> int:
        return self._size

    @contextmanager
    def _reached(self) -> Iterator[None]:
        """Whatever Dask raises when it cannot speak with its scheduler any more is one error."""
        try:
            yield
        except Exception as error:
            logging.getLogger(__name__).debug("%s", error, exc_info=True)
            raise ClusterError(f"the scheduler at {self._address} has gone away") from error
        except CancelledError:
            raise ClusterError(f"the scheduler at {self._address} has gone away") from None


def _done_alike(
    surroundings: Surroundings, expected: Mapping[str, str], work: Callable[[_Item], T], items: Sequence[_Item]
) -> tuple[float, list[T]]:
    """As `_done`, by a worker that may have come after the others were compared."""
    from distributed import get_worker

    _compare(get_worker().address, _answers(surroundings), expected)
    return _done(work, items)


@cache
def _answers(surroundings: Surroundings) -> Mapping[str, str]:
    return surroundings()


def _compare(worker: str, its: Mapping[str, str], ours: Mapping[str, str]) -> None:
    for name, answer in ours.items():
        if its.get(name) != answer:
            raise ClusterError(f"the worker {worker} differs: {name} is {its.get(name)} there, and {answer} here")


def _local_cluster(stack: ExitStack, workers: int) -> Any:
    """Workers on this machine, whom nobody else on it can give orders: their connections are encrypted."""
    from multiprocessing import resource_tracker
    from tempfile import TemporaryDirectory

    import dask
    from distributed import LocalCluster, Security

    stack.enter_context(dask.config.set(_QUIET))
    folder = stack.enter_context(TemporaryDirectory(prefix="korgool-"))
    # Begun later, this helper of Python's would let interrupts through again.
    resource_tracker.ensure_running()
    with _without_interrupts():
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            memory_limit=0,
            local_directory=folder,
            silence_logs=logging.CRITICAL,
            security=Security.temporary(),
        )
    return stack.enter_context(cluster)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Begin threads and processes that never hear of a Ctrl-C: whoever began them is told, and ends them in order."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _closed(client: Client) -> None:
    with suppress(Exception):  # a scheduler that has gone away leaves nothing to close
        client.close(timeout=2)


def pool(threads: int | None, cluster: str | None = None, surroundings: Surroundings = dict) -> Pool:
    """The place for work: a cluster if an address is given, else so many threads.

    Args:
        threads: how many; for a local cluster, its processes. None is one thread, or as many processes as processors.
        cluster: address of a Dask scheduler, or `local`.
        surroundings: see `Cluster`.

    Raises:
        ClusterError: see `Cluster`.
        ImportError: Dask is not installed.
    """
    if cluster is not None:
        return Cluster(cluster, threads or os.cpu_count() or 1, surroundings)
    return Pool() if threads in (None, 1) else Threads(threads)
