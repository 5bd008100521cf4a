"""Routes of notices: subscriptions of browsers over the API, e-mail by a form and the links in the e-mails."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import MediaType, Response, Router, delete, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody, URLEncodedBody

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.http.dependencies import TheCaller, TheVisitor, check_body
from korgool.app.server.http.openapi import GUEST, refusals
from korgool.app.server.http.responses import AnyRequest, language_of, page
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.notices.dependencies import TheNotices
from korgool.app.server.notices.push_endpoints import LONGEST
from korgool.app.server.notices.subscriptions import Subscription
from korgool.languages import N_

Text = Annotated[str, msgspec.Meta(max_length=200)]
Url = Annotated[str, msgspec.Meta(max_length=LONGEST)]
_NO_PUSH = "this server sends nothing to browsers"
_SENT = N_("A link has been sent to this address. Nothing else is sent before it has been opened.")
_AGREE = N_("Do you want an e-mail when it is your turn?")
_AGREED = N_("You are told by e-mail when it is your turn.")
_TOO_OLD = N_("This link is too old. Ask for another one on the page of a game.")
_END = N_("Do you want no more e-mails?")
_ENDED = N_("No more e-mails are sent to this address.")


class Keys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a browser's subscription, in base64url."""

    p256dh: Text
    auth: Text


class PushSubscription(msgspec.Struct, frozen=True):
    """A subscription as the browser's `PushSubscription.toJSON` gives it; `expirationTime` is not needed."""

    endpoint: Url
    keys: Keys


class Endpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The endpoint of a subscription."""

    endpoint: Url


class PushKey(msgspec.Struct, frozen=True):
    """The key of this server for `PushManager.subscribe`, in base64url."""

    key: str


class MailForm(msgspec.Struct, frozen=True):
    """Where a person wants to be told."""

    address: Annotated[str, msgspec.Meta(max_length=254)]
    zone: Annotated[str, msgspec.Meta(max_length=100)] = ""


@get("/push", action=Action.WATCH, responses=refusals({404: _NO_PUSH}), summary="Key for web push")
async def push_key(notices: TheNotices) -> PushKey:
    """What a browser needs to subscribe."""
    if notices.push is None:
        raise ApiError(404, errors.NO_PAGE)
    return PushKey(notices.push.public_key)


@post(
    "/push",
    action=Action.PLAY,
    status_code=204,
    responses=refusals({404: _NO_PUSH, 422: "the endpoint does not lead to a push service"}, command=True),
    security=GUEST,
    summary="Be told by web push",
)
async def subscribe(
    data: JSONBody[PushSubscription], request: AnyRequest, notices: TheNotices, visitor: TheVisitor, caller: TheCaller
) -> None:
    """Tell this browser when it is the visitor's turn."""
    subscription = Subscription(data.endpoint, data.keys.p256dh, data.keys.auth, language_of(request))
    await notices.subscribe(_person(visitor), subscription, caller)


@delete(
    "/push",
    action=Action.PLAY,
    status_code=204,
    responses=refusals(command=True),
    security=GUEST,
    summary="Be told no more by web push",
)
async def unsubscribe(data: JSONBody[Endpoint], notices: TheNotices, visitor: TheVisitor) -> None:
    """Forget this browser; one that is not known is forgotten already."""
    await notices.unsubscribe(_person(visitor), data.endpoint)


@post("/mail", action=Action.PLAY, status_code=200, media_type=MediaType.HTML, include_in_schema=False)
async def ask_mail(
    data: URLEncodedBody[MailForm],
    request: AnyRequest,
    notices: TheNotices,
    visitor: TheVisitor,
    caller: TheCaller,
) -> Response[str]:
    """Send the link that confirms an address."""
    await notices.ask_mail(_person(visitor), data.address.strip(), language_of(request), caller, data.zone)
    return page(request, "notice.html", text=_SENT)


@get("/mail/confirm/{token:str}", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def ask_confirm(request: AnyRequest, token: FromPath[str]) -> Response[str]:
    """The page of the link: programs that look through e-mails open links, so a person has to press the button."""
    return page(request, "notice.html", text=_AGREE, ask=f"/mail/confirm/{token}")


@post(
    "/mail/confirm/{token:str}",
    action=ANYBODY,
    status_code=200,
    media_type=MediaType.HTML,
    include_in_schema=False,
    opt={"open": 1},
)
async def confirm(request: AnyRequest, notices: TheNotices, token: FromPath[str]) -> Response[str]:
    """Confirm an address. The token is the right to do so, on any device."""
    done = await notices.confirm_mail(token)
    return page(request, "notice.html", 200 if done else 410, text=_AGREED if done else _TOO_OLD)


@get("/mail/stop/{token:str}", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def ask_stop(request: AnyRequest, token: FromPath[str]) -> Response[str]:
    """The page of the link that ends the e-mails."""
    return page(request, "notice.html", text=_END, ask=f"/mail/stop/{token}")


@post(
    "/mail/stop/{token:str}",
    action=ANYBODY,
    status_code=200,
    media_type=MediaType.HTML,
    include_in_schema=False,
    opt={"open": 1},
)
async def stop(request: AnyRequest, notices: TheNotices, token: FromPath[str]) -> Response[str]:
    """End the e-mails to an address; mail programs do it in one click (RFC 8058). No cookie is needed."""
    await notices.end_mail(token)
    return page(request, "notice.html", text=_ENDED)


def _person(visitor: str | None) -> str:
    if visitor is None:
        raise ApiError(403, errors.FORM_TOO_OLD)
    return visitor


router = Router("/api", before_request=check_body, route_handlers=[push_key, subscribe, unsubscribe], tags=["notices"])
handlers: list[Router | HTTPRouteHandler] = [router, ask_mail, ask_confirm, confirm, ask_stop, stop]
