"""Second machines of events as rows, and what they are given. Methods block, and may be called from any thread."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import Connection, Engine, insert, select, update

from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.storage.event_tables import competition_log, competition_personal, competition_stand_bys
from korgool.competition.storage.line import Line

_S = competition_stand_bys.c
_LOG = competition_log.c


@dataclass(frozen=True, slots=True)
class StandByRow:
    """A second machine. Times are milliseconds since 1970, UTC.

    Attributes:
        id: for lists; opens nothing.
        event: the event's id.
        name: what the desk calls it.
        kind: `machine` or `browser`; empty before it has come.
        address: where it would serve after a take-over; empty for nowhere.
        made_ms, ended_ms: when it was let in, and when somebody ended it.
        line: the last line of the log that it holds.
        seen_ms: when it said so; 0 for never.
    """

    id: str
    event: str
    name: str
    kind: str
    address: str
    made_ms: int
    ended_ms: int | None
    line: int
    seen_ms: int


class StandByRepository:
    """Reads and writes the rows.

    Args:
        engine: the database.
        fence: begins a transaction that writes.
    """

    def __init__(self, engine: Engine, fence: Callable[[Connection], None]) -> None:
        self._engine = engine
        self._fence = fence

    def of(self, event: str) -> Sequence[StandByRow]:
        """The second machines of an event that nobody has ended, the oldest first."""
        mine = (_S.competition == event) & _S.ended_ms.is_(None)
        with self._engine.begin() as connection:
            rows = connection.execute(select(competition_stand_bys).where(mine).order_by(_S.made_ms, _S.id))
            return [_row(row) for row in rows]

    def find(self, id_: str) -> StandByRow | None:
        """A second machine, whether it has ended or not."""
        with self._engine.begin() as connection:
            row = connection.execute(select(competition_stand_bys).where(_S.id == id_)).one_or_none()
        return None if row is None else _row(row)

    def make(self, event: str, name: str, token: str | None, id_: str = "") -> StandByRow:
        """Let a second machine in, by a token of this digest, or by its id alone; one that is there stays as it is."""
        id_ = id_ or secrets.token_urlsafe(9)
        row: dict[str, object] = {"id": id_, "competition": event, "token": token, "name": name, "kind": ""}
        row |= {"address": "", "made_ms": now_ms(), "line": 0, "seen_ms": 0}
        with self._engine.begin() as connection:
            self._fence(connection)
            mine = select(competition_stand_bys).where(_S.id == id_)
            if connection.execute(mine).one_or_none() is None:
                connection.execute(insert(competition_stand_bys).values(row))
            return _row(connection.execute(mine).one())

    def opened(self, event: str, token: str) -> StandByRow | None:
        """The machine that a token of this digest lets in; None where it is of another event, or ended."""
        mine = (_S.token == token) & (_S.competition == event) & _S.ended_ms.is_(None)
        with self._engine.begin() as connection:
            row = connection.execute(select(competition_stand_bys).where(mine)).one_or_none()
        return None if row is None else _row(row)

    def end(self, event: str, id_: str) -> bool:
        """End a second machine: its token opens nothing any more; whether it was let in until now."""
        mine = (_S.id == id_) & (_S.competition == event) & _S.ended_ms.is_(None)
        with self._engine.begin() as connection:
            self._fence(connection)
            gone = {"ended_ms": now_ms(), "token": None}
            return connection.execute(update(competition_stand_bys).where(mine).values(gone)).rowcount == 1

    def note(self, id_: str, **seen: object) -> None:
        """Note what a machine has said: `name`, `kind`, `address`, `line` and `seen_ms`."""
        with self._engine.begin() as connection:
            self._fence(connection)
            connection.execute(update(competition_stand_bys).where(_S.id == id_).values(**seen))

    def lines(self, event: str, after: int, most: int) -> Sequence[Line]:
        """The lines of a log after a number, so many at most."""
        columns = [_LOG[name] for name in Line._fields]
        mine = select(*columns).where((_LOG.competition == event) & (_LOG.at > after)).order_by(_LOG.at).limit(most)
        with self._engine.begin() as connection:
            return [Line(*row) for row in connection.execute(mine)]

    def chain(self, event: str, at: int) -> str | None:
        """The hash of a line; None where there is no such line, and empty before the first."""
        if at == 0:
            return ""
        mine = select(_LOG.chain).where((_LOG.competition == event) & (_LOG.at == at))
        with self._engine.begin() as connection:
            return connection.scalar(mine)

    def head(self, event: str) -> tuple[int, str]:
        """The number and the hash of the last line of a log."""
        mine = select(_LOG.at, _LOG.chain).where(_LOG.competition == event).order_by(_LOG.at.desc()).limit(1)
        with self._engine.begin() as connection:
            row = connection.execute(mine).one_or_none()
        return (0, "") if row is None else (row.at, row.chain)

    def personal(self, event: str) -> Mapping[str, str]:
        """Digests of the personal data of an event, by the id of the player as text."""
        table = competition_personal.c
        mine = select(table.player, table.data).where(table.competition == event).order_by(table.player)
        with self._engine.begin() as connection:
            return {str(row.player): personal_digest(row.data) for row in connection.execute(mine)}

    def personal_of(self, event: str, player: int) -> str | None:
        """The personal data of a player as JSON, or None."""
        table = competition_personal.c
        mine = select(table.data).where((table.competition == event) & (table.player == player))
        with self._engine.begin() as connection:
            return connection.scalar(mine)


def personal_digest(data: str) -> str:
    """A digest that tells personal data from others."""
    return sha256(data.encode()).hexdigest()


def _row(row: object) -> StandByRow:
    names = ("id", "competition", "name", "kind", "address", "made_ms", "ended_ms", "line", "seen_ms")
    return StandByRow(*(getattr(row, name) for name in names))
