"""The pages for what programs use: tokens of an account, and its bots."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import MediaType, Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from korgool.accounts import Action, Refused, Scope
from korgool.app.server.account_refusals import refused_error
from korgool.app.server.messages import RefusedError
from korgool.app.server.now import now_ms
from korgool.app.server.people.doorkeeper import Doorkeeper
from korgool.app.server.web.account_keys import another_token, open_bot
from korgool.app.server.web.accounts import count_change
from korgool.app.server.web.answers import AnyRequest, page
from korgool.app.server.web.forms import EMPTY, see, shown_again
from korgool.app.server.web.given import Form, TheCaller, TheHall, TheKeeper, TheWho
from korgool.app.server.web.own_pages import done_of, signed
from korgool.app.server.web.who import Who
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
async def tokens_page(request: AnyRequest, who: TheWho, keeper: TheKeeper) -> Response[str]:
    """The tokens of the account, and the form for another."""
    await signed(who, keeper)
    return page(request, "tokens.html", form=EMPTY, done=done_of(request), **await _tokens(who, keeper))


@post("/tokens", action=Action.MAKE_TOKEN, status_code=200)
async def make_token(
    request: AnyRequest, data: Form, who: TheWho, keeper: TheKeeper, caller: TheCaller, hall: TheHall
) -> Response[str]:
    """A new token. It is in this answer and nowhere else, so it leads to no other page."""
    account, _ = await signed(who, keeper)
    days = data.get("days", "")
    try:
        count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
        made = await asyncio.to_thread(
            keeper.keys.make_token,
            account.id,
            now_ms(),
            scopes=[scope for scope in Scope if scope in data],
            label=data.get("label", ""),
            days=int(days) if days in map(str, DAYS) else 0,
        )
        if isinstance(made, Refused):
            raise refused_error(made)
    except RefusedError as problem:
        return shown_again(request, "tokens.html", problem, data, **await _tokens(who, keeper))
    keeper.ended()  # one more may have displaced the oldest
    token, secret = made
    return page(request, "secret.html", back="/account/tokens", label=token.label, secret=secret, expires=token.expires)


@post("/tokens/{key_id:str}/end", action=Action.END_TOKEN)
async def end_token(key_id: FromPath[str], who: TheWho, keeper: TheKeeper) -> Redirect:
    """End a token; one that has ended already stays so."""
    account, _ = await signed(who, keeper)
    await asyncio.to_thread(keeper.keys.end_tokens, account.id, now_ms(), key_id)
    keeper.ended()
    return see("/account/tokens?done=token")


@get("/bots", action=Action.END_TOKEN, media_type=MediaType.HTML)
async def bots_page(request: AnyRequest, who: TheWho, keeper: TheKeeper) -> Response[str]:
    """The bots of the account, and the form for another."""
    await signed(who, keeper)
    return page(request, "bots.html", form=EMPTY, **await _bots(who, keeper))


@post("/bots", action=Action.MAKE_TOKEN, status_code=200)
async def make_bot(
    request: AnyRequest, data: Form, who: TheWho, keeper: TheKeeper, caller: TheCaller, hall: TheHall
) -> Response[str]:
    """A new bot, with the token that is shown this once."""
    await signed(who, keeper)
    try:
        count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
        bot, secret = await open_bot(keeper, who.person, data.get("name", ""))
    except RefusedError as problem:
        return shown_again(request, "bots.html", problem, data, **await _bots(who, keeper))
    return page(request, "secret.html", back="/account/bots", label=bot.person.name, secret=secret, bot=True)


@post("/bots/{bot_id:str}/token", action=Action.MAKE_TOKEN, status_code=200)
async def renew_bot(
    request: AnyRequest, bot_id: FromPath[str], who: TheWho, keeper: TheKeeper, caller: TheCaller, hall: TheHall
) -> Response[str]:
    """Another token of a bot; those before end."""
    await signed(who, keeper)
    count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
    bot, secret = await another_token(keeper, who.person, bot_id)
    return page(request, "secret.html", back="/account/bots", label=bot.person.name, secret=secret, bot=True)


async def _tokens(who: Who, keeper: Doorkeeper) -> dict[str, Any]:
    found = await asyncio.to_thread(keeper.keys.tokens, who.person.id, now_ms())
    return {"found": found, "fresh": who.actor.fresh, "scopes": SCOPES, "days": DAYS, "name": who.person.name}


async def _bots(who: Who, keeper: Doorkeeper) -> dict[str, Any]:
    found = await asyncio.to_thread(keeper.directory.bots, who.person.id)
    return {"found": found, "fresh": who.actor.fresh, "name": who.person.name}


handlers = [tokens_page, make_token, end_token, bots_page, make_bot, renew_bot]
