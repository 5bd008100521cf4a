"""The pages through which one comes and goes: signing up, in and out, and the way back with a recovery code."""

from __future__ import annotations

import asyncio

from litestar import MediaType, Response, get, post
from litestar.response import Redirect

from korgool.accounts import Action, Actor, Refused, read_name, refused_password
from korgool.app.server import messages
from korgool.app.server.account_refusals import refused_error
from korgool.app.server.games.running_games import Hall
from korgool.app.server.messages import RefusedError, TooManyError
from korgool.app.server.now import now_ms
from korgool.app.server.people.doorkeeper import Known, SignedIn
from korgool.app.server.web.accounts import bring, count_sign_in, device_of
from korgool.app.server.web.answers import AnyRequest, page, page_with, visitors_of
from korgool.app.server.web.forms import EMPTY, needed, see, shown_again
from korgool.app.server.web.given import Form, TheCaller, TheHall, TheKeeper, TheSite, TheWho
from korgool.app.server.web.onward import local, onward
from korgool.app.server.web.passkey_api import sign_up as open_by_passkey
from korgool.app.server.web.passkey_wire import NewPasskeyAccount, credential_in
from korgool.app.server.web.rights import ANYBODY
from korgool.app.server.web.who import Who, note_who

_OPENED = "/account?done=opened"


@get("/sign-up", action=ANYBODY, media_type=MediaType.HTML)
async def sign_up_page(request: AnyRequest, who: TheWho, hall: TheHall) -> Response[str] | Redirect:
    """The form for a new account; whoever is signed in has one."""
    if who.session is not None:
        return see(onward(request) if "next" in request.query_params else "/account")
    return page(request, "sign_up.html", form=EMPTY, brings=await has_games(who, hall))


@post("/sign-up", action=ANYBODY)
async def sign_up(
    request: AnyRequest, data: Form, who: TheWho, keeper: TheKeeper, caller: TheCaller, hall: TheHall
) -> Response[str] | Redirect:
    """Open an account, sign in, and go on; who came for nothing else sees the account."""
    name, password = data.get("name", ""), data.get("password", "")
    next_ = local(data.get("next", ""))
    try:
        check_possible(name, password)
        if wait := hall.tally.spend_both(("session_accounts", "address_accounts"), caller):
            raise TooManyError(messages.TOO_MANY_ACCOUNTS, wait)
        done = await keeper.sign_up(name, password, device_of(request), who.digest)
    except RefusedError as problem:
        return shown_again(request, "sign_up.html", problem, data, onward=next_, brings=await has_games(who, hall))
    if "move" in data and who.visitor is not None:
        await bring(request, who.visitor, done.account)
    return entered(request, done, _OPENED if next_ == "/" else next_)


@get("/sign-up/passkey", action=ANYBODY, media_type=MediaType.HTML)
async def passkey_page(request: AnyRequest, who: TheWho, hall: TheHall) -> Response[str] | Redirect:
    """The form for a new account without a password."""
    if who.session is not None:
        return see(onward(request) if "next" in request.query_params else "/account")
    return page(request, "sign_up_passkey.html", form=EMPTY, brings=await has_games(who, hall))


@post("/sign-up/passkey", action=ANYBODY, status_code=200)
async def sign_up_by_passkey(
    request: AnyRequest, data: Form, who: TheWho, keeper: TheKeeper, site: TheSite, caller: TheCaller, hall: TheHall
) -> Response[str]:
    """Open an account with the passkey that the page's script has had made, and show the recovery codes, once."""
    next_ = local(data.get("next", ""))
    try:
        new = NewPasskeyAccount(
            data.get("name", ""), data.get("ceremony", ""), credential_in(data.get("credential", "")), "move" in data
        )
        done, codes = await open_by_passkey(request, new, who, keeper, site, caller, hall)
    except RefusedError as problem:
        return shown_again(
            request, "sign_up_passkey.html", problem, data, onward=next_, brings=await has_games(who, hall)
        )
    known = Known(Actor(done.account.person, fresh=True), done.session.id, done.session, passkey=True)
    note_who(request, Who(known.actor, known))
    greeting = visitors_of(request).begin_session(request, done.secret, done.cookie)
    context = {"account": done.account, "codes": codes, "back": _OPENED if next_ == "/" else next_}
    return page_with(request, "codes.html", greeting, context)


