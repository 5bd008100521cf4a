"""Questions of games and challenges about people; without accounts, everybody is a guest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from korgool.accounts import Action, Person, PersonKind, Refused


class PeopleLookup(Protocol):
    """Reads people by identity, and what they may do with each other; `people.people_cache` implements it."""

    def person(self, identity: str) -> Person:
        """A person by identity, from memory alone."""

    async def learn(self, identities: Iterable[str]) -> None:
        """Read these people into memory, unless they are there."""

    async def find(self, name: str) -> str | None:
        """The identity of the account of a name, or None."""

    async def meeting(self, who: str, action: Action, other: str) -> Refused | None:
        """The refusal to invite another person or to answer their challenge; None if it is allowed."""

    async def blocked_with(self, who: str) -> frozenset[str]:
        """Identities of people whom somebody has blocked or who have blocked them."""


def stranger(identity: str) -> Person:
    """A visitor without an account; nobody for an empty identity."""
    return Person(PersonKind.VISITOR if identity else PersonKind.NOBODY, identity)


class GuestLookup:
    """A lookup without accounts: everybody is a guest."""

    def person(self, identity: str) -> Person:
        """A guest."""
        return stranger(identity)

    async def learn(self, identities: Iterable[str]) -> None:
        """There is nothing to learn."""

    async def find(self, name: str) -> str | None:
        """Nobody has a name."""
        return None

    async def meeting(self, who: str, action: Action, other: str) -> Refused | None:
        """Guests meet whomever they like."""
        return None

    async def blocked_with(self, who: str) -> frozenset[str]:
        """Nobody blocks anybody."""
        return frozenset()
