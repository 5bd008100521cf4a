"""The page of the players whom an account has blocked."""

from __future__ import annotations

from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.http.dependencies import Form, TheCaller, ThePrincipal
from korgool.app.server.http.forms import EMPTY, FieldError, needed, see, shown_again
from korgool.app.server.http.responses import AnyRequest, page
from korgool.app.server.people.blocks.service import BlockService
from korgool.app.server.people.page_frame import TheAccount, done_of
from korgool.app.server.people.sign_in.authentication import Authentication

TheBlocks = NamedDependency[BlockService]
TheAuthentication = NamedDependency[Authentication]


@get("/blocks", action=Action.SEE_OWN, media_type=MediaType.HTML)
async def blocks_page(request: AnyRequest, account: TheAccount, blocks: TheBlocks) -> Response[str]:
    """The blocks of the account, and the form for another."""
    return page(request, "blocks.html", form=EMPTY, done=done_of(request), found=await blocks.of(account.id))


@post("/blocks", action=Action.BLOCK)
async def make_block(
    request: AnyRequest,
    data: Form,
    principal: ThePrincipal,
    account: TheAccount,
    blocks: TheBlocks,
    caller: TheCaller,
) -> Response[str] | Redirect:
    """Block the owner of a name."""
    try:
        (name,) = needed(data, "name")
        await blocks.block_name(principal.actor, name, caller)
    except ApiError as problem:
        if problem.message == errors.NO_PLAYER:
            problem = FieldError(errors.NO_PLAYER, "name", 404)
        return shown_again(request, "blocks.html", problem, data, found=await blocks.of(account.id))
    return see("/account/blocks?done=blocked")


@post("/blocks/{key_id:str}/end", action=Action.BLOCK)
async def end_block(key_id: FromPath[str], account: TheAccount, blocks: TheBlocks) -> Redirect:
    """End a block; one that has ended already stays so."""
    await blocks.end(account.id, key_id)
    return see("/account/blocks?done=unblocked")


handlers = [blocks_page, make_block, end_block]
