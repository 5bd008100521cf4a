"""Tokens of an account, and its bots: programs with a name of their own, marked as such."""

from __future__ import annotations

import msgspec
from litestar import Router, delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from korgool.accounts import Action, Scope, Token
from korgool.app.server.http.dependencies import TheCaller, ThePrincipal, check_body
from korgool.app.server.http.openapi import refusals
from korgool.app.server.people.account_repository import Account
from korgool.app.server.people.messages import Ended, KeyId, Text
from korgool.app.server.people.tokens.service import TokenService

TheTokens = NamedDependency[TokenService]


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

    name: Text


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
async def read_tokens(principal: ThePrincipal, tokens: TheTokens) -> list[TokenMessage]:
    """The tokens that open your account, the newest first; without what they are."""
    return [_token_message(token) for token in await tokens.of(principal.person.id)]


@post(
    "/tokens",
    action=Action.MAKE_TOKEN,
    responses=refusals({422: "no such label, scopes or days can be"}, command=True),
    summary="Make a token",
)
async def make_token(
    data: JSONBody[NewToken], principal: ThePrincipal, tokens: TheTokens, caller: TheCaller
) -> TokenMessage:
    """A token for a program that acts in your name; it is told this once."""
    return _token_message(
        *await tokens.make(principal.person.id, caller, scopes=data.scopes, label=data.label, days=data.days)
    )


@delete(
    "/tokens/{key_id:str}",
    action=Action.END_TOKEN,
    status_code=200,
    responses=refusals(command=True),
    summary="End a token",
)
async def end_token(key_id: KeyId, principal: ThePrincipal, tokens: TheTokens) -> Ended:
    """End a token of yours, or one of your bots'; one that has ended already stays so."""
    return Ended(await tokens.end(principal.person.id, key_id))


@get("/bots", action=Action.END_TOKEN, responses=refusals(), summary="Your bots")
async def read_bots(principal: ThePrincipal, tokens: TheTokens) -> list[BotMessage]:
    """Your bots by name."""
    return [BotMessage(bot.id, bot.person.name, bot.made) for bot in await tokens.bots(principal.person.id)]


@post(
    "/bots",
    action=Action.MAKE_TOKEN,
    responses=refusals({409: "the name is taken", 422: "no such name can be"}, command=True),
    summary="Make a bot",
)
async def make_bot(data: JSONBody[NewBot], principal: ThePrincipal, tokens: TheTokens, caller: TheCaller) -> BotMessage:
    """An account for a program, marked as such wherever its name stands, and a token for a year."""
    return _bot_message(*await tokens.open_bot(principal.person, data.name, caller))


@post(
    "/bots/{bot_id:str}/token",
    action=Action.MAKE_TOKEN,
    responses=refusals({404: "you have no such bot"}, command=True),
    summary="Another token of a bot",
)
async def renew_bot(bot_id: KeyId, principal: ThePrincipal, tokens: TheTokens, caller: TheCaller) -> BotMessage:
    """End all tokens of a bot of yours, and make another."""
    return _bot_message(*await tokens.renew_bot(principal.person.id, bot_id, caller))


def _bot_message(bot: Account, token: str) -> BotMessage:
    return BotMessage(bot.id, bot.person.name, bot.made, token)


def _token_message(token: Token, secret: str | msgspec.UnsetType = msgspec.UNSET) -> TokenMessage:
    return TokenMessage(token.id, token.label, tuple(sorted(token.scopes)), token.made, token.expires, secret)


router = Router(
    "/api/account",
    before_request=check_body,
    route_handlers=[read_tokens, make_token, end_token, read_bots, make_bot, renew_bot],
    tags=["accounts"],
)
