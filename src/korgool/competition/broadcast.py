"""Showing of games while they are played: how many boards of a round the public sees, and how much later."""

from __future__ import annotations

from dataclasses import dataclass

from korgool.competition.errors import CompetitionError
from korgool.languages import N_

MOST_BOARDS = 200
LONGEST_DELAY = 3_600
"""Seconds."""


@dataclass(frozen=True, slots=True)
class Broadcast:
    """View of running games for the public, by the scoresheets that phones at the boards keep.

    Attributes:
        boards: how many of the first boards of a round stand on one page; 0 shows no running game.
        delay: seconds after which readers see what was played.
    """

    boards: int = 0
    delay: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.boards <= MOST_BOARDS:
            raise CompetitionError(
                N_("one page shows 0 to {most} boards, not {boards}"), most=MOST_BOARDS, boards=self.boards
            )
        if not 0 <= self.delay <= LONGEST_DELAY:
            raise CompetitionError(
                N_("moves are shown 0 to {most} seconds later, not {delay}"), most=LONGEST_DELAY, delay=self.delay
            )


NO_BROADCAST = Broadcast()
