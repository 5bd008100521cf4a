"""Requests and answers about passkeys, and the site to which a browser binds them."""

from __future__ import annotations

import ipaddress
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec
from litestar.params import Body

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.http.responses import AnyRequest
from korgool.app.server.http.site_names import Site
from korgool.app.server.people.messages import Text
from korgool.app.server.people.passkeys.ceremonies import RelyingParty, StartedCeremony

Bytes = Annotated[str, msgspec.Meta(max_length=16_384, pattern="^[A-Za-z0-9_-]+$")]
"""Base64url without padding."""


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
    response: Annotated[Made, Body(schema_component_key="passkey_wire_Made")]  # the name that the description had first


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


class NewPasskeyAccount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An account to be opened without a password.

    Attributes:
        name: as with a password.
        ceremony: the `id` of the ceremony that was begun.
        credential: what the device answers.
        move: whether the games and challenges of the visitor who asks move to the account.
    """

    name: Text
    ceremony: Text
    credential: NewCredential
    move: bool = True


class Name(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name of an account to be opened."""

    name: Text


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A passkey of one's own, shown once more; as for a sign-in."""

    ceremony: Text
    credential: Credential


class NewcomerMessage(msgspec.Struct, frozen=True):
    """Somebody who has just opened an account: the session is a cookie.

    Attributes:
        id: the identity.
        name: the name.
        csrf: what commands of this browser carry as `x-csrftoken`, and forms as `_csrf_token`.
        codes: recovery codes, told once; each opens the account one time.
    """

    id: str
    name: str
    csrf: str
    codes: tuple[str, ...]


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


def place_of(request: AnyRequest, site: Site) -> RelyingParty:
    """The relying party by the base URL, otherwise by the host of the request.

    Without a base URL a proxy may provide TLS unseen, so both schemes count; browsers keep passkeys from plain HTTP but
    on `localhost`.

    Raises:
        ApiError: 422, the site is used by its address, to which no passkey can be bound.
    """
    origin = site.origin(request)
    name = urlsplit(origin).hostname or ""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        pass
    else:
        raise ApiError(422, errors.PASSKEY_NAME, host=name)
    if site.base is not None:
        return RelyingParty(name, (origin,))
    rest = origin.partition("://")[2]
    return RelyingParty(name, (f"https://{rest}", f"http://{rest}"))


def credential_in(text: str) -> NewCredential:
    """The answer of a device in a field of a form.

    Raises:
        ApiError: 422, it cannot be read.
    """
    try:
        return msgspec.json.decode(text, type=NewCredential)
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise ApiError(422, errors.PASSKEY_REFUSED, reason=" ".join(str(error).split())[:200]) from None


def answer_of(credential: NewCredential | Credential) -> dict[str, Any]:
    """An answer in the form that the library reads."""
    fields: dict[str, Any] = msgspec.to_builtins(credential)
    return {**fields, "rawId": credential.id, "type": "public-key"}


def ceremony_of(started: StartedCeremony) -> Ceremony:
    """A ceremony as its message."""
    return Ceremony(started.id, started.options)
