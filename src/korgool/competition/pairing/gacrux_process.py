"""gacrux in a process of its own, with limits of time and memory."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from korgool.competition.bounded_process import OverdueError, run_bounded
from korgool.competition.pairing.engine import EngineError, Pairs, gacrux_name, missing, read_answer
from korgool.competition.pairing.gacrux_child import EXHAUSTED, MISSING
from korgool.languages import N_

COMMAND: tuple[str, ...] = (sys.executable, "-I", str(Path(__file__).with_name("gacrux_child.py")))
"""Command line; the memory bound in MiB and the number of the round follow."""


def time_limit(competitors: int) -> float:
    """Seconds that the engine may take for so many competitors: a minute, and for large events as the square of them.

    It weighs every two of a field. 500 players take it up to 14 seconds of a processor that does nothing else, which
    have become 83 on a machine at work on a dozen other things; they get 300.
    """
    return max(60.0, 300.0 * (competitors / 500) ** 2)


@dataclass(frozen=True, slots=True)
class GacruxProcess:
    """A `PairingEngine` that starts a process for each round, and ends it when it takes too much.

    Attributes:
        timeout: seconds after which the process and whatever it started are killed; None for `time_limit`.
        memory_mib: bound on its address space in MiB where the system has such bounds; 0 for none.
    """

    timeout: float | None = None
    memory_mib: int = 2048

    @property
    def name(self) -> str:
        """Name and version of gacrux."""
        return gacrux_name()

    def pair(self, trf: str, number: int, competitors: int) -> Pairs:
        """Pair a round; see `PairingEngine.pair`."""
        timeout = time_limit(competitors) if self.timeout is None else self.timeout
        try:
            ended = run_bounded([*COMMAND, str(self.memory_mib), str(number)], trf.encode(), timeout)
        except OSError as error:
            raise EngineError(N_("the pairing engine cannot be started: {error}"), error=error) from None
        except OverdueError:
            raise EngineError(
                N_(
                    "the pairing engine was stopped after {timeout:g} seconds without an answer; allow it more time "
                    "or pair the round by hand"
                ),
                timeout=timeout,
            ) from None
        self._check_end(ended.code, ended.errors.decode(errors="replace").strip())
        return read_answer(ended.output)

    def _check_end(self, code: int, errors: str) -> None:
        if code == MISSING:
            raise missing(errors)
        if code == EXHAUSTED:
            raise EngineError(
                N_("the pairing engine needs more than {memory_mib} MiB of memory; allow it more"),
                memory_mib=self.memory_mib,
            )
        if code != 0:
            last = errors.splitlines()[-1:] or [f"exit status {code}"]
            raise EngineError(N_("the pairing engine failed: {last}"), last=last[0][:300])


ISOLATED = GacruxProcess()
"""The engine that pairs unless another one is named."""
