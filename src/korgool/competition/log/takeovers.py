"""The lines of a log by which another machine has taken over the event."""

from __future__ import annotations

import korgool.competition.actions as do
from korgool.competition.event_state import EventState


def takeovers(state: EventState) -> tuple[tuple[int, do.TakeOver], ...]:
    """Every take-over with the number of its line, the first one first."""
    return tuple((at, action) for at, (action, _) in enumerate(state.done, 1) if isinstance(action, do.TakeOver))
