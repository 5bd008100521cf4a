"""The pages by which somebody without an account goes on in another browser: a link of one use, and what it opens."""

from __future__ import annotations

import asyncio

from litestar import MediaType, Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from korgool.accounts import Action, PersonKind
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.dependencies import Form, TheCaller, ThePrincipal
from korgool.app.server.http.responses import AnyRequest, origin_of, page, visitors_of
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.http.template_texts import qr_svg
from korgool.app.server.notices.dependencies import TheNotices
from korgool.app.server.notices.seat_links import PAGE_MS
from korgool.app.server.play.dependencies import TheGameRegistry


@post("/seat", action=Action.PLAY, status_code=200, media_type=MediaType.HTML, include_in_schema=False)
async def make_link(
    request: AnyRequest, data: Form, game_registry: TheGameRegistry, notices: TheNotices, principal: ThePrincipal
) -> Response[str]:
    """A link of one use for a guest who plays in a game."""
    running = await game_registry.find(data.get("game", ""))
    if (
        principal.identity is None
        or principal.person.kind is not PersonKind.VISITOR
        or principal.identity not in running.players
    ):
        raise ApiError(403, errors.NOT_YOURS)
    until = now_ms() + PAGE_MS
    url = origin_of(request) + await notices.seat_link(principal.identity, running.address, until)
    made = page(request, "seat.html", url=url, qr=qr_svg(url), until=until, game=running.address)
    made.headers["cache-control"] = "no-store"
    return made


@get("/seat/{token:str}", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def look(
    request: AnyRequest,
    token: FromPath[str],
    game_registry: TheGameRegistry,
    notices: TheNotices,
    principal: ThePrincipal,
    caller: TheCaller,
) -> Response[str]:
    """Asks whether to play here: programs that look through messages open links, so a person presses the button."""
    link = await notices.look_at_seat(token, caller)
    if link is None:
        return _used(request)
    if principal.visitor == link.who and principal.session is None:
        return page(request, "seat.html", game=link.game, here=True)
    lost = (
        0
        if principal.visitor is None
        else await asyncio.to_thread(game_registry.repository.unfinished, principal.visitor)
    )
    return page(request, "seat.html", secret=token, name=link.who, signed_in=principal.session is not None, lost=lost)


@post("/seat/{token:str}", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def use(
    request: AnyRequest, token: FromPath[str], notices: TheNotices, principal: ThePrincipal, caller: TheCaller
) -> Response[str] | Redirect:
    """Go on in this browser; it becomes the visitor who made the link."""
    if principal.session is not None:
        return Redirect(f"/seat/{token}", status_code=303)
    link = await notices.use_seat(token, caller)
    if link is None:
        return _used(request)
    cookies = visitors_of(request).become(request, link.who)
    return Redirect(f"/games/{link.game}", status_code=303, cookies=cookies)


def _used(request: AnyRequest) -> Response[str]:
    return page(request, "seat.html", 410, used=True)


handlers = [make_link, look, use]
