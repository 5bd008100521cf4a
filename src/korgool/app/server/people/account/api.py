"""Accounts for programs and scripts: opening one, signing in and out, sessions, the password and recovery codes."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar import MediaType, Response, Router, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import JSONBody

from korgool.accounts import Action, Session
from korgool.app.server.http.dependencies import Nothing, TheCaller, ThePrincipal, check_body
from korgool.app.server.http.openapi import answer, refusals
from korgool.app.server.http.responses import AnyRequest, english_names, visitors_of
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.people.account.service import AccountService
from korgool.app.server.people.messages import (
    AccountMessage,
    Codes,
    Ended,
    KeyId,
    Password,
    SignedInMessage,
    Text,
    signed_in,
)
from korgool.app.server.people.sign_in.authentication import Authentication
from korgool.app.server.people.sign_in.identification import device_of

TheAccounts = NamedDependency[AccountService]
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


class Everything(msgspec.Struct, frozen=True):
    """What is stored of somebody: the rows of each table in which they stand, without secrets.

    Attributes:
        tables: the rows by table; who else stands in them is left out.
    """

    tables: dict[str, list[dict[str, str | float | None]]]


@get("/", action=Action.SEE_OWN, responses=refusals(), summary="Your account")
async def read_account(
    request: AnyRequest, principal: ThePrincipal, authentication: NamedDependency[Authentication], accounts: TheAccounts
) -> AccountMessage:
    """Who you are here, with an account or without."""
    person = principal.person
    account = await asyncio.to_thread(authentication.directory.find, person.id)
    if account is None:
        return AccountMessage(person.id, english_names(request)(person.id), person.kind)
    codes = await accounts.codes_left(person.id)
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
    request: AnyRequest, data: JSONBody[NewAccount], principal: ThePrincipal, accounts: TheAccounts, caller: TheCaller
) -> Response[SignedInMessage]:
    """Open an account and sign in; the games of the visitor who asks move along."""
    device = device_of(request)
    return signed_in(request, await accounts.open(data.name, data.password, principal, caller, device, move=data.move))


@post("/session", action=ANYBODY, open=True, responses=refusals({401: _WRONG}, command=True), summary="Sign in")
async def sign_in(
    request: AnyRequest, data: JSONBody[SignIn], principal: ThePrincipal, accounts: TheAccounts, caller: TheCaller
) -> Response[SignedInMessage]:
    """Sign in; a session that the browser had before ends."""
    device = device_of(request)
    return signed_in(
        request, await accounts.sign_in(data.name, data.password, principal, caller, device, move=data.move)
    )


@post(
    "/recovery",
    action=ANYBODY,
    open=True,
    responses=refusals({401: "a wrong name or code", 422: "no such password can be"}, command=True),
    summary="Sign in by a recovery code",
)
async def recover(
    request: AnyRequest, data: JSONBody[Recovery], principal: ThePrincipal, accounts: TheAccounts, caller: TheCaller
) -> Response[SignedInMessage]:
    """Set another password by a recovery code, or none; all sessions end, and this browser is signed in."""
    device = device_of(request)
    return signed_in(request, await accounts.recover(data.name, data.code, data.password, principal, caller, device))


@delete("/session", action=Action.END_SESSION, status_code=200, responses=refusals(command=True), summary="Sign out")
async def sign_out(request: AnyRequest, principal: ThePrincipal, accounts: TheAccounts) -> Response[Ended]:
    """End the session of this browser."""
    count = await accounts.sign_out(principal)
    return Response(Ended(count), cookies=[visitors_of(request).end_session(request)])


@get("/sessions", action=Action.END_SESSION, responses=refusals(), summary="Your sessions")
async def read_sessions(principal: ThePrincipal, accounts: TheAccounts) -> list[SessionMessage]:
    """Where you are signed in, the one used last first."""
    sessions = await accounts.sessions(principal.person.id)
    return [_session_message(session, principal.session) for session in sessions]


@get("/sign-ins", action=Action.END_SESSION, responses=refusals(), summary="Your last sign-ins")
async def read_sign_ins(principal: ThePrincipal, accounts: TheAccounts) -> list[SignInMessage]:
    """When and by what your account was opened, the newest first: 20 at most, of the last 90 days."""
    entries = await accounts.sign_ins(principal.person.id)
    return [SignInMessage(entry.at, entry.way, entry.device) for entry in entries]


@delete(
    "/sessions",
    action=Action.END_SESSION,
    status_code=200,
    responses=refusals(command=True),
    summary="End all other sessions",
)
async def end_others(principal: ThePrincipal, accounts: TheAccounts) -> Ended:
    """Sign out everywhere but here."""
    return Ended(await accounts.end_other_sessions(principal))


@delete(
    "/sessions/{key_id:str}",
    action=Action.END_SESSION,
    status_code=200,
    responses=refusals(command=True),
    summary="End a session",
)
async def end_session(key_id: KeyId, principal: ThePrincipal, authentication: NamedDependency[Authentication]) -> Ended:
    """Sign out somewhere; one that has ended already stays so."""
    return Ended(await authentication.end_sessions(principal.person.id, only=key_id))


@post(
    "/proof",
    action=Action.EDIT,
    status_code=200,
    responses=refusals({401: "a wrong password"}, command=True),
    summary="Give your password once more",
)
async def prove(
    request: AnyRequest, data: JSONBody[Password], principal: ThePrincipal, accounts: TheAccounts, caller: TheCaller
) -> AccountMessage:
    """Some commands need that the password was given a moment ago."""
    account = await accounts.prove(principal, data.password, caller, device_of(request))
    return AccountMessage(account.id, account.person.name, account.person.kind, fresh=True)


@put(
    "/password",
    action=Action.PROTECT,
    responses=refusals({422: "no such password can be"}, command=True),
    summary="Set another password",
)
async def change_password(
    request: AnyRequest, data: JSONBody[Password], principal: ThePrincipal, accounts: TheAccounts, caller: TheCaller
) -> Response[SignedInMessage]:
    """Set another password; all sessions end, and this browser gets a new one."""
    return signed_in(request, await accounts.change_password(principal, data.password, caller, device_of(request)), 200)


@post("/codes", action=Action.PROTECT, responses=refusals(command=True), summary="New recovery codes")
async def new_codes(
    data: JSONBody[Nothing], principal: ThePrincipal, accounts: TheAccounts, caller: TheCaller
) -> Codes:
    """New recovery codes in the place of all old ones; they are told this once."""
    return Codes(await accounts.new_codes(principal.person.id, caller))


@delete("/", action=Action.DELETE, status_code=200, responses=refusals(command=True), summary="Delete your account")
async def delete_account(request: AnyRequest, principal: ThePrincipal, accounts: TheAccounts) -> Response[Ended]:
    """Delete the account, its bots and its children's accounts; games stay, under "deleted player"."""
    await accounts.delete(principal.person.id)
    return Response(Ended(1), cookies=[visitors_of(request).end_session(request)])


@get(
    "/export",
    action=Action.EXPORT,
    responses={200: answer(Everything, "everything, as a file"), **refusals()},
    summary="Everything that is stored of you",
)
async def export(principal: ThePrincipal, accounts: TheAccounts, caller: TheCaller) -> Response[bytes]:
    """The account, its sessions, games with every event, challenges, ratings, and all else, as one file of JSON."""
    return await export_file(await accounts.export(principal.person.id, caller), "korgool.json")


async def export_file(tables: dict[str, list[dict[str, Any]]], name: str) -> Response[bytes]:
    """The download of an export."""
    text = await asyncio.to_thread(msgspec.json.encode, {"tables": tables})
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=MediaType.JSON, headers=headers)


def _session_message(session: Session, own: Session | None) -> SessionMessage:
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
export_router = Router("/api/account", route_handlers=[export], tags=["accounts"])
"""Apart, because the description of the API lists the export behind the passkeys."""
