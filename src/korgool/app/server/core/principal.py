"""Principals: identified once for each connection, before anything is decided about it."""

from __future__ import annotations

from dataclasses import dataclass

from korgool.accounts import Actor, Person, PersonKind, Session


@dataclass(frozen=True, slots=True)
class EndedCredentials:
    """Credentials that are not valid any more.

    Attributes:
        keys: the ids of sessions and tokens.
        accounts: the identities of accounts that were locked.
    """

    keys: frozenset[str]
    accounts: frozenset[str]


@dataclass(frozen=True, slots=True)
class Credential:
    """A session or token that came with a request, and its owner.

    Attributes:
        actor: who, with what.
        key: the id of the session or the token.
        session: the session, where it is one.
        password: whether the account has a password.
        passkey: whether it has a passkey.
    """

    actor: Actor
    key: str
    session: Session | None = None
    password: bool = False
    passkey: bool = False


@dataclass(frozen=True, slots=True)
class Principal:
    """The person or program behind a connection.

    Attributes:
        actor: who, with what.
        known: the session or token that they brought; None for visitors.
        visitor: the name of the visitor whose cookie or token came along, of somebody with an account too.
    """

    actor: Actor
    known: Credential | None = None
    visitor: str | None = None

    @property
    def person(self) -> Person:
        """The person."""
        return self.actor.person

    @property
    def identity(self) -> str | None:
        """The identity; None for nobody."""
        return self.actor.person.id or None

    @property
    def session(self) -> Session | None:
        """The session of the browser, where somebody is signed in."""
        return None if self.known is None else self.known.session

    @property
    def digest(self) -> bytes | None:
        """Stored digest of this session's secret; each sign-in replaces it."""
        return None if self.session is None else self.session.digest


NOBODY = Principal(Actor(Person(PersonKind.NOBODY)))


def visitor(name: str | None) -> Principal:
    """Somebody without an account."""
    return NOBODY if name is None else Principal(Actor(Person(PersonKind.VISITOR, name)), visitor=name)
