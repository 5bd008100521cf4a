"""Files from outside, each opened in a process of its own with limits of processor time, memory and waiting.

Whatever a file makes a library do, to loop, to fill the memory or to crash, it does to that process alone, and who sent
it gets a sentence. A process is started for each file and lives as long as it is read: nothing is started beforehand,
and nothing of one file is there when the next one is opened.
"""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import sys
from dataclasses import dataclass
from typing import Any, Final

from korgool.app.server.events.sandbox_child import EXHAUSTED, message_of
from korgool.app.server.limits import Caller
from korgool.app.server.limits.admission import Gate
from korgool.app.server.limits.deadline_pool import DeadlinePool
from korgool.competition.bounded_process import OverdueError, run_bounded
from korgool.competition.errors import CompetitionError, Message
from korgool.languages import N_

AT_ONCE: Final = 2
"""Files that are opened at once; others wait, in a queue that is fair to addresses."""
_COMMAND: Final = (sys.executable, "-P", "-m", "korgool.app.server.events.sandbox_child")
_WAITS: Final = 4
"""Ratio of wall clock to processor time of a job: a busy machine does other things too."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SandboxJob:
    """A job with a file, and its limits.

    Attributes:
        name: as in `sandbox_child.JOBS`.
        seconds: of processor time.
        memory_mib: of address space, of which Python alone takes some 50.
    """

    name: str
    seconds: int
    memory_mib: int

    @property
    def deadline(self) -> float:
        """Seconds by the clock."""
        return float(_WAITS * self.seconds)


EVENT: Final = SandboxJob("event", 15, 1024)
EVENT_SUMMARY: Final = SandboxJob("event_summary", 15, 1024)
ENTRY_LIST: Final = SandboxJob("entry_list", 5, 512)
PHOTO: Final = SandboxJob("photo", 5, 768)
EMBLEM: Final = SandboxJob("emblem", 6, 1024)
PAPER: Final = SandboxJob("paper", 5, 768)
SNAPSHOT: Final = SandboxJob("snapshot", 10, 768)


def open_apart(job: SandboxJob, data: bytes = b"", *arguments: Any) -> bytes:
    """Do a job with a file in a process of its own. It blocks.

    Args:
        job: what to do.
        data: the file.
        arguments: of the job, as JSON can hold them.

    Raises:
        CompetitionError: the file is refused, takes too much, or makes the process crash.
    """
    head = json.dumps([job.name, arguments, job.seconds, job.memory_mib]).encode() + b"\n"
    try:
        ended = run_bounded(_COMMAND, head + data, job.deadline)
    except OSError as error:
        raise CompetitionError(N_("no process can be started that opens the file: {error}"), error=error) from None
    except OverdueError:
        raise CompetitionError(_TOO_SLOW, seconds=job.seconds) from None
    return _result(job, *ended)


def _result(job: SandboxJob, code: int, output: bytes, errors: bytes) -> bytes:
    if code == EXHAUSTED:
        raise CompetitionError(N_("the file needs more than {most} MiB of memory to be read"), most=job.memory_mib)
    if hasattr(signal, "SIGXCPU") and code in (-signal.SIGXCPU, -signal.SIGKILL):
        raise CompetitionError(_TOO_SLOW, seconds=job.seconds)
    head, _, made = output.partition(b"\n")
    if code != 0 or not head:
        last = errors.decode(errors="replace").strip().splitlines()[-1:]
        _LOG.warning("the process that opened a file (%s) ended with status %d: %s", job.name, code, "".join(last))
        raise CompetitionError(N_("the file cannot be read; the program that tried it has crashed"))
    refusal = json.loads(head)
    if refusal is not None:
        text = message_of(refusal)
        raise CompetitionError(text if isinstance(text, Message) else Message(text))
    return made


_TOO_SLOW: Final = N_("the file takes more than {seconds} seconds to be read; it is too large, or not what it seems")


class Sandbox:
    """Opens files from outside, a few at once. Its methods are called on the event loop."""

    def __init__(self) -> None:
        self._threads = DeadlinePool("files", AT_ONCE, EVENT.deadline + 20.0)
        self._gate = Gate(AT_ONCE)

    async def open(self, caller: Caller, job: SandboxJob, data: bytes = b"", *arguments: Any) -> bytes:
        """Do a job when its turn comes; the rest as for `open_apart`."""
        async with self._gate.turn(caller):
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, open_apart, job, data, *arguments)

    def close(self) -> None:
        """Cancel what waits."""
        self._gate.close()
        self._threads.shutdown(wait=False, cancel_futures=True)
