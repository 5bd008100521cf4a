"""The people in games, challenges and lists, cached for the event loop."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Iterable

from sqlalchemy import select

from korgool.accounts import Action, Actor, Person, Refused, Thing, refusal
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.people_lookup import stranger
from korgool.app.server.people.account_repository import AccountRepository
from korgool.app.server.people.transactions import PeopleTransactions
from korgool.app.server.storage.schema import blocks

_FRESH_SECONDS = 1.0
"""Seconds after which a person is read again: another process may have locked or deleted them."""
_MOST = 20_000
"""People in memory; those not used for longest are forgotten."""


class PeopleCache:
    """The people of this server. All methods run on the event loop.

    Args:
        transactions: the tables of people.
        directory: the accounts.
    """

    def __init__(self, transactions: PeopleTransactions, directory: AccountRepository) -> None:
        self._transactions = transactions
        self._directory = directory
        self._known: OrderedDict[str, tuple[float, Person]] = OrderedDict()

    def person(self, identity: str) -> Person:
        """A person as this process knows them; `learn` makes it know."""
        entry = self._known.get(identity)
        return stranger(identity) if entry is None else entry[1]

    async def learn(self, identities: Iterable[str]) -> None:
        """Read people from the database, unless that was done a moment ago."""
        now = time.monotonic()
        wanted = set()
        for identity in identities:
            read = self._known.get(identity, (0.0, None))[0]
            if identity and (not read or now - read > _FRESH_SECONDS):
                wanted.add(identity)
        if wanted:
            persons = await asyncio.to_thread(self._directory.persons, wanted)
            for identity in wanted:
                self.note(persons.get(identity, stranger(identity)))

    def note(self, person: Person) -> None:
        """Know somebody who has just been read or changed."""
        self._known[person.id] = time.monotonic(), person
        self._known.move_to_end(person.id)
        while len(self._known) > _MOST:
            self._known.popitem(last=False)

    def forget(self, identity: str) -> None:
        """Read somebody again before they are named."""
        self._known.pop(identity, None)

    async def find(self, name: str) -> str | None:
        """The identity of the account of a name, or None."""
        # A database may be unable to hold what cannot be printed.
        account = await asyncio.to_thread(self._directory.by_name, name) if name.isprintable() else None
        if account is None:
            return None
        self.note(account.person)
        return account.id

    async def known(self, name: str, reader: Person) -> Person:
        """The owner of a name.

        Raises:
            ApiError: 404, nobody whom the reader may know has it.
        """
        identity = await self.find(name)
        person = None if identity is None else self.person(identity)
        if person is None or not reader.knows(person):
            raise ApiError(404, errors.NO_PLAYER)
        return person

    async def meeting(self, who: str, action: Action, other: str) -> Refused | None:
        """The reason against an action between two people, an invitation or its answer; None if it is allowed."""
        await self.learn((who, other))
        pairs = await asyncio.to_thread(self._blocks, who, other)
        return refusal(Actor(self.person(who)), action, Thing((self.person(other),), pairs))

    async def blocked_with(self, who: str) -> frozenset[str]:
        """The people whom somebody has blocked, and those who have blocked them."""
        return await asyncio.to_thread(self._blocked_with, who)

    def _blocks(self, who: str, other: str) -> frozenset[tuple[str, str]]:
        both = (who, other)
        pair = blocks.c.account.in_(both) & blocks.c.blocked.in_(both)
        with self._transactions.reading() as connection:
            rows = connection.execute(select(blocks.c.account, blocks.c.blocked).where(pair)).all()
        return frozenset((row.account, row.blocked) for row in rows)

    def _blocked_with(self, who: str) -> frozenset[str]:
        either = (blocks.c.account == who) | (blocks.c.blocked == who)
        with self._transactions.reading() as connection:
            rows = connection.execute(select(blocks.c.account, blocks.c.blocked).where(either)).all()
        return frozenset(row.blocked if row.account == who else row.account for row in rows)
