"""Events of other sites that this one follows, as rows. Methods block, and may be called from any thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, Engine, delete, func, insert, select, update

from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.storage.event_tables import competitions, followed_events

_F = followed_events.c


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowedRow:
    """An event of another site, without the copy of it. Times are milliseconds since 1970, UTC.

    Attributes:
        id: here.
        maker: the identity of who lets it be followed.
        address: as they typed it.
        name: of the event.
        version: the SHA-256 of the copy.
        validator: the header to ask with; empty for none.
        made_ms, changed_ms: when it was first followed, and when the copy changed.
        confirmed_ms: when the other site last said that the copy is right.
        asked_ms: when it was last asked.
        problem: why there is no newer copy; empty for none.
    """

    id: str
    maker: str
    address: str
    name: str
    version: str
    validator: str
    made_ms: int
    changed_ms: int
    confirmed_ms: int
    asked_ms: int
    problem: str = ""


_COLUMNS = tuple(_F[name] for name in FollowedRow.__dataclass_fields__)


class FollowedRepository:
    """Reads and writes the rows.

    Args:
        engine: the database.
        fence: begins a transaction that writes.
    """

    def __init__(self, engine: Engine, fence: Callable[[Connection], None]) -> None:
        self._engine = engine
        self._fence = fence

    def find(self, id_: str) -> FollowedRow | None:
        """An event, or None."""
        with self._engine.begin() as connection:
            row = connection.execute(select(*_COLUMNS).where(_F.id == id_)).one_or_none()
        return None if row is None else FollowedRow(**row._mapping)

    def copy(self, id_: str) -> str | None:
        """The copy of an event, or None."""
        with self._engine.begin() as connection:
            return connection.scalar(select(_F.snapshot).where(_F.id == id_))

    def newest(self, most: int = 100) -> Sequence[FollowedRow]:
        """All, those whose copies changed last first."""
        with self._engine.begin() as connection:
            listed = select(*_COLUMNS).where(_F.changed_ms >= 0)  # so that a plan shows that an index is searched
            rows = connection.execute(listed.order_by(_F.changed_ms.desc(), _F.id).limit(most))
            return [FollowedRow(**row._mapping) for row in rows]

    def of(self, maker: str) -> Sequence[FollowedRow]:
        """Those of an account, the newest first."""
        with self._engine.begin() as connection:
            mine = select(*_COLUMNS).where(_F.maker == maker).order_by(_F.made_ms.desc(), _F.id)
            return [FollowedRow(**row._mapping) for row in connection.execute(mine)]

    def count(self, maker: str) -> int:
        """Number of events that an account follows."""
        with self._engine.begin() as connection:
            return connection.scalar(select(func.count()).select_from(followed_events).where(_F.maker == maker)) or 0

    def add(self, row: FollowedRow, snapshot: str) -> bool:
        """Add one; whether its id was free."""
        with self._engine.begin() as connection:
            self._fence(connection)
            for held in (competitions.c.id, _F.id):
                if connection.scalar(select(held).where(held == row.id)) is not None:
                    return False
            connection.execute(insert(followed_events).values(asdict(row) | {"snapshot": snapshot}))
        return True

    def ask(self, id_: str, every_ms: int) -> bool:
        """Claim the next request to the other site: one of all processes may ask, and none again for a while."""
        now = now_ms()
        with self._engine.begin() as connection:
            self._fence(connection)
            due = (_F.id == id_) & (_F.asked_ms <= now - every_ms)
            return connection.execute(update(followed_events).where(due).values(asked_ms=now)).rowcount == 1

    def confirm(self, id_: str) -> None:
        """The copy is right."""
        self._write(id_, confirmed_ms=now_ms(), problem="")

    def fail(self, id_: str, problem: str) -> None:
        """There is no newer copy."""
        self._write(id_, problem=problem)

    def keep(self, id_: str, *, name: str, snapshot: str, version: str, validator: str) -> None:
        """A new copy."""
        now = now_ms()
        new = {"name": name, "snapshot": snapshot, "version": version, "validator": validator}
        self._write(id_, **new, changed_ms=now, confirmed_ms=now, problem="")

    def replace(self, row: FollowedRow, snapshot: str) -> None:
        """The same event at another address, with the first copy from there."""
        self._write(row.id, **asdict(row), snapshot=snapshot)

    def stop(self, id_: str, maker: str) -> bool:
        """Follow an event no more; whether it was one of this account."""
        with self._engine.begin() as connection:
            self._fence(connection)
            mine = (_F.id == id_) & (_F.maker == maker)
            return connection.execute(delete(followed_events).where(mine)).rowcount == 1

    def end(self, id_: str) -> bool:
        """Stop following an event of any account; returns whether it was followed."""
        with self._engine.begin() as connection:
            self._fence(connection)
            return connection.execute(delete(followed_events).where(_F.id == id_)).rowcount == 1

    def _write(self, id_: str, **values: object) -> None:
        with self._engine.begin() as connection:
            self._fence(connection)
            connection.execute(update(followed_events).where(_F.id == id_).values(values))
