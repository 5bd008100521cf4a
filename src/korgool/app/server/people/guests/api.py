"""The API by which a program becomes a visitor, with a token instead of a cookie."""

from __future__ import annotations

import msgspec
from litestar import Router, post
from litestar.params import JSONBody

from korgool.app.server.core import errors
from korgool.app.server.core.errors import RateLimitError
from korgool.app.server.http.dependencies import Nothing, TheCaller, TheRateLimiter, check_body
from korgool.app.server.http.openapi import refusals
from korgool.app.server.http.responses import AnyRequest, language_of, visitors_of
from korgool.app.server.http.rights import ANYBODY
from korgool.app.words.people import guest_name
from korgool.languages import translations


class Guest(msgspec.Struct, frozen=True):
    """A visitor without an account.

    Attributes:
        token: what a program sends as `Authorization: Bearer TOKEN`; it does not expire.
        id: the visitor's identity.
        name: the name that others see, in the language of the request.
    """

    token: str
    id: str
    name: str


@post(
    "/guests",
    action=ANYBODY,
    opt={"open": True},
    responses=refusals(
        {429: "too many new visitors; the header `retry-after` tells the seconds to wait"}, command=True
    ),
    summary="A visitor without an account",
)
async def make_guest(
    request: AnyRequest, data: JSONBody[Nothing], rate_limiter: TheRateLimiter, caller: TheCaller
) -> Guest:
    """Become a visitor. Nothing is stored until the visitor does something."""
    if wait := rate_limiter.spend("address_visitors", caller.address):
        raise RateLimitError(errors.TOO_MANY_VISITORS, wait)
    token, identity = visitors_of(request).make_guest()
    return Guest(token, identity, guest_name(identity, translations(language_of(request)).gettext))


router = Router("/api", before_request=check_body, route_handlers=[make_guest], tags=["people"])
