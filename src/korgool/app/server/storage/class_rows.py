"""Deletes classes and children of classes with everything that hangs on them, within a transaction of the caller."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sqlalchemy import Connection, delete, select

from korgool.app.server.storage.class_tables import (
    class_answers,
    class_members,
    class_results,
    class_tasks,
    classes,
)


def delete_classes(connection: Connection, ids: Collection[str]) -> None:
    """Delete classes with everything in them."""
    for table in (class_answers, class_results, class_tasks, class_members):
        connection.execute(delete(table).where(table.c.class_id.in_(ids)))
    connection.execute(delete(classes).where(classes.c.id.in_(ids)))


def delete_members(connection: Connection, members: Iterable[tuple[str, int]]) -> None:
    """Delete children of classes, by class and number, with all that they have done."""
    for id_, number in members:
        for table, column in (
            (class_answers, class_answers.c.member),
            (class_results, class_results.c.member),
            (class_members, class_members.c.number),
        ):
            connection.execute(delete(table).where(table.c.class_id == id_, column == number))


def delete_people(connection: Connection, people: Collection[str]) -> None:
    """Delete the classes of these trainers, and these people in the classes of others, by identity."""
    delete_classes(connection, connection.scalars(select(classes.c.id).where(classes.c.trainer.in_(people))).all())
    rows = select(class_members.c.class_id, class_members.c.number).where(class_members.c.who.in_(people))
    delete_members(connection, [(row.class_id, row.number) for row in connection.execute(rows)])


def move_member(connection: Connection, visitor: str, account: str) -> None:
    """Give an account the places of a visitor in classes; where both have one, the account's own stays."""
    table = class_members
    both = select(table.c.class_id).where(table.c.who == account)
    moved = (table.c.who == visitor) & table.c.class_id.not_in(both.scalar_subquery())
    connection.execute(table.update().where(moved).values(who=account))
