"""Children's accounts with the consents of their guardians, their short names, and the people whom they may know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError

from korgool.accounts import AccountName, Person, PersonKind, Refused, RefusedKind
from korgool.accounts.children import consent, marked_short_name
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.people.account_repository import Account, AccountRepository, taken
from korgool.app.server.people.transactions import PeopleTransactions, digest_of, new_identity
from korgool.app.server.storage.schema import accounts, consents, trusted

MOST_TRUSTED = 100
"""People whom one child may know."""
_HANDLE = 16
"""Digits of a handle."""


@dataclass(frozen=True, slots=True)
class ChildAccount:
    """A child's account before its guardian.

    Attributes:
        account: the account.
        agreed: when the guardian agreed to it, in milliseconds since 1970.
        wording: the text of the consent.
        trusted: the people whom the child may know: names by identity, in the order of the names.
    """

    account: Account
    agreed: int
    wording: str
    trusted: Mapping[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The identity of the child."""
        return self.account.id

    @property
    def person(self) -> Person:
        """The child for names and rights."""
        return self.account.person

    @property
    def handle(self) -> str:
        """The name of the child in addresses; it is derived from the identity and does not reveal it."""
        return digest_of("ward", self.id)[:_HANDLE]


class ChildRepository:
    """Reads and writes children's accounts; all methods block.

    Args:
        transactions: the tables of people.
        directory: the accounts.
    """

    def __init__(self, transactions: PeopleTransactions, directory: AccountRepository) -> None:
        self._transactions = transactions
        self._directory = directory

    def of(self, guardian: str) -> list[ChildAccount]:
        """The children of a guardian, by name."""
        children = self._directory.children(guardian)
        own = [child.id for child in children]
        names = select(trusted.c.child, trusted.c.who, accounts.c.name).join(accounts, accounts.c.id == trusted.c.who)
        known: dict[str, dict[str, str]] = {}
        with self._transactions.reading() as connection:
            noted = connection.execute(select(consents).where(consents.c.child.in_(own))).all()
            for row in connection.execute(names.where(trusted.c.child.in_(own)).order_by(accounts.c.key)):
                known.setdefault(row.child, {})[row.who] = row.name or ""
        agreed = {row.child: (row.at_ms, row.wording) for row in noted}
        return [
            ChildAccount(child, *agreed.get(child.id, (child.made, "")), known.get(child.id, {})) for child in children
        ]

    def find(self, guardian: str, handle: str) -> ChildAccount | None:
        """A child of a guardian by its handle."""
        return next((child for child in self.of(guardian) if child.handle == handle), None)

    def open(
        self, guardian: str, name: AccountName, *, password: str, short: str, wording: str, at: int
    ) -> ChildAccount | Refused:
        """Open a child's account: the account, its guardian, its short name and the consent, or nothing of it.

        Args:
            guardian: the adult who agrees.
            name: the name as it was read.
            password: the hash of the password.
            short: the name for strangers.
            wording: the text that the adult agrees to.
            at: milliseconds since 1970.
        """
        identity = new_identity()
        row = {
            "id": identity,
            "kind": PersonKind.CHILD.value,
            "name": name.shown,
            "key": name.key,
            "look": name.look,
            "short": short,
            "password": password,
            "guardian": guardian,
            "made_ms": at,
        }
        try:
            with self._transactions.writing() as connection:
                adult = self._directory.read(connection, guardian)
                count = select(func.count()).where(accounts.c.guardian == guardian)
                agreed = consent(
                    Person(PersonKind.NOBODY) if adult is None else adult.person,
                    identity,
                    at,
                    wording,
                    children=connection.scalar(count) or 0,
                )
                if isinstance(agreed, Refused):
                    return agreed
                if taken(connection, name):
                    return Refused(RefusedKind.NAME_TAKEN)
                connection.execute(accounts.insert().values(row))
                noted = {"child": identity, "guardian": guardian, "at_ms": agreed.at, "wording": agreed.wording}
                connection.execute(consents.insert().values(noted))
        except IntegrityError:  # a process without this lock was quicker
            return Refused(RefusedKind.NAME_TAKEN)
        person = Person(PersonKind.CHILD, identity, name.shown, marked_short_name(short), frozenset({guardian}))
        return ChildAccount(Account(person, at, "", True), at, wording)

    def call(self, child: str, short: str) -> None:
        """Give a child another short name, unless its account has just been deleted."""
        going = (accounts.c.id == child) & accounts.c.deleted_ms.is_(None)
        with self._transactions.writing() as connection:
            connection.execute(accounts.update().where(going).values(short=short))

    def trust(self, child: str, who: str, at: int) -> None:
        """Let a child and somebody with an account know each other's names; they may do so already.

        Raises:
            ApiError: 404, one of the two accounts has just been deleted; 422, the child knows as many as it may.
        """
        with self._transactions.writing() as connection:
            going = accounts.c.id.in_((child, who)) & accounts.c.deleted_ms.is_(None)
            if connection.scalar(select(func.count()).where(going)) != 2:
                raise ApiError(404, errors.NO_PLAYER)
            known = connection.scalars(select(trusted.c.who).where(trusted.c.child == child)).all()
            if who in known:
                return
            if len(known) >= MOST_TRUSTED:
                raise ApiError(422, errors.MANY_TRUSTED, most=MOST_TRUSTED)
            connection.execute(trusted.insert().values(child=child, who=who, at_ms=at))

    def distrust(self, child: str, who: str) -> None:
        """Let them know each other's names no longer."""
        pair = (trusted.c.child == child) & (trusted.c.who == who)
        with self._transactions.writing() as connection:
            connection.execute(delete(trusted).where(pair))
