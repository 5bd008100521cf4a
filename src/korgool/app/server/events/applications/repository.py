"""The rows of applications and of the times in which anybody may apply. Methods block; any thread may call them."""

from __future__ import annotations

import secrets
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, Engine, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.applications.model import Applicant, Application, ApplicationState, EntryWindow
from korgool.app.server.storage.event_tables import competition_applications as applications
from korgool.app.server.storage.event_tables import competition_entry_windows as windows
from korgool.competition.codec import from_json, to_json

_NOTHING = {"data": "", "paper": None, "answer": ""}
"""Remains of an application that was refused or withdrawn."""


class ApplicationRepository:
    """Reads and writes them.

    Args:
        engine: the database.
        fence: begins a transaction that writes.
    """

    def __init__(self, engine: Engine, fence: Callable[[Connection], None]) -> None:
        self._engine = engine
        self._fence = fence

    def windows(self, competition: str) -> Sequence[EntryWindow]:
        """The times of the groups of an event."""
        query = select(windows).where(windows.c.competition == competition).order_by(windows.c.group_id)
        with self._engine.begin() as connection:
            return [
                EntryWindow(row.group_id, row.opens_ms, row.closes_ms, row.most) for row in connection.execute(query)
            ]

    def open_for(self, competition: str, found: Sequence[EntryWindow]) -> None:
        """Replace the times of all groups of an event."""
        rows = [
            {
                "competition": competition,
                "group_id": one.group,
                "opens_ms": one.opens,
                "closes_ms": one.closes,
                "most": one.most,
            }
            for one in found
        ]
        with self._engine.begin() as connection:
            self._fence(connection)
            connection.execute(delete(windows).where(windows.c.competition == competition))
            if rows:
                connection.execute(insert(windows), rows)

    def add(self, competition: str, link: str, people: Sequence[Applicant], paper: bytes | None) -> bool:
        """Add the applications that come together, all or none; False where they are there already.

        The picture belongs to the first.
        """
        now = now_ms()
        rows = [
            {
                "id": secrets.token_urlsafe(12),
                "competition": competition,
                "link": link,
                "place": place,
                "made_ms": now,
                "state": ApplicationState.WAITING.value,
                "data": to_json(one),
                "paper": b64encode(paper).decode() if paper and not place else None,
                "question": "",
                "answer": "",
            }
            for place, one in enumerate(people)
        ]
        try:
            with self._engine.begin() as connection:
                self._fence(connection)
                connection.execute(insert(applications), rows)
        except IntegrityError:
            return False
        return True

    def waiting(self, competition: str) -> int:
        """Number of applications that wait for an answer."""
        table = applications.c
        mine = (table.competition == competition) & table.state.in_(("waiting", "asked"))
        with self._engine.begin() as connection:
            return connection.scalar(select(func.count()).select_from(applications).where(mine)) or 0

    def all(self, competition: str) -> Sequence[Application]:
        """The applications for an event, in the order in which they came."""
        return self._found(applications.c.competition == competition)

    def by_link(self, competition: str, link: str) -> Sequence[Application]:
        """Those of a link with this digest."""
        return self._found((applications.c.competition == competition) & (applications.c.link == link))

    def paper(self, competition: str, id_: str) -> bytes | None:
        """The picture of the doctor's paper, or None."""
        mine = (applications.c.competition == competition) & (applications.c.id == id_)
        with self._engine.begin() as connection:
            held = connection.scalar(select(applications.c.paper).where(mine))
        return None if held is None else b64decode(held)

    def decide(self, competition: str, id_: str, state: ApplicationState, **values: Any) -> bool:
        """Give an application that is open another state; False where it is not open, or there is none.

        Of one that is refused or withdrawn everything personal goes.
        """
        table = applications.c
        mine = (table.competition == competition) & (table.id == id_) & table.state.in_(("waiting", "asked"))
        gone = state in (ApplicationState.REFUSED, ApplicationState.WITHDRAWN)
        changes = {"state": state.value, **values, **(_NOTHING if gone else {})}
        with self._engine.begin() as connection:
            self._fence(connection)
            return connection.execute(update(applications).where(mine).values(changes)).rowcount == 1

    def clear(self, competition: str) -> None:
        """Remove all applications for an event."""
        with self._engine.begin() as connection:
            self._fence(connection)
            connection.execute(delete(applications).where(applications.c.competition == competition))

    def clear_before(self, moment: int) -> None:
        """Remove all that are older than a moment."""
        with self._engine.begin() as connection:
            self._fence(connection)
            connection.execute(delete(applications).where(applications.c.made_ms < moment))

    def events(self) -> set[str]:
        """The events for which there are applications."""
        with self._engine.begin() as connection:
            return set(connection.scalars(select(applications.c.competition).distinct()))

    def _found(self, which: Any) -> list[Application]:
        columns = [one for one in applications.c if one.name != "paper"]
        query = select(*columns, applications.c.paper.is_not(None).label("papered")).where(which)
        with self._engine.begin() as connection:
            rows = connection.execute(query.order_by(applications.c.made_ms, applications.c.link, applications.c.place))
            return [
                Application(
                    id=row.id,
                    place=row.place,
                    made=row.made_ms,
                    state=ApplicationState(row.state),
                    who=from_json(row.data, Applicant) if row.data else None,
                    paper=bool(row.papered),
                    question=row.question,
                    answer=row.answer,
                    player=row.player,
                )
                for row in rows
            ]
