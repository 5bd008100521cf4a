"""Passkeys (WebAuthn level 3): public keys of devices that sign in without a password, and the ceremonies to use them.

A ceremony is begun here and answered once, within five minutes: its challenge is deleted with the first answer, right
or wrong. The device finds the account by itself (discoverable credentials) and must have verified its owner.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, delete, func, select

from korgool.app.server import messages
from korgool.app.server.messages import RefusedError
from korgool.app.server.people.directory import Account
from korgool.app.server.people.ledger import Ledger, digest_of
from korgool.app.server.storage.schema import accounts, ceremonies, passkeys

LASTS_MS = 5 * 60_000
MOST_PASSKEYS = 10
MOST_LABEL = 60
_CHALLENGE_BYTES = 32
_LONGEST_REASON = 200
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Place:
    """Where the browser is.

    Attributes:
        name: the name of the site, to which passkeys are bound.
        origins: the origins at which a browser may be, such as `https://example.org`.
    """

    name: str
    origins: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Begun:
    """A ceremony.

    Attributes:
        id: what the browser brings back.
        options: what it gives to `navigator.credentials`, with bytes in base64url.
    """

    id: str
    options: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Passkey:
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


class Passkeys:
    """Reads and writes passkeys; all methods block.

    The library is imported when it is first used: it takes a quarter of a second, which a server that starts has not.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def begin_adding(self, account: Account, place: Place, now: int) -> Begun:
        """Begin to add a passkey; what the account had begun before is over.

        Raises:
            RefusedError: 422, the account has as many as there may be.
        """
        from webauthn import generate_registration_options, options_to_json
        from webauthn.helpers import base64url_to_bytes
        from webauthn.helpers.structs import (
            AuthenticatorSelectionCriteria,
            PublicKeyCredentialDescriptor,
            ResidentKeyRequirement,
            UserVerificationRequirement,
        )

        with self._ledger.writing() as connection:
            own = passkeys.c.account == account.id
            known = connection.scalars(select(passkeys.c.credential).where(own)).all()
            _check_number(len(known))
            connection.execute(delete(ceremonies).where(ceremonies.c.account == account.id))
            ceremony, challenge = _new_ceremony(connection, account.id, now)
        options = generate_registration_options(
            rp_id=place.name,
            rp_name="Korgool",
            user_name=account.person.name,
            user_id=account.id.encode(),
            challenge=challenge,
            timeout=LASTS_MS,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(one)) for one in known],
        )
        return Begun(ceremony, json.loads(options_to_json(options)))

    def add(
        self, account: str, ceremony: str, credential: Mapping[str, Any], label: str, place: Place, now: int
    ) -> Passkey:
        """Add the passkey that a device has made.

        Args:
            account: whose.
            ceremony: what `begin_adding` gave.
            credential: the answer of `navigator.credentials.create`, with bytes in base64url.
            label: what its owner calls it.
            place: where the browser is.
            now: milliseconds since 1970.

        Raises:
            RefusedError: 422, with what is wrong with the label, the ceremony or the answer.
        """
        from webauthn import verify_registration_response
        from webauthn.helpers import bytes_to_base64url

        label = label.strip()
        if not label or len(label) > MOST_LABEL or not label.isprintable():
            raise RefusedError(422, messages.PASSKEY_LABEL, most=MOST_LABEL)
        challenge = self._take(ceremony, ceremonies.c.account == account, now)
        made = _verified(
            lambda: verify_registration_response(
                credential=dict(credential),
                expected_challenge=challenge,
                expected_rp_id=place.name,
                expected_origin=list(place.origins),
                require_user_verification=True,
            )
        )
        text = bytes_to_base64url(made.credential_id)
        row = {
            "digest": digest_of("passkey", text),
            "account": account,
            "credential": text,
            "public_key": bytes_to_base64url(made.credential_public_key),
            "uses": made.sign_count,
            "label": label,
            "made_ms": now,
        }
        with self._ledger.writing() as connection:
            own = passkeys.c.account == account
            _check_number(connection.scalar(select(func.count()).where(own)) or 0)
            there = connection.scalar(select(passkeys.c.account).where(passkeys.c.digest == row["digest"]))
            if there is not None:
                raise RefusedError(422, messages.PASSKEY_KNOWN)
            connection.execute(passkeys.insert().values(row))
        return Passkey(str(row["digest"]), label, now, None)

    def begin_sign_in(self, place: Place, now: int) -> Begun:
        """Begin to sign in; the device knows whose passkey it has."""
        from webauthn import generate_authentication_options, options_to_json
        from webauthn.helpers.structs import UserVerificationRequirement

        with self._ledger.writing() as connection:
            ceremony, challenge = _new_ceremony(connection, None, now)
        options = generate_authentication_options(
            rp_id=place.name,
            challenge=challenge,
            timeout=LASTS_MS,
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return Begun(ceremony, json.loads(options_to_json(options)))

    def sign_in(self, ceremony: str, credential: Mapping[str, Any], place: Place, now: int) -> str:
        """Whose passkey has answered.

        Args:
            ceremony: what `begin_sign_in` gave.
            credential: the answer of `navigator.credentials.get`, with bytes in base64url.
            place: where the browser is.
            now: milliseconds since 1970.

        Raises:
            RefusedError: 422, with what is wrong with the ceremony or the answer; 401 for a passkey that nobody has.
        """
        from webauthn import verify_authentication_response
        from webauthn.helpers import base64url_to_bytes

        challenge = self._take(ceremony, ceremonies.c.account.is_(None), now)
        digest = digest_of("passkey", str(credential["id"]))
        with self._ledger.reading() as connection:
            row = connection.execute(select(passkeys).where(passkeys.c.digest == digest)).one_or_none()
        if row is None:
            raise RefusedError(401, messages.PASSKEY_UNKNOWN)
        handle = credential["response"].get("userHandle")
        if handle is not None and _verified(lambda: base64url_to_bytes(handle)) != row.account.encode():
            raise RefusedError(401, messages.PASSKEY_UNKNOWN)
        done = _verified(
            lambda: verify_authentication_response(
                credential=dict(credential),
                expected_challenge=challenge,
                expected_rp_id=place.name,
                expected_origin=list(place.origins),
                credential_public_key=base64url_to_bytes(row.public_key),
                credential_current_sign_count=row.uses,
                require_user_verification=True,
            )
        )
        # The same count twice comes from two devices, of which one is a copy; synchronized ones do not count.
        same = (passkeys.c.digest == digest) & (passkeys.c.uses == row.uses)
        with self._ledger.writing() as connection:
            values = {"uses": done.new_sign_count, "used_ms": now}
            if connection.execute(passkeys.update().where(same).values(values)).rowcount != 1:
                raise RefusedError(401, messages.PASSKEY_UNKNOWN)
        return str(row.account)

    def list(self, account: str) -> list[Passkey]:
        """The passkeys of an account, the newest first."""
        own = passkeys.c.account == account
        order = (passkeys.c.made_ms.desc(), passkeys.c.digest)
        with self._ledger.reading() as connection:
            rows = connection.execute(select(passkeys).where(own).order_by(*order)).all()
        return [Passkey(row.digest, row.label, row.made_ms, row.used_ms) for row in rows]

    def remove(self, account: str, digest: str) -> int:
        """Remove a passkey of an account. Returns how many: one that is gone stays so.

        Raises:
            RefusedError: 422, it is the last way into the account.
        """
        with self._ledger.writing() as connection:
            own = connection.scalars(select(passkeys.c.digest).where(passkeys.c.account == account)).all()
            if digest not in own:
                return 0
            password = connection.scalar(select(accounts.c.password).where(accounts.c.id == account))
            if password is None and len(own) == 1:
                raise RefusedError(422, messages.PASSKEY_LAST)
            return connection.execute(delete(passkeys).where(passkeys.c.digest == digest)).rowcount

    def forget(self, now: int) -> None:
        """Forget the ceremonies that nobody has answered."""
        with self._ledger.writing() as connection:
            connection.execute(delete(ceremonies).where(ceremonies.c.expires_ms <= now))

    def _take(self, ceremony: str, whose: ColumnElement[bool], now: int) -> bytes:
        """The challenge of a ceremony, which nobody can answer again."""
        from webauthn.helpers import base64url_to_bytes

        this = (ceremonies.c.id == digest_of("ceremony", ceremony)) & whose
        with self._ledger.writing() as connection:
            row = connection.execute(select(ceremonies).where(this)).one_or_none()
            connection.execute(delete(ceremonies).where(this))
        if row is None or row.expires_ms <= now:
            raise RefusedError(422, messages.PASSKEY_LATE)
        return base64url_to_bytes(row.challenge)


def _new_ceremony(connection: Connection, account: str | None, now: int) -> tuple[str, bytes]:
    from webauthn.helpers import bytes_to_base64url

    ceremony, challenge = secrets.token_urlsafe(24), secrets.token_bytes(_CHALLENGE_BYTES)
    row = {
        "id": digest_of("ceremony", ceremony),
        "account": account,
        "challenge": bytes_to_base64url(challenge),
        "expires_ms": now + LASTS_MS,
    }
    connection.execute(ceremonies.insert().values(row))
    return ceremony, challenge


def _check_number(number: int) -> None:
    if number >= MOST_PASSKEYS:
        raise RefusedError(422, messages.MANY_PASSKEYS, most=MOST_PASSKEYS)


def _verified(check: Callable[[], T]) -> T:
    """What a check of an answer gives.

    Raises:
        RefusedError: 422. The library refuses most answers by an error of its own, and meets some broken bytes with
            others, from a dozen decoders; whichever it is, the answer is not verified.
    """
    try:
        return check()
    except Exception as error:
        reason = " ".join(str(error).split())[:_LONGEST_REASON]
        shown = "".join(one for one in reason if one.isprintable()) or type(error).__name__
        raise RefusedError(422, messages.PASSKEY_REFUSED, reason=shown) from None
