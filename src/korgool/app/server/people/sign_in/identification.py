"""Identifies the principal of a request by a token, a session's cookie or a visitor's cookie, and its browser."""

from __future__ import annotations

from typing import Any

from litestar.connection import ASGIConnection, Request
from litestar.exceptions import WebSocketException
from litestar.handlers.base import BaseRouteHandler

from korgool.accounts import SecretKind
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.live_connection import REFUSED
from korgool.app.server.core.principal import Principal, visitor
from korgool.app.server.http.responses import AnyRequest, visitors_of
from korgool.app.server.http.site_names import bearer
from korgool.app.server.http.visitors import Visitors, remember_principal
from korgool.app.server.people.sign_in.authentication import Authentication
from korgool.app.server.people.sign_in.browsers import Browser
from korgool.languages import translations

STAND_BY = "kgs_"
"""The beginning of the tokens of second machines (`events.stand_by`)."""


async def identify(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Identify the principal for everything that follows.

    A token decides alone; otherwise the session of the browser, and then the visitor's cookie.

    Raises:
        ApiError: 401, the token is not valid.
        WebSocketException: the same for a live connection, whose handshake is then refused.
    """
    authentication: Authentication = connection.app.state.authentication
    visitors: Visitors = connection.app.state.visitors
    token = bearer(connection)
    if token is None:
        name = visitors.guest_of_cookie(connection)
        text = visitors.session_cookie(connection)
        known = None if text is None else await authentication.who(text, SecretKind.SESSION)
        remember_principal(connection, visitor(name) if known is None else Principal(known.actor, known, name))
        return
    if token.startswith(STAND_BY):  # a second machine of an event, which is nobody; the event's own doors look at it
        remember_principal(connection, visitor(None))
        return
    name = visitors.guest_of_token(token)
    known = await authentication.who(token, SecretKind.TOKEN) if name is None else None
    if name is None and known is None:
        if isinstance(connection, Request):
            raise ApiError(401, errors.BAD_TOKEN)
        detail = translations(visitors.language(connection)).gettext(errors.BAD_TOKEN)
        raise WebSocketException(code=REFUSED + 401, detail=detail)
    remember_principal(connection, visitor(name) if known is None else Principal(known.actor, known))


def device_of(request: AnyRequest) -> Browser:
    """The browser by the printable beginning of its `User-Agent`, and by its device cookie."""
    agent = request.headers.get("user-agent", "")[:100]
    printable = "".join(character for character in agent if character.isprintable())
    return Browser(printable, visitors_of(request).device_cookie(request))
