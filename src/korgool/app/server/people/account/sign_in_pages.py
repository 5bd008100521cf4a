"""The pages for signing up, in and out, and for the way back with a recovery code."""

from __future__ import annotations

from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency
from litestar.response import Redirect

from korgool.accounts import Action
from korgool.app.server.core.errors import ApiError
from korgool.app.server.http.dependencies import Form, TheCaller, ThePrincipal
from korgool.app.server.http.forms import EMPTY, needed, see, shown_again
from korgool.app.server.http.responses import AnyRequest, page, visitors_of
from korgool.app.server.http.return_address import came_from, local, onward
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.people.account.service import AccountService
from korgool.app.server.people.guests.migration import GuestMigration
from korgool.app.server.people.page_frame import OPENED, entered
from korgool.app.server.people.sign_in.identification import device_of

TheAccounts = NamedDependency[AccountService]
TheGuests = NamedDependency[GuestMigration]


@get("/sign-up", action=ANYBODY, media_type=MediaType.HTML)
async def sign_up_page(request: AnyRequest, principal: ThePrincipal, guests: TheGuests) -> Response[str] | Redirect:
    """The form for a new account; a signed-in reader has one already."""
    if principal.session is not None:
        return see(onward(request) if "next" in request.query_params else "/account")
    return page(
        request, "sign_up.html", form=EMPTY, onward=came_from(request), brings=await guests.has_games(principal)
    )


@post("/sign-up", action=ANYBODY)
async def sign_up(
    request: AnyRequest,
    data: Form,
    principal: ThePrincipal,
    accounts: TheAccounts,
    caller: TheCaller,
    guests: TheGuests,
) -> Response[str] | Redirect:
    """Open an account, sign in, and go back to where the reader came from; to the account where that is not known."""
    name, password = data.get("name", ""), data.get("password", "")
    next_ = local(data.get("next", ""), "")
    try:
        opened = await accounts.open(name, password, principal, caller, device_of(request), move="move" in data)
    except ApiError as problem:
        return shown_again(
            request, "sign_up.html", problem, data, onward=next_, brings=await guests.has_games(principal)
        )
    return entered(request, opened, next_ or OPENED)


@get("/sign-in", action=ANYBODY, media_type=MediaType.HTML)
async def sign_in_page(request: AnyRequest, principal: ThePrincipal, guests: TheGuests) -> Response[str] | Redirect:
    """The form for name and password; it leads back to where the reader came from."""
    next_ = onward(request)
    if principal.session is not None:
        return see(next_)
    told = {name: name in request.query_params for name in ("out", "asked", "kept", "lost")}
    return page(request, "sign_in.html", form=EMPTY, onward=next_, **told, brings=await guests.has_games(principal))


@post("/sign-in", action=ANYBODY)
async def sign_in(
    request: AnyRequest,
    data: Form,
    principal: ThePrincipal,
    accounts: TheAccounts,
    caller: TheCaller,
    guests: TheGuests,
) -> Response[str] | Redirect:
    """Sign in and go on; a session that the browser had before ends."""
    next_ = local(data.get("next", ""))
    try:
        name, password = needed(data, "name", "password")
        signed_in = await accounts.sign_in(name, password, principal, caller, device_of(request), move="move" in data)
    except ApiError as problem:
        return shown_again(
            request, "sign_in.html", problem, data, onward=next_, brings=await guests.has_games(principal)
        )
    return entered(request, signed_in, next_)


@get("/recovery", action=ANYBODY, media_type=MediaType.HTML)
async def recovery_page(request: AnyRequest) -> Response[str]:
    """The form for a recovery code."""
    return page(request, "recovery.html", form=EMPTY)


@post("/recovery", action=ANYBODY)
async def recover(
    request: AnyRequest, data: Form, principal: ThePrincipal, accounts: TheAccounts, caller: TheCaller
) -> Response[str] | Redirect:
    """Set another password by a recovery code, or none for a passkey in its place; all sessions before end."""
    password, next_ = data.get("password", ""), local(data.get("next", ""))
    try:
        name, code = needed(data, "name", "code")
        recovered = await accounts.recover(name, code, password, principal, caller, device_of(request))
    except ApiError as problem:
        return shown_again(request, "recovery.html", problem, data, onward=next_)
    if not password:
        return entered(request, recovered, "/account/passkeys?done=code")  # nothing but the code opened it
    return entered(request, recovered, "/account?done=password" if next_ == "/" else next_)


@post("/sign-out", action=Action.END_SESSION)
async def sign_out(request: AnyRequest, principal: ThePrincipal, accounts: TheAccounts) -> Redirect:
    """End the session of this browser."""
    await accounts.sign_out(principal)
    return Redirect("/sign-in?out", status_code=303, cookies=[visitors_of(request).end_session(request)])


handlers = [sign_up_page, sign_up, sign_in_page, sign_in, recovery_page, recover, sign_out]
