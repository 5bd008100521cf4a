"""Classes as their trainers look after them: the service of the pages; it knows no HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import TypeVar

from korgool.app.printing.class_certificate import certificates_pdf
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.core.printing import printed
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller, RateLimiter
from korgool.app.server.people.checks import count_change
from korgool.app.server.play.personal_news import PersonalNews
from korgool.app.server.school.classes.model import (
    DAY_MS,
    LONGEST_CALLED,
    LONGEST_NAME,
    MOST_CLASSES,
    MOST_TASKS,
    SchoolClass,
    Sheet,
    read_nickname,
    read_task,
)
from korgool.app.server.school.classes.questions import ScreenQuestions
from korgool.app.server.school.classes.repository import ClassRepository, new_code
from korgool.app.server.school.classes.views import certificates_of
from korgool.languages import LANGUAGES
from korgool.rules import GAMES
from korgool.training.drills import Drill

T = TypeVar("T")
_CERTIFICATES = 10
"""Certificates that cost as much as a request without any."""
LONGEST_DAYS, USUAL_DAYS = 366, 120
"""Days from now until a class ends: at most, and where nothing else is said."""
CODE_DAYS = 1
"""Days for which a code holds; a new one takes a tap."""


class ClassAction(StrEnum):
    """Actions of a trainer with a class. Only its trainer may."""

    CHANGE = "change"
    """Change its name, and its end."""
    SHOW_RESULTS = "show-results"
    """Let its screen show results by nickname."""
    HIDE_RESULTS = "hide-results"
    """Let its screen show nicknames alone."""
    OPEN_JOINING = "open-joining"
    """Make a new code."""
    CLOSE_JOINING = "close-joining"
    """Let nobody else join."""
    ADD_TASK = "add-task"
    """Give a task."""
    REMOVE_TASK = "remove-task"
    """Take a task back, with its results."""
    SHOW_TASK = "show-task"
    """Put a task on the screen."""
    ASK = "ask"
    """Begin questions that all answer together, of a drill."""
    SHOW_ANSWER = "show-answer"
    """Show what is right, and the sowing."""
    NEXT_QUESTION = "next-question"
    """Go on to the next question; after the last one they end."""
    END_QUESTIONS = "end-questions"
    """End them."""
    RENAME = "rename"
    """Give a child another nickname."""
    REMOVE = "remove"
    """Remove a child, with its results."""
    DELETE = "delete"
    """Delete the class with everything in it."""


@dataclass(frozen=True, slots=True)
class Screen:
    """The content of the screen of a class.

    Attributes:
        sheet: everything of the class.
        asked: the questions that all answer together; None where there are none.
        answers: the answers to the present one by the numbers of children.
        tally: right answers so far by the numbers of children, where the screen shows results.
    """

    sheet: Sheet
    asked: ScreenQuestions | None
    answers: Mapping[int, str]
    tally: Mapping[int, int]


class ClassService:
    """The work of trainers. All methods run on the event loop.

    Args:
        repository: the classes in the database.
        rate_limiter: counts what trainers send.
        news: tells those who wait that something has changed in a class.
    """

    def __init__(self, repository: ClassRepository, rate_limiter: RateLimiter, news: PersonalNews) -> None:
        self.repository = repository
        self._rate_limiter = rate_limiter
        self._news = news

    async def of_trainer(self, trainer: str) -> list[tuple[SchoolClass, int]]:
        """The classes of a trainer with their numbers of children."""
        return await asyncio.to_thread(self.repository.of_trainer, trainer)

    async def own(self, trainer: str | None, id_: str) -> SchoolClass:
        """A class of a trainer.

        Raises:
            ApiError: 404, there is no such class, or it is another trainer's.
        """
        found = await asyncio.to_thread(self.repository.find, id_)
        if found is None or not trainer or found.trainer != trainer:
            raise ApiError(404, errors.NO_CLASS)
        return found

    async def sheet(self, of: SchoolClass) -> Sheet:
        """Everything of a class."""
        return await asyncio.to_thread(self.repository.sheet, of)

    async def screen(self, of: SchoolClass) -> Screen:
        """Everything that the screen of a class shows."""
        return await asyncio.to_thread(self._screen, of)

    async def certificates(self, of: SchoolClass, caller: Caller, number: int = 0) -> bytes:
        """Certificates as PDF, in the language of the class: of all children who have done something, or of one.

        Raises:
            ApiError: 422, there is nothing to print; 501, this server cannot print.
            RateLimitError: the trainer or the address has printed too much.
        """
        sheet = await self.sheet(of)
        children = await asyncio.to_thread(certificates_of, sheet, of.language, number)
        if not children:
            raise ApiError(422, errors.NOTHING_DONE)
        cost = 1 + len(children) / _CERTIFICATES
        if wait := self._rate_limiter.spend_both(("session_boards", "address_boards"), caller, cost):
            raise RateLimitError(errors.TOO_MANY_CHANGES, wait)
        today = datetime.fromtimestamp(now_ms() / 1000, UTC).date().isoformat()
        return await printed(lambda: certificates_pdf(of.name, children, date=today, language=of.language))

    async def make(self, trainer: str, caller: Caller, data: Mapping[str, str]) -> SchoolClass:
        """A new class, which can be joined at once.

        Args:
            trainer: the identity of its trainer.
            caller: who asks.
            data: `name`, `game`, `language`, and `ends`, a day.

        Raises:
            ApiError: something in it cannot be, or the trainer has too many.
        """
        count_change(self._rate_limiter, caller)
        now = now_ms()
        made = {
            "trainer": trainer,
            "name": _name(data.get("name", "")),
            "game": _one_of("game", data.get("game", ""), GAMES),
            "language": _one_of("language", data.get("language", ""), LANGUAGES),
            "code": new_code(),
            "code_until_ms": now + CODE_DAYS * DAY_MS,
            "made_ms": now,
            "ends_ms": _end(data.get("ends", ""), now),
            "shown": 0,
        }
        going = [one for one, _ in await self.of_trainer(trainer) if one.ends_ms > now]
        if len(going) >= MOST_CLASSES:
            raise ApiError(422, errors.MANY_CLASSES, most=MOST_CLASSES)
        return await asyncio.to_thread(self.repository.make, made)

    async def act(self, trainer: str, caller: Caller, id_: str, do: str, data: Mapping[str, str]) -> None:
        """Carry out an action of the trainer of a class.

        Args:
            trainer: the identity of who asks.
            caller: the same for limits.
            id_: the class.
            do: one of `ClassAction`.
            data: what it needs, as texts.

        Raises:
            ApiError: it is not their class, or it cannot be done so.
        """
        of = await self.own(trainer, id_)
        if wait := self._rate_limiter.spend_both(("session_official", "address_official"), caller):
            raise RateLimitError(errors.TOO_MANY_CHANGES, wait)
        action = ClassAction(_one_of("do", do, tuple(ClassAction)))
        await asyncio.to_thread(self._carry_out, of, action, data)
        self.tell(id_)

    def tell(self, id_: str) -> None:
        """Wake those who wait for news of a class."""
        self._news.tell(topic(id_))

    def _screen(self, of: SchoolClass) -> Screen:
        asked = ScreenQuestions.read(of.game, of.drill)
        answers = {} if asked is None else self.repository.answers(of.id, asked.number)
        tally = self.repository.tally(of.id) if asked is not None and of.shown else {}
        return Screen(self.repository.sheet(of), asked, answers, tally)

    def _carry_out(self, of: SchoolClass, action: ClassAction, data: Mapping[str, str]) -> None:
        repository, now = self.repository, now_ms()
        number = _number(data.get("number", ""))
        steps: dict[ClassAction, Callable[[], object]] = {
            ClassAction.CHANGE: lambda: repository.change(
                of.id, {"name": _name(data.get("name", "")), "ends_ms": _end(data.get("ends", ""), now)}
            ),
            ClassAction.SHOW_RESULTS: lambda: repository.change(of.id, {"shown": 1}),
            ClassAction.HIDE_RESULTS: lambda: repository.change(of.id, {"shown": 0}),
            ClassAction.OPEN_JOINING: lambda: repository.open_joining(of.id, now + CODE_DAYS * DAY_MS),
            ClassAction.CLOSE_JOINING: lambda: repository.change(of.id, {"code": None}),
            ClassAction.ADD_TASK: lambda: self._add_task(of, data, now),
            ClassAction.REMOVE_TASK: lambda: repository.remove_task(of.id, number),
            ClassAction.SHOW_TASK: lambda: repository.change(of.id, {"running": number or None}),
            ClassAction.ASK: lambda: self._ask(of, data.get("drill", "")),
            ClassAction.SHOW_ANSWER: lambda: self._go_on(of, number, show=True),
            ClassAction.NEXT_QUESTION: lambda: self._go_on(of, number, show=False),
            ClassAction.END_QUESTIONS: lambda: repository.change(of.id, {"drill": None}),
            ClassAction.RENAME: lambda: self._rename(of, number, data.get("name", "")),
            ClassAction.REMOVE: lambda: repository.remove(of.id, number),
            ClassAction.DELETE: lambda: repository.delete(of.id),
        }
        steps[action]()

    def _add_task(self, of: SchoolClass, data: Mapping[str, str], now: int) -> None:
        kind, _, what = data.get("task", "").partition(":")
        number = self.repository.add_task(of.id, read_task(of.game, kind, what), now, MOST_TASKS)
        if not number:
            raise ApiError(422, errors.MANY_TASKS, most=MOST_TASKS)
        self.repository.change(of.id, {"running": number})

    def _ask(self, of: SchoolClass, drill: str) -> None:
        known = [one.value for one in Drill]
        begun = ScreenQuestions.begin(of.game, Drill(_one_of("drill", drill, tuple(known))))
        self.repository.forget_answers(of.id)
        self.repository.change(of.id, {"drill": begun.stored})

    def _go_on(self, of: SchoolClass, number: int, *, show: bool) -> None:
        now = ScreenQuestions.read(of.game, of.drill)
        if now is not None and number in (0, now.number):  # a second tap skips no question
            then = now.show() if show else now.go_on()
            self.repository.change(of.id, {"drill": None if then is None else then.stored})

    def _rename(self, of: SchoolClass, number: int, text: str) -> None:
        name, look = read_nickname(text, LONGEST_CALLED)
        if not self.repository.rename(of.id, number, name, look):
            raise ApiError(409, errors.NICKNAME_TAKEN)


def topic(id_: str) -> str:
    """The name under which news of a class are told."""
    return f"class {id_}"


def _name(text: str) -> str:
    name = " ".join(text[: 4 * LONGEST_NAME].split())
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise ApiError(422, errors.CLASS_NAME, most=LONGEST_NAME)
    return name


def _end(text: str, now: int) -> int:
    """The end of a day in UTC, in milliseconds since 1970; the usual one for an empty text."""
    today = datetime.fromtimestamp(now / 1000, UTC).date()
    try:
        day = date.fromisoformat(text) if text else today + timedelta(days=USUAL_DAYS)
    except ValueError:
        raise ApiError(422, errors.CLASS_END) from None
    if not today <= day <= today + timedelta(days=LONGEST_DAYS):
        raise ApiError(422, errors.CLASS_END)
    return round(datetime.combine(day + timedelta(days=1), time(), UTC).timestamp()) * 1000


def _one_of(field: str, value: str, choices: Mapping[str, object] | tuple[str, ...]) -> str:
    if value not in choices:
        raise ApiError(422, errors.BAD_FIELD, field=field, value=repr(value[:40]), choices=", ".join(choices))
    return value


def _number(text: str) -> int:
    """A number from 1; 0 for what is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else 0
