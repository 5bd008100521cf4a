"""The pages through which one comes and goes: signing up, in and out, and the way back with a recovery code."""

from __future__ import annotations

import asyncio

from litestar import MediaType, Response, get, post
from litestar.response import Redirect

from korgool.accounts import Action, Actor, Refused, read_name, refused_password
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError, refused_error
from korgool.app.server.core.principal import Credential, Principal
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.dependencies import (
    Form,
    TheCaller,
    ThePrincipal,
    TheSite,
)
from korgool.app.server.http.forms import EMPTY, needed, see, shown_again
from korgool.app.server.http.responses import AnyRequest, page, page_with, visitors_of
from korgool.app.server.http.return_address import local, onward
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.http.visitors import remember_principal
from korgool.app.server.people.account.api import bring, count_sign_in, device_of
from korgool.app.server.people.dependencies import TheAuthentication
from korgool.app.server.people.passkeys.api import sign_up as open_by_passkey
from korgool.app.server.people.passkeys.dependencies import ThePasskeys
from korgool.app.server.people.passkeys.messages import NewPasskeyAccount, credential_in
from korgool.app.server.people.sign_in.authentication import SignedIn
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.game_registry import GameRegistry

_OPENED = "/account?done=opened"


@get("/sign-up", action=ANYBODY, media_type=MediaType.HTML)
async def sign_up_page(
    request: AnyRequest, principal: ThePrincipal, game_registry: TheGameRegistry
) -> Response[str] | Redirect:
    """The form for a new account; whoever is signed in has one."""
    if principal.session is not None:
        return see(onward(request) if "next" in request.query_params else "/account")
    return page(request, "sign_up.html", form=EMPTY, brings=await has_games(principal, game_registry))


@post("/sign-up", action=ANYBODY)
async def sign_up(
    request: AnyRequest,
    data: Form,
    principal: ThePrincipal,
    authentication: TheAuthentication,
    caller: TheCaller,
    game_registry: TheGameRegistry,
) -> Response[str] | Redirect:
    """Open an account, sign in, and go on; who came for nothing else sees the account."""
    name, password = data.get("name", ""), data.get("password", "")
    next_ = local(data.get("next", ""))
    try:
        check_possible(name, password)
        if wait := game_registry.rate_limiter.spend_both(("session_accounts", "address_accounts"), caller):
            raise RateLimitError(errors.TOO_MANY_ACCOUNTS, wait)
        done = await authentication.sign_up(name, password, device_of(request), principal.digest)
    except ApiError as problem:
        return shown_again(
            request, "sign_up.html", problem, data, onward=next_, brings=await has_games(principal, game_registry)
        )
    if "move" in data and principal.visitor is not None:
        await bring(request, principal.visitor, done.account)
    return entered(request, done, _OPENED if next_ == "/" else next_)


@get("/sign-up/passkey", action=ANYBODY, media_type=MediaType.HTML)
async def passkey_page(
    request: AnyRequest, principal: ThePrincipal, game_registry: TheGameRegistry
) -> Response[str] | Redirect:
    """The form for a new account without a password."""
    if principal.session is not None:
        return see(onward(request) if "next" in request.query_params else "/account")
    return page(request, "sign_up_passkey.html", form=EMPTY, brings=await has_games(principal, game_registry))


@post("/sign-up/passkey", action=ANYBODY, status_code=200)
async def sign_up_by_passkey(
    request: AnyRequest,
    data: Form,
    principal: ThePrincipal,
    authentication: TheAuthentication,
    site: TheSite,
    caller: TheCaller,
    game_registry: TheGameRegistry,
    passkeys: ThePasskeys,
) -> Response[str]:
    """Open an account with the passkey that the page's script has had made, and show the recovery codes, once."""
    next_ = local(data.get("next", ""))
    try:
        new = NewPasskeyAccount(
            data.get("name", ""), data.get("ceremony", ""), credential_in(data.get("credential", "")), "move" in data
        )
        done, codes = await open_by_passkey(
            request, new, principal, authentication, site, caller, game_registry, passkeys
        )
    except ApiError as problem:
        return shown_again(
            request,
            "sign_up_passkey.html",
            problem,
            data,
            onward=next_,
            brings=await has_games(principal, game_registry),
        )
    known = Credential(Actor(done.account.person, fresh=True), done.session.id, done.session, passkey=True)
    remember_principal(request, Principal(known.actor, known))
    greeting = visitors_of(request).begin_session(request, done.secret, done.cookie)
    context = {"account": done.account, "codes": codes, "back": _OPENED if next_ == "/" else next_}
    return page_with(request, "codes.html", greeting, context)


