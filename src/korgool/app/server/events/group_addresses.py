"""Addresses of the groups of an event: that of the first group is the event's id, and `ID~3` is that of another one.

Whatever stands at `/events/ID` and `/api/events/ID` stands there for every group too.
"""

from __future__ import annotations

import re

from korgool.competition.event_state import EventState

MARK = "~"
_GROUP = re.compile(r"[1-9][0-9]{0,5}", re.ASCII)


def event_of(address: str) -> str:
    """The id of the event of an address."""
    return address.partition(MARK)[0]


def group_of(address: str) -> int | None:
    """The id of the group in an address, 0 where it names none; None for one that cannot be."""
    _, mark, number = address.partition(MARK)
    if not mark:
        return 0
    return int(number) if _GROUP.fullmatch(number) else None


def group_address(event: str, state: EventState, group: int) -> str:
    """The address of a group, by ids."""
    return event if group == next(iter(state.groups), group) else f"{event}{MARK}{group}"
