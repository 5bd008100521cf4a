"""Tokens of an account, and its bots: programs with a name of their own, marked as such."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from litestar import Router, delete, get, post
from litestar.params import JSONBody

from korgool.accounts import Action, Person, PersonKind, Refused, RefusedKind, Scope, Token, read_name
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, refused_error
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.dependencies import TheCaller, ThePrincipal, check_body
from korgool.app.server.http.openapi import refusals
from korgool.app.server.people.account.api import Ended, KeyId, Text, count_change
from korgool.app.server.people.account_repository import Account
from korgool.app.server.people.dependencies import TheAuthentication
from korgool.app.server.people.sign_in.authentication import Authentication
from korgool.app.server.play.dependencies import TheGameRegistry

_DAYS = 365
_PLAYS = (Scope.READ, Scope.PLAY, Scope.CHALLENGE)


class NewToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A token to be made.

    Attributes:
        label: what its owner calls it.
        scopes: what it may do: `read`, `play`, `challenge`, `event`.
        days: how long it lasts, 1 to 365.
    """

    label: Text
    scopes: tuple[Scope, ...]
    days: int = 90


class TokenMessage(msgspec.Struct, frozen=True):
    """A token as its owner's list shows it.

    Attributes:
        id: names it, and opens nothing.
        label: what its owner calls it.
        scopes: what it may do.
        made: when, in milliseconds since 1970.
        expires: when it is over.
        token: what a program sends as `Authorization: Bearer TOKEN`; told once, when it is made.
    """

    id: str
    label: str
    scopes: tuple[Scope, ...]
    made: int
    expires: int
    token: str | msgspec.UnsetType = msgspec.UNSET


class NewBot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name of a bot."""

    name: Annotated[str, msgspec.Meta(max_length=4096)]


class BotMessage(msgspec.Struct, frozen=True):
    """A bot.

    Attributes:
        id: the identity.
        name: the name.
        made: when, in milliseconds since 1970.
        token: what the program acts with; told once, when it is made.
    """

    id: str
    name: str
    made: int
    token: str | msgspec.UnsetType = msgspec.UNSET


@get("/tokens", action=Action.END_TOKEN, responses=refusals(), summary="Your tokens")
async def read_tokens(principal: ThePrincipal, authentication: TheAuthentication) -> list[TokenMessage]:
    """The tokens that open your account, the newest first; without what they are."""
    return [_told(one) for one in await asyncio.to_thread(authentication.keys.tokens, principal.person.id, now_ms())]


@post(
    "/tokens",
    action=Action.MAKE_TOKEN,
    responses=refusals({422: "no such label, scopes or days can be"}, command=True),
    summary="Make a token",
)
async def make_token(
    data: JSONBody[NewToken],
    principal: ThePrincipal,
    authentication: TheAuthentication,
    caller: TheCaller,
    game_registry: TheGameRegistry,
) -> TokenMessage:
    """A token for a program that acts in your name; it is told this once."""
    count_change(game_registry.rate_limiter.spend_both(("session_changes", "address_changes"), caller))
    made = await asyncio.to_thread(
        authentication.keys.make_token,
        principal.person.id,
        now_ms(),
        scopes=data.scopes,
        label=data.label,
        days=data.days,
    )
    if isinstance(made, Refused):
        raise refused_error(made)
    authentication.ended()  # one more may have displaced the oldest
    return _told(*made)


@delete(
    "/tokens/{key_id:str}",
    action=Action.END_TOKEN,
    status_code=200,
    responses=refusals(command=True),
    summary="End a token",
)
async def end_token(key_id: KeyId, principal: ThePrincipal, authentication: TheAuthentication) -> Ended:
    """End a token of yours, or one of your bots'; one that has ended already stays so."""
    owned = [
        principal.person.id,
        *(bot.id for bot in await asyncio.to_thread(authentication.directory.bots, principal.person.id)),
    ]
    count = 0
    for one in owned:
        count += await asyncio.to_thread(authentication.keys.end_tokens, one, now_ms(), key_id)
    authentication.ended()
    return Ended(count)


