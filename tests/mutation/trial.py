"""One mutant tried: the tests that reach it run in a forked process that finds a changed file in place of the true one.

Nothing in the working tree is changed. The mutant stands in an overlay, a folder of links to the package in which one
file is another, and the overlay is first on the path of the forked process and of all that it starts. The process that
forks has loaded what tests need but nothing of the package, so each trial imports the package anew and nothing else.
"""

from __future__ import annotations

import importlib
import os
import resource
import signal
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.mutation.operators import Mutant
from tests.mutation.reach import files
from tests.mutation.rooms import PACKAGE, ROOT

LOADED = (
    "click.testing httpx hypothesis.strategies litestar msgspec rich.console sqlalchemy uvicorn websockets.sync.client"
)
"""Libraries that are slow to import."""
PATIENCE = 10
"""Seconds that a test of a trial waits for what a mutant may keep from coming."""


def prepare() -> None:
    """Load what every trial needs, once."""
    for name in LOADED.split():
        importlib.import_module(name)
    assert "korgool" not in sys.modules


def failing(mutant: Mutant | None, tests: Sequence[str], *, seconds: float, first: bool = True) -> list[str]:
    """The tests that fail with a mutant, or without one.

    Args:
        mutant: the change.
        tests: by their names; they run in this order.
        seconds: of the processor and, four times as many, of the wall; a trial that takes longer hangs.
        first: stop at the first.

    Returns:
        Names of tests; `["a hang"]` when the time was over, `["an end"]` when the process ended before them, and
        `["a start"]` when they could not begin.
    """
    with TemporaryDirectory() as folder:
        overlay, told = Path(folder, "overlay"), Path(folder, "told")
        overlay.mkdir()
        if mutant is None:
            (overlay / PACKAGE.name).symlink_to(PACKAGE)
        else:
            lay(mutant, overlay)
        child = os.fork()
        if child == 0:
            _be_the_child(overlay, told, tests, seconds, first)
        status = _wait(child, 4 * seconds)
        told_lines = told.read_text().splitlines() if told.exists() else []
        if status in (None, -signal.SIGXCPU, -signal.SIGKILL):
            return ["a hang"]
        if "end" not in told_lines:
            return ["an end"]
        return [line for line in told_lines if line != "end"]


def lay(mutant: Mutant, overlay: Path) -> None:
    """Make the overlay: links to all files, and folders of links on the way to the changed one.

    The compiled files are linked one by one, without that of the changed file, since Python may write others.
    """
    here, there = PACKAGE, overlay / PACKAGE.name
    for part in mutant.file.relative_to(PACKAGE).parts:
        for folder in (here, here / "__pycache__"):
            copy = there / folder.relative_to(here)
            copy.mkdir()
            for entry in folder.iterdir() if folder.is_dir() else ():
                if entry.name not in (part, "__pycache__") and not entry.name.startswith(f"{Path(part).stem}.cpython"):
                    (copy / entry.name).symlink_to(entry)
        here, there = here / part, there / part
    there.write_text(mutant.apply(mutant.file.read_text(encoding="utf-8")), encoding="utf-8")


class _Chosen:
    """A plugin of pytest: only the chosen tests, in this order, and who fails is told at once."""

    def __init__(self, tests: Sequence[str], told: Path) -> None:
        self._rank = {test: rank for rank, test in enumerate(tests)}
        self._told = told

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((it for it in items if it.nodeid in self._rank), key=lambda it: self._rank[it.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.tell(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.tell(report.nodeid)

    def tell(self, line: str) -> None:
        with self._told.open("a") as file:
            file.write(line + "\n")


def _be_the_child(overlay: Path, told: Path, tests: Sequence[str], seconds: float, first: bool) -> None:
    status = 1
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 5))
        quiet = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(quiet, stream)
        os.chdir(ROOT)
        sys.path.insert(0, str(overlay))
        os.environ["PYTHONPATH"] = str(overlay)
        os.environ["KORGOOL_TEST_PATIENCE"] = str(PATIENCE)
        chosen = _Chosen(tests, told)
        options = ["-p", "no:cacheprovider", "--hypothesis-profile=unshrunk", *(["-x"] if first else [])]
        code = pytest.main([*options, *files(tests)], plugins=[chosen])
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            chosen.tell("a start")
        chosen.tell("end")
        status = 0
    finally:
        os._exit(status)


def _wait(child: int, seconds: float) -> int | None:
    """The exit status, negative for a signal; None when the child took too long. Nothing it started is left."""
    until = time.monotonic() + seconds
    status: int | None = None
    while time.monotonic() < until:
        ended, how = os.waitpid(child, os.WNOHANG)
        if ended:
            status = os.waitstatus_to_exitcode(how)
            break
        time.sleep(0.01)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if status is None:
        os.waitpid(child, 0)
    return status


def stages(tests: Iterable[tuple[str, float]], *, budget: float) -> list[list[str]]:
    """Tests in the order in which they are tried: a few of the fastest, then the others.

    Within a stage those of a file stay together, since they share what the file sets up, and what takes about as long
    as each other comes in one go.

    Args:
        tests: names and seconds.
        budget: seconds after which no further test is taken.
    """
    total = 0.0
    taken: list[tuple[str, float]] = []
    for name, seconds in sorted(tests, key=lambda test: test[1]):
        total += seconds
        if taken and total > budget:
            break
        taken.append((name, seconds))
    few = [name for name, _ in taken[:12]]
    rest = sorted(
        taken[12:], key=lambda test: (int(max(test[1], 0.02) * 50).bit_length() // 3, test[0].partition("::")[0])
    )
    return [sorted(few, key=lambda name: name.partition("::")[0]), [name for name, _ in rest]]
