"""The pages of the tokens of an account, and of its bots."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from korgool.accounts import Action, Scope
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.principal import Principal
from korgool.app.server.http.dependencies import Form, TheCaller, ThePrincipal
from korgool.app.server.http.forms import EMPTY, see, shown_again
from korgool.app.server.http.responses import AnyRequest, page
from korgool.app.server.people.page_frame import TheAccount, done_of
from korgool.app.server.people.sign_in.authentication import Authentication
from korgool.app.server.people.tokens.service import TokenService
from korgool.languages import N_

TheTokens = NamedDependency[TokenService]
TheAuthentication = NamedDependency[Authentication]
SCOPES = {
    Scope.READ: N_("see your games and lists"),
    Scope.PLAY: N_("play in your games"),
    Scope.CHALLENGE: N_("make and answer invitations"),
    Scope.EVENT: N_("enter events and act in them for you"),
}
"""The scopes of a token, in words."""
DAYS = (7, 30, 90, 365)
"""The lifetimes of a token that the form offers, in days."""


@get("/tokens", action=Action.END_TOKEN, media_type=MediaType.HTML)
async def tokens_page(request: AnyRequest, principal: ThePrincipal, tokens: TheTokens) -> Response[str]:
    """The tokens of the account, and the form for another."""
    return page(request, "tokens.html", form=EMPTY, done=done_of(request), **await _tokens(principal, tokens))


@post("/tokens", action=Action.MAKE_TOKEN, status_code=200)
async def make_token(
    request: AnyRequest,
    data: Form,
    principal: ThePrincipal,
    account: TheAccount,
    caller: TheCaller,
    tokens: TheTokens,
) -> Response[str]:
    """A new token. It is in this answer and nowhere else, so it leads to no other page."""
    days = data.get("days", "")
    try:
        token, secret = await tokens.make(
            account.id,
            caller,
            scopes=[scope for scope in Scope if scope in data],
            label=data.get("label", ""),
            days=int(days) if days in map(str, DAYS) else 0,
        )
    except ApiError as problem:
        return shown_again(request, "tokens.html", problem, data, **await _tokens(principal, tokens))
    return page(request, "secret.html", back="/account/tokens", label=token.label, secret=secret, expires=token.expires)


@post("/tokens/{key_id:str}/end", action=Action.END_TOKEN)
async def end_token(key_id: FromPath[str], account: TheAccount, tokens: TheTokens) -> Redirect:
    """End a token; one that has ended already stays so."""
    await tokens.end(account.id, key_id)
    return see("/account/tokens?done=token")


@get("/bots", action=Action.END_TOKEN, media_type=MediaType.HTML)
async def bots_page(request: AnyRequest, principal: ThePrincipal, tokens: TheTokens) -> Response[str]:
    """The bots of the account, and the form for another."""
    return page(request, "bots.html", form=EMPTY, **await _bots(principal, tokens))


@post("/bots", action=Action.MAKE_TOKEN, status_code=200)
async def make_bot(
    request: AnyRequest,
    data: Form,
    principal: ThePrincipal,
    caller: TheCaller,
    tokens: TheTokens,
) -> Response[str]:
    """A new bot, with the token that is shown this once."""
    try:
        bot, secret = await tokens.open_bot(principal.person, data.get("name", ""), caller)
    except ApiError as problem:
        return shown_again(request, "bots.html", problem, data, **await _bots(principal, tokens))
    return page(request, "secret.html", back="/account/bots", label=bot.person.name, secret=secret, bot=True)


@post("/bots/{bot_id:str}/token", action=Action.MAKE_TOKEN, status_code=200)
async def renew_bot(
    request: AnyRequest,
    bot_id: FromPath[str],
    principal: ThePrincipal,
    caller: TheCaller,
    tokens: TheTokens,
) -> Response[str]:
    """Another token of a bot; those before end."""
    bot, secret = await tokens.renew_bot(principal.person.id, bot_id, caller)
    return page(request, "secret.html", back="/account/bots", label=bot.person.name, secret=secret, bot=True)


async def _tokens(principal: Principal, tokens: TokenService) -> dict[str, Any]:
    own = await tokens.of(principal.person.id)
    return _shared(principal) | {"found": own, "scopes": SCOPES, "days": DAYS}


async def _bots(principal: Principal, tokens: TokenService) -> dict[str, Any]:
    return _shared(principal) | {"found": await tokens.bots(principal.person.id)}


def _shared(principal: Principal) -> dict[str, Any]:
    return {"fresh": principal.actor.fresh, "name": principal.person.name}


handlers = [tokens_page, make_token, end_token, bots_page, make_bot, renew_bot]
