"""Classes as children see them: joining by a code, what they are to do, and what their devices report."""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller, RateLimiter, ServiceLimits
from korgool.app.server.people.sign_in.login_attempts import LoginAttempts
from korgool.app.server.play.personal_news import LOOK_AGAIN, PersonalNews, WaitingPlaces
from korgool.app.server.school.classes.model import (
    MOST_CHILDREN,
    MOST_RIGHT,
    ClassTask,
    Member,
    SchoolClass,
    Sheet,
    TaskKind,
    read_nickname,
    task_puzzles,
)
from korgool.app.server.school.classes.questions import ScreenQuestions
from korgool.app.server.school.classes.repository import ClassRepository, Report
from korgool.app.server.school.classes.service import topic
from korgool.training.puzzle_answer import solves

MOST_AT_ONCE = 100
"""Reports in one request."""


@dataclass(frozen=True, slots=True)
class Reported:
    """A report of a device about a child.

    Attributes:
        id: given by the device; the same id counts once.
        task: the number of the task.
        part: the puzzle, from 1; 0 elsewhere.
        value: stars, or right answers.
        tries: of a puzzle the holes that were tried, for each own move.
    """

    id: str
    task: int
    part: int = 0
    value: int = 0
    tries: Sequence[Sequence[int]] = ()


@dataclass(frozen=True, slots=True)
class ChildView:
    """The view of a child: its class, itself, its part of the sheet, and its answer to what the screen asks."""

    of: SchoolClass
    member: Member
    sheet: Sheet
    answer: str = ""

    @property
    def asked(self) -> ScreenQuestions | None:
        """The questions on the screen."""
        return ScreenQuestions.read(self.of.game, self.of.drill)

    @property
    def tag(self) -> str:
        """A short text that differs where anything of it does."""
        seen = (self.member.name, self.of.name, self.of.drill, self.answer, self.sheet.tasks, self.sheet.done)
        return f"{zlib.crc32(repr(seen).encode()):08x}"