@get("/bots", action=Action.END_TOKEN, responses=refusals(), summary="Your bots")
async def read_bots(principal: ThePrincipal, authentication: TheAuthentication) -> list[BotMessage]:
    """Your bots by name."""
    found = await asyncio.to_thread(authentication.directory.bots, principal.person.id)
    return [BotMessage(one.id, one.person.name, one.made) for one in found]


@post(
    "/bots",
    action=Action.MAKE_TOKEN,
    responses=refusals({409: "the name is taken", 422: "no such name can be"}, command=True),
    summary="Make a bot",
)
async def make_bot(
    data: JSONBody[NewBot],
    principal: ThePrincipal,
    authentication: TheAuthentication,
    caller: TheCaller,
    game_registry: TheGameRegistry,
) -> BotMessage:
    """An account for a program, marked as such wherever its name stands, and a token for a year."""
    count_change(game_registry.rate_limiter.spend_both(("session_changes", "address_changes"), caller))
    return _bot(*await open_bot(authentication, principal.person, data.name))


@post(
    "/bots/{bot_id:str}/token",
    action=Action.MAKE_TOKEN,
    responses=refusals({404: "you have no such bot"}, command=True),
    summary="Another token of a bot",
)
async def renew_bot(
    bot_id: KeyId,
    principal: ThePrincipal,
    authentication: TheAuthentication,
    caller: TheCaller,
    game_registry: TheGameRegistry,
) -> BotMessage:
    """End all tokens of a bot of yours, and make another."""
    count_change(game_registry.rate_limiter.spend_both(("session_changes", "address_changes"), caller))
    return _bot(*await another_token(authentication, principal.person, bot_id))


async def open_bot(keeper: Authentication, owner: Person, name: str) -> tuple[Account, str]:
    """A new bot and its token.

    Raises:
        ApiError: bots have no bots, the name cannot be or is taken, or the owner has as many as there may be.
    """
    read = read_name(name)
    if isinstance(read, Refused):
        raise refused_error(read)
    if owner.kind is PersonKind.BOT:
        raise refused_error(Refused(RefusedKind.BOTS))
    made = await asyncio.to_thread(keeper.directory.new, read, now_ms(), kind=PersonKind.BOT, owner=owner.id)
    if isinstance(made, Refused):
        raise refused_error(made)
    return made, await _bots_token(keeper, made.id)


async def another_token(keeper: Authentication, owner: Person, bot_id: str) -> tuple[Account, str]:
    """A bot and its new token; all tokens that it had end.

    Raises:
        ApiError: 404, the owner has no such bot.
    """
    for bot in await asyncio.to_thread(keeper.directory.bots, owner.id):
        if bot.id == bot_id:
            await asyncio.to_thread(keeper.keys.end_tokens, bot.id, now_ms())
            token = await _bots_token(keeper, bot.id)
            keeper.ended()
            return bot, token
    raise ApiError(404, errors.NO_PLAYER)


async def _bots_token(keeper: Authentication, bot: str) -> str:
    made = await asyncio.to_thread(keeper.keys.make_token, bot, now_ms(), scopes=_PLAYS, label="bot", days=_DAYS)
    assert not isinstance(made, Refused)
    return made[1]


def _bot(bot: Account, token: str) -> BotMessage:
    return BotMessage(bot.id, bot.person.name, bot.made, token)


def _told(token: Token, secret: str | msgspec.UnsetType = msgspec.UNSET) -> TokenMessage:
    return TokenMessage(token.id, token.label, tuple(sorted(token.scopes)), token.made, token.expires, secret)


router = Router(
    "/api/account",
    before_request=check_body,
    route_handlers=[read_tokens, make_token, end_token, read_bots, make_bot, renew_bot],
    tags=["accounts"],
)
