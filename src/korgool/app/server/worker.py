"""A worker: takes searches from the queue of a PostgreSQL database and answers them, for any number of servers.

It may be killed at any time. Another worker notices within a few seconds that it gives no more signs of life, and takes
its jobs again; what was answered is not searched twice.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from operator import le
from typing import Any

import msgspec
from procrastinate import JobContext
from procrastinate.exceptions import ProcrastinateException
from procrastinate.jobs import Status
from psycopg.types.json import Jsonb
from sqlalchemy.engine import URL

from korgool.app.server.engines.engine_pool import EnginePool, Lane
from korgool.app.server.engines.job_queue import SILENCE
from korgool.app.server.engines.jobs import QUEUE, TASK, Job
from korgool.app.server.engines.queue_tables import CHANNEL, prepare, queue_app
from korgool.app.server.engines.searches import CancelledSearchError, Search
from korgool.app.server.limits import Caller
from korgool.app.server.limits.deadline_pool import END_SECONDS, end_within, leave_hung

_LOG = logging.getLogger(__name__)
_BEAT = 1.0
"""Seconds between two signs of life, and between two looks after jobs that wait or whose worker is dead."""
_ATTEMPTS = 3
"""After so many workers have died with a job, no other takes it."""
_KEPT = "10 minutes"
_END_SECONDS = 10.0
"""The most seconds that running searches have at the end."""
_AGAIN_SECONDS = 2.0
_ASKED = """
SELECT (SELECT extract(epoch FROM now() - min(at))::float8 FROM procrastinate_events WHERE job_id = %(job)s) AS waited,
       EXISTS (SELECT FROM answers WHERE key = %(key)s) AS answered
"""
_ANSWER = f"""
WITH found AS (INSERT INTO answers (key, answer) VALUES (%(key)s, %(answer)s) ON CONFLICT DO NOTHING RETURNING key)
SELECT pg_notify('{CHANNEL}', key) FROM found
"""
_FORGET = f"DELETE FROM answers WHERE made < now() - interval '{_KEPT}'"
_WAITING = "SELECT min((args -> 'job' ->> 'lane')::int) AS lane FROM procrastinate_jobs WHERE status = 'todo'"


class Worker:
    """Searches of the queue, in the threads of an engine room.

    Args:
        url: the PostgreSQL database.
        threads: searches at once.
    """

    def __init__(self, url: URL, threads: int) -> None:
        self._threads = threads
        self._room = EnginePool(threads, short=threads)
        self._app = queue_app(url, threads + 3)
        self._app.task(name=TASK, queue=QUEUE, pass_context=True)(self._work)

    async def run(self, ready: Callable[[], None]) -> None:
        """Take jobs until the task is cancelled; what runs is then brought to an end.

        Args:
            ready: called when the first job can be taken.

        Raises:
            ProcrastinateException: the database is not reached any more.
        """
        async with self._app.open_async():
            beat = asyncio.create_task(self._beat())
            try:
                ready()
                await self._app.run_worker_async(
                    queues=[QUEUE],
                    concurrency=self._threads,
                    fetch_job_polling_interval=_BEAT,
                    abort_job_polling_interval=_BEAT,
                    update_heartbeat_interval=_BEAT,
                    stalled_worker_timeout=SILENCE,
                    shutdown_graceful_timeout=_END_SECONDS,
                    delete_jobs="always",
                    install_signal_handlers=False,
                )
            finally:
                beat.cancel()

    def hurry(self) -> None:
        """End long searches soon, with what they have found."""
        self._room.hurry(lambda _: True)

    def close(self) -> None:
        """End the threads."""
        self._room.cancel()
        self._room.close()

    async def _work(self, context: JobContext, key: str, job: dict[str, Any], address: str, session: str) -> None:
        """One job. The waiting time counts on the engine's clock, by the clock of the database."""
        query = self._app.connector.execute_query_one_async
        asked = await query(_ASKED, job=context.job.id, key=key)
        if asked["answered"]:
            return
        said = msgspec.convert(job, Job)
        positions = await asyncio.to_thread(said.positions)
        caller = Caller(address, session)
        answer: int | list[float]
        try:
            if said.kind == "review":
                answer = await self._room.evaluate(positions, caller)
            else:
                clock = said.clock
                if clock is not None:
                    clock = clock[0] - round(1000 * asked["waited"]), clock[1]
                answer = await self._room.move(positions, said.strength, clock, Search(), caller, Lane(said.lane))
        except CancelledSearchError:
            return
        await self._app.connector.execute_query_async(_ANSWER, key=key, answer=Jsonb(answer))

    async def _beat(self) -> None:
        """Look after jobs of dead workers and those that wait, and forget old answers."""
        jobs, forgotten = self._app.job_manager, 0.0
        while True:
            try:
                await jobs.prune_stalled_workers(SILENCE)
                for job in await jobs.get_stalled_jobs(queue=QUEUE, seconds_since_heartbeat=SILENCE):
                    with suppress(ProcrastinateException):  # another worker was quicker
                        if job.attempts < _ATTEMPTS:
                            await jobs.retry_job(job)
                        else:
                            await jobs.finish_job(job, Status.FAILED, delete_job=True)
                waiting = (await self._app.connector.execute_query_one_async(_WAITING))["lane"]
                if waiting is not None:
                    self._room.hurry(partial(le, waiting))
                if time.monotonic() - forgotten > 60:
                    forgotten = time.monotonic()
                    await self._app.connector.execute_query_async(_FORGET)
                    await jobs.delete_old_jobs(1, include_failed=True, include_cancelled=True, include_aborted=True)
            except ProcrastinateException as error:
                _LOG.warning("the queue is not reached: %s", error.__cause__ or error)
            await asyncio.sleep(_BEAT)


def work(url: URL, threads: int, ready: Callable[[], None], ended: Callable[[], None]) -> None:
    """Take jobs until SIGINT or SIGTERM; after a loss of the database, again as soon as it is there.

    Args:
        url: the PostgreSQL database.
        threads: searches at once.
        ready: called once when the first job can be taken.
        ended: called when nothing is searched any more.

    Raises:
        QueueError: the database cannot be used.
    """
    prepare(url)
    asyncio.run(_run_until_signal(url, threads, ready))
    ended()
    leave_hung()


async def _run_until_signal(url: URL, threads: int, ready: Callable[[], None]) -> None:
    loop, told = asyncio.get_running_loop(), asyncio.Event()

    def tell() -> None:
        end_within(END_SECONDS)
        told.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        if sys.platform == "win32":
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(tell))
        else:
            loop.add_signal_handler(number, tell)
    end, first = asyncio.create_task(told.wait()), ready
    while not told.is_set():
        worker = Worker(url, threads)
        running = asyncio.create_task(worker.run(first))
        try:
            await asyncio.wait([running, end], return_when=asyncio.FIRST_COMPLETED)
            worker.hurry()
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
        except Exception as error:
            _LOG.warning("the queue is lost, trying again: %s", error.__cause__ or error)
        finally:
            await asyncio.to_thread(worker.close)
        first = _nothing
        if not told.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(_AGAIN_SECONDS):
                    await told.wait()


def _nothing() -> None:
    """Nobody needs to be told again."""
