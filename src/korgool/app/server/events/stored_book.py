"""`StoredBook`: the log of an event in the server's database, with the personal data apart."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime

from sqlalchemy import Connection, Engine, delete, func, insert, select, text, update
from sqlalchemy.exc import DBAPIError

from korgool.app.server.core import errors
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.lead_repository import Lead, Leader, lead_of
from korgool.app.server.storage.event_tables import competition_log, competition_personal, competitions
from korgool.competition.actions import Logged
from korgool.competition.errors import CompetitionError
from korgool.competition.storage.book import Book
from korgool.competition.storage.line import Line

_COLUMNS = tuple(competition_log.c[name] for name in Line._fields)
_AT_ONCE = 500
_LOG = logging.getLogger(__name__)


class LedElsewhereError(CompetitionError):
    """Another machine leads the event; nothing was written.

    Attributes:
        leader: which.
    """

    def __init__(self, leader: Leader) -> None:
        super().__init__(errors.LED_ELSEWHERE, machine=leader.machine, address=leader.address)
        self.leader = leader


class StaleBookError(Exception):
    """Another process has written to the event meanwhile; nothing was written. Repeat from the beginning."""


class StoredBook(Book):
    """An event in the database. One thread uses an object at a time; all processes of a site may use the same event.

    What a transaction writes is gathered first, and written at its end in one transaction of the database that holds
    the event's row: on SQLite nobody else can write meanwhile, the games of the site included, and a long list of
    entries takes long to be checked. If another process was quicker, the transaction ends with StaleBookError. Other
    errors of the database are SQLAlchemy's, and StorageError where this process may not write.

    Attributes:
        who: who writes, by identity or role; the log keeps it beside each line.
        command: the id that what is written next has there; empty for none.
        patient: hold the row from the beginning of a transaction on, which then waits for others and is never stale.
    """

    def __init__(self, engine: Engine, fence: Callable[[Connection], None], id_: str, group: int = 1) -> None:
        super().__init__(now=lambda: datetime.fromtimestamp(now_ms() / 1000, UTC), group=group)
        self.id = id_
        self.who = ""
        self.command = ""
        self.patient = False
        self._engine = engine
        self._fence = fence
        self._open = False
        self._base = 0
        self._rows: list[dict[str, object]] = []
        self._details: dict[int, str] = {}
        self._people: dict[int, str | None] = {}
        self._dropped = False
        self._first: list[Callable[[Connection], None]] = []

    def known(self, commands: Iterable[str]) -> Mapping[str, int]:
        """Of ids of `who`, those that the log knows, each with its last line; within a transaction."""
        found: dict[str, int] = {}
        asked, log = sorted({one for one in commands if one}), competition_log.c
        for begin in range(0, len(asked), _AT_ONCE):
            mine = (log.competition == self.id) & (log.who == self.who)
            mine &= log.command.in_(asked[begin : begin + _AT_ONCE])
            with self._engine.begin() as connection:
                query = select(log.command, func.max(log.at).label("last")).where(mine)
                found |= {row.command: row.last for row in connection.execute(query.group_by(log.command))}
        return found

    def log_after(self, after: int) -> tuple[Logged, ...]:
        """The lines of the log after a number."""
        return tuple(self.as_seen(line.logged()) for line in self._lines(after))

    def whole(self) -> tuple[list[Line], dict[int, str]]:
        """All lines of the log and the personal data by id, as JSON, of one moment; nothing is replayed."""
        level = "SERIALIZABLE" if self._engine.dialect.name == "sqlite" else "REPEATABLE READ"
        log, personal = competition_log.c, competition_personal.c
        with self._engine.connect().execution_options(isolation_level=level) as connection, connection.begin():
            mine = select(*_COLUMNS).where(log.competition == self.id).order_by(log.at)
            lines = [Line(*row) for row in connection.execute(mine)]
            own = select(personal.player, personal.data).where(personal.competition == self.id)
            return lines, {row.player: row.data for row in connection.execute(own)}

    def is_public(self) -> bool:
        """Return whether anybody may read the event."""
        with self._engine.begin() as connection:
            return bool(connection.scalar(select(competitions.c.public).where(competitions.c.id == self.id)))

    def lead(self) -> Lead:
        """The leadership of the event."""
        with self._engine.begin() as connection:
            return lead_of(connection, self.id)

    def begin(self, work: Callable[[Connection], None], maker: str, *, public: bool) -> None:
        """Make the event, in a transaction, and do `work` with it; its log is still empty.

        The transaction raises IntegrityError if there is one of this id.
        """
        row = {"id": self.id, "made_ms": now_ms(), "maker": maker, "public": int(public)}
        row |= {"seq": 0, "changed_ms": now_ms(), "name": ""}

        def make(connection: Connection) -> None:
            connection.execute(insert(competitions).values(row))
            work(connection)

        self._first.append(make)

    def _lines(self, after: int) -> Sequence[Line]:
        own = [row for row in self._rows if int(str(row["at"])) > after] if self._rows else []
        pending = [Line(*(row[name] for name in Line._fields)) for row in own]  # type: ignore[arg-type]
        if self._open and after >= self._base:
            return pending
        mine = (competition_log.c.competition == self.id) & (competition_log.c.at > after)
        if self._open:
            mine &= competition_log.c.at <= self._base
        with self._engine.begin() as connection:
            rows = connection.execute(select(*_COLUMNS).where(mine).order_by(competition_log.c.at))
            kept = [Line(*row) for row in rows]
        held = self._details
        return [*(line._replace(details=held.get(line.at, line.details)) for line in kept), *pending]

    def _append(self, lines: Sequence[Line]) -> None:
        more = {"competition": self.id, "who": self.who, "command": self.command or None}
        self._rows += [line._asdict() | more for line in lines]

    def _put_details(self, details: Mapping[int, str]) -> None:
        self._details |= {at: held for at, held in details.items() if at <= self._base}
        for row in self._rows:
            row["details"] = details.get(int(str(row["at"])), row["details"])

    def _in_transaction(self) -> bool:
        return self._open

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        erased = False
        with ExitStack() as stack:
            connection = stack.enter_context(self._engine.begin()) if self.patient else None
            self._base = self._seq(connection)
            self._open = True
            try:
                yield
                if self._first or self._rows or self._people or self._details:
                    self._write(connection or stack.enter_context(self._engine.begin()), held=self.patient)
                    erased = bool(self._details) or self._dropped
            finally:
                self._open = self._dropped = False
                self._rows, self._first, self._details, self._people = [], [], {}, {}
        if erased:
            self._empty_log()

    def _empty_log(self) -> None:
        """SQLite's log of changes holds pages as they were until it is taken over into the file."""
        if self._engine.dialect.name != "sqlite":
            return
        try:
            with self._engine.connect() as connection:
                connection.execute(text("COMMIT"))  # the engine begins transactions by itself
                connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
        except DBAPIError as error:
            _LOG.warning("the log of the database is emptied later: %s", " ".join(str(error).split())[:200])

    def _seq(self, connection: Connection | None) -> int:
        """The last line of the log; with a connection the row is held, and first this process may write at all."""
        query = select(competitions.c.seq).where(competitions.c.id == self.id)
        if connection is None:
            with self._engine.begin() as reading:
                return reading.scalar(query) or 0
        # The fence comes first: on SQLite it also takes the lock for writing, before anything is read.
        self._fence(connection)
        return connection.scalar(query.with_for_update()) or 0

    def _write(self, connection: Connection, *, held: bool) -> None:
        """Write what was gathered.

        Raises:
            StaleBookError: others have written since the transaction began.
            LedElsewhereError: another machine leads the event.
        """
        if not held and self._seq(connection) != self._base:
            raise StaleBookError
        if (leader := lead_of(connection, self.id).leader) is not None:
            raise LedElsewhereError(leader)
        for work in self._first:
            work(connection)
        if self._rows:
            connection.execute(insert(competition_log), self._rows)
        for at, details in self._details.items():
            mine = (competition_log.c.competition == self.id) & (competition_log.c.at == at)
            connection.execute(update(competition_log).where(mine).values(details=details))
        table, people = competition_personal.c, list(self._people)
        for begin in range(0, len(people), _AT_ONCE):
            own = (table.competition == self.id) & table.player.in_(people[begin : begin + _AT_ONCE])
            connection.execute(delete(competition_personal).where(own))
        rows = [{"player": id_, "data": text} for id_, text in self._people.items() if text is not None]
        if rows:
            connection.execute(insert(competition_personal), [row | {"competition": self.id} for row in rows])
        name = (self._state.title or self._state.event.name).replace("\0", "")  # which PostgreSQL does not take
        row = {"seq": self._state.actions, "changed_ms": now_ms(), "name": name}
        connection.execute(update(competitions).where(competitions.c.id == self.id).values(row))

    def _personal(self, player: int) -> str | None:
        if player in self._people:
            return self._people[player]
        mine = (competition_personal.c.competition == self.id) & (competition_personal.c.player == player)
        with self._engine.begin() as connection:
            return connection.scalar(select(competition_personal.c.data).where(mine))

    def _personal_of(self) -> Sequence[int]:
        table = competition_personal.c
        with self._engine.begin() as connection:
            found = set(connection.scalars(select(table.player).where(table.competition == self.id)))
        put = {id_ for id_, text in self._people.items() if text is not None}
        return sorted((found - self._people.keys()) | put)

    def _put_personal(self, player: int, text: str) -> None:
        self._people[player] = text

    def _drop_personal(self, players: Iterable[int]) -> None:
        self._people |= dict.fromkeys(players)
        self._dropped = True
