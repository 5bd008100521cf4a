"""Passkeys for scripts and programs: adding, listing and removing them, and signing in by one."""

from __future__ import annotations

import asyncio
import ipaddress
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec
from litestar import Response, Router, delete, get, post
from litestar.params import JSONBody, PathParameter

from korgool.accounts import Action
from korgool.app.server import messages
from korgool.app.server.messages import RefusedError
from korgool.app.server.now import now_ms
from korgool.app.server.people.passkeys import Begun, Passkey, Place
from korgool.app.server.web.accounts import (
    Ended,
    SignedInMessage,
    Text,
    bring,
    count_change,
    count_sign_in,
    device_of,
    mine,
    signed_in,
)
from korgool.app.server.web.answers import AnyRequest
from korgool.app.server.web.api import Nothing, check_body
from korgool.app.server.web.description import refusals
from korgool.app.server.web.given import TheCaller, TheHall, TheKeeper, TheSite, TheWho
from korgool.app.server.web.rights import ANYBODY
from korgool.app.server.web.site import Site

Bytes = Annotated[str, msgspec.Meta(max_length=16_384, pattern="^[A-Za-z0-9_-]+$")]
"""Base64url without padding."""
PasskeyId = Annotated[str, PathParameter(description="as the list names it", max_length=64)]
_LATE = "the ceremony is over, or the answer cannot be verified"


