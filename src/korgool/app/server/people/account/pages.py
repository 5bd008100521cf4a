"""The pages of an account for its owner: overview, password, recovery codes, sessions, stored data."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from korgool.accounts import Action, name_key
from korgool.app.server.core.errors import ApiError
from korgool.app.server.http.dependencies import Form, TheCaller, ThePrincipal
from korgool.app.server.http.forms import EMPTY, OTHER_NAME, FieldError, needed, see, shown_again
from korgool.app.server.http.responses import AnyRequest, page, visitors_of
from korgool.app.server.http.return_address import local
from korgool.app.server.people.account.service import AccountService
from korgool.app.server.people.account_repository import Account
from korgool.app.server.people.page_frame import TheAccount, done_of, entered
from korgool.app.server.people.sign_in.authentication import Authentication
from korgool.app.server.people.sign_in.browsers import browser_of
from korgool.app.server.people.sign_in.identification import device_of
from korgool.app.server.people.sign_in.sign_in_log import SignInWay
from korgool.languages import N_

TheAccounts = NamedDependency[AccountService]
TheAuthentication = NamedDependency[Authentication]
_WAYS = {
    SignInWay.PASSWORD: N_("Password"),
    SignInWay.PASSKEY: N_("Passkey"),
    SignInWay.CODE: N_("Recovery code"),
    SignInWay.TOKEN: N_("Token"),
}


@get("/", action=Action.SEE_OWN, media_type=MediaType.HTML)
async def account_page(request: AnyRequest, account: TheAccount, accounts: TheAccounts) -> Response[str]:
    """The account with the number of its passkeys, tokens and so on, and the way to each of its pages."""
    return page(request, "account.html", account=account, done=done_of(request), **await accounts.overview(account.id))


@get("/password", action=Action.SEE_OWN, media_type=MediaType.HTML)
async def password_page(request: AnyRequest, principal: ThePrincipal, account: TheAccount) -> Response[str]:
    """The form for another password."""
    return page(request, "password.html", account=account, form=EMPTY, fresh=principal.actor.fresh)


@post("/password", action=Action.PROTECT)
async def change_password(
    request: AnyRequest,
    data: Form,
    principal: ThePrincipal,
    account: TheAccount,
    accounts: TheAccounts,
    caller: TheCaller,
) -> Response[str] | Redirect:
    """Set another password; all sessions end, and this browser gets a new one."""
    password = data.get("password", "")
    try:
        sign_in = await accounts.change_password(principal, password, caller, device_of(request))
    except ApiError as problem:
        return shown_again(request, "password.html", problem, data, account=account, fresh=True)
    return entered(request, sign_in, "/account?done=password")


@get("/codes", action=Action.SEE_OWN, media_type=MediaType.HTML)
async def codes_page(
    request: AnyRequest, principal: ThePrincipal, account: TheAccount, accounts: TheAccounts
) -> Response[str]:
    """The number of recovery codes left, and the button for new ones."""
    left = await accounts.codes_left(account.id)
    return page(request, "codes.html", account=account, left=left, codes=(), form=EMPTY, fresh=principal.actor.fresh)


@post("/codes", action=Action.PROTECT, status_code=200)
async def new_codes(
    request: AnyRequest,
    data: Form,
    account: TheAccount,
    accounts: TheAccounts,
    caller: TheCaller,
) -> Response[str]:
    """New recovery codes. They are in this answer and nowhere else, so it leads to no other page."""
    codes = await accounts.new_codes(account.id, caller)
    return page(request, "codes.html", account=account, left=len(codes), codes=codes, form=EMPTY, fresh=True)


@get("/sessions", action=Action.END_SESSION, media_type=MediaType.HTML)
async def sessions_page(
    request: AnyRequest, principal: ThePrincipal, account: TheAccount, accounts: TheAccounts
) -> Response[str]:
    """The browsers in which the account is signed in, the one used last first, and its last sign-ins."""
    sessions, log = await accounts.sessions(account.id), await accounts.sign_ins(account.id)
    shown: dict[str, Any] = {"log": log, "ways": _WAYS, "browser_of": browser_of}
    return page(request, "sessions.html", found=sessions, own=principal.session, done=done_of(request), **shown)


@post("/sessions/end", action=Action.END_SESSION)
async def end_others(principal: ThePrincipal, accounts: TheAccounts) -> Redirect:
    """Sign out everywhere but here."""
    await accounts.end_other_sessions(principal)
    return see("/account/sessions?done=ended")


@post("/sessions/{key_id:str}/end", action=Action.END_SESSION)
async def end_session(key_id: FromPath[str], account: TheAccount, authentication: TheAuthentication) -> Redirect:
    """Sign out in one browser; one that has ended already stays so."""
    await authentication.end_sessions(account.id, only=key_id)
    return see("/account/sessions?done=ended")


@post("/proof", action=Action.EDIT)
async def prove(
    request: AnyRequest,
    data: Form,
    principal: ThePrincipal,
    account: TheAccount,
    accounts: TheAccounts,
    caller: TheCaller,
) -> Response[str] | Redirect:
    """Give the password once more, and go back to what needed it."""
    onward = local(data.get("next", ""), "/account")
    try:
        (password,) = needed(data, "password")
        await accounts.prove(principal, password, caller, device_of(request))
    except ApiError as problem:
        return shown_again(request, "prove.html", problem, data, name=account.person.name, next=onward)
    return see(onward)


@get("/data", action=Action.SEE_OWN, media_type=MediaType.HTML)
async def data_page(
    request: AnyRequest, principal: ThePrincipal, account: TheAccount, authentication: TheAuthentication
) -> Response[str]:
    """The way to everything that is stored, and the form that deletes it."""
    children = await _names_of_children(account, authentication)
    return page(request, "data.html", account=account, children=children, form=EMPTY, fresh=principal.actor.fresh)


@post("/data", action=Action.DELETE)
async def delete_account(
    request: AnyRequest, data: Form, account: TheAccount, authentication: TheAuthentication, accounts: TheAccounts
) -> Response[str] | Redirect:
    """Delete the account, whose name was typed once more; its games stay, under "deleted player"."""
    if name_key(data.get("name", "")) != name_key(account.person.name):
        problem = FieldError(OTHER_NAME, "name")
        children = await _names_of_children(account, authentication)
        return shown_again(request, "data.html", problem, data, account=account, children=children, fresh=True)
    await accounts.delete(account.id)
    return Redirect("/sign-in?out", status_code=303, cookies=[visitors_of(request).end_session(request)])


async def _names_of_children(account: Account, authentication: Authentication) -> list[str]:
    return [child.person.name for child in await asyncio.to_thread(authentication.directory.children, account.id)]


handlers = [
    *(account_page, password_page, change_password, codes_page, new_codes),
    *(sessions_page, end_others, end_session, prove, data_page, delete_account),
]
