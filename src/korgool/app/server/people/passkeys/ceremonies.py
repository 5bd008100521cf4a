"""Ceremonies of passkeys (WebAuthn level 3): options for the browser, and the check of the device's answer.

A challenge is deleted with the first answer, right or wrong, and is over after five minutes. The library is imported
when it is first used: that takes a quarter of a second, too long for a start.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, delete, select

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.people.transactions import PeopleTransactions, digest_of
from korgool.app.server.storage.schema import ceremonies

LASTS_MS = 5 * 60_000
MOST_LABEL = 60
_CHALLENGE_BYTES = 32
_LONGEST_REASON = 200
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """The site at which the browser is.

    Attributes:
        name: the name of the site, to which passkeys are bound.
        origins: the origins at which a browser may be, such as `https://example.org`.
    """

    name: str
    origins: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StartedCeremony:
    """A ceremony.

    Attributes:
        id: what the browser brings back.
        options: what it gives to `navigator.credentials`, with bytes in base64url.
    """

    id: str
    options: dict[str, Any]


def begin_making(
    connection: Connection,
    place: RelyingParty,
    now: int,
    *,
    identity: str,
    name: str,
    known: Collection[str] = (),
    opens: bool = False,
) -> StartedCeremony:
    """Begin to make a passkey.

    Args:
        connection: a transaction that writes.
        place: where the browser is.
        now: milliseconds since 1970.
        identity: the account's, by which its passkeys find it.
        name: the account's, as the device shows it.
        known: the credentials that the account has, so that no device makes a second one.
        opens: whether there is no such account yet, and the answer opens it.
    """
    from webauthn import generate_registration_options
    from webauthn.helpers import base64url_to_bytes, options_to_json_dict
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    whose = {"opens": identity} if opens else {"account": identity}
    ceremony, challenge = _new(connection, now, whose)
    options = generate_registration_options(
        rp_id=place.name,
        rp_name="Korgool",
        user_name=name,
        user_id=identity.encode(),
        challenge=challenge,
        timeout=LASTS_MS,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(one)) for one in known],
    )
    return StartedCeremony(ceremony, options_to_json_dict(options))


def begin_asking(
    connection: Connection, place: RelyingParty, now: int, *, account: str | None = None, known: Collection[str] = ()
) -> StartedCeremony:
    """Begin to ask for a passkey: for any, which says itself whose it is, or for one of an account.

    Args:
        connection: a transaction that writes.
        place: where the browser is.
        now: milliseconds since 1970.
        account: whose; None for anybody's.
        known: the credentials of the account.
    """
    from webauthn import generate_authentication_options
    from webauthn.helpers import base64url_to_bytes, options_to_json_dict
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor, UserVerificationRequirement

    ceremony, challenge = _new(connection, now, {"account": account})
    options = generate_authentication_options(
        rp_id=place.name,
        challenge=challenge,
        timeout=LASTS_MS,
        allow_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(one)) for one in known],
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return StartedCeremony(ceremony, options_to_json_dict(options))


@dataclass(frozen=True, slots=True)
class ClosedCeremony:
    """A ceremony that nobody can answer again.

    Attributes:
        challenge: what the device has signed.
        opens: the identity of the account that it opens; empty for others.
    """

    challenge: bytes
    opens: str


def take(transactions: PeopleTransactions, ceremony: str, whose: ColumnElement[bool], now: int) -> ClosedCeremony:
    """Take a ceremony away to check its answer.

    Raises:
        ApiError: 422, it is over, was answered, or is somebody else's.
    """
    from webauthn.helpers import base64url_to_bytes

    this = (ceremonies.c.id == digest_of("ceremony", ceremony)) & whose
    with transactions.writing() as connection:
        row = connection.execute(select(ceremonies).where(this)).one_or_none()
        connection.execute(delete(ceremonies).where(this))
    if row is None or row.expires_ms <= now:
        raise ApiError(422, errors.PASSKEY_LATE)
    return ClosedCeremony(base64url_to_bytes(row.challenge), row.opens or "")


def read_label(label: str) -> str:
    """Read the label of a passkey, without spaces around it.

    Raises:
        ApiError: 422, it is empty, too long or cannot be printed.
    """
    label = label.strip()
    if not label or len(label) > MOST_LABEL or not label.isprintable():
        raise ApiError(422, errors.PASSKEY_LABEL, most=MOST_LABEL)
    return label


def check_made(
    taken: ClosedCeremony, credential: Mapping[str, Any], place: RelyingParty, *, account: str, label: str, now: int
) -> dict[str, Any]:
    """The row of a passkey that a device has made.

    Args:
        taken: the ceremony.
        credential: the answer of `navigator.credentials.create`, with bytes in base64url.
        place: where the browser is.
        account: whose it will be.
        label: what its owner calls it.
        now: milliseconds since 1970.

    Raises:
        ApiError: 422, the answer cannot be verified.
    """
    from webauthn import verify_registration_response
    from webauthn.helpers import bytes_to_base64url

    made = verified(
        lambda: verify_registration_response(
            credential=dict(credential),
            expected_challenge=taken.challenge,
            expected_rp_id=place.name,
            expected_origin=list(place.origins),
            require_user_verification=True,
        )
    )
    text = bytes_to_base64url(made.credential_id)
    return {
        "digest": digest_of("passkey", text),
        "account": account,
        "credential": text,
        "public_key": bytes_to_base64url(made.credential_public_key),
        "uses": made.sign_count,
        "label": label,
        "made_ms": now,
    }


def check_signed(taken: ClosedCeremony, credential: Mapping[str, Any], place: RelyingParty, row: Any) -> int:
    """The device's counter after an answer of `navigator.credentials.get` by the passkey of a row.

    Raises:
        ApiError: 422, the answer cannot be verified; 401, it is about another account.
    """
    from webauthn import verify_authentication_response
    from webauthn.helpers import base64url_to_bytes

    handle = credential["response"].get("userHandle")
    if handle is not None and verified(lambda: base64url_to_bytes(handle)) != row.account.encode():
        raise ApiError(401, errors.PASSKEY_UNKNOWN)
    done = verified(
        lambda: verify_authentication_response(
            credential=dict(credential),
            expected_challenge=taken.challenge,
            expected_rp_id=place.name,
            expected_origin=list(place.origins),
            credential_public_key=base64url_to_bytes(row.public_key),
            credential_current_sign_count=row.uses,
            require_user_verification=True,
        )
    )
    return int(done.new_sign_count)


def verified(check: Callable[[], T]) -> T:
    """Run a check of an answer.

    Raises:
        ApiError: 422. The library refuses most answers by an error of its own, and meets some broken bytes with
            others, from a dozen decoders; whichever it is, the answer is not verified.
    """
    try:
        return check()
    except Exception as error:
        reason = " ".join(str(error).split())[:_LONGEST_REASON]
        shown = "".join(one for one in reason if one.isprintable()) or type(error).__name__
        raise ApiError(422, errors.PASSKEY_REFUSED, reason=shown) from None


def _new(connection: Connection, now: int, whose: Mapping[str, str | None]) -> tuple[str, bytes]:
    from webauthn.helpers import bytes_to_base64url

    ceremony, challenge = secrets.token_urlsafe(24), secrets.token_bytes(_CHALLENGE_BYTES)
    row = {
        "id": digest_of("ceremony", ceremony),
        "challenge": bytes_to_base64url(challenge),
        "expires_ms": now + LASTS_MS,
    }
    connection.execute(ceremonies.insert().values(row | dict(whose)))
    return ceremony, challenge
