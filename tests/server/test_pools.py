"""Pools of threads: a job that hangs keeps its thread, and nobody else; the health tells it, and the process ends."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from concurrent.futures import CancelledError, Future
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from korgool.app.server.limits.deadline_pool import DeadlinePool, OverdueError, pools, watch_pools
from tests.patience import PATIENCE, eventually
from tests.ports import free_ports

from . import processes
from .support import Server, run_async

NAMES = (
    "engine",
    "events",
    "exact",
    "files",
    "hashing",
    "mail",
    "other",
    "pairing",
    "perfect",
    "proof",
    "reading",
    "short",
)


def hanging_run(names: tuple[str, ...], trigger: str, *arguments: Any) -> None:
    """A server in which, once there is a file of this name, a job hangs in every thread of these pools."""
    from korgool.app.server import application

    look_always = watch_pools

    async def watch() -> None:
        watching = asyncio.create_task(look_always())
        while not Path(trigger).exists():
            await asyncio.sleep(0.05)
        if "loop" in names:
            threading.Event().wait()
        for pool in pools():
            if pool.name in names:
                pool.seconds = 0.1
                for _ in range(pool.threads):
                    pool.submit(threading.Event().wait)
        await watching

    vars(application)["watch_pools"] = watch
    processes._run(*arguments)


def hanging(folder: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], *options: str) -> Server:
    """Such a server, in which the jobs hang."""
    trigger = folder / "hang"
    with monkeypatch.context() as patched:
        patched.setattr(processes, "_run", partial(hanging_run, names, str(trigger)))
        server = Server(folder, None, *options)
    assert httpx.get(f"{server.url}/healthz", timeout=PATIENCE).status_code == 200
    trigger.touch()
    return server


def end_of(server: Server) -> tuple[float, int]:
    """Seconds from SIGTERM to the end, and its status."""
    began = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    return (server.process.wait(PATIENCE) and time.monotonic() - began) or 0.0, server.process.returncode or 0


def test_a_server_whose_pools_all_hang_says_so_and_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    pytest.importorskip("prometheus_client")
    (port,) = free_ports(1)
    options = ("--metrics", str(port), "--smtp", "smtp://127.0.0.1:9", "--mail-from", "a@example.org")
    server = hanging(tmp_path, monkeypatch, NAMES, *options, "--base-url", "http://127.0.0.1:8000")
    request.addfinalizer(server.process.kill)

    def told() -> str:
        answer = httpx.get(f"{server.url}/healthz", timeout=PATIENCE)
        return "" if answer.status_code == 200 else str(answer.json()["detail"])

    eventually(lambda: ", ".join(NAMES) in told(), "the health to name every pool")
    figures = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE).text
    for name in NAMES:
        assert f'korgool_pool_threads{{pool="{name}"}}' in figures
        overdue = [line for line in figures.splitlines() if f'pool="{name}",state="overdue"' in line]
        assert float(overdue[0].split()[-1]) >= 1
    seconds, status = end_of(server)
    assert seconds < 10
    assert status == 1


@pytest.mark.parametrize("name", ["events", "reading"])
def test_what_waits_for_a_pool_that_hangs_is_refused_and_the_process_ends(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """One pool hangs: the others serve, whoever needs it gets 503, and everything ends in order but for its threads."""
    server = hanging(tmp_path, monkeypatch, (name,))
    request.addfinalizer(server.process.kill)

    def asked() -> httpx.Response:
        if name == "events":
            return httpx.get(f"{server.url}/events", timeout=PATIENCE)
        pasted = {"game": "toguz", "text": "1. 76"}
        return httpx.post(f"{server.url}/api/analysis/record", json=pasted, timeout=PATIENCE)

    eventually(lambda: asked().status_code == 503, "the refusal")
    assert int(asked().headers["retry-after"]) > 0
    assert httpx.get(f"{server.url}/watch", timeout=PATIENCE).status_code == 200
    seconds, status = end_of(server)
    assert seconds < 10
    assert status == 1
    said = server.process.said()
    assert f"left behind, because it hangs: {name}" in said
    assert f"a job of the pool '{name}' takes more than 0.1 seconds; it stands at" in said


def test_a_server_whose_event_loop_hangs_ends_and_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    server = hanging(tmp_path, monkeypatch, ("loop",))
    request.addfinalizer(server.process.kill)
    time.sleep(0.2)
    seconds, status = end_of(server)
    assert seconds < 10
    assert status == 1
    assert "test_pools.py" in server.process.said()


def test_a_server_without_hanging_jobs_ends_with_status_0(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(PATIENCE) == 0
    assert "hangs" not in server.process.said()


def test_the_results_of_jobs_come_as_from_any_executor() -> None:
    with DeadlinePool("test", 2, 60.0) as pool:
        assert list(pool.map(lambda number: number + 1, range(20))) == list(range(1, 21))
        with pytest.raises(KeyError, match="missing"):
            pool.submit({}.__getitem__, "missing").result(PATIENCE)
        assert (pool.busy, pool.waiting, pool.overdue, pool.stuck) == (0, 0, 0, False)


def test_nobody_waits_for_a_job_that_is_overdue_nor_for_lost_threads() -> None:
    pool, hold = DeadlinePool("test", 2, 0.05), threading.Event()
    slow: list[Future[Any]] = [pool.submit(hold.wait), pool.submit(hold.wait)]
    slow.append(pool.submit(lambda: "done"))
    eventually(lambda: pool.overdue == 2, "the jobs to be overdue")
    assert pool.stuck
    assert (pool.busy, pool.waiting) == (2, 1)
    pool.look()
    for future in slow:
        with pytest.raises(OverdueError):
            future.result(PATIENCE)
    hold.set()  # they end after all, and the pool works again
    eventually(lambda: not pool.jobs, "the threads to be free")
    assert pool.submit(lambda: "again").result(PATIENCE) == "again"
    pool.shutdown()


def test_a_job_that_waits_for_its_turn_is_not_overdue() -> None:
    pool, hold = DeadlinePool("test", 1, 60.0), threading.Event()
    pool.submit(hold.wait)
    queued = pool.submit(lambda: "done")
    pool.look()
    assert not queued.done()
    assert (pool.waiting, pool.overdue) == (1, 0)
    hold.set()
    assert queued.result(PATIENCE) == "done"
    pool.shutdown()


def test_the_end_of_a_pool_waits_for_no_job_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("korgool.app.server.limits.deadline_pool._CLOSE_SECONDS", 0.2)
    monkeypatch.setattr("korgool.app.server.limits.deadline_pool._ENDS", [])
    pool, hold = DeadlinePool("test", 1, 60.0), threading.Event()
    pool.submit(hold.wait)
    queued = pool.submit(lambda: "done")
    began = time.monotonic()
    pool.shutdown(cancel_futures=True)
    assert time.monotonic() - began < PATIENCE / 2
    with pytest.raises(CancelledError):
        queued.result(PATIENCE)
    assert pool not in pools()
    hold.set()


def test_the_tasks_of_an_event_loop_hear_of_it() -> None:
    async def test() -> None:
        pool, hold = DeadlinePool("test", 1, 0.05), threading.Event()
        loop = asyncio.get_running_loop()
        first = loop.run_in_executor(pool, hold.wait)
        second = loop.run_in_executor(pool, hold.wait)
        third = loop.run_in_executor(pool, hold.wait)
        third.cancel()
        await asyncio.to_thread(eventually, lambda: pool.stuck, "the pool to be stuck")
        pool.look()
        for one in (first, second):
            with pytest.raises(OverdueError):
                await one
        hold.set()
        pool.shutdown()

    run_async(test())
