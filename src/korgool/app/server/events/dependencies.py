"""What handlers that are about events are given by name."""

from __future__ import annotations

from typing import Annotated, Any

from litestar.connection import ASGIConnection
from litestar.di import NamedDependency, Provide
from litestar.params import PathParameter

from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.events.followed_events import FollowedEvents
from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.events.official_access import found_event, found_officer
from korgool.app.server.events.public_pages import PublicPages
from korgool.competition.roles import Officer

EventId = Annotated[
    str,
    PathParameter(
        description="id of the event, 8 letters and digits",
        max_length=40,
        schema_extra={"pattern": "^[a-z0-9]{8}$"},
    ),
]
TheEventRegistry = NamedDependency[EventRegistry]
TheEvent = NamedDependency[LiveEvent]
"""The event in the address of a door for its officials."""
TheOfficer = NamedDependency[Officer]
"""Who asks there."""
TheFollowedEvents = NamedDependency[FollowedEvents]
ThePublicPages = NamedDependency[PublicPages]


async def _event(request: ASGIConnection[Any, Any, Any, Any], event_id: EventId) -> LiveEvent:
    return found_event(request)


async def _officer(request: ASGIConnection[Any, Any, Any, Any]) -> Officer:
    return found_officer(request)


EVENT_DEPENDENCIES = {"event": Provide(_event), "officer": Provide(_officer)}
"""The event in an address and who officiates there, for the doors of its officials."""
