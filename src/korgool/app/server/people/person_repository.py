"""Accounts by identity and by name, as far as pages that name players need them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from sqlalchemy import Connection, Engine, select

from korgool.accounts import Person, PersonKind, name_key
from korgool.accounts.children import marked_short_name
from korgool.app.server.storage.schema import accounts, trusted

_AT_ONCE = 100


class PersonRepository:
    """Reads who people are. Methods block, and may be called from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def person(self, who: str | None) -> Person:
        """Somebody by their identity; nobody for None, and a visitor where there is no account."""
        return Person(PersonKind.NOBODY) if who is None else self.persons([who])[who]

    def persons(self, people: Collection[str]) -> Mapping[str, Person]:
        """The same for many."""
        identities, persons = sorted(set(people)), dict[str, Person]()
        with self._engine.begin() as connection:
            for begin in range(0, len(identities), _AT_ONCE):
                rows = connection.execute(
                    select(accounts).where(accounts.c.id.in_(identities[begin : begin + _AT_ONCE]))
                )
                persons |= read_persons(connection, rows.all())
        return MappingProxyType(
            {identity: persons.get(identity) or Person(PersonKind.VISITOR, identity) for identity in identities}
        )

    def by_name(self, name: str) -> Person | None:
        """The account of a name, however it is typed; None where there is none."""
        with self._engine.begin() as connection:
            rows = connection.execute(select(accounts).where(accounts.c.key == name_key(name))).all()
            return next(iter(read_persons(connection, rows).values()), None)


def read_persons(connection: Connection, rows: Collection[Any]) -> dict[str, Person]:
    """The people of rows of accounts, by identity; of children also those whom they know."""
    children = [row.id for row in rows if row.kind == PersonKind.CHILD.value]
    known: dict[str, set[str]] = {}
    if children:
        for pair in connection.execute(select(trusted).where(trusted.c.child.in_(children))):
            known.setdefault(pair.child, set()).add(pair.who)
    return {row.id: _person(row, frozenset(known.get(row.id, ()))) for row in rows}


def _person(row: Any, known: frozenset[str]) -> Person:
    if row.deleted_ms is not None:
        return Person(PersonKind.DELETED, row.id)
    guardians = frozenset() if row.guardian is None else frozenset({row.guardian})
    locked = row.locked_ms is not None
    short = marked_short_name(row.short or "")
    return Person(PersonKind(row.kind), row.id, row.name or "", short, guardians, known, locked)
