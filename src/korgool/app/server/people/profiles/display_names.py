"""Names of players before a reader, and the addresses of their pages: every page and answer takes them from here."""

from __future__ import annotations

from collections.abc import Callable, Collection
from urllib.parse import quote

from korgool.accounts import Action, Actor, Person, PersonKind, Thing, refusal, seen_name
from korgool.accounts.children import Naming
from korgool.app.server.people.person_repository import PersonRepository
from korgool.app.words.people import name_before


class DisplayNames:
    """The names of some people before a reader. Making one reads the database.

    Args:
        persons: the accounts.
        reader: the reader.
        people: the identities of those who are named.
    """

    def __init__(self, persons: PersonRepository, reader: Person, people: Collection[str]) -> None:
        self._reader = reader
        self._persons = persons.persons([who for who in people if who])

    def of(self, who: str, gettext: Callable[[str], str] = str) -> str:
        """The name of somebody; `gettext` translates words in the place of a name."""
        return name_before(self._person(who), self._reader, gettext)

    def page(self, who: str) -> str:
        """The address of somebody's page, empty where there is none for this reader."""
        person = self._person(who)
        named = seen_name(person, self._reader).shown is Naming.NAME
        return f"/player/{quote(person.name, safe='')}" if named and may_see(self._reader, person) else ""

    def is_bot(self, who: str) -> bool:
        """True if a program plays under this name."""
        return self._person(who).kind is PersonKind.BOT

    def _person(self, who: str) -> Person:
        return self._persons.get(who) or Person(PersonKind.VISITOR, who)


def may_see(reader: Person, person: Person) -> bool:
    """True if the reader may look at the page of somebody else."""
    return refusal(Actor(reader), Action.SEE_PROFILE, Thing((person,))) is None
