"""The page of the players whom one has blocked."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import MediaType, Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.principal import Principal
from korgool.app.server.http.dependencies import Form, TheCaller, ThePrincipal
from korgool.app.server.http.forms import EMPTY, FieldError, needed, see, shown_again
from korgool.app.server.http.responses import AnyRequest, page
from korgool.app.server.people.account.api import count_change
from korgool.app.server.people.account.page_frame import done_of, signed
from korgool.app.server.people.blocks.api import block, own_blocks
from korgool.app.server.people.blocks.dependencies import TheBlocks
from korgool.app.server.people.blocks.repository import BlockRepository
from korgool.app.server.people.dependencies import TheAuthentication
from korgool.app.server.people.opponents import named
from korgool.app.server.people.sign_in.authentication import Authentication
from korgool.app.server.play.dependencies import TheGameRegistry


@get("/blocks", action=Action.SEE_OWN, media_type=MediaType.HTML)
async def blocks_page(
    request: AnyRequest, principal: ThePrincipal, authentication: TheAuthentication, blocks: TheBlocks
) -> Response[str]:
    """Whom the account has blocked, and the form for another."""
    await signed(principal, authentication)
    return page(
        request, "blocks.html", form=EMPTY, done=done_of(request), **await _blocks(principal, authentication, blocks)
    )


@post("/blocks", action=Action.BLOCK)
async def make_block(
    request: AnyRequest,
    data: Form,
    principal: ThePrincipal,
    authentication: TheAuthentication,
    blocks: TheBlocks,
    caller: TheCaller,
    game_registry: TheGameRegistry,
) -> Response[str] | Redirect:
    """Block the owner of a name."""
    await signed(principal, authentication)
    try:
        (name,) = needed(data, "name")
        count_change(game_registry.rate_limiter.spend_both(("session_changes", "address_changes"), caller))
        await block(request, blocks, principal.person, await named(authentication, name, principal.person))
    except ApiError as problem:
        if problem.message == errors.NO_PLAYER:
            problem = FieldError(errors.NO_PLAYER, "name", 404)
        return shown_again(request, "blocks.html", problem, data, **await _blocks(principal, authentication, blocks))
    return see("/account/blocks?done=blocked")


@post("/blocks/{key_id:str}/end", action=Action.BLOCK)
async def end_block(
    key_id: FromPath[str], principal: ThePrincipal, authentication: TheAuthentication, blocks: TheBlocks
) -> Redirect:
    """End a block; one that has ended already stays so."""
    account, _ = await signed(principal, authentication)
    await asyncio.to_thread(blocks.end, account.id, key_id)
    return see("/account/blocks?done=unblocked")


async def _blocks(who: Principal, keeper: Authentication, blocks: BlockRepository) -> dict[str, Any]:
    return {"found": await own_blocks(keeper, blocks, who.person)}


handlers = [blocks_page, make_block, end_block]
