"""The API of blocks between players."""

from __future__ import annotations

import msgspec
from litestar import Router, delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.http.dependencies import TheCaller, ThePrincipal, check_body
from korgool.app.server.http.openapi import refusals
from korgool.app.server.http.responses import AnyRequest, english_names
from korgool.app.server.people.blocks.repository import Block
from korgool.app.server.people.blocks.service import BlockService
from korgool.app.server.people.messages import Ended, KeyId, Text

TheBlocks = NamedDependency[BlockService]


class NewBlock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whom to block: one of the two.

    Attributes:
        name: the name of an account.
        game: the address of a game against them; so visitors can be blocked too.
    """

    name: Text = ""
    game: Text = ""


class BlockMessage(msgspec.Struct, frozen=True):
    """A block.

    Attributes:
        id: names it, and tells nothing of the identity behind it.
        name: what the other is called.
        at: when it was made, in milliseconds since 1970.
    """

    id: str
    name: str
    at: int


@get("/blocks", action=Action.SEE_OWN, responses=refusals(), summary="Whom you have blocked")
async def read_blocks(request: AnyRequest, principal: ThePrincipal, blocks: TheBlocks) -> list[BlockMessage]:
    """Your blocks, the newest first."""
    return [_message(request, block) for block in await blocks.of(principal.person.id)]


@post(
    "/blocks",
    action=Action.BLOCK,
    responses=refusals(
        {404: "no such player or game", 422: "nobody else plays in that game, or it is you, or there are too many"},
        command=True,
    ),
    summary="Block a player",
)
async def make_block(
    request: AnyRequest, data: JSONBody[NewBlock], principal: ThePrincipal, blocks: TheBlocks, caller: TheCaller
) -> BlockMessage:
    """Play no more with somebody: neither invites the other, answers their challenges or has a rematch with them."""
    if bool(data.name) == bool(data.game):
        raise ApiError(422, errors.BLOCK_WHOM)
    if data.game:
        return _message(request, await blocks.block_opponent(principal.actor, data.game, caller))
    return _message(request, await blocks.block_name(principal.actor, data.name, caller))


@delete(
    "/blocks/{key_id:str}",
    action=Action.BLOCK,
    status_code=200,
    responses=refusals(command=True),
    summary="End a block",
)
async def end_block(key_id: KeyId, principal: ThePrincipal, blocks: TheBlocks) -> Ended:
    """Play with somebody again; a block that has ended stays so."""
    return Ended(await blocks.end(principal.person.id, key_id))


def _message(request: AnyRequest, block: Block) -> BlockMessage:
    return BlockMessage(block.id, english_names(request)(block.who), block.at)


router = Router(
    "/api/account", before_request=check_body, route_handlers=[read_blocks, make_block, end_block], tags=["accounts"]
)
