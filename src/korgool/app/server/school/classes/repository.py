"""Classes in the database: their children, their tasks, and what was reported; all methods block."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, func, select

from korgool.app.server.people.transactions import PeopleTransactions
from korgool.app.server.school.classes.model import (
    DAY_MS,
    DRAWN,
    LOST,
    WON,
    ClassTask,
    Done,
    Member,
    SchoolClass,
    Sheet,
    TaskKind,
)
from korgool.app.server.storage.class_rows import delete_classes, delete_members
from korgool.app.server.storage.class_tables import (
    class_answers,
    class_members,
    class_results,
    class_tasks,
    classes,
)
from korgool.app.server.storage.schema import games, seats

KEPT_DAYS = 30
"""Days after its end for which a class is kept."""
MOST_REPORTS = 400
"""Reports of one child for one task that are kept."""
_ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_ID_LENGTH = 8
_CODE_DIGITS = 8
_WHITE_POINTS = re.compile(r"(0\.5|[01])\b")


@dataclass(frozen=True, slots=True)
class Report:
    """Something that a device reports, already judged; see `class_results`."""

    id: str
    task: int
    part: int
    value: int


class ClassRepository:
    """Reads and writes classes.

    Args:
        transactions: the tables of people, to which those of classes belong.
    """

    def __init__(self, transactions: PeopleTransactions) -> None:
        self._transactions = transactions

    # Classes

    def make(self, made: Mapping[str, Any]) -> SchoolClass:
        """A new class with these values; its id is chosen here."""
        with self._transactions.writing() as connection:
            id_ = _random(_ID_LETTERS, _ID_LENGTH)
            connection.execute(classes.insert().values({**made, "id": id_}))
            return _class(connection.execute(select(classes).where(classes.c.id == id_)).one())

    def find(self, id_: str) -> SchoolClass | None:
        """A class by its id."""
        with self._transactions.reading() as connection:
            row = connection.execute(select(classes).where(classes.c.id == id_)).one_or_none()
        return None if row is None else _class(row)

    def of_trainer(self, trainer: str) -> list[tuple[SchoolClass, int]]:
        """The classes of a trainer with their numbers of children, the newest first."""
        count = select(func.count()).where(class_members.c.class_id == classes.c.id).scalar_subquery()
        asked = select(classes, count.label("children")).where(classes.c.trainer == trainer)
        with self._transactions.reading() as connection:
            rows = connection.execute(asked.order_by(classes.c.made_ms.desc(), classes.c.id)).all()
        return [(_class(row), row.children) for row in rows]

    def of_member(self, who: str, now: int) -> list[SchoolClass]:
        """The classes that somebody is in and that have not ended, the latest first."""
        own = class_members.c.who == who
        asked = select(classes).join(class_members, class_members.c.class_id == classes.c.id)
        with self._transactions.reading() as connection:
            rows = connection.execute(
                asked.where(own, classes.c.ends_ms > now).order_by(class_members.c.joined_ms.desc(), classes.c.id)
            ).all()
        return list(map(_class, rows))

    def change(self, id_: str, values: Mapping[str, Any]) -> None:
        """Change values of a class."""
        with self._transactions.writing() as connection:
            connection.execute(classes.update().where(classes.c.id == id_).values(dict(values)))

    def open_joining(self, id_: str, until_ms: int) -> None:
        """Give a class a new code; the old one opens nothing any more."""
        with self._transactions.writing() as connection:
            while connection.scalar(select(classes.c.id).where(classes.c.code == (code := new_code()))):
                pass
            connection.execute(classes.update().where(classes.c.id == id_).values(code=code, code_until_ms=until_ms))

    def by_code(self, code: str, now: int) -> SchoolClass | None:
        """The class of a code that holds."""
        holds = (classes.c.code == code) & (classes.c.code_until_ms > now) & (classes.c.ends_ms > now)
        with self._transactions.reading() as connection:
            row = connection.execute(select(classes).where(holds)).one_or_none()
        return None if row is None else _class(row)

    def delete(self, id_: str) -> None:
        """Delete a class with everything in it."""
        with self._transactions.writing() as connection:
            delete_classes(connection, [id_])

    def forget(self, now: int) -> None:
        """Delete the classes that have ended `KEPT_DAYS` ago."""
        with self._transactions.writing() as connection:
            old = connection.scalars(select(classes.c.id).where(classes.c.ends_ms <= now - KEPT_DAYS * DAY_MS)).all()
            delete_classes(connection, old)

    # Children

    def member(self, id_: str, who: str) -> Member | None:
        """The child of a class that an identity is."""
        own = (class_members.c.class_id == id_) & (class_members.c.who == who)
        with self._transactions.reading() as connection:
            row = connection.execute(select(class_members).where(own)).one_or_none()
        return None if row is None else _member(row)

    def join(self, id_: str, who: str, name: str, look: str, now: int, most: int) -> Member | int | None:
        """Add a child, or find it.

        Returns:
            The child; None if another one has this nickname; the number of children if there is no room.
        """
        of = class_members.c.class_id == id_
        with self._transactions.writing() as connection:
            found = connection.execute(select(class_members).where(of, class_members.c.who == who)).one_or_none()
            if found is not None:
                return _member(found)
            if connection.scalar(select(func.count()).where(of, class_members.c.look == look)):
                return None
            count, last = connection.execute(
                select(func.count(), func.coalesce(func.max(class_members.c.number), 0)).where(of)
            ).one()
            if count >= most:
                return int(count)
            row = {"class_id": id_, "number": last + 1, "who": who, "name": name, "look": look, "joined_ms": now}
            connection.execute(class_members.insert().values(row))
            return Member(last + 1, who, name, now)

    def rename(self, id_: str, number: int, name: str, look: str) -> bool:
        """Give a child another nickname; False if somebody else of the class has it."""
        of = class_members.c.class_id == id_
        with self._transactions.writing() as connection:
            other = select(func.count()).where(of, class_members.c.look == look, class_members.c.number != number)
            if connection.scalar(other):
                return False
            this = of & (class_members.c.number == number)
            connection.execute(class_members.update().where(this).values(name=name, look=look))
            return True

    def remove(self, id_: str, number: int) -> None:
        """Remove a child with all that it has done."""
        with self._transactions.writing() as connection:
            delete_members(connection, [(id_, number)])

    # Tasks and results

    def add_task(self, id_: str, task: ClassTask, now: int, most: int) -> int:
        """Add a task at the end; returns its number, or 0 if there is no room."""
        of = class_tasks.c.class_id == id_
        with self._transactions.writing() as connection:
            count, last = connection.execute(
                select(func.count(), func.coalesce(func.max(class_tasks.c.number), 0)).where(of)
            ).one()
            if count >= most:
                return 0
            row = {"class_id": id_, "number": last + 1, "kind": task.kind.value, "what": task.what}
            row |= {"puzzles": json.dumps(task.puzzles), "made_ms": now}
            connection.execute(class_tasks.insert().values(row))
            return int(last) + 1

    def remove_task(self, id_: str, number: int) -> None:
        """Remove a task with its results."""
        with self._transactions.writing() as connection:
            for table, column in ((class_results, class_results.c.task), (class_tasks, class_tasks.c.number)):
                connection.execute(delete(table).where(table.c.class_id == id_, column == number))
            shown = (classes.c.id == id_) & (classes.c.running == number)
            connection.execute(classes.update().where(shown).values(running=None))

    def report(self, id_: str, member: int, reports: Iterable[Report], now: int) -> None:
        """Store what a child has done: each id counts once, and of a puzzle the first answer."""
        table = class_results
        own = (table.c.class_id == id_) & (table.c.member == member)
        with self._transactions.writing() as connection:
            for one in reports:
                same = (table.c.task == one.task) & (table.c.part == one.part)
                known = table.c.id == one.id
                if connection.scalar(select(func.count()).where(own, (known | same) if one.part else known)):
                    continue
                if (connection.scalar(select(func.count()).where(own, same)) or 0) >= MOST_REPORTS:
                    continue
                row = {"class_id": id_, "member": member, "id": one.id, "task": one.task}
                connection.execute(table.insert().values({**row, "part": one.part, "value": one.value, "at_ms": now}))

    def parts(self, id_: str, member: int, task: int) -> set[int]:
        """The numbers of the puzzles of a task that a child has answered."""
        table = class_results
        own = (table.c.class_id == id_) & (table.c.member == member) & (table.c.task == task)
        with self._transactions.reading() as connection:
            return set(connection.scalars(select(table.c.part).where(own)))

    def sheet(self, of: SchoolClass, member: int | None = None) -> Sheet:
        """Everything of a class, or of one child in it."""
        listed = select(class_members).where(class_members.c.class_id == of.id)
        if member is not None:
            listed = listed.where(class_members.c.number == member)
        with self._transactions.reading() as connection:
            members = list(map(_member, connection.execute(listed.order_by(class_members.c.number))))
            rows = connection.execute(
                select(class_tasks).where(class_tasks.c.class_id == of.id).order_by(class_tasks.c.number)
            )
            tasks = [
                ClassTask(row.number, TaskKind(row.kind), row.what, tuple(json.loads(row.puzzles)), row.made_ms)
                for row in rows
            ]
            kinds = {task.number: task.kind for task in tasks}
            done = _reported(connection, of.id, kinds, member) | _played(connection, of, members, tasks)
        return Sheet(of, sorted(members, key=lambda one: (one.name.casefold(), one.number)), tasks, done)

    # The questions on the screen

    def answer(self, id_: str, question: int, member: int, answer: str, *, correct: bool) -> bool:
        """Store the answer of a child to a question; False if it has answered before."""
        row = {"class_id": id_, "question": question, "member": member, "answer": answer, "correct": int(correct)}
        table = class_answers
        own = (table.c.class_id == id_) & (table.c.question == question) & (table.c.member == member)
        with self._transactions.writing() as connection:
            if connection.scalar(select(func.count()).where(own)):
                return False
            connection.execute(table.insert().values(row))
            return True

    def answers(self, id_: str, question: int, member: int | None = None) -> dict[int, str]:
        """The answers to a question by the numbers of the children, or of one of them."""
        table = class_answers
        asked = select(table.c.member, table.c.answer).where(table.c.class_id == id_, table.c.question == question)
        if member is not None:
            asked = asked.where(table.c.member == member)
        with self._transactions.reading() as connection:
            return {row.member: row.answer for row in connection.execute(asked)}

    def tally(self, id_: str) -> dict[int, int]:
        """The numbers of questions that each child has answered rightly."""
        table = class_answers
        asked = select(table.c.member, func.sum(table.c.correct).label("right")).where(table.c.class_id == id_)
        with self._transactions.reading() as connection:
            return {row.member: int(row.right) for row in connection.execute(asked.group_by(table.c.member))}

    def forget_answers(self, id_: str) -> None:
        """Delete the answers of a class, before other questions begin."""
        with self._transactions.writing() as connection:
            connection.execute(delete(class_answers).where(class_answers.c.class_id == id_))


def new_code() -> str:
    """Digits by which a class may be joined."""
    return _random("0123456789", _CODE_DIGITS)


def _random(letters: str, length: int) -> str:
    return "".join(secrets.choice(letters) for _ in range(length))


def _class(row: Row[Any]) -> SchoolClass:
    names = SchoolClass.__dataclass_fields__
    values = {name: getattr(row, name) for name in names}
    return SchoolClass(**{**values, "shown": bool(row.shown)})


def _member(row: Row[Any]) -> Member:
    return Member(row.number, row.who, row.name, row.joined_ms)


def _reported(
    connection: Connection, id_: str, kinds: Mapping[int, TaskKind], member: int | None
) -> dict[tuple[int, int], Done]:
    """The reports of devices, by child and task."""
    table = class_results
    condition: ColumnElement[bool] = table.c.class_id == id_
    if member is not None:
        condition &= table.c.member == member
    asked = (
        select(
            table.c.member,
            table.c.task,
            func.max(table.c.value).label("best"),
            func.sum(table.c.value).label("sum"),
            func.count().label("tries"),
        )
        .where(condition)
        .group_by(table.c.member, table.c.task)
    )
    found = {}
    for row in connection.execute(asked):
        puzzles = kinds.get(row.task) is TaskKind.PUZZLES
        value, parts = (row.sum, row.tries) if puzzles else (row.best, 0)
        found[row.member, row.task] = Done(int(value), parts, 1 if puzzles else row.tries)
    return found


def _played(
    connection: Connection, of: SchoolClass, members: Iterable[Member], tasks: Iterable[ClassTask]
) -> dict[tuple[int, int], Done]:
    """The best games against a level, from the games themselves: from the usual start, begun after the task."""
    asked = [task for task in tasks if task.kind is TaskKind.GAME]
    numbers = {member.who: member.number for member in members}
    if not asked or not numbers:
        return {}
    own, engine = seats.alias("own"), seats.alias("engine")
    levels = {int(task.what) for task in asked}
    since = min(task.made_ms for task in asked)
    mine = select(class_members.c.who).where(class_members.c.class_id == of.id)
    if len(numbers) == 1:
        mine = mine.where(class_members.c.who == next(iter(numbers)))
    rows = connection.execute(
        select(own.c.who, own.c.side, own.c.started_ms, engine.c.strength, games.c.result_text)
        .select_from(own)
        .join(engine, (engine.c.game_id == own.c.game_id) & (engine.c.side == 1 - own.c.side))
        .join(games, games.c.id == own.c.game_id)
        .where(
            own.c.who.in_(mine),
            own.c.started_ms >= since,
            engine.c.kind == "engine",
            engine.c.strength.in_(levels),
            games.c.game == of.game,
            games.c.start.is_(None),
            games.c.rules.is_(None),
            games.c.result_text.is_not(None),
        )
    ).all()
    found: dict[tuple[int, int], Done] = {}
    for row in rows:
        for task in asked:
            key = numbers.get(row.who, 0), task.number
            if key[0] and int(task.what) == row.strength and row.started_ms >= task.made_ms:
                known = found.get(key, Done(LOST, tries=0))
                value = _half_points(row.result_text, row.side)
                found[key] = Done(max(known.value, value), tries=known.tries + 1)
    return found


def _half_points(result: str, side: int) -> int:
    """The half points of a side in a result such as `1 (82) - 0 (60)`."""
    white = _WHITE_POINTS.match(result)
    points = {"1": WON, "0.5": DRAWN, "0": LOST}[white[1] if white else "0"]
    return WON - points if side else points
