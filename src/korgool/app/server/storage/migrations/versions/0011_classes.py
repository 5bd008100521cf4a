"""Classes: a trainer, children with nicknames, tasks, and what was done."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def _class() -> sa.Column[str]:
    return sa.Column("class_id", sa.String(8), sa.ForeignKey("classes.id"), primary_key=True)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, primary_key=True, autoincrement=False)


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "classes",
        sa.Column("id", sa.String(8), primary_key=True),
        sa.Column("trainer", sa.String(24), nullable=False, comment="an identity"),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("game", sa.String(20), nullable=False, comment="rules by their short name"),
        sa.Column("language", sa.String(2), nullable=False, comment="of what is printed"),
        sa.Column("code", sa.String(8), unique=True, comment="digits by which children join; none while nobody can"),
        sa.Column("code_until_ms", sa.BigInteger, nullable=False, comment="until when the code holds, since 1970, UTC"),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
        sa.Column("ends_ms", sa.BigInteger, nullable=False, comment="when it ends; some time later it is deleted"),
        sa.Column("shown", sa.SmallInteger, nullable=False, comment="1 where its screen shows results by nickname"),
        sa.Column("running", sa.Integer, comment="the task on its screen"),
        sa.Column("drill", sa.Text, comment="JSON: the questions on its screen; none where there are none"),
    )
    op.create_index("classes_by_trainer", "classes", ["trainer"])
    op.create_index("classes_by_end", "classes", ["ends_ms"])
    op.create_table(
        "class_members",
        _class(),
        _number("number"),
        sa.Column("who", sa.String(24), nullable=False, comment="an identity, of an account or a visitor"),
        sa.Column("name", sa.String(40), nullable=False, comment="the nickname in this class"),
        sa.Column("look", sa.String(120), nullable=False, comment="what the nickname looks like"),
        sa.Column("joined_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("class_members_by_look", "class_members", ["class_id", "look"], unique=True)
    op.create_index("class_members_by_person", "class_members", ["class_id", "who"], unique=True)
    op.create_index("class_members_by_who", "class_members", ["who"])
    op.create_table(
        "class_tasks",
        _class(),
        _number("number"),
        sa.Column("kind", sa.String(8), nullable=False, comment="stop, drill, puzzles or game"),
        sa.Column("what", sa.String(40), nullable=False, comment="the stop, the drill, the theme, or the level"),
        sa.Column("puzzles", sa.Text, nullable=False, comment="JSON: ids of puzzles, the same for all"),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "class_results",
        _class(),
        _number("member"),
        sa.Column("id", sa.String(40), primary_key=True, comment="given by the device, so that each counts once"),
        sa.Column("task", sa.Integer, nullable=False),
        sa.Column("part", sa.SmallInteger, nullable=False, comment="the puzzle of a task, from 1; 0 elsewhere"),
        sa.Column(
            "value", sa.Integer, nullable=False, comment="stars, right answers, or 1 for a puzzle that was solved"
        ),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("class_results_by_child", "class_results", ["class_id", "member", "task"])
    op.create_table(
        "class_answers",
        _class(),
        _number("question"),
        _number("member"),
        sa.Column("answer", sa.String(12), nullable=False),
        sa.Column("correct", sa.SmallInteger, nullable=False),
    )
