"""Passkeys for scripts and programs: opening an account with one, signing in by one, and the list of one's own."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import Response, Router, delete, get, post
from litestar.params import JSONBody, PathParameter

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.core.principal import Principal
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.dependencies import Nothing, TheCaller, ThePrincipal, TheSite, check_body
from korgool.app.server.http.openapi import refusals
from korgool.app.server.http.responses import AnyRequest
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.http.site_names import Site
from korgool.app.server.limits import Caller
from korgool.app.server.people.account.api import (
    AccountMessage,
    Ended,
    SignedInMessage,
    bring,
    count_change,
    count_sign_in,
    device_of,
    mine,
    signed_in,
)
from korgool.app.server.people.dependencies import TheAuthentication
from korgool.app.server.people.passkeys.dependencies import ThePasskeys
from korgool.app.server.people.passkeys.messages import (
    Ceremony,
    Name,
    NewcomerMessage,
    NewPasskey,
    NewPasskeyAccount,
    PasskeyMessage,
    PasskeySignIn,
    Proof,
    answer_of,
    ceremony_of,
    place_of,
)
from korgool.app.server.people.passkeys.repository import Passkey
from korgool.app.server.people.passkeys.sign_up import begin_sign_up as begin_opening
from korgool.app.server.people.passkeys.sign_up import sign_up_by_passkey
from korgool.app.server.people.sign_in.authentication import Authentication, SignedIn
from korgool.app.server.people.sign_in.sign_in_log import SignInWay
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.game_registry import GameRegistry

PasskeyId = Annotated[str, PathParameter(description="as the list names it", max_length=64)]
_LATE = "the ceremony is over, or the answer cannot be verified"


@post(
    "/passkey/begin",
    action=ANYBODY,
    open=True,
    responses=refusals({409: "the name is taken", 422: "no such name can be, or the site has none here"}, command=True),
    summary="Begin to open an account with a passkey",
)
async def begin_sign_up(
    request: AnyRequest,
    data: JSONBody[Name],
    site: TheSite,
    caller: TheCaller,
    game_registry: TheGameRegistry,
    passkeys: ThePasskeys,
) -> Ceremony:
    """What the browser needs to make the passkey of a new account; nobody keeps the name until the answer comes."""
    rate_limiter = game_registry.rate_limiter
    wait = 0.0 if caller.session is None else rate_limiter.refuses("session_accounts", caller.session)
    if wait := wait or rate_limiter.refuses("address_accounts", caller.address):
        raise RateLimitError(errors.TOO_MANY_ACCOUNTS, wait)
    count_sign_in(rate_limiter.spend("address_sign_ins", caller.address))
    return ceremony_of(await begin_opening(passkeys, data.name, place_of(request, site)))


@post(
    "/passkey",
    action=ANYBODY,
    open=True,
    responses=refusals({409: "the name is taken", 422: f"no such name can be; {_LATE}"}, command=True),
    summary="Open an account with a passkey",
)
async def open_account(
    request: AnyRequest,
    data: JSONBody[NewPasskeyAccount],
    principal: ThePrincipal,
    authentication: TheAuthentication,
    site: TheSite,
    caller: TheCaller,
    game_registry: TheGameRegistry,
    passkeys: ThePasskeys,
) -> Response[NewcomerMessage]:
    """Open an account without a password and sign in; the games of the visitor who asks move along."""
    done, codes = await sign_up(request, data, principal, authentication, site, caller, game_registry, passkeys)
    told = signed_in(request, done)
    message = NewcomerMessage(told.content.id, told.content.name, told.content.csrf, codes)
    return Response(message, status_code=201, cookies=told.cookies)


async def sign_up(
    request: AnyRequest,
    data: NewPasskeyAccount,
    who: Principal,
    keeper: Authentication,
    site: Site,
    caller: Caller,
    game_registry: GameRegistry,
    passkeys: ThePasskeys,
) -> tuple[SignedIn, tuple[str, ...]]:
    """Open an account with the passkey that a device has made; the rules are those of accounts with a password.

    Raises:
        ApiError: it cannot be.
    """
    place = place_of(request, site)
    if wait := game_registry.rate_limiter.spend_both(("session_accounts", "address_accounts"), caller):
        raise RateLimitError(errors.TOO_MANY_ACCOUNTS, wait)
    answer, device = answer_of(data.credential), device_of(request)
    done, codes = await sign_up_by_passkey(
        keeper, passkeys, data.name, data.ceremony, answer, place, device, who.digest
    )
    if data.move and who.visitor is not None:
        await bring(request, who.visitor, done.account)
    return done, codes


@post(
    "/proof/passkey/begin",
    action=Action.EDIT,
    status_code=200,
    responses=refusals({422: "the account has no passkey, or the site has no name here"}, command=True),
    summary="Begin to show a passkey once more",
)
async def begin_proof(
    request: AnyRequest,
    data: JSONBody[Nothing],
    principal: ThePrincipal,
    authentication: TheAuthentication,
    site: TheSite,
    caller: TheCaller,
    game_registry: TheGameRegistry,
    passkeys: ThePasskeys,
) -> Ceremony:
    """What the browser needs to ask for one of your passkeys; what was begun before is over."""
    count_sign_in(game_registry.rate_limiter.spend("address_sign_ins", caller.address))
    place = place_of(request, site)
    account, _ = await mine(principal, authentication)
    return ceremony_of(await asyncio.to_thread(passkeys.begin_proof, account.id, place, now_ms()))


@post(
    "/proof/passkey",
    action=Action.EDIT,
    status_code=200,
    responses=refusals({401: "another's passkey", 422: _LATE}, command=True),
    summary="Show a passkey once more",
)
async def prove(
    request: AnyRequest,
    data: JSONBody[Proof],
    principal: ThePrincipal,
    authentication: TheAuthentication,
    site: TheSite,
    passkeys: ThePasskeys,
) -> AccountMessage:
    """Some commands need that the password or a passkey was given a moment ago."""
    account, session = await mine(principal, authentication)
    answer, place = answer_of(data.credential), place_of(request, site)
    await asyncio.to_thread(passkeys.prove, account.id, data.ceremony, answer, place, now_ms())
    await asyncio.to_thread(authentication.keys.prove, session, now_ms())
    authentication.ended()
    return AccountMessage(account.id, account.person.name, account.person.kind, fresh=True)


@get("/passkeys", action=Action.SEE_OWN, responses=refusals(), summary="Your passkeys")
async def read_passkeys(principal: ThePrincipal, passkeys: ThePasskeys) -> list[PasskeyMessage]:
    """The passkeys of your account, the newest first."""
    return [_told(one) for one in await asyncio.to_thread(passkeys.list, principal.person.id)]


@post(
    "/passkeys/begin",
    action=Action.PROTECT,
    responses=refusals({422: "the site has no name here, or there are too many passkeys"}, command=True),
    summary="Begin to add a passkey",
)
async def begin_adding(
    request: AnyRequest,
    data: JSONBody[Nothing],
    principal: ThePrincipal,
    authentication: TheAuthentication,
    site: TheSite,
    caller: TheCaller,
    game_registry: TheGameRegistry,
    passkeys: ThePasskeys,
) -> Ceremony:
    """What the browser needs to make a passkey; what was begun before is over."""
    count_change(game_registry.rate_limiter.spend_both(("session_changes", "address_changes"), caller))
    place = place_of(request, site)
    account, _ = await mine(principal, authentication)
    return ceremony_of(await asyncio.to_thread(passkeys.begin_adding, account, place, now_ms()))


@post("/passkeys", action=Action.PROTECT, responses=refusals({422: _LATE}, command=True), summary="Add a passkey")
async def add_passkey(
    request: AnyRequest,
    data: JSONBody[NewPasskey],
    principal: ThePrincipal,
    authentication: TheAuthentication,
    site: TheSite,
    passkeys: ThePasskeys,
) -> PasskeyMessage:
    """Add the passkey that the device has made."""
    place = place_of(request, site)
    account, _ = await mine(principal, authentication)
    answer = answer_of(data.credential)
    made = await asyncio.to_thread(passkeys.add, account.id, data.ceremony, answer, data.label, place, now_ms())
    return _told(made)


@delete(
    "/passkeys/{key_id:str}",
    action=Action.PROTECT,
    status_code=200,
    responses=refusals({422: "it is the last way into the account"}, command=True),
    summary="Remove a passkey",
)
async def remove_passkey(key_id: PasskeyId, principal: ThePrincipal, passkeys: ThePasskeys) -> Ended:
    """Remove a passkey; one that is gone stays so."""
    return Ended(await asyncio.to_thread(passkeys.remove, principal.person.id, key_id))


@post(
    "/session/passkey/begin",
    action=ANYBODY,
    open=True,
    responses=refusals({422: "the site has no name here"}, command=True),
    summary="Begin to sign in by passkey",
)
async def begin_sign_in(
    request: AnyRequest,
    data: JSONBody[Nothing],
    site: TheSite,
    caller: TheCaller,
    game_registry: TheGameRegistry,
    passkeys: ThePasskeys,
) -> Ceremony:
    """What the browser needs to ask for a passkey; no name is needed."""
    count_sign_in(game_registry.rate_limiter.spend("address_sign_ins", caller.address))
    return ceremony_of(await asyncio.to_thread(passkeys.begin_sign_in, place_of(request, site), now_ms()))


@post(
    "/session/passkey",
    action=ANYBODY,
    open=True,
    responses=refusals({401: "a passkey that nobody has here", 422: _LATE}, command=True),
    summary="Sign in by passkey",
)
async def sign_in(
    request: AnyRequest,
    data: JSONBody[PasskeySignIn],
    principal: ThePrincipal,
    authentication: TheAuthentication,
    site: TheSite,
    caller: TheCaller,
    game_registry: TheGameRegistry,
    passkeys: ThePasskeys,
) -> Response[SignedInMessage]:
    """Sign in; a session that the browser had before ends."""
    count_sign_in(game_registry.rate_limiter.spend("address_sign_ins", caller.address))
    answer = answer_of(data.credential)
    whose = await asyncio.to_thread(passkeys.sign_in, data.ceremony, answer, place_of(request, site), now_ms())
    account = await asyncio.to_thread(authentication.directory.find, whose)
    if account is None:
        raise ApiError(401, errors.PASSKEY_UNKNOWN)
    done = await authentication.begin(account, device_of(request), principal.digest, way=SignInWay.PASSKEY)
    if data.move and principal.visitor is not None:
        await bring(request, principal.visitor, done.account)
    return signed_in(request, done)


def _told(passkey: Passkey) -> PasskeyMessage:
    return PasskeyMessage(passkey.id, passkey.label, passkey.made, passkey.used)


router = Router(
    "/api/account",
    before_request=check_body,
    route_handlers=[
        *(begin_sign_up, open_account, begin_proof, prove),
        *(read_passkeys, begin_adding, add_passkey, remove_passkey, begin_sign_in, sign_in),
    ],
    tags=["accounts"],
)
