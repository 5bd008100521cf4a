"""The pages by which somebody without an account goes on in another browser: a link of one use, and what it opens."""

from __future__ import annotations

import asyncio

from litestar import MediaType, Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from korgool.accounts import Action, PersonKind
from korgool.app.server import messages
from korgool.app.server.messages import RefusedError
from korgool.app.server.notices.seat_links import PAGE_MS
from korgool.app.server.now import now_ms
from korgool.app.server.web.answers import AnyRequest, origin_of, page, visitors_of
from korgool.app.server.web.given import Form, TheCaller, TheHall, TheNotices, TheWho
from korgool.app.server.web.qr import qr_svg
from korgool.app.server.web.rights import ANYBODY


@post("/seat", action=Action.PLAY, status_code=200, media_type=MediaType.HTML, include_in_schema=False)
async def make_link(request: AnyRequest, data: Form, hall: TheHall, notices: TheNotices, who: TheWho) -> Response[str]:
    """A link of one use for a guest who plays in a game."""
    running = await hall.find(data.get("game", ""))
    if who.identity is None or who.person.kind is not PersonKind.VISITOR or who.identity not in running.players:
        raise RefusedError(403, messages.NOT_YOURS)
    until = now_ms() + PAGE_MS
    url = origin_of(request) + await notices.seat_link(who.identity, running.address, until)
    made = page(request, "seat.html", url=url, qr=qr_svg(url), until=until, game=running.address)
    made.headers["cache-control"] = "no-store"
    return made


@get("/seat/{token:str}", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def look(
    request: AnyRequest, token: FromPath[str], hall: TheHall, notices: TheNotices, who: TheWho, caller: TheCaller
) -> Response[str]:
    """Asks whether to play here: programs that look through messages open links, so a person presses the button."""
    link = await notices.look_at_seat(token, caller)
    if link is None:
        return _used(request)
    if who.visitor == link.who and who.session is None:
        return page(request, "seat.html", game=link.game, here=True)
    lost = 0 if who.visitor is None else await asyncio.to_thread(hall.storage.unfinished, who.visitor)
    return page(request, "seat.html", secret=token, name=link.who, signed_in=who.session is not None, lost=lost)


@post("/seat/{token:str}", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def use(
    request: AnyRequest, token: FromPath[str], notices: TheNotices, who: TheWho, caller: TheCaller
) -> Response[str] | Redirect:
    """Go on in this browser; it becomes the visitor who made the link."""
    if who.session is not None:
        return Redirect(f"/seat/{token}", status_code=303)
    link = await notices.use_seat(token, caller)
    if link is None:
        return _used(request)
    cookies = visitors_of(request).become(request, link.who)
    return Redirect(f"/games/{link.game}", status_code=303, cookies=cookies)


def _used(request: AnyRequest) -> Response[str]:
    return page(request, "seat.html", 410, used=True)


handlers = [make_link, look, use]
