"""The page of the players whom one has blocked."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import MediaType, Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from korgool.accounts import Action
from korgool.app.server import messages
from korgool.app.server.messages import RefusedError
from korgool.app.server.people.doorkeeper import Doorkeeper
from korgool.app.server.web.accounts import count_change
from korgool.app.server.web.answers import AnyRequest, page
from korgool.app.server.web.blocks import block, own_blocks
from korgool.app.server.web.forms import EMPTY, FieldError, needed, see, shown_again
from korgool.app.server.web.given import Form, TheCaller, TheHall, TheKeeper, TheWho
from korgool.app.server.web.opponents import named
from korgool.app.server.web.own_pages import done_of, signed
from korgool.app.server.web.who import Who


@get("/blocks", action=Action.SEE_OWN, media_type=MediaType.HTML)
async def blocks_page(request: AnyRequest, who: TheWho, keeper: TheKeeper) -> Response[str]:
    """Whom the account has blocked, and the form for another."""
    await signed(who, keeper)
    return page(request, "blocks.html", form=EMPTY, done=done_of(request), **await _blocks(who, keeper))


@post("/blocks", action=Action.BLOCK)
async def make_block(
    request: AnyRequest, data: Form, who: TheWho, keeper: TheKeeper, caller: TheCaller, hall: TheHall
) -> Response[str] | Redirect:
    """Block the owner of a name."""
    await signed(who, keeper)
    try:
        (name,) = needed(data, "name")
        count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
        await block(request, keeper, who.person, await named(keeper, name, who.person))
    except RefusedError as problem:
        if problem.message == messages.NO_PLAYER:
            problem = FieldError(messages.NO_PLAYER, "name", 404)
        return shown_again(request, "blocks.html", problem, data, **await _blocks(who, keeper))
    return see("/account/blocks?done=blocked")


@post("/blocks/{key_id:str}/end", action=Action.BLOCK)
async def end_block(key_id: FromPath[str], who: TheWho, keeper: TheKeeper) -> Redirect:
    """End a block; one that has ended already stays so."""
    account, _ = await signed(who, keeper)
    await asyncio.to_thread(keeper.blocks.end, account.id, key_id)
    return see("/account/blocks?done=unblocked")


async def _blocks(who: Who, keeper: Doorkeeper) -> dict[str, Any]:
    return {"found": await own_blocks(keeper, who.person)}


handlers = [blocks_page, make_block, end_block]
