"""Who the people in games, challenges and lists are, at hand on the event loop."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Iterable

from sqlalchemy import select

from korgool.accounts import Action, Actor, Person, PersonKind, Refused, Thing, refusal
from korgool.app.server.people.account_repository import AccountRepository
from korgool.app.server.people.transactions import PeopleTransactions
from korgool.app.server.storage.schema import blocks

_FRESH_SECONDS = 1.0
"""A person is read again after this time: somebody may have been locked or deleted by another process."""
_MOST = 20_000
"""People in memory; those that nobody has asked for longest are forgotten."""


class PeopleCache:
    """The people of this server. All methods run on the event loop.

    Args:
        ledger: the tables.
        directory: the accounts.
    """

    def __init__(self, ledger: PeopleTransactions, directory: AccountRepository) -> None:
        self._ledger = ledger
        self._directory = directory
        self._known: OrderedDict[str, tuple[float, Person]] = OrderedDict()

    def person(self, identity: str) -> Person:
        """Who somebody is as far as this process knows; `learn` makes it know."""
        found = self._known.get(identity)
        return _stranger(identity) if found is None else found[1]

    async def learn(self, identities: Iterable[str]) -> None:
        """Read who these are, unless that was done a moment ago."""
        now = time.monotonic()
        wanted = set()
        for identity in identities:
            read = self._known.get(identity, (0.0, None))[0]
            if identity and (not read or now - read > _FRESH_SECONDS):
                wanted.add(identity)
        if wanted:
            found = await asyncio.to_thread(self._directory.persons, wanted)
            for identity in wanted:
                self.note(found.get(identity, _stranger(identity)))

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
        found = await asyncio.to_thread(self._directory.by_name, name) if name.isprintable() else None
        if found is None:
            return None
        self.note(found.person)
        return found.id

    async def meeting(self, who: str, action: Action, other: str) -> Refused | None:
        """Why somebody may not do something to another person: invite them, or answer their challenge."""
        await self.learn((who, other))
        pairs = await asyncio.to_thread(self._blocks, who, other)
        return refusal(Actor(self.person(who)), action, Thing((self.person(other),), pairs))

    async def blocked_with(self, who: str) -> frozenset[str]:
        """Those whom somebody has blocked, and those who have blocked them."""
        return await asyncio.to_thread(self._blocked_with, who)

    def _blocks(self, who: str, other: str) -> frozenset[tuple[str, str]]:
        both = (who, other)
        pair = blocks.c.account.in_(both) & blocks.c.blocked.in_(both)
        with self._ledger.reading() as connection:
            rows = connection.execute(select(blocks.c.account, blocks.c.blocked).where(pair)).all()
        return frozenset((row.account, row.blocked) for row in rows)

    def _blocked_with(self, who: str) -> frozenset[str]:
        either = (blocks.c.account == who) | (blocks.c.blocked == who)
        with self._ledger.reading() as connection:
            rows = connection.execute(select(blocks.c.account, blocks.c.blocked).where(either)).all()
        return frozenset(row.blocked if row.account == who else row.account for row in rows)


def _stranger(identity: str) -> Person:
    return Person(PersonKind.VISITOR if identity else PersonKind.NOBODY, identity)
