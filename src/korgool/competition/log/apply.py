"""`apply`: the event after an action of an official, or the reason why it is refused."""

from __future__ import annotations

from dataclasses import replace

import korgool.competition.actions as do
from korgool.competition.event_state import EventState
from korgool.competition.log.disputes import check_dispute
from korgool.competition.log.replay import step
from korgool.competition.log.table_actions import check_table
from korgool.competition.log.undo import undo


def apply(state: EventState, action: do.AnyAction, *, reason: str = "") -> EventState:
    """The event after an action.

    Args:
        state: the event before it.
        action: what an official does.
        reason: why; some actions need one (`actions.NEEDS_REASON`).

    Raises:
        CompetitionError: the action is not allowed; the message says why. Nothing is changed.
    """
    after = step(state, action, reason)
    if isinstance(action, do.Dispute | do.Settle):
        check_dispute(state, action)
    if isinstance(action, do.Report | do.Call):
        check_table(state, action)
    if isinstance(action, do.Undo):
        return undo(state, action, reason)
    return replace(after, done=(*state.done, (action, reason)))
