"""Parts of an event beside its log, which another machine needs to lead it: features take them out and put them in.

A part is plain JSON. Secrets in it are digests, as they are stored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Table, insert, select

from korgool.app.server.storage.event_tables import (
    competition_applications,
    competition_entry_windows,
    competition_roles,
    competition_stand_bys,
)
from korgool.app.server.storage.schema import secrets

_MACHINE_COLUMNS = ("id", "token", "name", "kind", "address", "made_ms")
_ROLE_COLUMNS = tuple(column.name for column in competition_roles.columns if column.name != "competition")


@dataclass(frozen=True, slots=True)
class SnapshotPart:
    """The part of one feature.

    Attributes:
        name: in the snapshot.
        take: what the feature keeps of an event beside its log, as JSON; called in a transaction that reads.
        put: keeps it here; called in the transaction that makes the event. It is not called for a part that the other
            machine has not sent.
    """

    name: str
    take: Callable[[Connection, str], Any]
    put: Callable[[Connection, str, Any], None]


def _take_roles(connection: Connection, event: str) -> list[dict[str, Any]]:
    mine = select(competition_roles).where(competition_roles.c.competition == event)
    rows = connection.execute(mine.order_by(competition_roles.c.made_ms, competition_roles.c.id))
    return [{name: getattr(row, name) for name in _ROLE_COLUMNS} for row in rows]


def _put_roles(connection: Connection, event: str, value: Any) -> None:
    rows = [{name: row.get(name) for name in _ROLE_COLUMNS} | {"competition": event} for row in value]
    if rows:
        connection.execute(insert(competition_roles), rows)


def _take_tables(connection: Connection, event: str) -> str:
    """The key from which the codes of tables follow; empty where none was made."""
    return connection.scalar(select(secrets.c.value).where(secrets.c.name == f"tables {event}")) or ""


def _put_tables(connection: Connection, event: str, value: Any) -> None:
    if isinstance(value, str) and value:
        connection.execute(insert(secrets).values(name=f"tables {event}", value=value))


def _take_machines(connection: Connection, event: str) -> list[dict[str, Any]]:
    mine = competition_stand_bys.c
    going = select(competition_stand_bys).where((mine.competition == event) & mine.ended_ms.is_(None))
    return [{name: getattr(row, name) for name in _MACHINE_COLUMNS} for row in connection.execute(going)]


def _put_machines(connection: Connection, event: str, value: Any) -> None:
    fresh = {"competition": event, "line": 0, "seen_ms": 0}
    rows = [{name: row.get(name) for name in _MACHINE_COLUMNS} | fresh for row in value]
    if rows:
        connection.execute(insert(competition_stand_bys), rows)


def _rows(name: str, table: Table, *left_out: str) -> SnapshotPart:
    """The rows of an event in a table, but for some columns that may be empty."""
    columns = tuple(one.name for one in table.columns if one.name not in ("competition", *left_out))

    def take(connection: Connection, event: str) -> list[dict[str, Any]]:
        mine = select(table).where(table.c.competition == event).order_by(*table.primary_key.columns)
        return [{name: getattr(row, name) for name in columns} for row in connection.execute(mine)]

    def put(connection: Connection, event: str, value: Any) -> None:
        rows = [{name: row.get(name) for name in columns} | {"competition": event} for row in value]
        if rows:
            connection.execute(insert(table), rows)

    return SnapshotPart(name, take, put)


PARTS: Final = (
    SnapshotPart("roles", _take_roles, _put_roles),
    SnapshotPart("tables", _take_tables, _put_tables),
    SnapshotPart("machines", _take_machines, _put_machines),
    _rows("windows", competition_entry_windows),
    _rows("applications", competition_applications, "paper"),
)
"""Every part; a feature that keeps something of an event in a table of its own adds one."""
