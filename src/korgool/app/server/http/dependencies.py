"""Dependencies that the application hands to handlers by name (`NamedDependency`), and bodies of requests."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency, Provide
from litestar.params import URLEncodedBody

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.principal import Principal
from korgool.app.server.http.responses import AnyRequest
from korgool.app.server.http.session_connections import SessionConnections
from korgool.app.server.http.site_names import Site
from korgool.app.server.http.visitors import principal_of
from korgool.app.server.limits import Caller, RateLimiter, address_key

ThePrincipal = NamedDependency[Principal]
TheSite = NamedDependency[Site]
TheSessionConnections = NamedDependency[SessionConnections]
TheRateLimiter = NamedDependency[RateLimiter]
TheCaller = NamedDependency[Caller]
TheVisitor = NamedDependency[str | None]
"""The identity of the principal; None for nobody known."""
KnownVisitor = NamedDependency[str]
"""The same where a form with a valid token implies somebody."""
Form = URLEncodedBody[dict[str, str]]


def from_state(name: str) -> Provide:
    """A member of the application's state, under its own name."""

    async def give(request: ASGIConnection[Any, Any, Any, Any]) -> Any:
        return request.app.state[name]

    return Provide(give)


async def _principal(request: ASGIConnection[Any, Any, Any, Any]) -> Principal:
    return principal_of(request)


async def _visitor(request: ASGIConnection[Any, Any, Any, Any], rate_limiter: TheRateLimiter) -> str | None:
    # Litestar resolves a chain of dependencies in sequence, but independent ones in tasks, which cost more than the
    # work.
    return principal_of(request).identity


async def _caller(request: ASGIConnection[Any, Any, Any, Any], visitor: TheVisitor) -> Caller:
    return caller_of(request, visitor)


def caller_of(request: ASGIConnection[Any, Any, Any, Any], visitor: str | None) -> Caller:
    """The sender of a request, by address and identity."""
    client = request.scope.get("client")
    return Caller(address_key(client[0]) if client else "", visitor)


DEPENDENCIES = {
    "site": from_state("site"),
    "rate_limiter": from_state("rate_limiter"),
    "session_connections": from_state("session_connections"),
    "principal": Provide(_principal),
    "visitor": Provide(_visitor),
    "caller": Provide(_caller),
}
"""The dependencies of all handlers; those of a feature are in its own `dependencies.py`."""


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An empty object."""


async def check_body(request: AnyRequest) -> None:
    """Read the body of a command strictly: the framework would accept "7" as 7, and its errors are less precise."""
    field = request.route_handler.parsed_fn_signature.parameters.get("data")
    if field is None:
        return
    try:
        msgspec.json.decode(await request.body(), type=field.annotation)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ApiError(400, errors.NO_COMMAND, reason=error) from None
