"""Asking workers: a server defers a job and waits for its answer, as long as it has patience and workers are alive.

Nothing depends on an answer. Whoever asks for a key finds what was answered before, so an answer outlives the server
that asked; a job whose worker has died is taken by another; and a server that hears nothing searches by itself.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

import msgspec
import psycopg
from procrastinate.exceptions import AlreadyEnqueued, ProcrastinateException
from sqlalchemy.engine import URL

from korgool.app.server.core.shielding import outcome_of
from korgool.app.server.engines.jobs import QUEUE, TASK, Job, priority
from korgool.app.server.engines.queue_tables import CHANNEL, address_of, connection_options, prepare, queue_app
from korgool.app.server.limits import Caller

_LOG = logging.getLogger(__name__)
SILENCE = 5.0
"""Seconds without a sign of life after which a worker counts as dead."""
_BEAT = 1.0
"""Seconds between two looks at workers and answers; a notification comes sooner."""
_CONNECTIONS = 4
_ALIVE = f"SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - interval '{SILENCE} s'"
_ANSWERED = "SELECT key, answer FROM answers WHERE key = ANY(%s)"
_PLACE = """
SELECT extract(epoch FROM now())::float8 AS now, count(*) AS near,
       count(*) FILTER (WHERE args ->> 'session' = %(session)s) AS own,
       (SELECT answer FROM answers WHERE key = %(key)s) AS answer
FROM procrastinate_jobs WHERE status = 'todo' AND args ->> 'address' = %(address)s
"""


class WorkQueue:
    """The queue as a server sees it. All methods run on the event loop.

    Args:
        url: the PostgreSQL database.
        secret: by which addresses are disguised in the database.
    """

    def __init__(self, url: URL, secret: str) -> None:
        self._url = url
        self._secret = secret.encode()[:64]
        self._app = queue_app(url, _CONNECTIONS)
        self._waiting: dict[asyncio.Future[Any], str] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._listener: asyncio.Task[None] | None = None
        self.workers = 0

    async def open(self) -> None:
        """Create the tables if need be, and listen.

        Raises:
            QueueError: the database cannot be used.
        """
        await asyncio.to_thread(prepare, self._url)
        await self._app.open_async()
        self._listener = asyncio.create_task(self._listen())

    async def close(self) -> None:
        """Hear no more; jobs that were deferred stay."""
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.wait([self._listener])
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_BEAT)
        await self._app.close_async()

    async def ask(self, key: str, job: Job, caller: Caller, patience: float) -> Any:
        """Return the answer of a worker; None if there is no worker, or none answers in time.

        Args:
            key: names what is asked, so that it is searched once however many ask.
            job: what is asked.
            caller: who it is for.
            patience: seconds to wait. The job is withdrawn after that, and if the caller is cancelled.
        """
        if not self.workers:
            return None
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[answer] = key
        deferring, found = None, None
        try:
            async with asyncio.timeout(patience):
                place = await self._place(key, caller)
                found = place["answer"]
                if found is None:
                    deferring = asyncio.create_task(self._defer(key, job, place))
                    await outcome_of(deferring)
                    found = await answer
        except TimeoutError:
            _LOG.warning("no worker has answered within %.1f seconds", patience)
        except ProcrastinateException as error:
            _LOG.warning("the queue of the engine's work does not answer: %s", error.__cause__ or error)
        finally:
            del self._waiting[answer]
            if deferring is not None and found is None:
                self._spawn(self._withdraw(deferring))
        return found

    async def _place(self, key: str, caller: Caller) -> dict[str, Any]:
        """Read what decides about the turn of a new job, and the answer if there is one already."""
        who = {"address": self._disguised(caller.address), "session": self._disguised(caller.session or "")}
        return who | await self._app.connector.execute_query_one_async(_PLACE, key=key, **who)

    async def _defer(self, key: str, job: Job, place: dict[str, Any]) -> int | None:
        """Put a job into the queue; its number, or None if it is there already."""
        configured = self._app.configure_task(
            TASK,
            queue=QUEUE,
            lock=key,
            queueing_lock=key,
            priority=priority(place["now"], job.lane, place["own"], place["near"]),
        )
        who = {"address": place["address"], "session": place["session"]}
        try:
            return await configured.defer_async(key=key, job=msgspec.to_builtins(job), **who)
        except AlreadyEnqueued:  # another server asks the same
            return None

    def _disguised(self, text: str) -> str:
        return hashlib.blake2s(text.encode(), key=self._secret[:32], digest_size=8).hexdigest()

    async def _withdraw(self, deferring: asyncio.Task[int | None]) -> None:
        with suppress(ProcrastinateException):
            number = await deferring
            if number is not None:
                await self._app.job_manager.cancel_job_by_id_async(number, abort=True, delete_job=True)

    async def _listen(self) -> None:
        """Hear answers, and know how many workers are alive; connect again whenever the connection is lost."""
        while True:
            try:
                connection = await psycopg.AsyncConnection.connect(
                    address_of(self._url), autocommit=True, **connection_options()
                )
                async with connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    looked = -_BEAT
                    while True:
                        if time.monotonic() - looked >= _BEAT:
                            looked = time.monotonic()
                            await self._look(connection)
                        told = {one.payload async for one in connection.notifies(timeout=_BEAT, stop_after=1)}
                        if not told.isdisjoint(self._waiting.values()):
                            await self._read(connection)
            except psycopg.Error as error:
                _LOG.warning("the queue of the engine's work is not reached: %s", " ".join(str(error).split())[:200])
            except Exception:
                _LOG.exception("the queue of the engine's work cannot be read")
            self._count(0)
            await asyncio.sleep(_BEAT)

    async def _look(self, connection: psycopg.AsyncConnection[Any]) -> None:
        """Count the workers, and read what nobody has told."""
        row = await (await connection.execute(_ALIVE)).fetchone()
        self._count(0 if row is None else row[0])
        if self._waiting:
            await self._read(connection)

    async def _read(self, connection: psycopg.AsyncConnection[Any]) -> None:
        keys = list(self._waiting.values())
        found = dict(await (await connection.execute(_ANSWERED, (keys,))).fetchall())
        for answer, key in self._waiting.items():
            if key in found and not answer.done():
                answer.set_result(found[key])

    def _count(self, workers: int) -> None:
        if (workers == 0) != (self.workers == 0):
            _LOG.warning("workers are there" if workers else "no worker is alive: this server searches by itself")
        self.workers = workers
        if not workers:
            for answer in self._waiting:
                if not answer.done():
                    answer.set_result(None)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
