"""Identities for programs: whoever asks becomes a visitor, known by a token instead of a cookie."""

from __future__ import annotations

import msgspec
from litestar import Router, post
from litestar.params import JSONBody

from korgool.app.server import messages
from korgool.app.server.messages import TooManyError
from korgool.app.server.web.answers import AnyRequest, language_of, visitors_of
from korgool.app.server.web.api import Nothing, check_body
from korgool.app.server.web.description import refusals
from korgool.app.server.web.given import TheCaller, TheHall
from korgool.app.server.web.rights import ANYBODY
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
async def make_guest(request: AnyRequest, data: JSONBody[Nothing], hall: TheHall, caller: TheCaller) -> Guest:
    """Become a visitor. Nothing is stored until the visitor does something."""
    if wait := hall.tally.spend("address_visitors", caller.address):
        raise TooManyError(messages.TOO_MANY_VISITORS, wait)
    token, identity = visitors_of(request).make_guest()
    return Guest(token, identity, guest_name(identity, translations(language_of(request)).gettext))


router = Router("/api", before_request=check_body, route_handlers=[make_guest], tags=["people"])
