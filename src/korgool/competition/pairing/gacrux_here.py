"""gacrux in this process: for programs that cannot start another one."""

from __future__ import annotations

from dataclasses import dataclass

from korgool.competition.pairing.engine import EngineError, Pairs, gacrux_name, missing, read_answer
from korgool.competition.pairing.gacrux_child import OutOfMemory, answer


@dataclass(frozen=True, slots=True)
class GacruxHere:
    """A `PairingEngine` that calls gacrux as a library.

    Nothing bounds its time or memory, and a crash of it is one of the caller: `GacruxProcess` is the safer choice.
    """

    @property
    def name(self) -> str:
        """Name and version of gacrux."""
        return gacrux_name()

    def pair(self, trf: str, number: int, competitors: int) -> Pairs:
        """Pair a round; see `PairingEngine.pair`."""
        try:
            return read_answer(answer(trf, number))
        except ImportError as error:
            raise missing(error) from None
        except OutOfMemory:
            raise EngineError(f"memory ran out while {competitors} were being paired") from None
