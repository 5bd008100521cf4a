"""Slow games between people for tests, in the hall of a server or on the disk of one."""

from __future__ import annotations

from pathlib import Path

from korgool.app.server.play.game_registry import GameRegistry
from korgool.live import GameTerms, Seat, SeatKind, read_clock
from korgool.rules import TOGUZ_KORGOOL

from .inside import within

ANN, BOB = "a" * 22, "b" * 22


def people(white: str = ANN, black: str = BOB, clock: str = "3d", delay_s: int = 0) -> GameTerms:
    """A friendly game between two people; without a name, the engine."""
    seats = [Seat(SeatKind.PERSON, who) if who else Seat(SeatKind.ENGINE, strength=1) for who in (white, black)]
    return GameTerms(TOGUZ_KORGOOL, (seats[0], seats[1]), read_clock(clock), delay_s=delay_s)


def stored(folder: Path, *terms: GameTerms) -> list[str]:
    """The addresses of new games with these terms, while no server runs."""
    found: list[str] = []

    async def make(game_registry: GameRegistry) -> None:
        found.extend([await game_registry.create(one) for one in terms])

    within(folder, make)
    return found
