"""A machine that is slow at random, to find tests that depend on its speed: options of pytest, on Linux only.

    python3 run.py test -p tests.unsteady --hurry
    python3 run.py test -p tests.unsteady --stalls 1.5

With `--hurry` every pause of a test that is shorter than three seconds is over at once. A test that fails then takes a
pause for a proof that something has happened; only a test of what must *not* happen, or of time itself, needs one. With
`--stalls` processes that tests have begun (servers, browsers, engines) and often the workers themselves stop for up to
so many seconds, as on a busy machine, and a test that fails took for granted that they are quick.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

import pytest

SHORT = 3.0
"""Seconds of a pause that is over at once."""
OFTEN = 1.5
"""Processes that are stopped in a second, on average."""
WORKERS = 0.5
"""How often a worker of pytest-xdist may be among them: less than the others, since its stall delays the whole run."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--hurry", action="store_true", help="pauses of tests are over at once")
    parser.addoption("--stalls", type=float, metavar="SECONDS", help="stop processes of tests for up to so long")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("hurry"):
        hurry()
    if (most := config.getoption("stalls")) and not hasattr(config, "workerinput"):
        config.add_cleanup(Stalls(most, Random()).end)


def hurry() -> None:
    """Let the pauses of tests be over at once, those of what they test last as long as ever."""
    sleep, sleep_async = time.sleep, asyncio.sleep

    def short(seconds: float) -> float:
        tests = "/tests/" in sys._getframe(2).f_code.co_filename
        return 0.001 if tests and 0 < seconds < SHORT else seconds

    def asleep(delay: float, result: Any = None) -> Any:
        return sleep_async(short(delay), result)

    def slept(seconds: float) -> None:
        sleep(short(seconds))

    patch = pytest.MonkeyPatch()
    patch.setattr(time, "sleep", slept)
    patch.setattr(asyncio, "sleep", asleep)
    with contextlib.suppress(ImportError):
        from playwright.sync_api import Page

        wait = Page.wait_for_timeout
        patch.setattr(Page, "wait_for_timeout", lambda page, ms: wait(page, 1000 * short(ms / 1000)))


class Stalls:
    """Stops processes that this one has begun, and those that they have begun, each for a moment, until its end."""

    def __init__(self, most: float, random: Random) -> None:
        self._most, self._random = most, random
        self._until: dict[int, float] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Let them all go on."""
        self._over.set()
        self._thread.join()
        for process in self._until:
            self._send(process, signal.SIGCONT)

    def _run(self) -> None:
        due = time.monotonic()
        while not self._over.wait(0.05):
            now = time.monotonic()
            for process in [process for process, until in self._until.items() if until <= now]:
                del self._until[process]
                self._send(process, signal.SIGCONT)
            if now < due:
                continue
            due = now + self._random.expovariate(OFTEN)
            if going := [one for one in self._family() if one not in self._until]:
                process = self._random.choice(going)
                self._until[process] = now + self._random.uniform(0.1, self._most)
                self._send(process, signal.SIGSTOP)

    def _family(self) -> list[int]:
        """Processes under this one; its own children, the workers, seldom."""
        children = defaultdict[int, list[int]](list)
        for path in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                children[int(path.read_text().rsplit(")", 1)[1].split()[1])].append(int(path.parent.name))
        workers = children[os.getpid()]
        found, rest = [one for one in workers if self._random.random() < WORKERS], list(workers)
        while rest:
            below = children[rest.pop()]
            found += below
            rest += below
        return found

    @staticmethod
    def _send(process: int, what: signal.Signals) -> None:
        with contextlib.suppress(OSError):
            os.kill(process, what)