class Made(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """What a device says of a passkey that it has made, as bytes in base64url."""

    client_data_json: Bytes = msgspec.field(name="clientDataJSON")
    attestation_object: Bytes


class Signed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """What a device has signed, as bytes in base64url."""

    client_data_json: Bytes = msgspec.field(name="clientDataJSON")
    authenticator_data: Bytes
    signature: Bytes
    user_handle: Bytes | None = None


class NewCredential(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of `navigator.credentials.create`."""

    id: Bytes
    response: Made


class Credential(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of `navigator.credentials.get`."""

    id: Bytes
    response: Signed


class NewPasskey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A passkey to be added.

    Attributes:
        ceremony: the `id` of the ceremony that was begun.
        label: what its owner calls it; 1 to 60 characters.
        credential: what the device answers.
    """

    ceremony: Text
    label: Text
    credential: NewCredential


class PasskeySignIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sign-in by passkey.

    Attributes:
        ceremony: the `id` of the ceremony that was begun.
        credential: what the device answers.
        move: whether the games and challenges of the visitor who asks move to the account.
    """

    ceremony: Text
    credential: Credential
    move: bool = False


class Ceremony(msgspec.Struct, frozen=True):
    """A ceremony: it can be answered once, within five minutes.

    Attributes:
        id: what the answer brings back.
        options: what a browser gives to `navigator.credentials` as `publicKey`, with bytes in base64url.
    """

    id: str
    options: dict[str, Any]


class PasskeyMessage(msgspec.Struct, frozen=True):
    """A passkey as its owner's list shows it.

    Attributes:
        id: names it, and opens nothing.
        label: what its owner calls it.
        made: when it was added, in milliseconds since 1970.
        used: the last sign-in; None before the first.
    """

    id: str
    label: str
    made: int
    used: int | None


@get("/passkeys", action=Action.SEE_OWN, responses=refusals(), summary="Your passkeys")
async def read_passkeys(who: TheWho, keeper: TheKeeper) -> list[PasskeyMessage]:
    """The passkeys of your account, the newest first."""
    return [_told(one) for one in await asyncio.to_thread(keeper.passkeys.list, who.person.id)]


@post(
    "/passkeys/begin",
    action=Action.PROTECT,
    responses=refusals({422: "the site has no name here, or there are too many passkeys"}, command=True),
    summary="Begin to add a passkey",
)
async def begin_adding(
    request: AnyRequest,
    data: JSONBody[Nothing],
    who: TheWho,
    keeper: TheKeeper,
    site: TheSite,
    caller: TheCaller,
    hall: TheHall,
) -> Ceremony:
    """What the browser needs to make a passkey; what was begun before is over."""
    count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
    place = place_of(request, site)
    account, _ = await mine(who, keeper)
    return _ceremony(await asyncio.to_thread(keeper.passkeys.begin_adding, account, place, now_ms()))


@post("/passkeys", action=Action.PROTECT, responses=refusals({422: _LATE}, command=True), summary="Add a passkey")
async def add_passkey(
    request: AnyRequest, data: JSONBody[NewPasskey], who: TheWho, keeper: TheKeeper, site: TheSite
) -> PasskeyMessage:
    """Add the passkey that the device has made."""
    place = place_of(request, site)
    account, _ = await mine(who, keeper)
    answer = _answer(data.credential)
    made = await asyncio.to_thread(keeper.passkeys.add, account.id, data.ceremony, answer, data.label, place, now_ms())
    return _told(made)


@delete(
    "/passkeys/{key_id:str}",
    action=Action.PROTECT,
    status_code=200,
    responses=refusals({422: "it is the last way into the account"}, command=True),
    summary="Remove a passkey",
)
async def remove_passkey(key_id: PasskeyId, who: TheWho, keeper: TheKeeper) -> Ended:
    """Remove a passkey; one that is gone stays so."""
    return Ended(await asyncio.to_thread(keeper.passkeys.remove, who.person.id, key_id))


@post(
    "/session/passkey/begin",
    action=ANYBODY,
    open=True,
    responses=refusals({422: "the site has no name here"}, command=True),
    summary="Begin to sign in by passkey",
)
async def begin_sign_in(
    request: AnyRequest, data: JSONBody[Nothing], keeper: TheKeeper, site: TheSite, caller: TheCaller, hall: TheHall
) -> Ceremony:
    """What the browser needs to ask for a passkey; no name is needed."""
    count_sign_in(hall.tally.spend("address_sign_ins", caller.address))
    return _ceremony(await asyncio.to_thread(keeper.passkeys.begin_sign_in, place_of(request, site), now_ms()))


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
    who: TheWho,
    keeper: TheKeeper,
    site: TheSite,
    caller: TheCaller,
    hall: TheHall,
) -> Response[SignedInMessage]:
    """Sign in; a session that the browser had before ends."""
    count_sign_in(hall.tally.spend("address_sign_ins", caller.address))
    answer = _answer(data.credential)
    whose = await asyncio.to_thread(keeper.passkeys.sign_in, data.ceremony, answer, place_of(request, site), now_ms())
    account = await asyncio.to_thread(keeper.directory.find, whose)
    if account is None:
        raise RefusedError(401, messages.PASSKEY_UNKNOWN)
    done = await keeper.begin(account, device_of(request), who.digest)
    if data.move and who.visitor is not None:
        await bring(request, who.visitor, done.account)
    return signed_in(request, done)


def place_of(request: AnyRequest, site: Site) -> Place:
    """Where the browser is: by the base URL, otherwise by the host of the request.

    Without a base URL a proxy may provide TLS unseen, so both schemes count; browsers keep passkeys from plain HTTP but
    on `localhost`.

    Raises:
        RefusedError: 422, the site is used by its address, to which no passkey can be bound.
    """
    origin = site.origin(request)
    name = urlsplit(origin).hostname or ""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        pass
    else:
        raise RefusedError(422, messages.PASSKEY_NAME, host=name)
    if site.base is not None:
        return Place(name, (origin,))
    rest = origin.partition("://")[2]
    return Place(name, (f"https://{rest}", f"http://{rest}"))


def _answer(credential: NewCredential | Credential) -> dict[str, Any]:
    """The answer as the library reads it."""
    told: dict[str, Any] = msgspec.to_builtins(credential)
    return {**told, "rawId": credential.id, "type": "public-key"}


def _ceremony(begun: Begun) -> Ceremony:
    return Ceremony(begun.id, begun.options)


def _told(passkey: Passkey) -> PasskeyMessage:
    return PasskeyMessage(passkey.id, passkey.label, passkey.made, passkey.used)


router = Router(
    "/api/account",
    before_request=check_body,
    route_handlers=[read_passkeys, begin_adding, add_passkey, remove_passkey, begin_sign_in, sign_in],
    tags=["accounts"],
)
