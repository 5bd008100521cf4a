"""Officials of an event: accounts with a role there, and browsers that came by a link or a code; and what handlers are
given by name."""

from __future__ import annotations

from typing import Annotated, Any

from litestar.connection import ASGIConnection
from litestar.di import NamedDependency, Provide
from litestar.params import PathParameter

from korgool.accounts import Action, Thing, refusal
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError, refused_error
from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.events.group_addresses import event_of
from korgool.app.server.events.lead_repository import Leader
from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.http.rights import EVENT_PLACE
from korgool.app.server.http.site_names import SAFE, Connection, bearer
from korgool.app.server.http.visitors import Visitors, principal_of
from korgool.app.server.limits import Caller, RateLimiter, address_key
from korgool.competition.roles import DeskRole, Officer

_EVENT, _OFFICER = "korgool_event", "korgool_officer"
_BYTES = 300
BYTES_A_UNIT = "bytes_a_unit"
"""Route option of a handler whose bytes cost less than those of a list."""
_UNTOLD = 8 * 1024 * 1024
"""Bytes of a request that does not tell its length."""


async def officiate(connection: Connection) -> None:
    """Find the event in an address and its official, or refuse the request.

    Raises:
        ApiError: the visitor has no role there, or there is no such event.
    """
    id_ = connection.path_params[EVENT_PLACE]
    officer = await officer_of(connection, id_)
    person = principal_of(connection).actor
    refused = refusal(person, Action.OFFICIATE, Thing((person.person,)))
    if officer is None and refused is not None:
        raise refused_error(refused)
    event_registry: EventRegistry = connection.app.state.event_registry
    event = await event_registry.find(id_)
    if officer is None:
        raise ApiError(403, errors.NO_ROLE)
    if connection.scope.get("method") not in SAFE:
        if event.leader is not None:
            raise led_elsewhere(event.leader)
        _count(connection)
    connection.scope["state"] |= {_EVENT: event, _OFFICER: officer}


def led_elsewhere(leader: Leader) -> ApiError:
    """The refusal of a machine that does not lead an event any more."""
    return ApiError(423, errors.LED_ELSEWHERE, machine=leader.machine, address=leader.address)


def _count(connection: Connection) -> None:
    """Count what an official sends, by its length too: a long list takes long to be checked.

    Raises:
        RateLimitError: the session or the address has sent too much.
    """
    told, client = connection.headers.get("content-length", ""), connection.scope.get("client")
    length = int(told) if told.isascii() and told.isdecimal() and len(told) < 10 else _UNTOLD
    caller = Caller(address_key(client[0]) if client else "", principal_of(connection).identity)
    rate_limiter: RateLimiter = connection.app.state.rate_limiter
    a_unit = connection.route_handler.opt.get(BYTES_A_UNIT, _BYTES)
    wait = rate_limiter.spend_both(("session_official", "address_official"), caller, 1 + length / a_unit)
    if wait:
        raise RateLimitError(errors.TOO_MANY_CHANGES, wait)


async def officer_of(connection: Connection, id_: str) -> Officer | None:
    """The official who sends a request, or None. Of two roles, by account and by link, the higher counts."""
    id_ = event_of(id_)
    event_registry: EventRegistry = connection.app.state.event_registry
    actor, found = principal_of(connection).actor, list[Officer]()
    if refusal(actor, Action.OFFICIATE, Thing((actor.person,))) is None:
        account = actor.person.id
        by_account = await event_registry.in_thread(lambda: event_registry.repository.officer(id_, account))
        found += [] if by_account is None else [by_account]
    visitors: Visitors = connection.app.state.visitors
    helper = None
    if bearer(connection) is None and visitors.has_helper_cookie(connection, id_):
        helper = visitors.helper(connection, id_, await event_registry.secret(id_))
    if helper is not None:
        role, name = helper
        by_link = await event_registry.in_thread(lambda: event_registry.repository.helper(id_, role, name))
        found += [] if by_link is None else [by_link]
    ranks = list(DeskRole)
    return min(found, key=lambda one: ranks.index(one.role), default=None)


async def readable(connection: Connection, id_: str) -> LiveEvent:
    """Find an event that the visitor may read: any public event, and others for their officials.

    Raises:
        ApiError: 404.
    """
    event_registry: EventRegistry = connection.app.state.event_registry
    event = await event_registry.find(id_)
    if not event.public and await officer_of(connection, id_) is None:
        raise ApiError(404, errors.NO_EVENT)
    return event


EventId = Annotated[
    str,
    PathParameter(
        description="id of the event, 8 letters and digits; of a group after the first `~` and its id follow",
        max_length=40,
        schema_extra={"pattern": "^[a-z0-9]{8}(~[1-9][0-9]{0,5})?$"},
    ),
]
TheEventRegistry = NamedDependency[EventRegistry]
TheEvent = NamedDependency[LiveEvent]
"""The event in the address of a handler for its officials."""
TheOfficer = NamedDependency[Officer]
"""The official who sends the request."""


async def _event(request: ASGIConnection[Any, Any, Any, Any], event_id: EventId) -> LiveEvent:
    event: LiveEvent = request.scope["state"][_EVENT]
    return event


async def _officer(request: ASGIConnection[Any, Any, Any, Any]) -> Officer:
    officer: Officer = request.scope["state"][_OFFICER]
    return officer


EVENT_DEPENDENCIES = {"event": Provide(_event), "officer": Provide(_officer)}
"""The event in an address and its official, as `officiate` has found them."""
