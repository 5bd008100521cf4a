"""People as the site knows them: kinds, identities, guardians."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class PersonKind(StrEnum):
    """Kind of account, or of a person without one."""

    NOBODY = "nobody"
    """Brings neither session nor token."""
    VISITOR = "visitor"
    """Plays without an account."""
    ACCOUNT = "account"
    CHILD = "child"
    """An account that an adult has opened for a child."""
    BOT = "bot"
    """An account that a program plays with, marked as such."""
    OPERATOR = "operator"
    """Runs the site."""
    DELETED = "deleted"
    """Has deleted their account; the games stay."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person, with what names and rights depend on.

    Attributes:
        kind: kind of account.
        id: the identity, which stands in games and never changes; empty without one.
        name: the name of the account; empty without one.
        short: a child's public name.
        guardians: the adults of a child's account.
        trusted: whom a child's guardians let it know: other accounts that see its name and whose names it sees.
        locked: whether the operator has locked the account.
    """

    kind: PersonKind
    id: str = ""
    name: str = ""
    short: str = ""
    guardians: frozenset[str] = frozenset()
    trusted: frozenset[str] = frozenset()
    locked: bool = False

    def knows(self, other: Person) -> bool:
        """Return whether two people may see and use each other's names: adults may, children those they trust."""
        return all(
            child.kind is not PersonKind.CHILD
            or child.id == one.id
            or one.id in child.guardians | child.trusted
            or one.kind is PersonKind.OPERATOR
            for child, one in ((self, other), (other, self))
        )