@get("/sign-in", action=ANYBODY, media_type=MediaType.HTML)
async def sign_in_page(request: AnyRequest, who: TheWho, hall: TheHall) -> Response[str] | Redirect:
    """The form for name and password; it leads back to where the reader came from."""
    next_ = onward(request)
    if who.session is not None:
        return see(next_)
    told = {name: name in request.query_params for name in ("out", "asked", "kept", "lost")}
    return page(request, "sign_in.html", form=EMPTY, onward=next_, **told, brings=await has_games(who, hall))


@post("/sign-in", action=ANYBODY)
async def sign_in(
    request: AnyRequest, data: Form, who: TheWho, keeper: TheKeeper, caller: TheCaller, hall: TheHall
) -> Response[str] | Redirect:
    """Sign in and go on; a session that the browser had before ends."""
    next_ = local(data.get("next", ""))
    try:
        name, password = needed(data, "name", "password")
        count_sign_in(hall.tally.spend("address_sign_ins", caller.address))
        done = await keeper.sign_in(name, password, caller, device_of(request), who.digest)
    except RefusedError as problem:
        return shown_again(request, "sign_in.html", problem, data, onward=next_, brings=await has_games(who, hall))
    if "move" in data and who.visitor is not None:
        await bring(request, who.visitor, done.account)
    return entered(request, done, next_)


@get("/recovery", action=ANYBODY, media_type=MediaType.HTML)
async def recovery_page(request: AnyRequest) -> Response[str]:
    """The form for a recovery code."""
    return page(request, "recovery.html", form=EMPTY)


@post("/recovery", action=ANYBODY)
async def recover(
    request: AnyRequest, data: Form, who: TheWho, keeper: TheKeeper, caller: TheCaller, hall: TheHall
) -> Response[str] | Redirect:
    """Set another password by a recovery code, or none for a passkey in its place; all sessions before end."""
    password, next_ = data.get("password", ""), local(data.get("next", ""))
    try:
        name, code = needed(data, "name", "code")
        count_sign_in(hall.tally.spend("address_sign_ins", caller.address))
        done = await keeper.recover(name, code, password, caller, device_of(request), who.digest)
    except RefusedError as problem:
        return shown_again(request, "recovery.html", problem, data, onward=next_)
    if not password:
        return entered(request, done, "/account/passkeys?done=code")  # nothing but the code opened it
    return entered(request, done, "/account?done=password" if next_ == "/" else next_)


@post("/sign-out", action=Action.END_SESSION)
async def sign_out(request: AnyRequest, who: TheWho, keeper: TheKeeper) -> Redirect:
    """End the session of this browser."""
    if who.session is not None:
        await asyncio.to_thread(keeper.keys.end, who.person.id, now_ms(), only=who.session.id)
        keeper.ended()
    return Redirect("/sign-in?out", status_code=303, cookies=[visitors_of(request).end_session(request)])


def check_possible(name: str, password: str) -> None:
    """Refuse what cannot be a name or a password before anything is counted: people try a few.

    Raises:
        RefusedError: one of them cannot be.
    """
    read = read_name(name)
    problem = read if isinstance(read, Refused) else refused_password(password, read)
    if problem is not None:
        raise refused_error(problem)


def entered(request: AnyRequest, done: SignedIn, path: str) -> Redirect:
    """Go on as somebody who has just signed in, with the cookies of the session."""
    _, cookies = visitors_of(request).begin_session(request, done.secret, done.cookie)
    return Redirect(path, status_code=303, cookies=cookies)


async def has_games(who: Who, hall: Hall) -> bool:
    """Whether the visitor of this browser has games that an account could take over."""
    if who.visitor is None:
        return False
    return bool(await asyncio.to_thread(hall.storage.recent, who.visitor, 1))


handlers = [
    *(sign_up_page, sign_up, passkey_page, sign_up_by_passkey),
    *(sign_in_page, sign_in, recovery_page, recover, sign_out),
]
