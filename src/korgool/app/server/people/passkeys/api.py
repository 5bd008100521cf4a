"""The API of passkeys: opening an account with one, signing in by one, and the list of an account."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, Router, delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter

from korgool.accounts import Action
from korgool.app.server.http.dependencies import Nothing, TheCaller, ThePrincipal, TheSite, check_body
from korgool.app.server.http.openapi import refusals
from korgool.app.server.http.responses import AnyRequest
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.people.messages import AccountMessage, Ended, SignedInMessage, signed_in
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
from korgool.app.server.people.passkeys.service import PasskeyService
from korgool.app.server.people.sign_in.identification import device_of

ThePasskeys = NamedDependency[PasskeyService]
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
    request: AnyRequest, data: JSONBody[Name], site: TheSite, caller: TheCaller, passkeys: ThePasskeys
) -> Ceremony:
    """What the browser needs to make the passkey of a new account; nobody keeps the name until the answer comes."""
    return ceremony_of(await passkeys.begin_sign_up(data.name, place_of(request, site), caller))


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
    site: TheSite,
    caller: TheCaller,
    passkeys: ThePasskeys,
) -> Response[NewcomerMessage]:
    """Open an account without a password and sign in; the games of the visitor who asks move along."""
    place, answer, device = place_of(request, site), answer_of(data.credential), device_of(request)
    sign_in, codes = await passkeys.sign_up(
        data.name, data.ceremony, answer, place, principal, caller, device, move=data.move
    )
    response = signed_in(request, sign_in)
    account = response.content
    message = NewcomerMessage(account.id, account.name, account.csrf, codes)
    return Response(message, status_code=201, cookies=response.cookies)


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
    site: TheSite,
    caller: TheCaller,
    passkeys: ThePasskeys,
) -> Ceremony:
    """What the browser needs to ask for one of your passkeys; what was begun before is over."""
    return ceremony_of(await passkeys.begin_proof(principal, place_of(request, site), caller))


@post(
    "/proof/passkey",
    action=Action.EDIT,
    status_code=200,
    responses=refusals({401: "another's passkey", 422: _LATE}, command=True),
    summary="Show a passkey once more",
)
async def prove(
    request: AnyRequest, data: JSONBody[Proof], principal: ThePrincipal, site: TheSite, passkeys: ThePasskeys
) -> AccountMessage:
    """Some commands need that the password or a passkey was given a moment ago."""
    answer, place = answer_of(data.credential), place_of(request, site)
    account = await passkeys.prove(principal, data.ceremony, answer, place)
    return AccountMessage(account.id, account.person.name, account.person.kind, fresh=True)


@get("/passkeys", action=Action.SEE_OWN, responses=refusals(), summary="Your passkeys")
async def read_passkeys(principal: ThePrincipal, passkeys: ThePasskeys) -> list[PasskeyMessage]:
    """The passkeys of your account, the newest first."""
    return [_message(passkey) for passkey in await passkeys.of(principal.person.id)]


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
    site: TheSite,
    caller: TheCaller,
    passkeys: ThePasskeys,
) -> Ceremony:
    """What the browser needs to make a passkey; what was begun before is over."""
    return ceremony_of(await passkeys.begin_adding(principal, place_of(request, site), caller))


@post("/passkeys", action=Action.PROTECT, responses=refusals({422: _LATE}, command=True), summary="Add a passkey")
async def add_passkey(
    request: AnyRequest, data: JSONBody[NewPasskey], principal: ThePrincipal, site: TheSite, passkeys: ThePasskeys
) -> PasskeyMessage:
    """Add the passkey that the device has made."""
    answer, place = answer_of(data.credential), place_of(request, site)
    return _message(await passkeys.add(principal, data.ceremony, answer, data.label, place))


@delete(
    "/passkeys/{key_id:str}",
    action=Action.PROTECT,
    status_code=200,
    responses=refusals({422: "it is the last way into the account"}, command=True),
    summary="Remove a passkey",
)
async def remove_passkey(key_id: PasskeyId, principal: ThePrincipal, passkeys: ThePasskeys) -> Ended:
    """Remove a passkey; one that is gone stays so."""
    return Ended(await passkeys.remove(principal.person.id, key_id))


@post(
    "/session/passkey/begin",
    action=ANYBODY,
    open=True,
    responses=refusals({422: "the site has no name here"}, command=True),
    summary="Begin to sign in by passkey",
)
async def begin_sign_in(
    request: AnyRequest, data: JSONBody[Nothing], site: TheSite, caller: TheCaller, passkeys: ThePasskeys
) -> Ceremony:
    """What the browser needs to ask for a passkey; no name is needed."""
    return ceremony_of(await passkeys.begin_sign_in(place_of(request, site), caller))


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
    site: TheSite,
    caller: TheCaller,
    passkeys: ThePasskeys,
) -> Response[SignedInMessage]:
    """Sign in; a session that the browser had before ends."""
    place, answer, device = place_of(request, site), answer_of(data.credential), device_of(request)
    return signed_in(
        request, await passkeys.sign_in(data.ceremony, answer, place, principal, caller, device, move=data.move)
    )


def _message(passkey: Passkey) -> PasskeyMessage:
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
