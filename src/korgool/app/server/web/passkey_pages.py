"""The page of passkeys. Its script makes them; the list and removing one need none."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import MediaType, Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from korgool.accounts import Action
from korgool.app.server.messages import RefusedError
from korgool.app.server.people.ceremonies import MOST_LABEL
from korgool.app.server.people.devices import browser_of
from korgool.app.server.people.doorkeeper import Doorkeeper
from korgool.app.server.web.accounts import device_of
from korgool.app.server.web.answers import AnyRequest, page
from korgool.app.server.web.forms import Filled, see, shown_again
from korgool.app.server.web.given import Form, TheKeeper, TheWho
from korgool.app.server.web.own_pages import done_of, signed
from korgool.app.server.web.who import Who


@get("/passkeys", action=Action.SEE_OWN, media_type=MediaType.HTML)
async def passkeys_page(request: AnyRequest, who: TheWho, keeper: TheKeeper) -> Response[str]:
    """The passkeys of the account, and the form for another, which is called after this browser."""
    await signed(who, keeper)
    form = Filled({"label": browser_of(device_of(request).agent)[:MOST_LABEL]})
    return page(request, "passkeys.html", form=form, done=done_of(request), **await _passkeys(who, keeper))


@post("/passkeys/{key_id:str}/remove", action=Action.PROTECT)
async def remove_passkey(
    request: AnyRequest, key_id: FromPath[str], data: Form, who: TheWho, keeper: TheKeeper
) -> Response[str] | Redirect:
    """Remove a passkey; one that is gone stays so."""
    account, _ = await signed(who, keeper)
    try:
        await asyncio.to_thread(keeper.passkeys.remove, account.id, key_id)
    except RefusedError as problem:
        return shown_again(request, "passkeys.html", problem, data, **await _passkeys(who, keeper))
    return see("/account/passkeys?done=removed")


async def _passkeys(who: Who, keeper: Doorkeeper) -> dict[str, Any]:
    found = await asyncio.to_thread(keeper.passkeys.list, who.person.id)
    return {"found": found, "fresh": who.actor.fresh, "name": who.person.name}


handlers = [passkeys_page, remove_passkey]
