"""`korgool` in processes of their own, forked from one that has imported and prepared everything.

A server that starts spends two seconds of processor time on imports, templates and the compression of its files, and
the tests start hundreds. What a start by itself needs is tested where `korgool serve` is called as users call it.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TextIO

_PREPARED = "tests.server.prepared"
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload([_PREPARED])


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a process has of the one that starts it: a fork has it of the common parent otherwise."""

    environment: dict[str, str]
    folder: str
    descriptors: int | None = None

    def take(self) -> None:
        """Make them those of this process."""
        os.environ.clear()
        os.environ.update(self.environment)
        os.chdir(self.folder)
        if self.descriptors is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (self.descriptors, self.descriptors))


class Forked:
    """A process that begins where everything is prepared; it is used as `subprocess.Popen` is.

    Args:
        work: what it does.
        given: what it does that with.
    """

    def __init__(self, work: Callable[..., None], *given: object) -> None:
        begin()
        self._process = FORKS.Process(target=work, args=given)
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    @property
    def returncode(self) -> int | None:
        """The status with which it has ended, or None; a negative one is a signal."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """The same."""
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it as a crash would."""
        self._process.kill()

    def terminate(self) -> None:
        """Ask it to end."""
        self._process.terminate()

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end, so many seconds at most.

        Raises:
            subprocess.TimeoutExpired: it goes on.
        """
        self._process.join(timeout)
        status = self._process.exitcode
        if status is None:
            raise subprocess.TimeoutExpired("korgool", timeout or 0.0)
        return status


class Program(Forked):
    """A running `korgool`; it is used as `subprocess.Popen` is.

    Args:
        arguments: the words after `korgool`.
        patient: whether it waits ten minutes for the move of a visitor's device, and one for a client to hear why its
            live connection is closed. So a test on a busy machine is not too late, and what comes without that did not
            wait.
        hasty: whether engines that think by time do so for a tenth of a second only.
        descriptors: how many files it may open.
    """

    def __init__(
        self, arguments: Sequence[str], *, patient: bool = False, hasty: bool = False, descriptors: int | None = None
    ) -> None:
        reading, writing = FORKS.Pipe(duplex=False)
        file, self._errors = tempfile.mkstemp(prefix="korgool-", suffix=".log")
        os.close(file)
        weakref.finalize(self, Path(self._errors).unlink, missing_ok=True)
        around = Surroundings(dict(os.environ), os.getcwd(), descriptors)
        super().__init__(_run, writing, self._errors, arguments, patient, hasty, around)
        writing.close()
        self.stdout = os.fdopen(os.dup(reading.fileno()), encoding="utf-8")
        reading.close()

    def said(self) -> str:
        """What it has said on stderr so far."""
        return Path(self._errors).read_text(encoding="utf-8")

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Wait for its end; what it had still to say on stdout, and all that it said on stderr."""
        self.wait(timeout)
        with self.stdout:
            return self.stdout.read(), self.said()


@cache
def begin() -> None:
    """Start the common parent where the tests are found: in another folder it would go without them, silently."""
    folder = os.getcwd()
    os.chdir(Path(__file__).parents[2])
    try:
        forkserver.ensure_running()
    finally:
        os.chdir(folder)


def stream(number: int, errors: str) -> TextIO:
    """What Python makes of a descriptor when it starts."""
    encoding = os.environ.get("PYTHONIOENCODING", "utf-8")
    return os.fdopen(number, "w", buffering=1, encoding=encoding, errors=errors, closefd=False)


def _run(
    out: Connection, errors: str, arguments: Sequence[str], patient: bool, hasty: bool, around: Surroundings
) -> None:
    around.take()
    os.dup2(out.fileno(), 1)
    out.close()
    with open(errors, "ab", buffering=0) as file:
        os.dup2(file.fileno(), 2)
    # The streams of the common parent know what lay behind these numbers before.
    sys.stdout, sys.stderr = stream(1, "strict"), stream(2, "backslashreplace")
    from korgool.app.server.engines import perfect_play
    from korgool.app.server.play import engine_seat
    from korgool.app.server.transport import websocket_protocol
    from korgool.engine import levels

    if patient:
        engine_seat._GRACE = engine_seat._CLOCK_GRACE = 600.0
        websocket_protocol._LINGER = 60.0
    if hasty:
        levels.USUAL_SECONDS, perfect_play.MOVE_SECONDS = 0.1, 0.5
    call(arguments)


def call(arguments: Sequence[str]) -> None:
    """`korgool` with these words, in a forked process."""
    assert _PREPARED in sys.modules, "the common parent has prepared nothing"
    from korgool.app.cli import main

    sys.argv = ["korgool", *arguments]
    main()
