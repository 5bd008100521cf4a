"""What games and challenges ask about people; where there are no accounts, everybody is a guest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from korgool.accounts import Action, Person, PersonKind, Refused


class PeopleLookup(Protocol):
    """Who people are, and what they may do with each other; `people.People` gives it."""

    def person(self, identity: str) -> Person:
        """Who somebody is, as far as it is known without looking."""

    async def learn(self, identities: Iterable[str]) -> None:
        """Look up who these are, unless that is known."""

    async def find(self, name: str) -> str | None:
        """The identity of the account of a name, or None."""

    async def meeting(self, who: str, action: Action, other: str) -> Refused | None:
        """Why somebody may not invite another person, or answer their challenge."""

    async def blocked_with(self, who: str) -> frozenset[str]:
        """Those whom somebody has blocked, and those who have blocked them."""


def stranger(identity: str) -> Person:
    """Somebody without an account."""
    return Person(PersonKind.VISITOR if identity else PersonKind.NOBODY, identity)


class GuestLookup:
    """A register without accounts."""

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
