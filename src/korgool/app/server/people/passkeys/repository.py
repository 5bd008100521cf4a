"""Passkeys: public keys of devices that sign in without a password.

The device finds the account by itself (discoverable credentials) and must have verified its owner.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, delete, func, select

from korgool.accounts import AccountName, Refused, RefusedKind
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.people.account_repository import Account, AccountRepository, taken
from korgool.app.server.people.passkeys.ceremonies import (
    RelyingParty,
    StartedCeremony,
    begin_asking,
    begin_making,
    check_made,
    check_signed,
    read_label,
    take,
)
from korgool.app.server.people.transactions import PeopleTransactions, digest_of, new_identity
from korgool.app.server.storage.schema import accounts, ceremonies, passkeys

MOST_PASSKEYS = 10


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


class PasskeyRepository:
    """Reads and writes passkeys; all methods block.

    Args:
        transactions: the tables of people.
        directory: the accounts.
    """

    def __init__(self, transactions: PeopleTransactions, directory: AccountRepository) -> None:
        self._transactions = transactions
        self._directory = directory

    # A new account

    def begin_opening(self, name: AccountName, place: RelyingParty, now: int) -> StartedCeremony | Refused:
        """Begin to open an account without a password; nobody keeps its name before the answer comes."""
        with self._transactions.writing() as connection:
            if taken(connection, name):
                return Refused(RefusedKind.NAME_TAKEN)
            return begin_making(connection, place, now, identity=new_identity(), name=name.shown, opens=True)

    def open(
        self, name: AccountName, ceremony: str, credential: Mapping[str, Any], label: str, place: RelyingParty, now: int
    ) -> Account | Refused:
        """Open an account with the passkey that a device has made, and without a password.

        Args:
            name: its name.
            ceremony: what `begin_opening` gave.
            credential: the answer of `navigator.credentials.create`, with bytes in base64url.
            label: what its owner calls the passkey.
            place: where the browser is.
            now: milliseconds since 1970.

        Raises:
            ApiError: 422, with what is wrong with the label, the ceremony or the answer.
        """
        label = read_label(label)
        begun = take(self._transactions, ceremony, ceremonies.c.opens.is_not(None), now)
        row = check_made(begun, credential, place, account=begun.opens, label=label, now=now)
        return self._directory.new(name, now, identity=begun.opens, passkey=row)

    # One more

    def begin_adding(self, account: Account, place: RelyingParty, now: int) -> StartedCeremony:
        """Begin to add a passkey; what the account had begun before is over.

        Raises:
            ApiError: 422, the account has as many as there may be.
        """
        with self._transactions.writing() as connection:
            known = connection.scalars(select(passkeys.c.credential).where(passkeys.c.account == account.id)).all()
            _check_number(len(known))
            connection.execute(delete(ceremonies).where(ceremonies.c.account == account.id))
            return begin_making(connection, place, now, identity=account.id, name=account.person.name, known=known)

    def add(
        self, account: str, ceremony: str, credential: Mapping[str, Any], label: str, place: RelyingParty, now: int
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
            ApiError: 422, with what is wrong with the label, the ceremony or the answer.
        """
        label = read_label(label)
        begun = take(self._transactions, ceremony, ceremonies.c.account == account, now)
        row = check_made(begun, credential, place, account=account, label=label, now=now)
        with self._transactions.writing() as connection:
            own = passkeys.c.account == account
            _check_number(connection.scalar(select(func.count()).where(own)) or 0)
            there = connection.scalar(select(passkeys.c.account).where(passkeys.c.digest == row["digest"]))
            if there is not None:
                raise ApiError(422, errors.PASSKEY_KNOWN)
            connection.execute(passkeys.insert().values(row))
        return Passkey(str(row["digest"]), label, now, None)

    # Showing one

    def begin_sign_in(self, place: RelyingParty, now: int) -> StartedCeremony:
        """Begin to sign in; the device knows whose passkey it has."""
        with self._transactions.writing() as connection:
            return begin_asking(connection, place, now)

    def sign_in(self, ceremony: str, credential: Mapping[str, Any], place: RelyingParty, now: int) -> str:
        """The account of the passkey that has answered.

        Args:
            ceremony: what `begin_sign_in` gave.
            credential: the answer of `navigator.credentials.get`, with bytes in base64url.
            place: where the browser is.
            now: milliseconds since 1970.

        Raises:
            ApiError: 422, with what is wrong with the ceremony or the answer; 401 for a passkey that nobody has.
        """
        anybodys = ceremonies.c.account.is_(None) & ceremonies.c.opens.is_(None)
        return self._shown(ceremony, anybodys, credential, place, now)

    def begin_proof(self, account: str, place: RelyingParty, now: int) -> StartedCeremony:
        """Begin to show a passkey of an account once more; what the account had begun before is over.

        Raises:
            ApiError: 422, it has none.
        """
        with self._transactions.writing() as connection:
            known = connection.scalars(select(passkeys.c.credential).where(passkeys.c.account == account)).all()
            if not known:
                raise ApiError(422, errors.NO_PASSKEY)
            connection.execute(delete(ceremonies).where(ceremonies.c.account == account))
            return begin_asking(connection, place, now, account=account, known=known)

    def prove(self, account: str, ceremony: str, credential: Mapping[str, Any], place: RelyingParty, now: int) -> None:
        """Check that a passkey of the account has answered.

        Raises:
            ApiError: as for `sign_in`.
        """
        if self._shown(ceremony, ceremonies.c.account == account, credential, place, now) != account:
            raise ApiError(401, errors.PASSKEY_UNKNOWN)

    def _shown(
        self, ceremony: str, whose: ColumnElement[bool], credential: Mapping[str, Any], place: RelyingParty, now: int
    ) -> str:
        begun = take(self._transactions, ceremony, whose, now)
        digest = digest_of("passkey", str(credential["id"]))
        with self._transactions.reading() as connection:
            row = connection.execute(select(passkeys).where(passkeys.c.digest == digest)).one_or_none()
        if row is None:
            raise ApiError(401, errors.PASSKEY_UNKNOWN)
        uses = check_signed(begun, credential, place, row)
        # The same count twice comes from two devices, of which one is a copy; synchronized ones do not count.
        same = (passkeys.c.digest == digest) & (passkeys.c.uses == row.uses)
        with self._transactions.writing() as connection:
            if connection.execute(passkeys.update().where(same).values(uses=uses, used_ms=now)).rowcount != 1:
                raise ApiError(401, errors.PASSKEY_UNKNOWN)
        return str(row.account)

    # The list

    def list(self, account: str) -> list[Passkey]:
        """The passkeys of an account, the newest first."""
        own = passkeys.c.account == account
        order = (passkeys.c.made_ms.desc(), passkeys.c.digest)
        with self._transactions.reading() as connection:
            rows = connection.execute(select(passkeys).where(own).order_by(*order)).all()
        return [Passkey(row.digest, row.label, row.made_ms, row.used_ms) for row in rows]

    def remove(self, account: str, digest: str) -> int:
        """Remove a passkey of an account. Returns how many: one that is gone stays so.

        Raises:
            ApiError: 422, it is the last way into the account.
        """
        with self._transactions.writing() as connection:
            own = connection.scalars(select(passkeys.c.digest).where(passkeys.c.account == account)).all()
            if digest not in own:
                return 0
            password = connection.scalar(select(accounts.c.password).where(accounts.c.id == account))
            if password is None and len(own) == 1:
                raise ApiError(422, errors.PASSKEY_LAST)
            return connection.execute(delete(passkeys).where(passkeys.c.digest == digest)).rowcount

    def forget(self, now: int) -> None:
        """Forget the ceremonies that nobody has answered."""
        with self._transactions.writing() as connection:
            connection.execute(delete(ceremonies).where(ceremonies.c.expires_ms <= now))


def _check_number(number: int) -> None:
    if number >= MOST_PASSKEYS:
        raise ApiError(422, errors.MANY_PASSKEYS, most=MOST_PASSKEYS)
