"""Blocks for programs: whom somebody plays no more with."""

from __future__ import annotations

import asyncio

import msgspec
from litestar import Router, delete, get, post
from litestar.params import JSONBody

from korgool.accounts import Action, Person, Thing
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.dependencies import TheCaller, ThePrincipal, check_body
from korgool.app.server.http.openapi import refusals
from korgool.app.server.http.responses import AnyRequest, english_names
from korgool.app.server.http.rights import permit
from korgool.app.server.people.account.api import Ended, KeyId, Text, count_change
from korgool.app.server.people.blocks.dependencies import TheBlocks
from korgool.app.server.people.blocks.repository import Block, BlockRepository
from korgool.app.server.people.dependencies import TheAuthentication
from korgool.app.server.people.opponents import named, opponent
from korgool.app.server.people.sign_in.authentication import Authentication
from korgool.app.server.play.dependencies import TheGameRegistry


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
async def read_blocks(
    request: AnyRequest, principal: ThePrincipal, authentication: TheAuthentication, blocks: TheBlocks
) -> list[BlockMessage]:
    """Your blocks, the newest first."""
    return [_told(request, one) for one in await own_blocks(authentication, blocks, principal.person)]


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
    request: AnyRequest,
    data: JSONBody[NewBlock],
    principal: ThePrincipal,
    authentication: TheAuthentication,
    blocks: TheBlocks,
    caller: TheCaller,
    game_registry: TheGameRegistry,
) -> BlockMessage:
    """Play no more with somebody: neither invites the other, answers their challenges or has a rematch with them."""
    if bool(data.name) == bool(data.game):
        raise ApiError(422, errors.BLOCK_WHOM)
    count_change(game_registry.rate_limiter.spend_both(("session_changes", "address_changes"), caller))
    if data.game:
        other = await opponent(game_registry, data.game, principal.person)
    else:
        other = await named(authentication, data.name, principal.person)
    return _told(request, await block(request, blocks, principal.person, other))


@delete(
    "/blocks/{key_id:str}",
    action=Action.BLOCK,
    status_code=200,
    responses=refusals(command=True),
    summary="End a block",
)
async def end_block(key_id: KeyId, principal: ThePrincipal, blocks: TheBlocks) -> Ended:
    """Play with somebody again; a block that has ended stays so."""
    return Ended(await asyncio.to_thread(blocks.end, principal.person.id, key_id))


async def own_blocks(keeper: Authentication, blocks: BlockRepository, who: Person) -> list[Block]:
    """The blocks of somebody, when the names of those in it have been read."""
    found = await asyncio.to_thread(blocks.list, who.id)
    await keeper.people.learn(one.who for one in found)
    return found


async def block(request: AnyRequest, blocks: BlockRepository, who: Person, other: Person) -> Block:
    """Let somebody block somebody else.

    Raises:
        ApiError: they may not, or have blocked too many.
    """
    permit(request, Action.BLOCK, Thing((other,)))
    return await asyncio.to_thread(blocks.add, who.id, other.id, now_ms())


def _told(request: AnyRequest, one: Block) -> BlockMessage:
    return BlockMessage(one.id, english_names(request)(one.who), one.at)


router = Router(
    "/api/account", before_request=check_body, route_handlers=[read_blocks, make_block, end_block], tags=["accounts"]
)