class ClassAttendance:
    """The work of children in classes. All methods run on the event loop.

    Args:
        repository: the classes in the database.
        attempts: counts wrong codes.
        limits: how many wrong codes one address may try.
        news: tells those who wait that something has changed in a class.
        places: those in which callers wait.
        rate_limiter: counts reports with answers to puzzles.
    """

    def __init__(
        self,
        repository: ClassRepository,
        attempts: LoginAttempts,
        limits: ServiceLimits,
        news: PersonalNews,
        places: WaitingPlaces,
        rate_limiter: RateLimiter,
    ) -> None:
        self._repository = repository
        self._attempts = attempts
        self._limits = limits
        self._news = news
        self._places = places
        self._rate_limiter = rate_limiter

    async def of(self, who: str | None) -> list[SchoolClass]:
        """The classes that somebody is in and that have not ended."""
        return [] if not who else await asyncio.to_thread(self._repository.of_member, who, now_ms())

    async def join(self, who: str, caller: Caller, code: str, nickname: str) -> SchoolClass:
        """Join the class of a code; who is in it already stays what they are called there.

        Raises:
            ApiError: the code opens no class, the nickname cannot be or is taken, or the class is full.
            RateLimitError: too many wrong codes came from this address.
        """
        return await asyncio.to_thread(self._join, who, caller.address, code, nickname)

    async def place(self, who: str | None, id_: str) -> tuple[SchoolClass, Member]:
        """A class and what somebody is in it.

        Raises:
            ApiError: 404, there is no such class, or they are not in it.
        """
        return await asyncio.to_thread(self._place, who, id_)

    async def answered_puzzles(self, of: SchoolClass, member: Member, task: ClassTask) -> set[int]:
        """The numbers of the puzzles of a task that a child has answered."""
        return await asyncio.to_thread(self._repository.parts, of.id, member.number, task.number)

    async def leave(self, who: str, id_: str) -> None:
        """Leave a class; what was done there is deleted.

        Raises:
            ApiError: 404, they are not in it.
        """
        of, member = await self.place(who, id_)
        await asyncio.to_thread(self._repository.remove, of.id, member.number)

    async def report(self, who: str | None, id_: str, number: int, reports: Sequence[Reported], caller: Caller) -> None:
        """Store what a child has done; puzzles are judged here. What belongs to no task of the class is left out.

        Args:
            who: the identity of who sends it.
            id_: the class.
            number: the child for whom the device has kept it.
            reports: what was done.
            caller: who asks.

        Raises:
            ApiError: they are not in this class, another child is on this device now, or the class has ended.
            RateLimitError: the device or the address has sent too many; they may be sent again.
        """
        if wait := self._rate_limiter.spend_both(("session_puzzles", "address_puzzles"), caller, len(reports)):
            raise RateLimitError(errors.TOO_MANY_ANSWERS, wait)
        of, member = await self.place(who, id_)
        if member.number != number:
            raise ApiError(409, errors.OTHER_MEMBER)
        if of.ends_ms <= now_ms():
            raise ApiError(409, errors.CLASS_OVER)
        await asyncio.to_thread(self._report, of, member, reports[:MOST_AT_ONCE])

    async def view(self, who: str | None, id_: str) -> ChildView:
        """The view of a child of its class.

        Raises:
            ApiError: 404, they are not in it.
        """
        return await asyncio.to_thread(self._view, who, id_)

    async def answer(self, who: str, id_: str, number: int, answer: str) -> None:
        """Answer the question on the screen, once.

        Raises:
            ApiError: 404, they are not in this class; 409, this question is over; 422, this is none of its answers.
        """
        await asyncio.to_thread(self._answer, who, id_, number, answer)

    async def change(self, who: str | None, id_: str, caller: Caller, known: str, seconds: float) -> ChildView:
        """The same as soon as its tag is another one, or after so many seconds.

        Raises:
            ApiError: 404, they are not in this class.
            RateLimitError: too many wait for this caller.
        """
        until = time.monotonic() + seconds
        with self._places.place(caller), self._news.listening(topic(id_)) as event:
            while True:
                event.clear()
                found = await self.view(who, id_)
                left = until - time.monotonic()
                if found.tag != known or left <= 0 or self._news.closed:
                    return found
                with suppress(TimeoutError):
                    async with asyncio.timeout(min(left, LOOK_AGAIN)):
                        await event.wait()

    def _join(self, who: str, address: str, code: str, nickname: str) -> SchoolClass:
        subject, now = f"class from {address}", now_ms()
        wait = self._attempts.count({subject: self._limits.address_guesses}, now)
        if wait:
            raise RateLimitError(errors.TOO_MANY_CLASS_CODES, wait / 1000)
        digits = "".join(sign for sign in code[:40] if sign.isdecimal() and sign.isascii())
        of = self._repository.by_code(digits, now) if digits else None
        if of is None:
            raise ApiError(404, errors.WRONG_CLASS_CODE)
        self._attempts.right("", [subject])
        if any(one.id == of.id for one in self._repository.of_member(who, now)):
            return of
        name, look = read_nickname(nickname)
        joined = self._repository.join(of.id, who, name, look, now, MOST_CHILDREN)
        if joined is None:
            raise ApiError(409, errors.NICKNAME_TAKEN)
        if isinstance(joined, int):
            raise ApiError(409, errors.CLASS_FULL, most=MOST_CHILDREN)
        return of

    def _place(self, who: str | None, id_: str) -> tuple[SchoolClass, Member]:
        of = self._repository.find(id_) if who else None
        member = self._repository.member(id_, who) if of is not None and who else None
        if of is None or member is None:
            raise ApiError(404, errors.NO_CLASS)
        return of, member

    def _view(self, who: str | None, id_: str) -> ChildView:
        of, member = self._place(who, id_)
        view = ChildView(of, member, self._repository.sheet(of, member.number))
        if view.asked is None:
            return view
        answers = self._repository.answers(of.id, view.asked.number, member.number)
        return replace(view, answer=answers.get(member.number, ""))

    def _answer(self, who: str, id_: str, number: int, answer: str) -> None:
        of, member = self._place(who, id_)
        asked = ScreenQuestions.read(of.game, of.drill)
        if asked is None or asked.number != number or asked.state.shown:
            raise ApiError(409, errors.NO_QUESTION)
        if answer not in asked.offered:
            raise ApiError(422, errors.NO_QUESTION)
        self._repository.answer(of.id, number, member.number, answer, correct=answer in asked.question.right)

    def _report(self, of: SchoolClass, member: Member, reports: Sequence[Reported]) -> None:
        tasks = {task.number: task for task in self._repository.sheet(of, member.number).tasks}
        judged = [
            Report(one.id, one.task, one.part, value)
            for one in reports
            if one.task in tasks and (value := _judged(of, tasks[one.task], one)) is not None
        ]
        self._repository.report(of.id, member.number, judged, now_ms())


def _judged(of: SchoolClass, task: ClassTask, one: Reported) -> int | None:
    """The value of a report; None where it cannot be."""
    if task.kind is TaskKind.PUZZLES:
        puzzle = dict(task_puzzles(of.game, task)).get(one.part)
        return None if puzzle is None else int(solves(puzzle, one.tries))
    most = {TaskKind.STOP: task.most, TaskKind.DRILL: MOST_RIGHT}.get(task.kind, -1)
    return one.value if one.part == 0 and 0 <= one.value <= most else None
