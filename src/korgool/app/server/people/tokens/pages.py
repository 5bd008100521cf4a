"""The pages for what programs use: tokens of an account, and its bots."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import MediaType, Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from korgool.accounts import Action, Refused, Scope
from korgool.app.server.core.errors import ApiError, refused_error
from korgool.app.server.core.principal import Principal
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.dependencies import Form, TheCaller, ThePrincipal
from korgool.app.server.http.forms import EMPTY, see, shown_again
from korgool.app.server.http.responses import AnyRequest, page
from korgool.app.server.people.account.api import count_change
from korgool.app.server.people.account.page_frame import done_of, signed
from korgool.app.server.people.dependencies import TheAuthentication
from korgool.app.server.people.sign_in.authentication import Authentication
from korgool.app.server.people.tokens.api import another_token, open_bot
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.languages import N_

SCOPES = {
    Scope.READ: N_("see your games and lists"),
    Scope.PLAY: N_("play in your games"),
    Scope.CHALLENGE: N_("make and answer invitations"),
    Scope.EVENT: N_("enter events and act in them for you"),
}
"""What a token may do, in words."""
DAYS = (7, 30, 90, 365)
"""How long a token may last."""


@get("/tokens", action=Action.END_TOKEN, media_type=MediaType.HTML)
async def tokens_page(request: AnyRequest, principal: ThePrincipal, authentication: TheAuthentication) -> Response[str]:
    """The tokens of the account, and the form for another."""
    await signed(principal, authentication)
    return page(request, "tokens.html", form=EMPTY, done=done_of(request), **await _tokens(principal, authentication))


@post("/tokens", action=Action.MAKE_TOKEN, status_code=200)
async def make_token(
    request: AnyRequest,
    data: Form,
    principal: ThePrincipal,
    authentication: TheAuthentication,
    caller: TheCaller,
    game_registry: TheGameRegistry,
) -> Response[str]:
    """A new token. It is in this answer and nowhere else, so it leads to no other page."""
    account, _ = await signed(principal, authentication)
    days = data.get("days", "")
    try:
        count_change(game_registry.rate_limiter.spend_both(("session_changes", "address_changes"), caller))
        made = await asyncio.to_thread(
            authentication.keys.make_token,
            account.id,
            now_ms(),
            scopes=[scope for scope in Scope if scope in data],
            label=data.get("label", ""),
            days=int(days) if days in map(str, DAYS) else 0,
        )
        if isinstance(made, Refused):
            raise refused_error(made)
    except ApiError as problem:
        return shown_again(request, "tokens.html", problem, data, **await _tokens(principal, authentication))
    authentication.ended()  # one more may have displaced the oldest
    token, secret = made
    return page(request, "secret.html", back="/account/tokens", label=token.label, secret=secret, expires=token.expires)


@post("/tokens/{key_id:str}/end", action=Action.END_TOKEN)
async def end_token(key_id: FromPath[str], principal: ThePrincipal, authentication: TheAuthentication) -> Redirect:
    """End a token; one that has ended already stays so."""
    account, _ = await signed(principal, authentication)
    await asyncio.to_thread(authentication.keys.end_tokens, account.id, now_ms(), key_id)
    authentication.ended()
    return see("/account/tokens?done=token")


@get("/bots", action=Action.END_TOKEN, media_type=MediaType.HTML)
async def bots_page(request: AnyRequest, principal: ThePrincipal, authentication: TheAuthentication) -> Response[str]:
    """The bots of the account, and the form for another."""
    await signed(principal, authentication)
    return page(request, "bots.html", form=EMPTY, **await _bots(principal, authentication))


@post("/bots", action=Action.MAKE_TOKEN, status_code=200)
async def make_bot(
    request: AnyRequest,
    data: Form,
    principal: ThePrincipal,
    authentication: TheAuthentication,
    caller: TheCaller,
    game_registry: TheGameRegistry,
) -> Response[str]:
    """A new bot, with the token that is shown this once."""
    await signed(principal, authentication)
    try:
        count_change(game_registry.rate_limiter.spend_both(("session_changes", "address_changes"), caller))
        bot, secret = await open_bot(authentication, principal.person, data.get("name", ""))
    except ApiError as problem:
        return shown_again(request, "bots.html", problem, data, **await _bots(principal, authentication))
    return page(request, "secret.html", back="/account/bots", label=bot.person.name, secret=secret, bot=True)


@post("/bots/{bot_id:str}/token", action=Action.MAKE_TOKEN, status_code=200)
async def renew_bot(
    request: AnyRequest,
    bot_id: FromPath[str],
    principal: ThePrincipal,
    authentication: TheAuthentication,
    caller: TheCaller,
    game_registry: TheGameRegistry,
) -> Response[str]:
    """Another token of a bot; those before end."""
    await signed(principal, authentication)
    count_change(game_registry.rate_limiter.spend_both(("session_changes", "address_changes"), caller))
    bot, secret = await another_token(authentication, principal.person, bot_id)
    return page(request, "secret.html", back="/account/bots", label=bot.person.name, secret=secret, bot=True)


async def _tokens(who: Principal, keeper: Authentication) -> dict[str, Any]:
    found = await asyncio.to_thread(keeper.keys.tokens, who.person.id, now_ms())
    return {"found": found, "fresh": who.actor.fresh, "scopes": SCOPES, "days": DAYS, "name": who.person.name}


async def _bots(who: Principal, keeper: Authentication) -> dict[str, Any]:
    found = await asyncio.to_thread(keeper.directory.bots, who.person.id)
    return {"found": found, "fresh": who.actor.fresh, "name": who.person.name}


handlers = [tokens_page, make_token, end_token, bots_page, make_bot, renew_bot]
