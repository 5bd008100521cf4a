"""Reports of players to the operator, with the record of the game as it stood then.

The first line of a report's words in the database is the reason; below it stand the reporter's own words.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import delete, func, select

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.people.transactions import PeopleTransactions, new_id
from korgool.app.server.storage.schema import reports

MOST_WORDS = 1000
"""Characters that a reporter may write."""
MOST_DAILY = 10
"""Reports of one person in a day."""
MOST_LISTED = 1000
DAY_MS = 86_400_000
KEPT_MS = 180 * DAY_MS
"""A closed report is forgotten after this time."""


class ReportReason(StrEnum):
    """What somebody is reported for."""

    NAME = "name"
    """An offensive name."""
    HELP = "help"
    """The moves of a program, or of somebody else."""
    STALLING = "stalling"
    """Leaving, or letting the time run."""
    ARRANGED = "arranged"
    """Losing on purpose, or an agreed result."""
    OTHER = "other"
    """Something else, which the reporter describes."""


@dataclass(frozen=True, slots=True)
class Report:
    """A report.

    Attributes:
        id: its id.
        reporter: the identity of the reporter.
        about: the identity of the person reported.
        game: the address of the game.
        reason: the reason.
        text: the reporter's own words; may be empty.
        record: the game's record as it stood then; empty once the account that it is about is deleted.
        at: when, in milliseconds since 1970.
        closed: when the operator had dealt with it, None while it is open.
    """

    id: str
    reporter: str
    about: str
    game: str
    reason: ReportReason
    text: str
    record: str
    at: int
    closed: int | None = None


class ReportRepository:
    """Reads and writes reports; all methods wait for the database.

    Args:
        transactions: the tables of people.
    """

    def __init__(self, transactions: PeopleTransactions) -> None:
        self._transactions = transactions

    def send(
        self, reporter: str, about: str, game: str, reason: ReportReason, text: str, record: str, at: int
    ) -> Report:
        """Report somebody. A second report of the same game by the same person takes the place of the first.

        Args:
            reporter: the identity of the reporter.
            about: that of the person reported.
            game: the address of the game.
            reason: the reason.
            text: the reporter's own words.
            record: the game's record.
            at: milliseconds since 1970.

        Raises:
            ApiError: 422, the text is too long, or missing where nothing else tells what happened.
            RateLimitError: 429, the person has sent as many as they may in a day.
        """
        text = " ".join("".join(one if one.isprintable() else " " for one in text).split())
        if len(text) > MOST_WORDS:
            raise ApiError(422, errors.REPORT_LONG, most=MOST_WORDS)
        if reason is ReportReason.OTHER and not text:
            raise ApiError(422, errors.REPORT_EMPTY)
        record = "".join(one for one in record if one.isprintable() or one == "\n")
        values = {"words": f"{reason.value}\n{text}", "record": record, "at_ms": at, "closed_ms": None}
        same = (reports.c.reporter == reporter) & (reports.c.about == about) & (reports.c.game_id == game)
        lately = (reports.c.at_ms > at - DAY_MS) & (reports.c.reporter == reporter) & (reports.c.game_id != game)
        with self._transactions.writing() as connection:
            oldest, count = connection.execute(select(func.min(reports.c.at_ms), func.count()).where(lately)).one()
            if count >= MOST_DAILY:
                raise RateLimitError(errors.TOO_MANY_REPORTS, (oldest + DAY_MS - at) / 1000, most=MOST_DAILY)
            found = connection.scalar(select(reports.c.id).where(same))
            if found is None:
                found = new_id()
                row = {"id": found, "reporter": reporter, "about": about, "game_id": game}
                connection.execute(reports.insert().values(row | values))
            else:
                connection.execute(reports.update().where(same).values(values))
        return Report(found, reporter, about, game, reason, text, record, at)

    def of(self, reporter: str, game: str) -> Report | None:
        """The report of a game by somebody."""
        same = (reports.c.reporter == reporter) & (reports.c.game_id == game)
        with self._transactions.reading() as connection:
            row = connection.execute(select(reports).where(same)).first()
        return None if row is None else _read(row)

    def open(self) -> list[Report]:
        """The reports that the operator has not dealt with, the oldest first, and so many at most."""
        waiting = select(reports).where(reports.c.closed_ms.is_(None))
        with self._transactions.reading() as connection:
            rows = connection.execute(waiting.order_by(reports.c.at_ms, reports.c.id).limit(MOST_LISTED)).all()
        return [_read(row) for row in rows]

    def find(self, report: str) -> Report | None:
        """The report of an id."""
        with self._transactions.reading() as connection:
            row = connection.execute(select(reports).where(reports.c.id == report)).one_or_none()
        return None if row is None else _read(row)

    def close(self, report: str, at: int) -> None:
        """The operator has dealt with a report; one that is closed stays as it is."""
        this = (reports.c.id == report) & reports.c.closed_ms.is_(None)
        with self._transactions.writing() as connection:
            connection.execute(reports.update().where(this).values(closed_ms=at))

    def forget(self, now: int) -> None:
        """Forget the reports that the operator dealt with long ago; open ones stay."""
        with self._transactions.writing() as connection:
            connection.execute(delete(reports).where(reports.c.closed_ms <= now - KEPT_MS))


def _read(row: Any) -> Report:
    reason, _, text = row.words.partition("\n")
    return Report(
        row.id,
        row.reporter,
        row.about,
        row.game_id or "",
        ReportReason(reason),
        text,
        row.record or "",
        row.at_ms,
        row.closed_ms,
    )
