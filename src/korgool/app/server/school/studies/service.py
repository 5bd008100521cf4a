"""Studies for the API and the pages: who may read and change them, and what they may hold."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from korgool.accounts import Person, PersonKind
from korgool.app.printing.form_pages import PAPERS
from korgool.app.printing.study_booklet import BookletError, study_pdf
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.core.principal import Principal
from korgool.app.server.core.printing import printed
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller
from korgool.app.server.people.people_cache import PeopleCache
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.school.studies.repository import StoredStudy, StudyRepository, StudySummary
from korgool.languages import LANGUAGES
from korgool.training.study import Chapter, Study, StudyError, read_chapter, read_study, study_file

_BYTES = 2_000
"""Bytes of a study that cost as much as a request without any."""
T = TypeVar("T")


class StudyService:
    """Studies. All methods run on the event loop.

    Whoever has the link reads a study, but that of a child only the child and its guardians; only its maker changes it.
    To others it is not there. What is sent is counted as the analysis board's requests are.

    Args:
        repository: the studies in the database.
        people: names and identities.
        game_registry: has the limits, and reads records beside the event loop.
    """

    def __init__(self, repository: StudyRepository, people: PeopleCache, game_registry: GameRegistry) -> None:
        self._repository = repository
        self._people = people
        self._game_registry = game_registry

    async def own(self, principal: Principal) -> list[StudySummary]:
        """The studies of who asks, the one changed last first."""
        return await asyncio.to_thread(self._repository.list, principal.person.id)

    async def read(self, study: str, principal: Principal) -> StoredStudy:
        """A study by its link.

        Raises:
            ApiError: 404, there is none, or it is a child's and not for who asks.
        """
        found = await asyncio.to_thread(self._repository.find, study)
        if found is None or not await self._may_read(found.maker, principal.person):
            raise ApiError(404, errors.NO_STUDY)
        return found

    async def file(self, study: str, principal: Principal) -> tuple[str, str]:
        """The title and the file of a study; raises as `read` does, and 422 where the titles make it too long."""
        found = await self.read(study, principal)
        chapters = [(one.title, one.concealed, one.record) for one in found.chapters]
        head = found.title, found.author, found.language
        return found.title, await asyncio.to_thread(_of, lambda: study_file(*head, chapters))

    async def booklet(
        self, study: str, principal: Principal, paper: str, language: str, caller: Caller
    ) -> tuple[str, bytes]:
        """The title of a study, and the study as PDF; raises as `read` and `print` do."""
        title, text = await self.file(study, principal)
        return title, await self.print(text, paper, language, caller)

    async def print(self, text: str, paper: str, language: str, caller: Caller) -> bytes:
        """The study in a file as PDF. Nothing of it is stored.

        Args:
            text: the file.
            paper: `a4` or `a5`.
            language: that of the words around it.
            caller: who asks.

        Raises:
            RateLimitError: the session or the address has asked for too much.
            ApiError: 422, it cannot be read, or is too long for a booklet; 501, this server cannot print.
        """
        if paper not in PAPERS:
            raise ApiError(422, errors.BAD_FIELD, field="paper", value=repr(paper[:40]), choices=", ".join(PAPERS))
        study = await self._reading(caller, text, read_study)
        try:
            return await printed(lambda: study_pdf(study, language=language, paper=paper))
        except BookletError as error:
            raise ApiError(422, errors.BAD_STUDY, reason=error) from None

    async def make(self, principal: Principal, title: str, language: str, text: str, caller: Caller) -> str:
        """Make a study of a file, or an empty one; returns its id.

        Args:
            principal: who makes it.
            title: the title; empty for that of the file.
            language: that of its comments; empty for that of the file.
            text: the file, or empty.
            caller: whose turn it is.

        Raises:
            ApiError: 422, it cannot be read, is too large, or there are too many; then nothing is made.
        """
        study = await self._reading(caller, text, read_study) if text.strip() else Study()
        head = _described(title or study.title, study.author or _author(principal.person), language or study.language)
        made = replace(head, chapters=study.chapters)
        return await asyncio.to_thread(self._repository.add, principal.person.id, made, now_ms())

    async def describe(
        self, study: str, principal: Principal, version: int, head: tuple[str, str, str], order: Sequence[int]
    ) -> int:
        """Replace title, author, language and the order of the chapters; returns the version.

        Raises:
            ApiError: 403, it is not theirs; 409, it has changed since that version; 422, what is sent cannot be.
        """
        await self._check_maker(study, principal)
        made = _described(*head)
        return await asyncio.to_thread(self._repository.describe, study, version, made, order, now_ms())

    async def append(self, study: str, principal: Principal, title: str, text: str, caller: Caller) -> Sequence[int]:
        """Add the games of a file at the end, each a chapter; returns their numbers. Raises as `make` does.

        Args:
            study: the study.
            principal: who adds.
            title: of the chapter, if it is one; empty for that in the file.
            text: the file.
            caller: whose turn it is.
        """
        await self._check_maker(study, principal)
        chapters: Sequence[Chapter] = (await self._reading(caller, text, read_study)).chapters
        if title and len(chapters) == 1:
            chapters = [_of(lambda: replace(chapters[0], title=title))]
        return await asyncio.to_thread(self._repository.append, study, chapters, now_ms())

    async def save(
        self,
        study: str,
        number: int,
        principal: Principal,
        version: int,
        chapter: tuple[str, bool, str],
        caller: Caller,
    ) -> int:
        """Replace a chapter; returns its version.

        Args:
            study: the study.
            number: the chapter.
            principal: who saves.
            version: what they changed.
            chapter: title, whether the moves are to be found, and the record.
            caller: whose turn it is.

        Raises:
            ApiError: 403, it is not theirs; 409, it has changed since that version; 422, the record cannot be read.
        """
        await self._check_maker(study, principal)
        title, concealed, text = chapter
        made = await self._reading(caller, text, lambda record: read_chapter(record, title, concealed=concealed))
        return await asyncio.to_thread(self._repository.replace, study, number, version, made, now_ms())

    async def remove_chapter(self, study: str, number: int, principal: Principal, version: int) -> None:
        """Remove a chapter.

        Raises:
            ApiError: 403, it is not theirs; 409, it has changed since that version.
        """
        await self._check_maker(study, principal)
        await asyncio.to_thread(self._repository.remove_chapter, study, number, version, now_ms())

    async def remove(self, study: str, principal: Principal) -> None:
        """Remove a study.

        Raises:
            ApiError: 403, it is not theirs.
        """
        await self._check_maker(study, principal)
        await asyncio.to_thread(self._repository.remove, study)

    async def _may_read(self, maker: str, reader: Person) -> bool:
        await self._people.learn((maker,))
        person = self._people.person(maker)
        return person.kind is not PersonKind.CHILD or reader.id in {maker, *person.guardians}

    async def _check_maker(self, study: str, principal: Principal) -> None:
        maker = await asyncio.to_thread(self._repository.maker, study)
        if maker is None or not await self._may_read(maker, principal.person):
            raise ApiError(404, errors.NO_STUDY)
        if maker != principal.person.id:
            raise ApiError(403, errors.NOT_YOUR_STUDY)

    async def _reading(self, caller: Caller, text: str, read: Callable[[str], T]) -> T:
        """Read records beside the event loop, counted by their length."""
        cost = 1 + len(text) / _BYTES
        wait = self._game_registry.rate_limiter.spend_both(("session_boards", "address_boards"), caller, cost)
        if wait:
            raise RateLimitError(errors.TOO_MANY_BOARDS, wait)
        return await self._game_registry.reading.run(caller, lambda: _of(lambda: read(text)))


def _author(person: Person) -> str:
    """The name that a study gets at first; a child's stays at home."""
    return "" if person.kind is PersonKind.CHILD else person.name


def _described(title: str, author: str, language: str) -> Study:
    if language and language not in LANGUAGES:
        raise ApiError(422, errors.NO_LANGUAGE)
    return _of(lambda: Study(" ".join(title.split()), " ".join(author.split()), language))


def _of(read: Callable[[], T]) -> T:
    """Give what can be read.

    Raises:
        ApiError: 422, it cannot, with the chapter, the line and the reason.
    """
    try:
        return read()
    except StudyError as error:
        raise ApiError(422, errors.BAD_STUDY, reason=error) from None
