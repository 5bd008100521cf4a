"""The queue in PostgreSQL with real workers: answers, turns, withdrawn jobs, and a worker killed in a search."""

from __future__ import annotations

import asyncio
import json
import signal
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner
from sqlalchemy.engine import URL, make_url

from korgool.app.cli import main
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.engines.job_queue import WorkQueue
from korgool.app.server.engines.jobs import Job, priority
from korgool.app.server.engines.queue_tables import SCHEMA, QueueError, address_of, prepare
from korgool.app.server.engines.search_dispatch import SearchDispatch
from korgool.app.server.limits import Caller
from korgool.app.server.limits.deadline_pool import pools
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.worker import Worker
from korgool.rules import TOGUZ_KORGOOL
from tests.patience import PATIENCE, eventually, in_time, until

from . import processes
from .inside import alone, begun, within
from .processes import Program
from .support import postgresql_database, run_async

START = str(TOGUZ_KORGOOL.start())
QUICK = Job("move", "toguz", START, (7, 1), strength=1)
SECRET = "5" * 64
ANN, BOB, EVE = Caller("1.1.1.1", "ann"), Caller("2.2.2.2", "bob"), Caller("3.3.3.3", "eve")


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgresql_database() as url:
        prepare(ServerSettings(database=url).url())
        yield url


def asking(url: str, test: Callable[[WorkQueue], Awaitable[None]]) -> None:
    """Run a test with the queue of a server."""

    async def run() -> None:
        queue = WorkQueue(ServerSettings(database=url).url(), SECRET)
        await queue.open()
        try:
            await in_time(test(queue))
        finally:
            await queue.close()

    run_async(run())


class Working:
    """A worker in this process, for an `async with` block."""

    def __init__(self, url: str) -> None:
        self._url: URL = ServerSettings(database=url).url()

    async def __aenter__(self) -> Worker:
        self._worker = Worker(self._url, 1)
        self._task = asyncio.create_task(self._worker.run(lambda: None))
        return self._worker

    async def __aexit__(self, *_: object) -> None:
        self._worker.hurry()
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        await asyncio.to_thread(self._worker.close)


def rows(url: str, words: str, *values: object) -> list[Any]:
    """What a statement in the tables of the queue gives."""
    with psycopg.connect(address_of(make_url(url)), options=f"-c search_path={SCHEMA}") as connection:
        cursor = connection.execute(words.encode(), values)
        return cursor.fetchall() if cursor.description else []


def test_only_postgresql_holds_the_queue(tmp_path: Path) -> None:
    for words in (
        ["worker", "--database", f"sqlite:///{tmp_path}/x.sqlite"],
        ["serve", "--engine-queue", "--data", str(tmp_path)],
    ):
        result = CliRunner().invoke(main, words, standalone_mode=False)
        assert result.exception is not None
        assert "needs PostgreSQL" in str(result.exception)
    assert not list(tmp_path.iterdir()), "nothing is opened before"
    with pytest.raises(QueueError, match="cannot hold the queue"):
        prepare(ServerSettings(database="postgresql://nobody@127.0.0.1:1/none").url())


def test_a_worker_tells_its_start_and_end_as_json(database: str) -> None:
    program = Program(["worker", "--json", "--database", database, "--threads", "1"])
    started = json.loads(program.stdout.readline())
    program.send_signal(signal.SIGTERM)
    stopped = json.loads(program.communicate(PATIENCE)[0])
    assert (started.pop("event"), stopped.pop("event")) == ("started", "stopped")
    assert started == stopped
    assert (started["pid"], started["threads"]) == (program.pid, 1)
    assert started["database"].startswith("postgresql://")


def test_tables_stay_unless_they_are_older(database: str) -> None:
    url = ServerSettings(database=database).url()
    rows(database, "INSERT INTO answers (key, answer) VALUES ('kept', '1')")
    prepare(url)
    assert rows(database, "SELECT key FROM answers WHERE key = 'kept'")
    rows(database, f"COMMENT ON SCHEMA {SCHEMA} IS '02'")
    prepare(url)
    assert not rows(database, "SELECT key FROM answers")
    assert rows(database, "SELECT count(*) FROM procrastinate_jobs") == [(0,)]


def test_answers_are_found_by_whoever_asks_and_nobody_waits_without_a_worker(database: str) -> None:
    async def test(queue: WorkQueue) -> None:
        assert await queue.ask("none:1", QUICK, ANN, PATIENCE) is None, "at once, for no worker is alive"
        async with Working(database):
            await until(lambda: queue.workers == 1)
            both = await asyncio.gather(*(queue.ask("game:1", QUICK, caller, PATIENCE) for caller in (ANN, BOB)))
            assert both[0] == both[1]
            assert both[0] in QUICK.positions()[-1].legal_moves()
            other = WorkQueue(ServerSettings(database=database).url(), SECRET)
            await other.open()
            await until(lambda: other.workers == 1)
            two = await asyncio.gather(*(one.ask("game:2", QUICK, ANN, PATIENCE) for one in (queue, other)))
            await other.close()
            assert two[0] == two[1], "two servers attend the same game"
            review = Job("review", "toguz", START, (7, 1), lane=3)
            assert len(await queue.ask("game:review", review, ANN, PATIENCE)) == 3
            rows(database, "UPDATE answers SET answer = '99' WHERE key = 'game:1'")
            assert await queue.ask("game:1", QUICK, ANN, PATIENCE) == 99, "what was answered is not searched again"
            await until(lambda: not rows(database, "SELECT id FROM procrastinate_jobs"))
        await until(lambda: queue.workers == 0)

    asking(database, test)


