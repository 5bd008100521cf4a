"""Pairings that are computed before a transaction begins, and looked up within it."""

from __future__ import annotations

from typing import TypeAlias

from korgool.competition.pairing import PairingEngine
from korgool.competition.pairing.engine import NoPairingError, Pairs
from korgool.competition.pairing.gacrux_process import ISOLATED

Arguments: TypeAlias = tuple[str, int, int]
"""Those of `PairingEngine.pair`."""


class NotComputedError(Exception):
    """A pairing that has not been computed yet, and may not be while others wait.

    Attributes:
        asked: the arguments of `PairingEngine.pair`.
    """

    def __init__(self, asked: Arguments) -> None:
        super().__init__("the pairing has to be computed first")
        self.asked = asked


class PairingCache:
    """A `PairingEngine` that only gives what was computed before.

    An engine may take a minute, and within a transaction that would keep everybody else from writing. So it runs
    outside, and the transaction begins again; a pairing of another field is not used then.
    """

    def __init__(self, engine: PairingEngine = ISOLATED) -> None:
        self._engine = engine
        self._known: dict[Arguments, Pairs | NoPairingError] = {}

    @property
    def name(self) -> str:
        """Name and version of the engine."""
        return self._engine.name

    def pair(self, trf: str, number: int, competitors: int) -> Pairs:
        """The pairing of a round; see `PairingEngine.pair`.

        Raises:
            NotComputedError: it is not known.
            NoPairingError: it is known that there is none.
        """
        asked = (trf, number, competitors)
        if asked not in self._known:
            raise NotComputedError(asked)
        found = self._known[asked]
        if isinstance(found, NoPairingError):
            raise found
        return found

    def compute(self, asked: Arguments) -> None:
        """Compute a pairing, or find that there is none: the caller may then allow more, or report why.

        Raises:
            EngineError: the engine is missing or failed.
        """
        try:
            self._known[asked] = self._engine.pair(*asked)
        except NoPairingError as error:
            self._known[asked] = error
