"""Times in which no server could take a move, as rows: nobody is charged for them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, select

from korgool.app.server.storage.schema import games, outages

OUTAGE = 5.0
"""Seconds in which nobody gives a sign before that is an outage."""


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which nothing could be written, in milliseconds since 1970."""

    began: int
    ended: int


def missed_of(outages: Iterable[Outage], since_ms: int, until_ms: int) -> int:
    """Milliseconds of this time in which nothing could be written."""
    return sum(max(0, min(one.ended, until_ms) - max(one.began, since_ms)) for one in outages)


def note_outage(connection: Connection, began_ms: int, ended_ms: int, but: Collection[str] = ()) -> None:
    """Note that no server could take a move: all deadlines shift by that time, but those of some games."""
    if ended_ms <= began_ms:
        return
    connection.execute(outages.insert().values(began_ms=began_ms, ended_ms=ended_ms))
    waiting = games.c.due_ms.is_not(None) & games.c.id.not_in(but)
    # In one order, as writers take them: two that wait for each other would be broken off.
    connection.execute(select(games.c.id).where(waiting).order_by(games.c.id).with_for_update(key_share=True))
    connection.execute(games.update().where(waiting).values(due_ms=games.c.due_ms + (ended_ms - began_ms)))


def missed_ms(connection: Connection, since_ms: int, until_ms: int) -> int:
    """Milliseconds of this time in which no server could take a move."""
    rows = connection.execute(select(outages).where(outages.c.ended_ms > since_ms)).all()
    return sum(max(0, min(row.ended_ms, until_ms) - max(row.began_ms, since_ms)) for row in rows)
