"""The pages of passkeys: a new account with one, and the list of an account.

Their scripts make passkeys; the list and removing one need none.
"""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from korgool.accounts import Action, Actor
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.principal import Credential, Principal
from korgool.app.server.http.dependencies import Form, TheCaller, ThePrincipal, TheSite
from korgool.app.server.http.forms import EMPTY, Filled, see, shown_again
from korgool.app.server.http.responses import AnyRequest, page, page_with, visitors_of
from korgool.app.server.http.return_address import came_from, local, onward
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.http.visitors import remember_principal
from korgool.app.server.people.guests.migration import GuestMigration
from korgool.app.server.people.page_frame import OPENED, TheAccount, done_of
from korgool.app.server.people.passkeys.ceremonies import MOST_LABEL
from korgool.app.server.people.passkeys.messages import answer_of, credential_in, place_of
from korgool.app.server.people.passkeys.service import PasskeyService
from korgool.app.server.people.sign_in.authentication import Authentication
from korgool.app.server.people.sign_in.browsers import browser_of
from korgool.app.server.people.sign_in.identification import device_of

ThePasskeys = NamedDependency[PasskeyService]
TheAuthentication = NamedDependency[Authentication]
TheGuests = NamedDependency[GuestMigration]


@get("/sign-up/passkey", action=ANYBODY, media_type=MediaType.HTML)
async def passkey_page(request: AnyRequest, principal: ThePrincipal, guests: TheGuests) -> Response[str] | Redirect:
    """The form for a new account without a password."""
    if principal.session is not None:
        return see(onward(request) if "next" in request.query_params else "/account")
    return page(
        request, "sign_up_passkey.html", form=EMPTY, onward=came_from(request), brings=await guests.has_games(principal)
    )


@post("/sign-up/passkey", action=ANYBODY, status_code=200)
async def sign_up_by_passkey(
    request: AnyRequest,
    data: Form,
    principal: ThePrincipal,
    site: TheSite,
    caller: TheCaller,
    guests: TheGuests,
    passkeys: ThePasskeys,
) -> Response[str]:
    """Open an account with the passkey that the page's script has had made, and show the recovery codes, once."""
    next_ = local(data.get("next", ""), "")
    try:
        answer = answer_of(credential_in(data.get("credential", "")))
        sign_in, codes = await passkeys.sign_up(
            data.get("name", ""),
            data.get("ceremony", ""),
            answer,
            place_of(request, site),
            principal,
            caller,
            device_of(request),
            move="move" in data,
        )
    except ApiError as problem:
        brings = await guests.has_games(principal)
        return shown_again(request, "sign_up_passkey.html", problem, data, onward=next_, brings=brings)
    known = Credential(Actor(sign_in.account.person, fresh=True), sign_in.session.id, sign_in.session, passkey=True)
    remember_principal(request, Principal(known.actor, known))
    greeting = visitors_of(request).begin_session(request, sign_in.secret, sign_in.cookie)
    context = {"account": sign_in.account, "codes": codes, "back": next_ or OPENED}
    return page_with(request, "codes.html", greeting, context)


@get("/passkeys", action=Action.SEE_OWN, media_type=MediaType.HTML)
async def passkeys_page(request: AnyRequest, principal: ThePrincipal, passkeys: ThePasskeys) -> Response[str]:
    """The passkeys of the account, and the form for another, which is called after this browser."""
    form = Filled({"label": browser_of(device_of(request).agent)[:MOST_LABEL]})
    return page(request, "passkeys.html", form=form, done=done_of(request), **await _passkeys(principal, passkeys))


@post("/passkeys/{key_id:str}/remove", action=Action.PROTECT)
async def remove_passkey(
    request: AnyRequest,
    key_id: FromPath[str],
    data: Form,
    principal: ThePrincipal,
    account: TheAccount,
    passkeys: ThePasskeys,
) -> Response[str] | Redirect:
    """Remove a passkey; one that is gone stays so."""
    try:
        await passkeys.remove(account.id, key_id)
    except ApiError as problem:
        return shown_again(request, "passkeys.html", problem, data, **await _passkeys(principal, passkeys))
    return see("/account/passkeys?done=removed")


async def _passkeys(principal: Principal, passkeys: PasskeyService) -> dict[str, Any]:
    own = await passkeys.of(principal.person.id)
    return {"found": own, "fresh": principal.actor.fresh, "name": principal.person.name}


sign_up_handlers = [passkey_page, sign_up_by_passkey]
handlers = [passkeys_page, remove_passkey]
