"""The page of passkeys. Its script makes them; the list and removing one need none."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import MediaType, Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from korgool.accounts import Action
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.principal import Principal
from korgool.app.server.http.dependencies import Form, ThePrincipal
from korgool.app.server.http.forms import Filled, see, shown_again
from korgool.app.server.http.responses import AnyRequest, page
from korgool.app.server.people.account.api import device_of
from korgool.app.server.people.account.page_frame import done_of, signed
from korgool.app.server.people.dependencies import TheAuthentication
from korgool.app.server.people.passkeys.ceremonies import MOST_LABEL
from korgool.app.server.people.passkeys.dependencies import ThePasskeys
from korgool.app.server.people.passkeys.repository import PasskeyRepository
from korgool.app.server.people.sign_in.browsers import browser_of


@get("/passkeys", action=Action.SEE_OWN, media_type=MediaType.HTML)
async def passkeys_page(
    request: AnyRequest, principal: ThePrincipal, authentication: TheAuthentication, passkeys: ThePasskeys
) -> Response[str]:
    """The passkeys of the account, and the form for another, which is called after this browser."""
    await signed(principal, authentication)
    form = Filled({"label": browser_of(device_of(request).agent)[:MOST_LABEL]})
    return page(request, "passkeys.html", form=form, done=done_of(request), **await _passkeys(principal, passkeys))


@post("/passkeys/{key_id:str}/remove", action=Action.PROTECT)
async def remove_passkey(
    request: AnyRequest,
    key_id: FromPath[str],
    data: Form,
    principal: ThePrincipal,
    authentication: TheAuthentication,
    passkeys: ThePasskeys,
) -> Response[str] | Redirect:
    """Remove a passkey; one that is gone stays so."""
    account, _ = await signed(principal, authentication)
    try:
        await asyncio.to_thread(passkeys.remove, account.id, key_id)
    except ApiError as problem:
        return shown_again(request, "passkeys.html", problem, data, **await _passkeys(principal, passkeys))
    return see("/account/passkeys?done=removed")


async def _passkeys(who: Principal, passkeys: PasskeyRepository) -> dict[str, Any]:
    found = await asyncio.to_thread(passkeys.list, who.person.id)
    return {"found": found, "fresh": who.actor.fresh, "name": who.person.name}


handlers = [passkeys_page, remove_passkey]
