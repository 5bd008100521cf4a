"""The lines of a log by which another machine has taken over the event."""

from __future__ import annotations

import korgool.competition.actions as do
from korgool.competition.event_state import EventState


def takeovers(state: EventState) -> tuple[tuple[int, do.TakeOver], ...]:
    """Every take-over with the number of its line, the first one first."""
    return tuple((at, action) for at, (action, _) in enumerate(state.done, 1) if isinstance(action, do.TakeOver))


def led_mark(state: EventState) -> str:
    """A text that differs with every machine that takes the event over; empty before the first one does."""
    moved = takeovers(state)
    return f"t{moved[-1][0]}.{moved[-1][1].chain[:8]}" if moved else ""
