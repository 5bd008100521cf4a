"""gacrux in a subprocess, with a time limit and a bound on memory, and its failures in words."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import msgspec

from korgool.competition.errors import CompetitionError
from korgool.competition.pairing.gacrux_child import EXHAUSTED, MISSING

COMMAND: tuple[str, ...] = (sys.executable, "-I", str(Path(__file__).with_name("gacrux_child.py")))
"""What is started; the memory bound in MiB and the arguments for gacrux follow."""

_NO_PAIRING = (2, 505)
"""gacrux's statuses for a field that has no legal pairing (FIDE C.04.3 art. 1.9.3)."""


class EngineError(CompetitionError):
    """The pairing engine is missing, was stopped, crashed, or said something that is no pairing."""


class NoPairingError(CompetitionError):
    """No legal pairing of the round exists."""


def engine_name() -> str:
    """`gacrux 1.11.65`, or `gacrux` alone where it is not installed."""
    try:
        return f"gacrux {metadata.version('gacrux')}"
    except metadata.PackageNotFoundError:
        return "gacrux"


def time_limit(competitors: int) -> float:
    """Seconds that the engine may take for so many competitors: a minute, and for large events as the square of them.

    It weighs every two of a field. 500 players take it up to 14 seconds of a processor that does nothing else, which
    have become 83 on a machine at work on a dozen other things; they get 300.
    """
    return max(60.0, 300.0 * (competitors / 500) ** 2)


def run_engine(trf: str, number: int, *, timeout: float = 60.0, memory_mib: int = 2048) -> tuple[tuple[int, int], ...]:
    """Pair a round by a TRF file.

    Args:
        trf: the file, as `engine_file` writes it.
        number: the round to pair, from 1.
        timeout: seconds after which the engine and whatever it started are killed.
        memory_mib: bound on its address space in MiB where the system has such bounds; 0 for none.

    Returns:
        Pairing numbers as (White, Black) in the order of boards; Black is 0 for the pairing-allocated bye.

    Raises:
        NoPairingError: no legal pairing exists.
        EngineError: the engine is missing, too slow, too big, crashed, or answered something else.
    """
    arguments = ["-f", "TRF", "-b", "utf-8", "-p", "-n", str(number)]
    try:
        process = subprocess.Popen(
            [*COMMAND, str(memory_mib), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise EngineError(f"the pairing engine cannot be started: {error}") from None
    try:
        output, errors = process.communicate(trf.encode(), timeout=timeout)
    except subprocess.TimeoutExpired:
        _kill(process)
        raise EngineError(
            f"the pairing engine was stopped after {timeout:g} seconds without an answer; "
            "allow it more time or pair the round by hand"
        ) from None
    except BaseException:
        _kill(process)
        raise
    return _pairs(process.returncode, output, errors.decode(errors="replace"), memory_mib)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the engine with its children; they hold its pipes, and its group, when it has ended before them."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except (ProcessLookupError, PermissionError):
        pass
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


class _Status(msgspec.Struct):
    code: int
    error: list[str] = msgspec.field(default_factory=list)


class _Pairs(msgspec.Struct):
    pairs: list[tuple[int, int]]


class _Answer(msgspec.Struct, rename={"result": "pairingResult"}):
    status: _Status
    result: _Pairs | None = None


def _pairs(code: int, output: bytes, errors: str, memory_mib: int) -> tuple[tuple[int, int], ...]:
    if code == MISSING:
        raise EngineError(f"the pairing engine gacrux is not installed ({errors.strip()}): pip install gacrux")
    if code == EXHAUSTED:
        raise EngineError(f"the pairing engine needs more than {memory_mib} MiB of memory; allow it more")
    if code != 0:
        last = errors.strip().splitlines()[-1:] or [f"exit status {code}"]
        raise EngineError(f"the pairing engine failed: {last[0][:300]}")
    try:
        answer = msgspec.json.decode(output, type=_Answer)
    except msgspec.DecodeError as error:
        raise EngineError(f"the pairing engine gave no pairing but {output[:80]!r} ({error})") from None
    said = "; ".join(answer.status.error)
    if answer.status.code in _NO_PAIRING:
        raise NoPairingError(said or "no legal pairing exists")
    if answer.status.code != 0 or answer.result is None:
        raise EngineError(f"the pairing engine failed with status {answer.status.code}: {said or 'no reason given'}")
    return tuple(answer.result.pairs)
