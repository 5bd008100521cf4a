"""Children: an adult opens the account and consents, and strangers and the child do not learn each other's names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from korgool.accounts.names import AccountName, read_name
from korgool.accounts.people import Person, PersonKind
from korgool.accounts.refusals import Refused, RefusedKind

MOST_CHILDREN = 30
"""Children's accounts of one adult: a class with its teacher."""


@dataclass(frozen=True, slots=True)
class Consent:
    """An adult agrees that a child has an account.

    Attributes:
        guardian: the identity of the adult.
        child: the identity of the child's account.
        at: when, milliseconds since 1970.
        wording: which text was agreed to.
        withdrawn: when it was taken back, None while it holds. The account is deleted then.
    """

    guardian: str
    child: str
    at: int
    wording: str
    withdrawn: int | None = None

    def withdraw(self, now: int) -> Consent:
        """The adult no longer agrees. The first time counts."""
        return self if self.withdrawn is not None else replace(self, withdrawn=now)


def consent(guardian: Person, child: str, now: int, wording: str, *, children: int) -> Consent | Refused:
    """An adult opens the account of a child, and this is noted.

    Args:
        guardian: who opens it.
        child: the identity of the new account.
        now: milliseconds since 1970.
        wording: which text was agreed to.
        children: how many children's accounts the adult has already.
    """
    if guardian.kind not in (PersonKind.ACCOUNT, PersonKind.OPERATOR) or guardian.locked:
        return Refused(RefusedKind.NO_ADULT)
    if children >= MOST_CHILDREN:
        return Refused(RefusedKind.MANY_CHILDREN, {"most": MOST_CHILDREN})
    return Consent(guardian.id, child, now, wording)


SHORT_MARK = "."
"""Ends every short name and stands in no name of an account, so the two are never mistaken for each other."""


def marked_short_name(short: str) -> str:
    """A short name as everybody reads it."""
    return short if not short or short.endswith(SHORT_MARK) else short + SHORT_MARK


def usual_short_name(name: AccountName) -> str:
    """Default short name of a child: the first two letters of the account's name, or one of a very short name."""
    return f"{name.shown[: 2 if len(name.shown) > 3 else 1].rstrip('0123456789-_')}{SHORT_MARK}"


def read_short_name(text: str, name: AccountName) -> str | Refused:
    """The short public name that is chosen for a child, without digits: they often tell the year of birth.

    Args:
        text: as it was typed, with the mark or without. Several children may have the same one.
        name: the name of the account, which strangers should not learn from it.
    """
    found = read_name(text.strip().removesuffix(SHORT_MARK))
    if isinstance(found, Refused):
        return found
    if any(one.isdigit() for one in found.shown):
        return Refused(RefusedKind.SHORT_DIGITS)
    if name.look in found.look or name.key in found.key:
        return Refused(RefusedKind.SHORT_NAME)
    return found.shown


class Naming(StrEnum):
    """Form in which a person's name is shown to a reader."""

    NAME = "name"
    SHORT = "short"
    """A child's short public name."""
    GUEST = "guest"
    """No account; the server numbers guests."""
    STRANGER = "stranger"
    """A child sees no name."""
    DELETED = "deleted"
    """The account no longer exists."""


@dataclass(frozen=True, slots=True)
class SeenName:
    """A name as one reader sees it.

    Attributes:
        shown: what stands there.
        text: the text; empty where a word of the reader's language stands instead.
    """

    shown: Naming
    text: str = ""


def seen_name(person: Person, reader: Person) -> SeenName:
    """Name of a person as a reader sees it; on public pages the reader is a person without an account."""
    if person.kind is PersonKind.DELETED:
        return SeenName(Naming.DELETED)
    if person.kind in (PersonKind.NOBODY, PersonKind.VISITOR):
        return SeenName(Naming.GUEST)
    if person.knows(reader):
        return SeenName(Naming.NAME, person.name)
    if person.kind is PersonKind.CHILD:
        return SeenName(Naming.SHORT, person.short)
    return SeenName(Naming.STRANGER)
