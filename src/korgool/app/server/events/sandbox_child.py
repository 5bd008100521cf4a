"""The program of the process that opens one file from outside: bounded, and ended by whoever started it.

It reads from standard input a line of JSON, the name of the job, its arguments and its limits, and then the file. It
writes a line of JSON, null or why the file is refused, and then what the job has made.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from typing import Any

EXHAUSTED = 98
"""Exit status when the memory that the job may take was used up."""


def bound(seconds: int, memory_mib: int) -> None:
    """Limit processor time, memory and files of this process as far as the system can.

    Linux limits all of it. macOS does not limit memory, and Windows nothing: there the limits of each job itself hold,
    and the deadline of whoever waits for it.
    """
    try:
        import resource
    except ImportError:
        return
    wanted = {
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_AS: memory_mib << 20,
        resource.RLIMIT_FSIZE: 0,  # it writes nothing but its answer, into a pipe
        resource.RLIMIT_CORE: 0,
    }
    for limit, most in wanted.items():
        with suppress(OSError, ValueError):
            _, hard = resource.getrlimit(limit)
            resource.setrlimit(limit, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def answer(name: str, arguments: list[Any], data: bytes) -> tuple[Any, bytes]:
    """Do a job: why the file is refused, as `plain_message` gives it, or None; and what the job has made."""
    from korgool.app.server.events.sandbox_jobs import JOBS, plain_message
    from korgool.competition.errors import CompetitionError

    try:
        return None, JOBS[name](data, *arguments)
    except CompetitionError as error:
        return plain_message(error.message), b""


def main() -> int:
    """Do the job on standard input."""
    name, arguments, seconds, memory_mib = json.loads(sys.stdin.buffer.readline())
    bound(seconds, memory_mib)
    try:
        refusal, made = answer(name, arguments, sys.stdin.buffer.read())
        sys.stdout.buffer.write(json.dumps(refusal).encode() + b"\n" + made)
        sys.stdout.buffer.flush()
    except MemoryError:
        return EXHAUSTED
    return 0


if __name__ == "__main__":
    sys.exit(main())
