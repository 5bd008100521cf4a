"""Calls for a referee from the tables, as every page of the desk shows them."""

from __future__ import annotations

from dataclasses import dataclass

import korgool.competition.actions as do
from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.events.group_addresses import group_address
from korgool.app.server.events.live_event import LiveEvent
from korgool.app.words.event_log import CALL_REASONS
from korgool.competition.event_state import EventState
from korgool.competition.roles import Officer
from korgool.competition.tables import CallReason


@dataclass(frozen=True, slots=True)
class DeskCall:
    """A call for a referee.

    Attributes:
        event: the address of the group.
        group: its name, empty for the group of the page.
        seq: the last line of its log.
        round, board: where.
        about: the reason, and `reason` as a message.
        coming: whether a referee is on the way.
        open: whether the official may answer it.
    """

    event: str
    group: str
    seq: int
    round: int
    board: int
    about: CallReason
    reason: str
    coming: bool
    open: bool


def desk_calls(state: EventState, event: LiveEvent, officer: Officer, registry: EventRegistry) -> tuple[DeskCall, ...]:
    """The calls from boards of the official, those of the page's group first; of other groups as memory has them."""
    found = _calls(state, event.id, "", officer)
    for group, name in state.groups.items():
        address = group_address(event.event_id, state, group)
        other = None if group == state.group else registry.in_memory(address)
        if other is not None:
            found += _calls(other.state, address, name, officer)
    return tuple(found)


def _calls(state: EventState, address: str, name: str, officer: Officer) -> list[DeskCall]:
    return [
        DeskCall(
            address,
            name,
            state.actions,
            number,
            board,
            one.about,
            CALL_REASONS[one.about],
            one.state == "coming",
            officer.refusal(do.Call(number, board, one.about, "coming"), state) is None,
        )
        for (number, board), one in sorted(state.calls.items())
        if officer.boards is None or board in officer.boards
    ]