@get("/sign-in", action=ANYBODY, media_type=MediaType.HTML)
async def sign_in_page(
    request: AnyRequest, principal: ThePrincipal, game_registry: TheGameRegistry
) -> Response[str] | Redirect:
    """The form for name and password; it leads back to where the reader came from."""
    next_ = onward(request)
    if principal.session is not None:
        return see(next_)
    told = {name: name in request.query_params for name in ("out", "asked", "kept", "lost")}
    return page(
        request, "sign_in.html", form=EMPTY, onward=next_, **told, brings=await has_games(principal, game_registry)
    )


@post("/sign-in", action=ANYBODY)
async def sign_in(
    request: AnyRequest,
    data: Form,
    principal: ThePrincipal,
    authentication: TheAuthentication,
    caller: TheCaller,
    game_registry: TheGameRegistry,
) -> Response[str] | Redirect:
    """Sign in and go on; a session that the browser had before ends."""
    next_ = local(data.get("next", ""))
    try:
        name, password = needed(data, "name", "password")
        count_sign_in(game_registry.rate_limiter.spend("address_sign_ins", caller.address))
        done = await authentication.sign_in(name, password, caller, device_of(request), principal.digest)
    except ApiError as problem:
        return shown_again(
            request, "sign_in.html", problem, data, onward=next_, brings=await has_games(principal, game_registry)
        )
    if "move" in data and principal.visitor is not None:
        await bring(request, principal.visitor, done.account)
    return entered(request, done, next_)


@get("/recovery", action=ANYBODY, media_type=MediaType.HTML)
async def recovery_page(request: AnyRequest) -> Response[str]:
    """The form for a recovery code."""
    return page(request, "recovery.html", form=EMPTY)


@post("/recovery", action=ANYBODY)
async def recover(
    request: AnyRequest,
    data: Form,
    principal: ThePrincipal,
    authentication: TheAuthentication,
    caller: TheCaller,
    game_registry: TheGameRegistry,
) -> Response[str] | Redirect:
    """Set another password by a recovery code, or none for a passkey in its place; all sessions before end."""
    password, next_ = data.get("password", ""), local(data.get("next", ""))
    try:
        name, code = needed(data, "name", "code")
        count_sign_in(game_registry.rate_limiter.spend("address_sign_ins", caller.address))
        done = await authentication.recover(name, code, password, caller, device_of(request), principal.digest)
    except ApiError as problem:
        return shown_again(request, "recovery.html", problem, data, onward=next_)
    if not password:
        return entered(request, done, "/account/passkeys?done=code")  # nothing but the code opened it
    return entered(request, done, "/account?done=password" if next_ == "/" else next_)


@post("/sign-out", action=Action.END_SESSION)
async def sign_out(request: AnyRequest, principal: ThePrincipal, authentication: TheAuthentication) -> Redirect:
    """End the session of this browser."""
    if principal.session is not None:
        await asyncio.to_thread(authentication.keys.end, principal.person.id, now_ms(), only=principal.session.id)
        authentication.ended()
    return Redirect("/sign-in?out", status_code=303, cookies=[visitors_of(request).end_session(request)])


def check_possible(name: str, password: str) -> None:
    """Refuse what cannot be a name or a password before anything is counted: people try a few.

    Raises:
        ApiError: one of them cannot be.
    """
    read = read_name(name)
    problem = read if isinstance(read, Refused) else refused_password(password, read)
    if problem is not None:
        raise refused_error(problem)


def entered(request: AnyRequest, done: SignedIn, path: str) -> Redirect:
    """Go on as somebody who has just signed in, with the cookies of the session."""
    _, cookies = visitors_of(request).begin_session(request, done.secret, done.cookie)
    return Redirect(path, status_code=303, cookies=cookies)


async def has_games(who: Principal, game_registry: GameRegistry) -> bool:
    """Whether the visitor of this browser has games that an account could take over."""
    if who.visitor is None:
        return False
    return bool(await asyncio.to_thread(game_registry.repository.recent, who.visitor, 1))


handlers = [
    *(sign_up_page, sign_up, passkey_page, sign_up_by_passkey),
    *(sign_in_page, sign_in, recovery_page, recover, sign_out),
]
