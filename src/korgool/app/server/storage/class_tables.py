"""The tables of classes: groups of children with a trainer, their tasks, and what each child has done.

Nothing in them is public: only the trainer of a class reads it, and a child what is its own.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, SmallInteger, String, Table, Text

from korgool.app.server.storage.schema import metadata

classes = Table(
    "classes",
    metadata,
    Column("id", String(8), primary_key=True),
    Column("trainer", String(24), nullable=False, comment="an identity"),
    Column("name", String(60), nullable=False),
    Column("game", String(20), nullable=False, comment="rules by their short name"),
    Column("language", String(2), nullable=False, comment="of what is printed"),
    Column("code", String(8), unique=True, comment="digits by which children join; none while nobody can"),
    Column("code_until_ms", BigInteger, nullable=False, comment="until when the code holds, since 1970, UTC"),
    Column("made_ms", BigInteger, nullable=False),
    Column("ends_ms", BigInteger, nullable=False, comment="when it ends; some time later it is deleted"),
    Column("shown", SmallInteger, nullable=False, comment="1 where its screen shows results by nickname"),
    Column("running", Integer, comment="the task on its screen"),
    Column("drill", Text, comment="JSON: the questions on its screen; none where there are none"),
    Index("classes_by_trainer", "trainer"),
    Index("classes_by_end", "ends_ms"),
)

class_members = Table(
    "class_members",
    metadata,
    Column("class_id", String(8), ForeignKey("classes.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("who", String(24), nullable=False, comment="an identity, of an account or a visitor"),
    Column("name", String(40), nullable=False, comment="the nickname in this class"),
    Column("look", String(120), nullable=False, comment="what the nickname looks like"),
    Column("joined_ms", BigInteger, nullable=False),
    Index("class_members_by_look", "class_id", "look", unique=True),
    Index("class_members_by_person", "class_id", "who", unique=True),
    Index("class_members_by_who", "who"),
)

class_tasks = Table(
    "class_tasks",
    metadata,
    Column("class_id", String(8), ForeignKey("classes.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(8), nullable=False, comment="stop, drill, puzzles or game"),
    Column("what", String(40), nullable=False, comment="the stop, the drill, the theme, or the level"),
    Column("puzzles", Text, nullable=False, comment="JSON: ids of puzzles, the same for all"),
    Column("made_ms", BigInteger, nullable=False),
)

class_results = Table(
    "class_results",
    metadata,
    Column("class_id", String(8), ForeignKey("classes.id"), primary_key=True),
    Column("member", Integer, primary_key=True, autoincrement=False),
    Column("id", String(40), primary_key=True, comment="given by the device, so that each counts once"),
    Column("task", Integer, nullable=False),
    Column("part", SmallInteger, nullable=False, comment="the puzzle of a task, from 1; 0 elsewhere"),
    Column("value", Integer, nullable=False, comment="stars, right answers, or 1 for a puzzle that was solved"),
    Column("at_ms", BigInteger, nullable=False),
    Index("class_results_by_child", "class_id", "member", "task"),
)
"""Everything that children have done, but for games, which stand in `games`."""

class_answers = Table(
    "class_answers",
    metadata,
    Column("class_id", String(8), ForeignKey("classes.id"), primary_key=True),
    Column("question", Integer, primary_key=True, autoincrement=False),
    Column("member", Integer, primary_key=True, autoincrement=False),
    Column("answer", String(12), nullable=False),
    Column("correct", SmallInteger, nullable=False),
)
"""Answers to the questions on the screen of a class; the next questions replace them."""
