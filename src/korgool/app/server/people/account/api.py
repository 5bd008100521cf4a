"""Accounts for programs and scripts: opening one, signing in and out, sessions, the password and recovery codes."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from litestar import Response, Router, delete, get, post, put
from litestar.params import JSONBody, PathParameter

from korgool.accounts import Action, Session
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.core.principal import Principal
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.dependencies import Nothing, TheCaller, ThePrincipal, check_body
from korgool.app.server.http.openapi import refusals
from korgool.app.server.http.responses import AnyRequest, english_names, visitors_of
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.people.account.deletion import close_account
from korgool.app.server.people.account_repository import Account
from korgool.app.server.people.dependencies import TheAuthentication
from korgool.app.server.people.sign_in.authentication import Authentication, SignedIn
from korgool.app.server.people.sign_in.browsers import Browser
from korgool.app.server.play.challenges.dependencies import TheChallengeService
from korgool.app.server.play.dependencies import TheGameRegistry

Text = Annotated[str, msgspec.Meta(max_length=4096)]
KeyId = Annotated[str, PathParameter(description="as the list names it", max_length=40)]
_WRONG = "a wrong name or password; the answer is the same for names that nobody has"


class NewAccount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name and a password.

    Attributes:
        name: 2 to 20 letters and digits of one script, beginning with a letter; `-` and `_` stand alone between them.
        password: 8 to 256 characters, none of the common ones.
        move: whether the games and challenges of the visitor who asks move to the account.
    """

    name: Text
    password: Text
    move: bool = True


class SignIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name and its password; `move` as with a new account."""

    name: Text
    password: Text
    move: bool = False


class Recovery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name, an unused recovery code, and the password from now on.

    Attributes:
        name: the name.
        code: the code.
        password: the new password; empty for none, where a passkey is to take its place.
    """

    name: Text
    code: Text
    password: Text = ""


