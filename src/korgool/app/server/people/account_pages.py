"""The pages of one's own account: what it is, its password, recovery codes, and the browsers that are signed in."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import MediaType, Response, Router, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from korgool.accounts import Action, name_key
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.dependencies import Form, TheCaller, ThePrincipal
from korgool.app.server.http.forms import EMPTY, OTHER_NAME, FieldError, needed, see, shown_again
from korgool.app.server.http.responses import AnyRequest, page, visitors_of
from korgool.app.server.http.return_address import local
from korgool.app.server.people import sign_in_pages as entrance_pages
from korgool.app.server.people.account.api import count_change, device_of
from korgool.app.server.people.account.deletion import close_account
from korgool.app.server.people.account.page_frame import SignedOutError, ask_first, done_of, lead_in, signed
from korgool.app.server.people.account_repository import Account
from korgool.app.server.people.blocks import pages as block_pages
from korgool.app.server.people.blocks.dependencies import TheBlocks
from korgool.app.server.people.blocks.repository import BlockRepository
from korgool.app.server.people.children import pages as children_pages
from korgool.app.server.people.dependencies import TheAuthentication
from korgool.app.server.people.passkeys import pages as passkey_pages
from korgool.app.server.people.passkeys.dependencies import ThePasskeys
from korgool.app.server.people.passkeys.repository import PasskeyRepository
from korgool.app.server.people.sign_in.authentication import Authentication
from korgool.app.server.people.sign_in.browsers import browser_of
from korgool.app.server.people.sign_in.sign_in_log import SignInWay
from korgool.app.server.people.sign_in_pages import entered
from korgool.app.server.people.tokens import pages as key_pages
from korgool.app.server.play.challenges.dependencies import TheChallengeService
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.languages import N_

_WAYS = {
    SignInWay.PASSWORD: N_("Password"),
    SignInWay.PASSKEY: N_("Passkey"),
    SignInWay.CODE: N_("Recovery code"),
    SignInWay.TOKEN: N_("Token"),
}


@get("/", action=Action.SEE_OWN, media_type=MediaType.HTML)
async def account_page(
    request: AnyRequest,
    principal: ThePrincipal,
    authentication: TheAuthentication,
    passkeys: ThePasskeys,
    blocks: TheBlocks,
) -> Response[str]:
    """What the account is and has, with the way to each of its pages."""
    account, _ = await signed(principal, authentication)
    found = await asyncio.to_thread(_counted, authentication, passkeys, blocks, account)
    return page(request, "account.html", account=account, done=done_of(request), **found)


@get("/password", action=Action.SEE_OWN, media_type=MediaType.HTML)
async def password_page(
    request: AnyRequest, principal: ThePrincipal, authentication: TheAuthentication
) -> Response[str]:
    """The form for another password."""
    account, _ = await signed(principal, authentication)
    return page(request, "password.html", account=account, form=EMPTY, fresh=principal.actor.fresh)


@post("/password", action=Action.PROTECT)
async def change_password(
    request: AnyRequest,
    data: Form,
    principal: ThePrincipal,
    authentication: TheAuthentication,
    caller: TheCaller,
    game_registry: TheGameRegistry,
) -> Response[str] | Redirect:
    """Set another password; all sessions end, and this browser gets a new one."""
    account, session = await signed(principal, authentication)
    try:
        count_change(game_registry.rate_limiter.spend_both(("session_changes", "address_changes"), caller))
        done = await authentication.change_password(account, data.get("password", ""), session, device_of(request))
    except ApiError as problem:
        return shown_again(request, "password.html", problem, data, account=account, fresh=True)
    return entered(request, done, "/account?done=password")


@get("/codes", action=Action.SEE_OWN, media_type=MediaType.HTML)
async def codes_page(request: AnyRequest, principal: ThePrincipal, authentication: TheAuthentication) -> Response[str]:
    """How many recovery codes are left, and the button for new ones."""
    account, _ = await signed(principal, authentication)
    left = await asyncio.to_thread(authentication.keys.codes_left, account.id)
    return page(request, "codes.html", account=account, left=left, codes=(), form=EMPTY, fresh=principal.actor.fresh)


@post("/codes", action=Action.PROTECT, status_code=200)
async def new_codes(
    request: AnyRequest,
    data: Form,
    principal: ThePrincipal,
    authentication: TheAuthentication,
    caller: TheCaller,
    game_registry: TheGameRegistry,
) -> Response[str]:
    """New recovery codes. They are in this answer and nowhere else, so it leads to no other page."""
    account, _ = await signed(principal, authentication)
    count_change(game_registry.rate_limiter.spend_both(("session_changes", "address_changes"), caller))
    codes = await asyncio.to_thread(authentication.keys.new_codes, account.id, now_ms())
    return page(request, "codes.html", account=account, left=len(codes), codes=codes, form=EMPTY, fresh=True)


@get("/sessions", action=Action.END_SESSION, media_type=MediaType.HTML)
async def sessions_page(
    request: AnyRequest, principal: ThePrincipal, authentication: TheAuthentication
) -> Response[str]:
    """Where the account is signed in, the browser that was used last first, and by what it was opened of late."""
    account, session = await signed(principal, authentication)
    found = await asyncio.to_thread(authentication.keys.sessions, account.id, now_ms())
    log = await asyncio.to_thread(authentication.sign_ins.list, account.id, now_ms())
    told: dict[str, Any] = {"log": log, "ways": _WAYS, "browser_of": browser_of}
    return page(request, "sessions.html", found=found, own=session, done=done_of(request), **told)


@post("/sessions/end", action=Action.END_SESSION)
async def end_others(principal: ThePrincipal, authentication: TheAuthentication) -> Redirect:
    """Sign out everywhere but here."""
    account, session = await signed(principal, authentication)
    await asyncio.to_thread(authentication.keys.end, account.id, now_ms(), but=session.id)
    authentication.ended()
    return see("/account/sessions?done=ended")


@post("/sessions/{key_id:str}/end", action=Action.END_SESSION)
async def end_session(key_id: FromPath[str], principal: ThePrincipal, authentication: TheAuthentication) -> Redirect:
    """Sign out in one browser; one that has ended already stays so."""
    account, _ = await signed(principal, authentication)
    await asyncio.to_thread(authentication.keys.end, account.id, now_ms(), only=key_id)
    authentication.ended()
    return see("/account/sessions?done=ended")


@post("/proof", action=Action.EDIT)
async def prove(
    request: AnyRequest, data: Form, principal: ThePrincipal, authentication: TheAuthentication, caller: TheCaller
) -> Response[str] | Redirect:
    """Give the password once more, and go back to what needed it."""
    account, session = await signed(principal, authentication)
    onward = local(data.get("next", ""), "/account")
    try:
        (password,) = needed(data, "password")
        await authentication.check_password(account, password, caller, device_of(request))
    except ApiError as problem:
        return shown_again(request, "prove.html", problem, data, name=account.person.name, next=onward)
    await asyncio.to_thread(authentication.keys.prove, session, now_ms())
    authentication.ended()
    return see(onward)


def _counted(
    keeper: Authentication, passkeys: PasskeyRepository, blocks: BlockRepository, account: Account
) -> dict[str, int]:
    keys, now = keeper.keys, now_ms()
    return {
        "codes": keys.codes_left(account.id),
        "passkeys": len(passkeys.list(account.id)),
        "sessions": len(keys.sessions(account.id, now)),
        "tokens": len(keys.tokens(account.id, now)),
        "bots": len(keeper.directory.bots(account.id)),
        "blocks": len(blocks.list(account.id)),
        "children": len(keeper.directory.children(account.id)),
    }


@get("/data", action=Action.SEE_OWN, media_type=MediaType.HTML)
async def data_page(request: AnyRequest, principal: ThePrincipal, authentication: TheAuthentication) -> Response[str]:
    """The way to everything that is stored, and the form that deletes it."""
    account, _ = await signed(principal, authentication)
    children = await _names_of_children(account, authentication)
    return page(request, "data.html", account=account, children=children, form=EMPTY, fresh=principal.actor.fresh)


@post("/data", action=Action.DELETE)
async def delete_account(
    request: AnyRequest,
    data: Form,
    principal: ThePrincipal,
    authentication: TheAuthentication,
    challenge_service: TheChallengeService,
) -> Response[str] | Redirect:
    """Delete the account, whose name was typed once more; its games stay, under "deleted player"."""
    account, _ = await signed(principal, authentication)
    if name_key(data.get("name", "")) != name_key(account.person.name):
        problem = FieldError(OTHER_NAME, "name")
        children = await _names_of_children(account, authentication)
        return shown_again(request, "data.html", problem, data, account=account, children=children, fresh=True)
    await close_account(authentication, account.id)
    challenge_service.refresh()
    return Redirect("/sign-in?out", status_code=303, cookies=[visitors_of(request).end_session(request)])


async def _names_of_children(account: Account, keeper: Authentication) -> list[str]:
    return [child.person.name for child in await asyncio.to_thread(keeper.directory.children, account.id)]


_own = [
    *(account_page, password_page, change_password, codes_page, new_codes),
    *(sessions_page, end_others, end_session, prove, data_page, delete_account),
]
routers = [
    Router("/", route_handlers=entrance_pages.handlers, include_in_schema=False),
    Router(
        "/account",
        route_handlers=[
            *_own,
            *key_pages.handlers,
            *passkey_pages.handlers,
            *block_pages.handlers,
            *children_pages.handlers,
        ],
        exception_handlers={ApiError: ask_first, SignedOutError: lead_in},
        include_in_schema=False,
    ),
]
"""All pages of accounts."""
