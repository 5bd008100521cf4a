"""`StoredBook`: the log of an event in the server's database, with the personal data apart."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime

from sqlalchemy import Connection, Engine, delete, func, insert, select, text, update
from sqlalchemy.exc import DBAPIError

from korgool.app.server.now import now_ms
from korgool.app.server.storage.competition_tables import competition_log, competition_personal, competitions
from korgool.competition.actions import Logged
from korgool.competition.errors import CompetitionError
from korgool.competition.storage.book import Book
from korgool.competition.storage.line import Line

_COLUMNS = tuple(competition_log.c[name] for name in Line._fields)
_AT_ONCE = 500
_LOG = logging.getLogger(__name__)


class StoredBook(Book):
    """An event in the database. One thread uses an object at a time; all processes of a site may use the same event.

    A transaction holds the event's row, so that nobody else writes to this event meanwhile. Errors of the database are
    SQLAlchemy's, and StorageError where this process may not write.

    Attributes:
        who: who writes, by identity or role; the log keeps it beside each line.
        command: the id that what is written next has there; empty for none.
    """

    def __init__(self, engine: Engine, fence: Callable[[Connection], None], id_: str) -> None:
        super().__init__(now=lambda: datetime.fromtimestamp(now_ms() / 1000, UTC))
        self.id = id_
        self.who = ""
        self.command = ""
        self._engine = engine
        self._fence = fence
        self._connection: Connection | None = None
        self._held = 0
        self._rows: list[dict[str, object]] = []
        self._erased = False

    @property
    def connection(self) -> Connection:
        """That of the present transaction, for what is written with it."""
        if self._connection is None:
            raise CompetitionError("nothing is written outside a transaction")
        return self._connection

    def known(self, commands: Iterable[str]) -> Mapping[str, int]:
        """Of ids of `who`, those that the log knows, each with its last line; within a transaction."""
        found: dict[str, int] = {}
        asked, log = sorted({one for one in commands if one}), competition_log.c
        for begin in range(0, len(asked), _AT_ONCE):
            mine = (log.competition == self.id) & (log.who == self.who)
            mine &= log.command.in_(asked[begin : begin + _AT_ONCE])
            with self._reading() as connection:
                query = select(log.command, func.max(log.at).label("last")).where(mine)
                found |= {row.command: row.last for row in connection.execute(query.group_by(log.command))}
        return found

    def log_after(self, after: int) -> tuple[Logged, ...]:
        """The lines of the log after a number."""
        return tuple(line.logged() for line in self._lines(after))

    def is_public(self) -> bool:
        """Whether anybody may read the event."""
        with self._reading() as connection:
            return bool(connection.scalar(select(competitions.c.public).where(competitions.c.id == self.id)))

    def begin(self, maker: str, *, public: bool) -> None:
        """Make the event, in a transaction; its log is still empty.

        Raises:
            IntegrityError: there is one of this id.
        """
        row = {"id": self.id, "made_ms": now_ms(), "maker": maker, "public": int(public)}
        self.connection.execute(insert(competitions).values(row | {"seq": 0, "changed_ms": now_ms(), "name": ""}))

    def empty_log(self) -> None:
        """Take what was removed out of SQLite's log of changes too, which holds pages as they were."""
        if self._engine.dialect.name == "sqlite":
            with suppress(DBAPIError), self._engine.connect() as connection:  # then SQLite does it later by itself
                connection.execute(text("COMMIT"))  # the engine begins transactions by itself
                connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))

    def _lines(self, after: int) -> Sequence[Line]:
        if self._connection is not None:
            if after >= self._state.actions >= self._held > 0:
                return ()  # the event is held, so nobody else has written since
            if self._rows and after == self._state.actions - 1 and self._rows[-1]["at"] == after + 1:
                return (Line(*(self._rows[-1][name] for name in Line._fields)),)  # type: ignore[arg-type]
            self._flush()
        query = select(*_COLUMNS).where((competition_log.c.competition == self.id) & (competition_log.c.at > after))
        with self._reading() as connection:
            return [Line(*row) for row in connection.execute(query.order_by(competition_log.c.at))]

    def _append(self, lines: Sequence[Line]) -> None:
        more = {"competition": self.id, "who": self.who, "command": self.command or None}
        self._rows += [line._asdict() | more for line in lines]

    def _put_details(self, details: Mapping[int, str]) -> None:
        self._flush()
        self._erased = True
        table = competition_log.c
        for at, held in details.items():
            mine = (table.competition == self.id) & (table.at == at)
            self.connection.execute(update(competition_log).where(mine).values(details=held))

    def _in_transaction(self) -> bool:
        return self._connection is not None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._engine.begin() as connection:
            # The fence comes first: on SQLite it also takes the lock for writing, before anything is read.
            self._fence(connection)
            held = connection.scalar(select(competitions.c.seq).where(competitions.c.id == self.id).with_for_update())
            self._connection, self._held, self._rows = connection, held or 0, []
            try:
                yield
                self._flush()
                if self._state.actions > self._held:
                    row = {"seq": self._state.actions, "changed_ms": now_ms(), "name": self._state.event.name}
                    connection.execute(update(competitions).where(competitions.c.id == self.id).values(row))
            finally:
                self._connection, self._held, self._rows = None, 0, []
        if self._erased:
            self._erased = False
            self._empty_log()

    def _empty_log(self) -> None:
        """SQLite's log of changes holds pages as they were until it is taken over into the file."""
        if self._engine.dialect.name != "sqlite":
            return
        try:
            with self._engine.connect() as connection:
                connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
        except DBAPIError as error:
            _LOG.warning("the log of the database is emptied later: %s", " ".join(str(error).split())[:200])

    def _flush(self) -> None:
        if self._rows:
            self.connection.execute(insert(competition_log), self._rows)
            self._rows = []

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """The connection of the transaction, or one for now."""
        if self._connection is not None:
            yield self._connection
            return
        with self._engine.begin() as connection:
            yield connection

    def _personal(self, player: int) -> str | None:
        mine = (competition_personal.c.competition == self.id) & (competition_personal.c.player == player)
        with self._reading() as connection:
            return connection.scalar(select(competition_personal.c.data).where(mine))

    def _personal_of(self) -> Sequence[int]:
        table = competition_personal.c
        with self._reading() as connection:
            query = select(table.player).where(table.competition == self.id).order_by(table.player)
            return connection.scalars(query).all()

    def _put_personal(self, player: int, text: str) -> None:
        mine = (competition_personal.c.competition == self.id) & (competition_personal.c.player == player)
        self.connection.execute(delete(competition_personal).where(mine))
        row = {"competition": self.id, "player": player, "data": text}
        self.connection.execute(insert(competition_personal).values(row))

    def _drop_personal(self, players: Iterable[int]) -> None:
        table, gone = competition_personal.c, list(players)
        self._erased = self._erased or bool(gone)
        for begin in range(0, len(gone), _AT_ONCE):
            mine = (table.competition == self.id) & table.player.in_(gone[begin : begin + _AT_ONCE])
            self.connection.execute(delete(competition_personal).where(mine))
