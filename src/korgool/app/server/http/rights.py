"""The one guard: every door names what somebody does there, and `korgool.accounts.refusal` says whether they may.

A door names its action in its route options: `action`, an `Action`, or for each command in its address one of them;
`ANYBODY` where nothing is done to anybody. `thing` finds out to whom it is done; without it a door is about the caller
alone. A door that names nothing is closed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

from litestar.connection import ASGIConnection, Request
from litestar.exceptions import WebSocketException
from litestar.handlers.base import BaseRouteHandler

from korgool.accounts import RULES, Action, Actor, Person, PersonKind, RefusedKind, Thing, refusal
from korgool.accounts.rights import Whose
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, refused_error
from korgool.app.server.core.live_connection import REFUSED
from korgool.app.server.http.site_names import Connection
from korgool.app.server.http.visitors import Visitors, principal_of

ANYBODY: Final = "anybody"
"""Nothing is done to anybody: files, languages, links with a token in them, and the doors to become somebody."""
EVENT_PLACE: Final = "event_id"
"""The name of an event's id in an address."""
Finding: TypeAlias = Callable[[Connection], Awaitable[Thing]]
_OTHER = Thing((Person(PersonKind.VISITOR, "somebody else"),))
_OWN_HANDLERS = ("litestar.",)
"""The framework's own doors: the description of the API, and OPTIONS."""


async def check_rights(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Refuse who may not do what this door does.

    Raises:
        ApiError: with the status and the reason.
        WebSocketException: the same for a live connection, whose handshake is then refused.
    """
    action = action_of(handler, connection.path_params)
    if action is None:
        return
    try:
        if action is Action.OFFICIATE and EVENT_PLACE in connection.path_params:
            await connection.app.state.officiate(
                connection
            )  # also without an account, by a link or a code of the event
            return
        find: Finding | None = handler.opt.get("thing")
        permit(connection, action, None if find is None else await find(connection))
    except ApiError as problem:
        if isinstance(connection, Request):
            raise
        visitors: Visitors = connection.app.state.visitors
        reason = problem.said(visitors.language(connection))
        raise WebSocketException(code=REFUSED + problem.status, detail=reason) from None


def permit(connection: Connection, action: Action, thing: Thing | None = None) -> None:
    """Refuse an action to who asks.

    Args:
        connection: who asks.
        action: what they want to do.
        thing: what it is done to; None where it is their own, or where the rest is decided later.

    Raises:
        ApiError: they may not.
    """
    actor = principal_of(connection).actor
    refused = refusal(actor, action, _usual(actor, action) if thing is None else thing)
    if refused is not None:
        game = action is Action.PLAY and refused.kind is RefusedKind.NOT_YOURS
        raise ApiError(403, errors.NOT_YOURS) if game else refused_error(refused)


def action_of(handler: BaseRouteHandler, places: Mapping[str, Any]) -> Action | None:
    """The action of a route; None if it needs no permission.

    Raises:
        LookupError: the door does not say.
    """
    named = handler.opt.get("action")
    if isinstance(named, Mapping):
        named = named.get(places.get("command"), Action.WATCH)
    if named is None and handler.fn.__module__.startswith(_OWN_HANDLERS):
        return None
    if named == ANYBODY:
        return None
    if not isinstance(named, Action):
        raise LookupError(f"{handler} names no action")
    return named


def _usual(actor: Actor, action: Action) -> Thing:
    return _OTHER if RULES[action].whose is Whose.OTHERS else Thing((actor.person,))
