"""Studies in the database. A change that was made on another state than the present one is refused."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, select

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.people.transactions import PeopleTransactions
from korgool.app.server.storage.study_tables import studies, study_chapters
from korgool.training.study import LONGEST_STUDY, MOST_CHAPTERS, Chapter, Study

MOST_STUDIES = 100
"""Studies of one account."""
MOST_RECORDS = LONGEST_STUDY * 17 // 20
"""Bytes of the records of a study; with the longest titles in the tags of each, its file is still not too long."""


@dataclass(frozen=True, slots=True)
class StudySummary:
    """A study in the list of its maker.

    Attributes:
        id: the secret of its address.
        title: the title; may be empty.
        chapters: how many it has.
        changed: the last change, in milliseconds since 1970.
    """

    id: str
    title: str
    chapters: int
    changed: int


@dataclass(frozen=True, slots=True)
class StoredChapter:
    """A chapter as it is stored.

    Attributes:
        number: names it within its study, also when it moves.
        version: rises with every change.
        title: the title; may be empty.
        concealed: whether the moves are to be found.
        record: the record in PGN style, without the tags of the study.
    """

    number: int
    version: int
    title: str
    concealed: bool
    record: str


@dataclass(frozen=True, slots=True)
class StoredStudy:
    """A study as it is stored.

    Attributes:
        id: the secret of its address.
        maker: the identity of the account that made it.
        title: as in `korgool.training.study.Study`, like author and language.
        author: who made it, in their words.
        language: that of its comments.
        version: rises with every change but those within chapters.
        chapters: in their order.
    """

    id: str
    maker: str
    title: str
    author: str
    language: str
    version: int
    chapters: tuple[StoredChapter, ...]


class StudyRepository:
    """Reads and writes studies; all methods wait for the database.

    Args:
        transactions: the tables of people, to whom studies belong.
    """

    def __init__(self, transactions: PeopleTransactions) -> None:
        self._transactions = transactions

    def list(self, maker: str) -> list[StudySummary]:
        """The studies of an account, the one changed last first."""
        count = select(func.count()).where(study_chapters.c.study == studies.c.id).scalar_subquery()
        own = select(studies, count.label("chapters")).where(studies.c.maker == maker)
        with self._transactions.reading() as connection:
            rows = connection.execute(own.order_by(studies.c.changed_ms.desc(), studies.c.id)).all()
        return [StudySummary(row.id, row.title, row.chapters, row.changed_ms) for row in rows]

    def find(self, study: str) -> StoredStudy | None:
        """A study with its chapters, or None."""
        with self._transactions.reading() as connection:
            row = connection.execute(select(studies).where(studies.c.id == study)).one_or_none()
            if row is None:
                return None
            listed = select(study_chapters).where(study_chapters.c.study == study).order_by(study_chapters.c.place)
            chapters = tuple(
                StoredChapter(one.number, one.version, one.title, bool(one.concealed), one.record)
                for one in connection.execute(listed)
            )
        return StoredStudy(row.id, row.maker, row.title, row.author, row.language, row.version, chapters)

    def maker(self, study: str) -> str | None:
        """The account that made a study, or None where there is no study."""
        with self._transactions.reading() as connection:
            return connection.scalar(select(studies.c.maker).where(studies.c.id == study))

    def add(self, maker: str, study: Study, at: int) -> str:
        """Store a study; returns its id.

        Args:
            maker: the identity of an account.
            study: with its chapters.
            at: milliseconds since 1970.

        Raises:
            ApiError: 422, the account has as many studies as there may be, or this one is too long.
        """
        made, rows = secrets.token_urlsafe(12), _rows(study.chapters)
        with self._transactions.writing() as connection:
            count = connection.scalar(select(func.count()).where(studies.c.maker == maker)) or 0
            if count >= MOST_STUDIES:
                raise ApiError(422, errors.MANY_STUDIES, most=MOST_STUDIES)
            row = {"title": study.title, "author": study.author, "language": study.language}
            times = {"made_ms": at, "changed_ms": at}
            connection.execute(studies.insert().values(id=made, maker=maker, version=1, last_number=0, **row, **times))
            _append(connection, made, rows)
        return made

    def describe(self, study: str, version: int, head: Study, order: Sequence[int], at: int) -> int:
        """Replace title, author, language and the order of the chapters; returns the version.

        Raises:
            ApiError: 409, the study has changed since that version; 422, the order is not that of its chapters.
        """
        with self._transactions.writing() as connection:
            own = study_chapters.c.study == study
            present = connection.scalars(select(study_chapters.c.number).where(own)).all()
            if _held(connection, study).version != version:
                raise ApiError(409, errors.STUDY_CHANGED)
            if sorted(order) != sorted(present):
                raise ApiError(422, errors.BAD_ORDER)
            for place, number in enumerate(order):
                this = own & (study_chapters.c.number == number)
                connection.execute(study_chapters.update().where(this).values(place=place))
            row = {"title": head.title, "author": head.author, "language": head.language}
            return _touch(connection, study, at, **row)

    def append(self, study: str, chapters: Sequence[Chapter], at: int) -> Sequence[int]:
        """Add chapters at the end; returns their numbers.

        Raises:
            ApiError: 422, there would be too many, or the study would be too long.
        """
        rows = _rows(chapters)
        with self._transactions.writing() as connection:
            numbers = _append(connection, study, rows)
            _touch(connection, study, at)
        return numbers

    def replace(self, study: str, number: int, version: int, chapter: Chapter, at: int) -> int:
        """Replace a chapter; returns its version.

        Raises:
            ApiError: 409, the chapter has changed since that version, or is no longer there; 422, the study would be
                too long.
        """
        record = chapter.text
        this = (study_chapters.c.study == study) & (study_chapters.c.number == number)
        with self._transactions.writing() as connection:
            held = connection.execute(select(study_chapters).where(this)).one_or_none()
            if held is None or held.version != version:
                raise ApiError(409, errors.CHAPTER_CHANGED)
            _check_length(connection, study, len(record.encode()) - held.length)
            row = {"title": chapter.title, "concealed": int(chapter.concealed), **_measured(record)}
            connection.execute(study_chapters.update().where(this).values(version=version + 1, **row))
            connection.execute(studies.update().where(studies.c.id == study).values(changed_ms=at))
        return version + 1

    def remove_chapter(self, study: str, number: int, version: int, at: int) -> None:
        """Remove a chapter; one that is no longer there stays so.

        Raises:
            ApiError: 409, the chapter has changed since that version.
        """
        this = (study_chapters.c.study == study) & (study_chapters.c.number == number)
        with self._transactions.writing() as connection:
            held = connection.scalar(select(study_chapters.c.version).where(this))
            if held is None:
                return
            if held != version:
                raise ApiError(409, errors.CHAPTER_CHANGED)
            connection.execute(delete(study_chapters).where(this))
            _touch(connection, study, at)

    def remove(self, study: str) -> None:
        """Remove a study with its chapters."""
        with self._transactions.writing() as connection:
            connection.execute(delete(study_chapters).where(study_chapters.c.study == study))
            connection.execute(delete(studies).where(studies.c.id == study))


def _held(connection: Connection, study: str) -> Any:
    """The row with the version and the last number of a study.

    Raises:
        ApiError: 404, it was removed in the meantime.
    """
    found = select(studies.c.version, studies.c.last_number).where(studies.c.id == study)
    row = connection.execute(found).one_or_none()
    if row is None:
        raise ApiError(404, errors.NO_STUDY)
    return row


def _touch(connection: Connection, study: str, at: int, **values: str) -> int:
    """Raise the version of a study; returns it."""
    version: int = _held(connection, study).version + 1
    connection.execute(studies.update().where(studies.c.id == study).values(version=version, changed_ms=at, **values))
    return version


def _rows(chapters: Sequence[Chapter]) -> list[dict[str, Any]]:
    """The rows of new chapters. Writing many records takes a second: it is done before anybody has to wait for it."""
    return [
        {"version": 1, "title": one.title, "concealed": int(one.concealed), **_measured(one.text)} for one in chapters
    ]


def _append(connection: Connection, study: str, made: Sequence[dict[str, Any]]) -> list[int]:
    """Add chapters, as `_rows` gives them, at the end of a study; returns their numbers."""
    last: int = _held(connection, study).last_number
    own = study_chapters.c.study == study
    about = select(func.count(), func.max(study_chapters.c.place)).where(own)
    count, place = connection.execute(about).one()
    if count + len(made) > MOST_CHAPTERS:
        raise ApiError(422, errors.MANY_CHAPTERS, most=MOST_CHAPTERS)
    first = 0 if place is None else place + 1
    rows = [{**row, "study": study, "number": last + at, "place": first + at - 1} for at, row in enumerate(made, 1)]
    _check_length(connection, study, sum(row["length"] for row in rows))
    if rows:
        connection.execute(study_chapters.insert(), rows)
        connection.execute(studies.update().where(studies.c.id == study).values(last_number=last + len(rows)))
    return [last + at for at in range(1, len(rows) + 1)]


def _measured(record: str) -> dict[str, str | int]:
    return {"record": record, "length": len(record.encode())}


def _check_length(connection: Connection, study: str, more: int) -> None:
    """Refuse what would make a study too long for its file, whose tags take a part."""
    own = select(func.sum(study_chapters.c.length)).where(study_chapters.c.study == study)
    if (connection.scalar(own) or 0) + more > MOST_RECORDS:
        raise ApiError(422, errors.LONG_STUDY, most=MOST_RECORDS)
