"""A process that is given its input at once and is ended, with whatever it started, when it takes too long.

Rounds are paired and files from outside are opened in such processes: whatever a library does there, to loop or to
crash, its caller goes on. The program of each process sets its own limits of memory and processor time, as far as the
system has them.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from subprocess import Popen


class Ended(NamedTuple):
    """Result of a process: its exit status, negative for a signal, and its output."""

    code: int
    output: bytes
    errors: bytes


class OverdueError(Exception):
    """The process was ended because it took too long."""


def run_bounded(command: Sequence[str], data: bytes, seconds: float) -> Ended:
    """Run a program with this input to its end.

    Raises:
        OverdueError: it took longer than so many seconds by the clock.
        OSError: it cannot be started.
    """
    import subprocess  # reading an event needs no process

    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    _RUNNING.add(process)
    try:
        output, errors = process.communicate(data, timeout=seconds)
    except subprocess.TimeoutExpired:
        _kill(process)
        raise OverdueError from None
    except BaseException:
        _kill(process)
        raise
    finally:
        _RUNNING.discard(process)
    return Ended(process.returncode, output, errors)


_RUNNING: set[Popen[bytes]] = set()


def end_processes() -> None:
    """Kill all running processes; their callers learn that they have failed."""
    for process in tuple(_RUNNING):
        _signal(process)


def _kill(process: Popen[bytes]) -> None:
    """End the process with its children; they hold its pipes, and its group, when it has ended before them."""
    _signal(process)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def _signal(process: Popen[bytes]) -> None:
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except (ProcessLookupError, PermissionError):
        pass
