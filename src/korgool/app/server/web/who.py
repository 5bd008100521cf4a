"""Who asks: found once for each connection, before anything is decided about it."""

from __future__ import annotations

from dataclasses import dataclass

from korgool.accounts import Actor, Person, PersonKind, Session
from korgool.app.server.people.doorkeeper import Known
from korgool.app.server.web.site import Connection

_PLACE = "korgool_who"


@dataclass(frozen=True, slots=True)
class Who:
    """Who asks.

    Attributes:
        actor: who, with what.
        known: the session or token that they brought; None for visitors.
        visitor: the name of the visitor whose cookie or token came along, of somebody with an account too.
    """

    actor: Actor
    known: Known | None = None
    visitor: str | None = None

    @property
    def person(self) -> Person:
        """Who it is."""
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
        """What is stored of this session's secret: another one takes its place, whoever signs in."""
        return None if self.session is None else self.session.digest


NOBODY = Who(Actor(Person(PersonKind.NOBODY)))


def visitor(name: str | None) -> Who:
    """Somebody without an account."""
    return NOBODY if name is None else Who(Actor(Person(PersonKind.VISITOR, name)), visitor=name)


def note_who(connection: Connection, who: Who) -> None:
    """Keep for the rest of this connection's handling who it is; the log of the request hears of what kind."""
    connection.scope["state"] |= {_PLACE: who, "who": who.person.kind.value}


def found_who(connection: Connection) -> Who | None:
    """Who asks; None where nobody has found out, as with addresses that do not exist."""
    found: Who | None = connection.scope.get("state", {}).get(_PLACE)
    return found


def who_of(connection: Connection) -> Who:
    """Who asks."""
    return found_who(connection) or NOBODY
