"""Events in lists, and the roles of their officials. Methods block, and may be called from any thread."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Select, func, insert, select, update

from korgool.app.publishing import LogMark
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.storage.event_tables import (
    competition_log,
    competition_personal,
    competition_roles,
    competitions,
    followed_events,
)
from korgool.competition.codec import from_json
from korgool.competition.model import Personal
from korgool.competition.photographs import digest, picture
from korgool.competition.roles import Boards, DeskRole, Officer


@dataclass(frozen=True, slots=True)
class ListedEvent:
    """An event in a list.

    Attributes:
        id: of the event.
        name: as its regulations have it.
        maker: the identity of who made it.
        public: whether anybody may read it.
        seq: the last line of its log.
        made_ms, changed_ms: when it was made and last changed, since 1970, UTC.
    """

    id: str
    name: str
    maker: str
    public: bool
    seq: int
    made_ms: int
    changed_ms: int


@dataclass(frozen=True, slots=True)
class GivenRole:
    """A role as it was given.

    Attributes:
        id: of the role; opens nothing.
        officer: who, in what role.
        account: the identity whose it is; None where a link or a code opens it.
        made_ms, until_ms, ended_ms: when it was made, ends by itself, and was ended, since 1970, UTC.
        going: whether it goes on now.
    """

    id: str
    officer: Officer
    account: str | None
    made_ms: int
    until_ms: int | None
    ended_ms: int | None
    going: bool


class EventRepository:
    """Reads and writes the rows of events and of roles.

    Args:
        engine: the database.
        fence: begins a transaction that writes.
    """

    def __init__(self, engine: Engine, fence: Callable[[Connection], None]) -> None:
        self._engine = engine
        self._fence = fence

    def find(self, id_: str) -> ListedEvent | None:
        """An event, or None."""
        found = self._listed(select(competitions).where(competitions.c.id == id_))
        return found[0] if found else None

    def is_free(self, id_: str) -> bool:
        """Return whether an id is that of no event here, and of no event of another site that is followed here."""
        with self._engine.begin() as connection:
            held = [
                connection.scalar(select(one).where(one == id_)) for one in (competitions.c.id, followed_events.c.id)
            ]
        return held == [None, None]

    def log_mark(self, id_: str, line: int) -> LogMark:
        """The place of a line in the log of an event; an empty one before the first."""
        mine = competition_log.c.competition == id_
        two = select(competition_log.c.at, competition_log.c.chain).where(mine & competition_log.c.at.in_((1, line)))
        with self._engine.begin() as connection:
            found = {row.at: row.chain[:16] for row in connection.execute(two)}
        return LogMark(found[1], line, found[line]) if found.keys() >= {1, line} else LogMark()

    def public(self, most: int = 100) -> Sequence[ListedEvent]:
        """The events that anybody may read, those changed last first."""
        return self._listed(self._newest(competitions.c.public == 1).limit(most))

    def photo(self, id_: str, player: int, found: str) -> bytes | None:
        """The photograph of a player with this digest, or None."""
        mine = (competition_personal.c.competition == id_) & (competition_personal.c.player == player)
        with self._engine.begin() as connection:
            text = connection.scalar(select(competition_personal.c.data).where(mine))
        photo = None if text is None else from_json(text, Personal).photo
        return None if photo is None or digest(photo) != found else picture(photo)

    def of(self, account: str, most: int = 100) -> Sequence[ListedEvent]:
        """The events in which an account has a role."""
        mine = select(competition_roles.c.competition).where(
            _valid(now_ms()) & (competition_roles.c.account == account)
        )
        return self._listed(self._newest(competitions.c.id.in_(mine)).limit(most))

    def made_by(self, account: str) -> int:
        """Number of events that an account has made."""
        with self._engine.begin() as connection:
            mine = competitions.c.maker == account
            return connection.scalar(select(func.count()).select_from(competitions).where(mine)) or 0

    def show(self, id_: str, *, public: bool) -> None:
        """Let anybody read an event, or only its officials."""
        with self._engine.begin() as connection:
            self._fence(connection)
            connection.execute(update(competitions).where(competitions.c.id == id_).values(public=int(public)))

    def officer(self, competition: str, account: str) -> Officer | None:
        """The official of an account at an event, by the highest of several roles; None without a role."""
        roles = competition_roles.c
        mine = _valid(now_ms()) & (roles.competition == competition) & (roles.account == account)
        with self._engine.begin() as connection:
            found = [officer_of(row) for row in connection.execute(select(competition_roles).where(mine))]
        ranks = list(DeskRole)
        return min(found, key=lambda one: ranks.index(one.role), default=None)

    def helper(self, competition: str, role: str, name: str) -> Officer | None:
        """The official who came by a link or a code, under a name; None if that role has ended."""
        roles = competition_roles.c
        mine = _valid(now_ms()) & (roles.competition == competition) & (roles.id == role) & roles.account.is_(None)
        with self._engine.begin() as connection:
            row = connection.execute(select(competition_roles).where(mine)).one_or_none()
        return None if row is None else replace(officer_of(row), name=name or row.name)

    def roles(self, competition: str) -> Sequence[GivenRole]:
        """All roles of an event, also those that have ended, the oldest first."""
        roles = competition_roles.c
        query = select(competition_roles).where(roles.competition == competition).order_by(roles.made_ms, roles.id)
        with self._engine.begin() as connection:
            return [_given(row) for row in connection.execute(query)]

    def give(
        self,
        competition: str,
        officer: Officer,
        *,
        account: str | None = None,
        link: str | None = None,
        code: str | None = None,
        until_ms: int | None = None,
    ) -> GivenRole:
        """Give a role, to an account or to the holder of the link or the code with these digests.

        Raises:
            IntegrityError: another role has the same code.
        """
        with self._engine.begin() as connection:
            self._fence(connection)
            id_ = give_role(connection, competition, officer, account=account, link=link, code=code, until_ms=until_ms)
            row = connection.execute(select(competition_roles).where(competition_roles.c.id == id_)).one()
        return _given(row)

    def end(self, competition: str, id_: str) -> bool:
        """End a role; whether it went on until now. The digests of its link and code are removed."""
        roles, now = competition_roles.c, now_ms()
        mine = _valid(now) & (roles.competition == competition) & (roles.id == id_)
        with self._engine.begin() as connection:
            self._fence(connection)
            ended = {"ended_ms": now, "link": None, "code": None}
            return connection.execute(update(competition_roles).where(mine).values(ended)).rowcount == 1

    def opened(self, competition: str, *, link: str | None = None, code: str | None = None) -> GivenRole | None:
        """The role that a link or a code of this digest opens; None where it has ended or never was."""
        roles = competition_roles.c
        mine = (roles.link == link) if link is not None else (roles.code == code)
        mine &= _valid(now_ms()) & (roles.competition == competition)
        with self._engine.begin() as connection:
            row = connection.execute(select(competition_roles).where(mine)).one_or_none()
        return None if row is None else _given(row)

    def _newest(self, which: ColumnElement[bool]) -> Select[Any]:
        return select(competitions).where(which).order_by(competitions.c.changed_ms.desc(), competitions.c.id)

    def _listed(self, query: Select[Any]) -> list[ListedEvent]:
        with self._engine.begin() as connection:
            return [
                ListedEvent(row.id, row.name, row.maker, bool(row.public), row.seq, row.made_ms, row.changed_ms)
                for row in connection.execute(query)
            ]


def give_role(
    connection: Connection,
    competition: str,
    officer: Officer,
    *,
    account: str | None = None,
    link: str | None = None,
    code: str | None = None,
    until_ms: int | None = None,
) -> str:
    """Give a role within a transaction that writes; the role's id. Arguments and errors as `EventRepository.give`."""
    boards = officer.boards
    row = {
        "id": secrets.token_urlsafe(9),
        "competition": competition,
        "account": account,
        "link": link,
        "code": code,
        "role": officer.role.value,
        "first_board": boards and boards.first,
        "last_board": boards and boards.last,
        "name": officer.name,
        "made_ms": now_ms(),
        "until_ms": until_ms,
    }
    connection.execute(insert(competition_roles).values(row))
    return str(row["id"])


def _given(row: Any) -> GivenRole:
    going = row.ended_ms is None and (row.until_ms is None or row.until_ms > now_ms())
    return GivenRole(row.id, officer_of(row), row.account, row.made_ms, row.until_ms, row.ended_ms, going)


def officer_of(row: Any) -> Officer:
    """The official of a row of roles."""
    boards = None if row.first_board is None else Boards(row.first_board, row.last_board)
    return Officer(row.account or row.id, row.name, DeskRole(row.role), boards)


def _valid(now: int) -> ColumnElement[bool]:
    """The roles that have not ended."""
    roles = competition_roles.c
    return roles.ended_ms.is_(None) & (roles.until_ms.is_(None) | (roles.until_ms > now))