def test_a_job_is_withdrawn_when_nobody_waits_and_turns_are_fair(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time stands still, for only the order is tried here."""
    monkeypatch.setattr("korgool.app.server.engines.job_queue.priority", lambda _, *shares: priority(0, *shares))

    async def test(queue: WorkQueue) -> None:
        queue._listener.cancel()  # type: ignore[union-attr]  # it would see that no worker is alive
        queue.workers = 1

        def waiting() -> list[str]:
            words = "SELECT args ->> 'key' FROM procrastinate_jobs WHERE status = 'todo' ORDER BY priority DESC, id"
            return [key for (key,) in rows(database, words)]

        asks = []
        for number, (key, caller, lane) in enumerate(
            (("r", EVE, 3), ("a0", ANN, 1), ("a1", ANN, 1), ("a2", ANN, 1), ("b", BOB, 1), ("c", BOB, 0)), 1
        ):
            job = Job("move", "toguz", START, (), strength=8, lane=lane)
            asks.append(asyncio.create_task(queue.ask(f"turn:{key}", job, caller, PATIENCE)))
            await until(lambda number=number: len(waiting()) == number)  # type: ignore[misc]
        order = [key.removeprefix("turn:") for key in waiting()]
        assert order == ["a0", "b", "c", "a1", "a2", "r"], "c waits behind b, for both are of one session"
        assert not rows(database, "SELECT id FROM procrastinate_jobs WHERE args::text LIKE '%%1.1.1.1%%'")
        for ask in asks:
            ask.cancel()
        await until(lambda: not waiting())
        assert await queue.ask("turn:late", QUICK, ANN, 0.2) is None
        await until(lambda: not waiting())

    asking(database, test)


def test_a_worker_killed_in_a_search_is_replaced_and_the_engine_moves_once(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server has patience until another worker takes the job; with no worker alive it plays by itself."""
    monkeypatch.setattr("korgool.app.server.engines.search_dispatch._CLOCK_GRACE", PATIENCE)
    workers: dict[int, Program] = {}

    async def test(game_registry: GameRegistry) -> None:
        queue = WorkQueue(ServerSettings(database=database).url(), SECRET)
        await queue.open()
        game_registry.work = SearchDispatch(queue)
        for number in (1, 2):
            program = Program(["worker", "--database", database, "--threads", "1"])
            known = f"SELECT id FROM procrastinate_workers WHERE id <> ALL('{{{','.join(map(str, workers))}}}')"
            await until(lambda number=number: queue.workers == number)  # type: ignore[misc]
            workers[rows(database, known)[0][0]] = program
        running = await begun(game_registry, alone(level=8, clock="60+30"), 7)
        doing = "SELECT worker_id FROM procrastinate_jobs WHERE status = 'doing'"
        await until(lambda: bool(rows(database, doing)))
        workers.pop(rows(database, doing)[0][0]).kill()
        await until(lambda: running.game.plies == 2)
        answers = rows(database, "SELECT answer FROM answers WHERE key LIKE %s", f"{running.address}:%")
        assert answers == [(running.game.game.moves[-1],)], "the other worker found it, and nobody twice"
        await until(lambda: not rows(database, "SELECT id FROM procrastinate_jobs"))
        assert running.game.plies == 2
        for program in workers.values():
            program.terminate()
        await until(lambda: queue.workers == 0)
        other = await begun(game_registry, alone(level=8, clock="1+0"), 7)
        await until(lambda: other.game.plies == 2)

    try:
        within(tmp_path, test, database)
    finally:
        for program in workers.values():
            program.kill()
            program.communicate()


def hanging_run(trigger: Path, hung: Path, *arguments: Any) -> None:
    """A program in which, once there is the first file, a job hangs in every pool; then there is the second one."""

    def hang() -> None:
        while not trigger.exists():
            time.sleep(0.05)
        for pool in pools():
            pool.submit(threading.Event().wait)
        hung.touch()

    threading.Thread(target=hang, daemon=True).start()
    processes._run(*arguments)


def test_a_worker_in_which_searches_hang_ends(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trigger, hung = tmp_path / "hang", tmp_path / "hung"
    with monkeypatch.context() as patched:
        patched.setattr(processes, "_run", partial(hanging_run, trigger, hung))
        program = Program(["worker", "--database", database, "--threads", "1"])
    try:
        eventually(lambda: bool(program.said()), "the worker to be ready")
        trigger.touch()
        eventually(hung.exists, "the jobs to hang")
        began = time.monotonic()
        program.send_signal(signal.SIGTERM)
        assert program.wait(PATIENCE) == 1
        assert time.monotonic() - began < 10
        assert "left behind, because it hangs: engine, exact, perfect, short" in program.said()
    finally:
        program.kill()
