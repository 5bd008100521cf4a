"""Blocks for programs: whom somebody plays no more with."""

from __future__ import annotations

import asyncio

import msgspec
from litestar import Router, delete, get, post
from litestar.params import JSONBody

from korgool.accounts import Action, Person, Thing
from korgool.app.server import messages
from korgool.app.server.messages import RefusedError
from korgool.app.server.now import now_ms
from korgool.app.server.people.blocks import Block
from korgool.app.server.people.doorkeeper import Doorkeeper
from korgool.app.server.web.accounts import Ended, KeyId, Text, count_change
from korgool.app.server.web.answers import AnyRequest, english_names
from korgool.app.server.web.api import check_body
from korgool.app.server.web.description import refusals
from korgool.app.server.web.given import TheCaller, TheHall, TheKeeper, TheWho
from korgool.app.server.web.opponents import named, opponent
from korgool.app.server.web.rights import permit


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
async def read_blocks(request: AnyRequest, who: TheWho, keeper: TheKeeper) -> list[BlockMessage]:
    """Your blocks, the newest first."""
    return [_told(request, one) for one in await own_blocks(keeper, who.person)]


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
    request: AnyRequest, data: JSONBody[NewBlock], who: TheWho, keeper: TheKeeper, caller: TheCaller, hall: TheHall
) -> BlockMessage:
    """Play no more with somebody: neither invites the other, answers their challenges or has a rematch with them."""
    if bool(data.name) == bool(data.game):
        raise RefusedError(422, messages.BLOCK_WHOM)
    count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
    if data.game:
        other = await opponent(hall, data.game, who.person)
    else:
        other = await named(keeper, data.name, who.person)
    return _told(request, await block(request, keeper, who.person, other))


@delete(
    "/blocks/{key_id:str}",
    action=Action.BLOCK,
    status_code=200,
    responses=refusals(command=True),
    summary="End a block",
)
async def end_block(key_id: KeyId, who: TheWho, keeper: TheKeeper) -> Ended:
    """Play with somebody again; a block that has ended stays so."""
    return Ended(await asyncio.to_thread(keeper.blocks.end, who.person.id, key_id))


async def own_blocks(keeper: Doorkeeper, who: Person) -> list[Block]:
    """The blocks of somebody, when the names of those in it have been read."""
    found = await asyncio.to_thread(keeper.blocks.list, who.id)
    await keeper.people.learn(one.who for one in found)
    return found


async def block(request: AnyRequest, keeper: Doorkeeper, who: Person, other: Person) -> Block:
    """Let somebody block somebody else.

    Raises:
        RefusedError: they may not, or have blocked too many.
    """
    permit(request, Action.BLOCK, Thing((other,)))
    return await asyncio.to_thread(keeper.blocks.add, who.id, other.id, now_ms())


def _told(request: AnyRequest, one: Block) -> BlockMessage:
    return BlockMessage(one.id, english_names(request)(one.who), one.at)


router = Router(
    "/api/account", before_request=check_body, route_handlers=[read_blocks, make_block, end_block], tags=["accounts"]
)
