"""Accounts in the database: opening, finding by identity or name, locking, another password."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, exists, func, select
from sqlalchemy.exc import IntegrityError

from korgool.accounts import AccountName, Person, PersonKind, Refused, RefusedKind, name_key
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.people.person_repository import read_persons
from korgool.app.server.people.transactions import PeopleTransactions, new_identity
from korgool.app.server.storage.schema import accounts, passkeys, sessions

MOST_BOTS = 10
"""Bots of one account."""
_BATCH = 500
"""Identities in one query."""
_WHOLE = select(accounts, exists().where(passkeys.c.account == accounts.c.id).label("has_passkey"))


@dataclass(frozen=True, slots=True)
class Account:
    """An account as it is stored.

    Attributes:
        person: the account for names and rights.
        made: when it was opened, in milliseconds since 1970.
        owner: the owner of a bot; empty for people.
        has_password: whether one was set.
        has_passkey: whether it has any.
    """

    person: Person
    made: int
    owner: str
    has_password: bool
    has_passkey: bool = False

    @property
    def id(self) -> str:
        """The identity."""
        return self.person.id


class AccountRepository:
    """Reads and writes accounts; all methods block.

    Args:
        transactions: the tables of people.
    """

    def __init__(self, transactions: PeopleTransactions) -> None:
        self.transactions = transactions

    def find(self, identity: str) -> Account | None:
        """The account of an identity, deleted ones too; None for visitors."""
        with self.transactions.reading() as connection:
            return self._one(connection, accounts.c.id == identity)

    def by_name(self, name: str) -> Account | None:
        """The account of a name, however it is typed."""
        with self.transactions.reading() as connection:
            return self._one(connection, accounts.c.key == name_key(name))

    def password(self, name: str) -> tuple[Account, str | None] | None:
        """The account of a name and the hash of its password."""
        with self.transactions.reading() as connection:
            row = connection.execute(_WHOLE.where(accounts.c.key == name_key(name))).one_or_none()
            return None if row is None else (_read(connection, [row])[0], row.password)

    def persons(self, identities: Collection[str]) -> dict[str, Person]:
        """Those of these identities that are accounts."""
        wanted, persons = sorted(set(identities)), dict[str, Person]()
        with self.transactions.reading() as connection:
            for start in range(0, len(wanted), _BATCH):
                batch = wanted[start : start + _BATCH]
                rows = connection.execute(select(accounts).where(accounts.c.id.in_(batch))).all()
                persons |= read_persons(connection, rows)
        return persons

    def new(
        self,
        name: AccountName,
        at: int,
        *,
        kind: PersonKind = PersonKind.ACCOUNT,
        password: str | None = None,
        owner: str | None = None,
        identity: str | None = None,
        passkey: Mapping[str, Any] | None = None,
    ) -> Account | Refused:
        """Open an account, if nobody has its name or one that looks like it.

        Args:
            name: the name as it was read.
            at: milliseconds since 1970.
            kind: the kind of account.
            password: the hash of the password; None for an account without one.
            owner: the owner of a bot.
            identity: its identity, where that is known already.
            passkey: the row of its first passkey.

        Raises:
            ApiError: the owner has as many bots as there may be, or the passkey is another account's.
        """
        identity = identity or new_identity()
        row = {
            "id": identity,
            "kind": kind.value,
            "name": name.shown,
            "key": name.key,
            "look": name.look,
            "password": password,
            "owner": owner,
            "made_ms": at,
        }
        try:
            with self.transactions.writing() as connection:
                if owner is not None:
                    bots = select(func.count()).where((accounts.c.owner == owner) & accounts.c.deleted_ms.is_(None))
                    if (connection.scalar(bots) or 0) >= MOST_BOTS:
                        raise ApiError(422, errors.MANY_BOTS, most=MOST_BOTS)
                if taken(connection, name):
                    return Refused(RefusedKind.NAME_TAKEN)
                connection.execute(accounts.insert().values(row))
                if passkey is not None:
                    same = select(passkeys.c.digest).where(passkeys.c.digest == passkey["digest"])
                    if connection.scalar(same) is not None:
                        raise ApiError(422, errors.PASSKEY_KNOWN)
                    connection.execute(passkeys.insert().values(dict(passkey)))
        except IntegrityError:  # a process without this lock was quicker
            return Refused(RefusedKind.NAME_TAKEN)
        person = Person(kind, identity, name.shown)
        return Account(person, at, owner or "", password is not None, passkey is not None)

    def set_password(self, identity: str, password: str | None) -> None:
        """Give an account another password.

        Args:
            identity: the account.
            password: the hash; None for none at all.
        """
        with self.transactions.writing() as connection:
            connection.execute(accounts.update().where(accounts.c.id == identity).values(password=password))

    def lock(self, identity: str, at: int | None) -> None:
        """Lock an account and end its sessions; None opens it again."""
        with self.transactions.writing() as connection:
            connection.execute(accounts.update().where(accounts.c.id == identity).values(locked_ms=at))
            if at is not None:
                going = (sessions.c.account == identity) & sessions.c.ended_ms.is_(None)
                connection.execute(sessions.update().where(going).values(ended_ms=at))

    def bots(self, owner: str) -> list[Account]:
        """The bots of an account, by name."""
        own = (accounts.c.owner == owner) & accounts.c.deleted_ms.is_(None)
        with self.transactions.reading() as connection:
            return _read(connection, connection.execute(_WHOLE.where(own).order_by(accounts.c.key)).all())

    def children(self, guardian: str) -> list[Account]:
        """The children's accounts of a guardian, by name."""
        own = (accounts.c.guardian == guardian) & accounts.c.deleted_ms.is_(None)
        with self.transactions.reading() as connection:
            return _read(connection, connection.execute(_WHOLE.where(own).order_by(accounts.c.key)).all())

    def read(self, connection: Connection, identity: str) -> Account | None:
        """The account of an identity within a transaction."""
        return self._one(connection, accounts.c.id == identity)

    def list(self, after: str = "", most: int = 1000) -> list[Account]:
        """Accounts by the keys of their names, those after a key."""
        query = _WHOLE.where(accounts.c.key > after).order_by(accounts.c.key).limit(most)
        with self.transactions.reading() as connection:
            return _read(connection, connection.execute(query).all())

    def _one(self, connection: Connection, condition: Any) -> Account | None:
        row = connection.execute(_WHOLE.where(condition)).one_or_none()
        return None if row is None else _read(connection, [row])[0]


def taken(connection: Connection, name: AccountName) -> bool:
    """True if somebody has a name, or one that looks like it."""
    alike = (accounts.c.key == name.key) | (accounts.c.look == name.look)
    return connection.scalar(select(accounts.c.id).where(alike)) is not None


def _read(connection: Connection, rows: Collection[Any]) -> list[Account]:
    people = read_persons(connection, rows)
    return [
        Account(people[row.id], row.made_ms, row.owner or "", row.password is not None, bool(row.has_passkey))
        for row in rows
    ]
