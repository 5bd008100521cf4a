"""The machines that lead the events of this site, and the key of each, as rows. Methods block, in any thread."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, Engine, delete, insert, select

from korgool.app.server.storage.database import known_secret
from korgool.app.server.storage.event_tables import competition_leads, competitions

_L = competition_leads.c


@dataclass(frozen=True, slots=True)
class Leader:
    """The machine that leads an event in the place of this one.

    Attributes:
        machine: its name.
        address: where it serves.
        number: how many take-overs it knows of.
        after: the last line that this machine and it have in common.
        since: when this machine learned of it, `2026-09-14T10:05:00Z`.
    """

    machine: str
    address: str
    number: int
    after: int
    since: str


@dataclass(frozen=True, slots=True)
class Lead:
    """The leadership of an event, as this machine knows.

    Attributes:
        home: the address on its printed codes; empty for that of this site.
        peers: addresses of other machines that may lead it.
        leader: the machine that leads it instead of this one, None where this one does.
        strays: lines of a machine that led before, which nobody else has, as `Stray` has them in JSON.
    """

    home: str = ""
    peers: Sequence[str] = ()
    leader: Leader | None = None
    strays: Sequence[Mapping[str, Any]] = field(default=())


class LeadRepository:
    """Reads and writes the rows.

    Args:
        engine: the database.
        fence: begins a transaction that writes.
        site_key: the secret of the site, from which the keys of its own events are made.
    """

    def __init__(self, engine: Engine, fence: Callable[[Connection], None], site_key: str) -> None:
        self._engine = engine
        self._fence = fence
        self._site_key = site_key

    def find(self, event: str) -> Lead:
        """The leadership of an event; without a row it is led here."""
        with self._engine.begin() as connection:
            return lead_of(connection, event)

    def moved(self, since_ms: int) -> Sequence[str]:
        """The events that have been on several machines and were changed since, by id."""
        mine = select(_L.competition).join(competitions, competitions.c.id == _L.competition)
        recent = mine.where((_L.competition >= "") & (competitions.c.changed_ms > since_ms))  # an index is searched
        with self._engine.begin() as connection:
            return list(connection.scalars(recent))

    def change(self, event: str, change: Callable[[Lead], Lead]) -> Lead:
        """Put another value in the place of what is known of an event; returns it."""
        with self._engine.begin() as connection:
            self._fence(connection)
            after = change(lead_of(connection, event))
            put_lead(connection, event, after)
            return after

    def secret(self, event: str) -> bytes:
        """The key of an event: of its helpers' codes and cookies, and of what proves who leads it."""
        held = known_secret(self._engine, key_name(event))
        return bytes.fromhex(held) if held else hashlib.sha256(f"{self._site_key} {event}".encode()).digest()


def key_name(event: str) -> str:
    """The name of the key of an event that was taken over from another site, among the secrets of this one."""
    return f"event {event}"


def put_lead(connection: Connection, event: str, lead: Lead) -> None:
    """Write what is known of an event, in a transaction."""
    leader = "" if lead.leader is None else json.dumps(asdict(lead.leader))
    row = {"competition": event, "home": lead.home, "leader": leader}
    row |= {"peers": json.dumps(list(lead.peers)), "strays": json.dumps(list(lead.strays))}
    connection.execute(delete(competition_leads).where(_L.competition == event))
    connection.execute(insert(competition_leads).values(row))


def proof(secret: bytes, *parts: str) -> str:
    """Proof that only a machine can give that has the key of an event: 64 hexadecimal digits."""
    return hmac.new(secret, "\x1f".join(parts).encode(), hashlib.sha256).hexdigest()


def proves(given: object, secret: bytes, *parts: str) -> bool:
    """Return whether something is such a proof."""
    return (
        isinstance(given, str)
        and given.isascii()
        and hmac.compare_digest(given.encode(), proof(secret, *parts).encode())
    )


def with_peers(lead: Lead, *addresses: str) -> Lead:
    """The same with more addresses of other machines."""
    return replace(lead, peers=tuple(dict.fromkeys((*lead.peers, *filter(None, addresses)))))


def lead_of(connection: Connection, event: str) -> Lead:
    """The leadership of an event, in a transaction."""
    row = connection.execute(select(competition_leads).where(_L.competition == event)).one_or_none()
    if row is None:
        return Lead()
    leader = Leader(**json.loads(row.leader)) if row.leader else None
    return Lead(row.home, tuple(json.loads(row.peers)), leader, tuple(json.loads(row.strays)))
