"""Engines that pair Swiss rounds: programs that take a TRF file and answer with pairing numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from korgool.competition.codec import JsonError, from_json
from korgool.competition.errors import CompetitionError, Message
from korgool.languages import N_

Pairs: TypeAlias = tuple[tuple[int, int], ...]
"""Pairing numbers as (White, Black) in the order of boards; Black is 0 for the pairing-allocated bye."""
_NO_PAIRING = (2, 505)
"""gacrux's statuses for a field that has no legal pairing (FIDE C.04.3 art. 1.9.3)."""


class EngineError(CompetitionError):
    """The pairing engine is missing, was stopped, crashed, or gave an invalid answer."""


class NoPairingError(CompetitionError):
    """No legal pairing of the round exists."""


class PairingEngine(Protocol):
    """A program that pairs by the Dutch system (FIDE C.04.3): `GacruxProcess`, `GacruxHere`, or one of your own."""

    @property
    def name(self) -> str:
        """Name and version, as the log keeps them: `gacrux 1.11.65`."""

    def pair(self, trf: str, number: int, competitors: int) -> Pairs:
        """Pair a round.

        Args:
            trf: the file, as `engine_file` writes it.
            number: the round to pair, from 1.
            competitors: how many are to be paired.

        Raises:
            NoPairingError: no legal pairing exists.
            EngineError: the engine is missing or failed.
        """


def gacrux_name() -> str:
    """`gacrux 1.11.65`, or `gacrux` alone where it is not installed."""
    from importlib import metadata  # slow to load, and only pairing asks

    try:
        return f"gacrux {metadata.version('gacrux')}"
    except metadata.PackageNotFoundError:
        return "gacrux"


def missing(reason: object) -> EngineError:
    """The error for a gacrux that is not installed."""
    from korgool.installing import advice

    return EngineError(
        N_("the pairing engine gacrux is not installed ({reason}); type: {command}"),
        reason=reason,
        command=advice("event"),
    )


@dataclass(frozen=True, slots=True)
class _Status:
    code: int
    error: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Result:
    pairs: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Answer:
    status: _Status
    pairingResult: _Result | None = None  # noqa: N815, as gacrux calls it


def read_answer(text: str | bytes) -> Pairs:
    """The pairs that gacrux's answer holds.

    Raises:
        NoPairingError: it says that no legal pairing exists.
        EngineError: it says that gacrux failed, or is not valid.
    """
    try:
        answer = from_json(text, _Answer, lenient=True)
    except JsonError as error:
        raise EngineError(
            N_("the pairing engine gave no pairing but {text!r} ({error})"), text=text[:80], error=error
        ) from None
    said = "; ".join(answer.status.error)
    if answer.status.code in _NO_PAIRING:
        raise NoPairingError(said or N_("no legal pairing exists"))
    if answer.status.code != 0 or answer.pairingResult is None:
        raise EngineError(
            N_("the pairing engine failed with status {code}: {said}"),
            code=answer.status.code,
            said=said or Message(N_("no reason given")),
        )
    return tuple(answer.pairingResult.pairs)