class Password(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A password."""

    password: Text


class SignedInMessage(msgspec.Struct, frozen=True):
    """Somebody who is signed in now: the session is a cookie.

    Attributes:
        id: the identity.
        name: the name.
        csrf: what commands of this browser carry as `x-csrftoken`, and forms as `_csrf_token`.
    """

    id: str
    name: str
    csrf: str


class AccountMessage(msgspec.Struct, frozen=True):
    """Who asks.

    Attributes:
        id: the identity.
        name: what others see.
        kind: `visitor`, `account`, `child`, `bot` or `operator`.
        locked: whether the operator has locked the account.
        made: when it was opened, in milliseconds since 1970; None for a visitor.
        fresh: whether the password or a passkey was given a moment ago, as some commands need it.
        password: whether one is set.
        codes: recovery codes that are left.
    """

    id: str
    name: str
    kind: str
    locked: bool = False
    made: int | None = None
    fresh: bool = False
    password: bool = False
    codes: int = 0


class SessionMessage(msgspec.Struct, frozen=True):
    """A browser in which the account is signed in.

    Attributes:
        id: names it, and opens nothing.
        device: the browser, as it calls itself.
        begun: when, in milliseconds since 1970.
        seen: the last use, to ten minutes.
        expires: when it is over if it is not used again.
        this: whether it is the one that asks.
    """

    id: str
    device: str
    begun: int
    seen: int
    expires: int
    this: bool


class SignInMessage(msgspec.Struct, frozen=True):
    """The account was opened.

    Attributes:
        at: when, in milliseconds since 1970.
        way: by what: `password`, `passkey`, `code` (of recovery), or `token` where one was made.
        device: the browser, as it calls itself; empty for tokens.
    """

    at: int
    way: str
    device: str


class Codes(msgspec.Struct, frozen=True):
    """Recovery codes, told once; each opens the account one time."""

    codes: tuple[str, ...]


class Ended(msgspec.Struct, frozen=True):
    """How many were ended."""

    ended: int


@get("/", action=Action.SEE_OWN, responses=refusals(), summary="Your account")
async def read_account(
    request: AnyRequest, principal: ThePrincipal, authentication: TheAuthentication
) -> AccountMessage:
    """Who you are here, with an account or without."""
    person = principal.person
    account = await asyncio.to_thread(authentication.directory.find, person.id)
    if account is None:
        return AccountMessage(person.id, english_names(request)(person.id), person.kind)
    codes = await asyncio.to_thread(authentication.keys.codes_left, person.id)
    return AccountMessage(
        person.id,
        person.name,
        person.kind,
        person.locked,
        account.made,
        principal.actor.fresh,
        account.has_password,
        codes,
    )


@post(
    "/",
    action=ANYBODY,
    open=True,
    responses=refusals({409: "the name is taken", 422: "no such name or password can be"}, command=True),
    summary="Open an account",
)
async def open_account(
    request: AnyRequest,
    data: JSONBody[NewAccount],
    principal: ThePrincipal,
    authentication: TheAuthentication,
    caller: TheCaller,
    game_registry: TheGameRegistry,
    challenge_service: TheChallengeService,
) -> Response[SignedInMessage]:
    """Open an account and sign in; the games of the visitor who asks move along."""
    if wait := game_registry.rate_limiter.spend_both(("session_accounts", "address_accounts"), caller):
        raise RateLimitError(errors.TOO_MANY_ACCOUNTS, wait)
    done = await authentication.sign_up(data.name, data.password, device_of(request), principal.digest)
    if data.move and principal.visitor is not None:
        await bring(request, principal.visitor, done.account)
    return signed_in(request, done)


@post(
    "/session",
    action=ANYBODY,
    open=True,
    responses=refusals({401: _WRONG}, command=True),
    summary="Sign in",
)
async def sign_in(
    request: AnyRequest,
    data: JSONBody[SignIn],
    principal: ThePrincipal,
    authentication: TheAuthentication,
    caller: TheCaller,
    game_registry: TheGameRegistry,
) -> Response[SignedInMessage]:
    """Sign in; a session that the browser had before ends."""
    count_sign_in(game_registry.rate_limiter.spend("address_sign_ins", caller.address))
    done = await authentication.sign_in(data.name, data.password, caller, device_of(request), principal.digest)
    if data.move and principal.visitor is not None:
        await bring(request, principal.visitor, done.account)
    return signed_in(request, done)


@post(
    "/recovery",
    action=ANYBODY,
    open=True,
    responses=refusals({401: "a wrong name or code", 422: "no such password can be"}, command=True),
    summary="Sign in by a recovery code",
)
async def recover(
    request: AnyRequest,
    data: JSONBody[Recovery],
    principal: ThePrincipal,
    authentication: TheAuthentication,
    caller: TheCaller,
    game_registry: TheGameRegistry,
) -> Response[SignedInMessage]:
    """Set another password by a recovery code, or none; all sessions end, and this browser is signed in."""
    count_sign_in(game_registry.rate_limiter.spend("address_sign_ins", caller.address))
    device = device_of(request)
    return signed_in(
        request, await authentication.recover(data.name, data.code, data.password, caller, device, principal.digest)
    )


@delete("/session", action=Action.END_SESSION, status_code=200, responses=refusals(command=True), summary="Sign out")
async def sign_out(request: AnyRequest, principal: ThePrincipal, authentication: TheAuthentication) -> Response[Ended]:
    """End the session of this browser."""
    count = 0
    if principal.session is not None:
        count = await asyncio.to_thread(
            authentication.keys.end, principal.person.id, now_ms(), only=principal.session.id
        )
        authentication.ended()
    return Response(Ended(count), cookies=[visitors_of(request).end_session(request)])


@get("/sessions", action=Action.END_SESSION, responses=refusals(), summary="Your sessions")
async def read_sessions(principal: ThePrincipal, authentication: TheAuthentication) -> list[SessionMessage]:
    """Where you are signed in, the one used last first."""
    found = await asyncio.to_thread(authentication.keys.sessions, principal.person.id, now_ms())
    own = principal.session
    return [_session(one, own) for one in found]


@get("/sign-ins", action=Action.END_SESSION, responses=refusals(), summary="Your last sign-ins")
async def read_sign_ins(principal: ThePrincipal, authentication: TheAuthentication) -> list[SignInMessage]:
    """When and by what your account was opened, the newest first: 20 at most, of the last 90 days."""
    found = await asyncio.to_thread(authentication.sign_ins.list, principal.person.id, now_ms())
    return [SignInMessage(one.at, one.way, one.device) for one in found]


@delete(
    "/sessions",
    action=Action.END_SESSION,
    status_code=200,
    responses=refusals(command=True),
    summary="End all other sessions",
)
async def end_others(principal: ThePrincipal, authentication: TheAuthentication) -> Ended:
    """Sign out everywhere but here."""
    but = None if principal.session is None else principal.session.id
    count = await asyncio.to_thread(authentication.keys.end, principal.person.id, now_ms(), but=but)
    authentication.ended()
    return Ended(count)


@delete(
    "/sessions/{key_id:str}",
    action=Action.END_SESSION,
    status_code=200,
    responses=refusals(command=True),
    summary="End a session",
)
async def end_session(key_id: KeyId, principal: ThePrincipal, authentication: TheAuthentication) -> Ended:
    """Sign out somewhere; one that has ended already stays so."""
    count = await asyncio.to_thread(authentication.keys.end, principal.person.id, now_ms(), only=key_id)
    authentication.ended()
    return Ended(count)


@post(
    "/proof",
    action=Action.EDIT,
    status_code=200,
    responses=refusals({401: "a wrong password"}, command=True),
    summary="Give your password once more",
)
async def prove(
    request: AnyRequest,
    data: JSONBody[Password],
    principal: ThePrincipal,
    authentication: TheAuthentication,
    caller: TheCaller,
) -> AccountMessage:
    """Some commands need that the password was given a moment ago."""
    account, session = await mine(principal, authentication)
    await authentication.check_password(account, data.password, caller, device_of(request))
    await asyncio.to_thread(authentication.keys.prove, session, now_ms())
    authentication.ended()
    return AccountMessage(account.id, account.person.name, account.person.kind, fresh=True)


@put(
    "/password",
    action=Action.PROTECT,
    responses=refusals({422: "no such password can be"}, command=True),
    summary="Set another password",
)
async def change_password(
    request: AnyRequest,
    data: JSONBody[Password],
    principal: ThePrincipal,
    authentication: TheAuthentication,
    caller: TheCaller,
    game_registry: TheGameRegistry,
) -> Response[SignedInMessage]:
    """Set another password; all sessions end, and this browser gets a new one."""
    count_change(game_registry.rate_limiter.spend_both(("session_changes", "address_changes"), caller))
    account, session = await mine(principal, authentication)
    done = await authentication.change_password(account, data.password, session, device_of(request))
    return signed_in(request, done, 200)


@post("/codes", action=Action.PROTECT, responses=refusals(command=True), summary="New recovery codes")
async def new_codes(
    data: JSONBody[Nothing],
    principal: ThePrincipal,
    authentication: TheAuthentication,
    caller: TheCaller,
    game_registry: TheGameRegistry,
) -> Codes:
    """New recovery codes in the place of all old ones; they are told this once."""
    count_change(game_registry.rate_limiter.spend_both(("session_changes", "address_changes"), caller))
    return Codes(await asyncio.to_thread(authentication.keys.new_codes, principal.person.id, now_ms()))


@delete(
    "/",
    action=Action.DELETE,
    status_code=200,
    responses=refusals(command=True),
    summary="Delete your account",
)
async def delete_account(
    request: AnyRequest,
    principal: ThePrincipal,
    authentication: TheAuthentication,
    challenge_service: TheChallengeService,
) -> Response[Ended]:
    """Delete the account, its bots and its children's accounts; games stay, under "deleted player"."""
    await close_account(authentication, principal.person.id)
    challenge_service.refresh()
    return Response(Ended(1), cookies=[visitors_of(request).end_session(request)])


async def mine(who: Principal, keeper: Authentication) -> tuple[Account, Session]:
    """The account and the session of who asks.

    Raises:
        ApiError: 401, they have none.
    """
    account = await asyncio.to_thread(keeper.directory.find, who.person.id)
    if account is None or who.session is None:
        raise ApiError(401, errors.WRONG_PASSWORD)
    return account, who.session


async def bring(request: AnyRequest, visitor: str, account: Account) -> None:
    """Give an account what the visitor of this browser or token has; running games are read again."""
    keeper: Authentication = request.app.state.authentication
    await keeper.move(visitor, account.id)
    request.app.state.game_registry.reseat(visitor)
    request.app.state.challenge_service.refresh()


def signed_in(request: AnyRequest, done: SignedIn, status: int = 201) -> Response[SignedInMessage]:
    """The answer to who has just signed in, with the cookies of the session."""
    csrf, cookies = visitors_of(request).begin_session(request, done.secret, done.cookie)
    told = SignedInMessage(done.account.id, done.account.person.name, csrf)
    return Response(told, status_code=status, cookies=cookies)


def device_of(request: AnyRequest) -> Browser:
    """The browser as it calls itself, without what cannot be printed, and by what an account knows it."""
    told = request.headers.get("user-agent", "")[:100]
    return Browser("".join(one for one in told if one.isprintable()), visitors_of(request).device_cookie(request))


def count_sign_in(wait: float) -> None:
    """Refuse one more attempt to sign in if there is something to wait for.

    Raises:
        RateLimitError: there is.
    """
    if wait:
        raise RateLimitError(errors.TOO_MANY_GUESSES, wait)


def count_change(wait: float) -> None:
    """Refuse one more change if there is something to wait for.

    Raises:
        RateLimitError: there is.
    """
    if wait:
        raise RateLimitError(errors.TOO_MANY_CHANGES, wait)


def _session(session: Session, own: Session | None) -> SessionMessage:
    this = own is not None and own.id == session.id
    return SessionMessage(session.id, session.device, session.begun, session.seen, session.expires, this)


router = Router(
    "/api/account",
    before_request=check_body,
    route_handlers=[
        *(read_account, open_account, sign_in, recover, sign_out, read_sessions, end_others, end_session),
        *(read_sign_ins, prove, change_password, new_codes, delete_account),
    ],
    tags=["accounts"],
)
