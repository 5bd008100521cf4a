"""The school: mistakes that come back, classes with children and tasks, studies, and puzzles that count."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    _add_mistakes()
    _add_classes()
    _add_studies()
    _add_puzzles()


def _class() -> sa.Column[str]:
    return sa.Column("class_id", sa.String(8), sa.ForeignKey("classes.id"), primary_key=True)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, primary_key=True, autoincrement=False)


def _add_mistakes() -> None:
    op.create_table(
        "mistakes",
        sa.Column("account", sa.String(24), primary_key=True, comment="whose mistake it is; nobody else sees it"),
        sa.Column("id", sa.String(16), primary_key=True, comment="made of the game and the position"),
        sa.Column("data", sa.Text, nullable=False, comment="JSON: the card, checked by the rules"),
        sa.Column("lost", sa.Double, nullable=False, comment="share of a point, repeated from the card for lists"),
        sa.Column("memory", sa.Text, comment="JSON: what follows from the answers; none of a new card"),
        sa.Column("due_ms", sa.BigInteger, nullable=False, comment="when it comes back, since 1970; 0 of a new card"),
        sa.Column("answers", sa.Text, nullable=False, comment="JSON: id, time and grade of each, in the order of time"),
        sa.Column("dropped", sa.SmallInteger, nullable=False, comment="1 where it does not come back"),
        sa.Column(
            "switched_ms", sa.BigInteger, nullable=False, comment="when it was last dropped or kept again; 0 for never"
        ),
        sa.Column("changed", sa.BigInteger, nullable=False, comment="counts the changes of the cards of an account"),
    )
    op.create_index("mistakes_by_change", "mistakes", ["account", "changed"])


def _add_classes() -> None:
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


def _add_studies() -> None:
    op.create_table(
        "studies",
        sa.Column("id", sa.String(16), primary_key=True, comment="of its address, which nobody can guess"),
        sa.Column("maker", sa.String(24), nullable=False, comment="an identity"),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("author", sa.Text, nullable=False, comment="as its maker wrote it"),
        sa.Column("language", sa.String(3), nullable=False, comment="of its comments; empty where nobody said"),
        sa.Column("version", sa.Integer, nullable=False, comment="rises with every change but those within chapters"),
        sa.Column("last_number", sa.Integer, nullable=False, comment="of a chapter; numbers are not given twice"),
        sa.Column("made_ms", sa.BigInteger, nullable=False, comment="since 1970, UTC"),
        sa.Column("changed_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("studies_by_maker", "studies", ["maker", "changed_ms"])
    op.create_table(
        "study_chapters",
        sa.Column("study", sa.String(16), sa.ForeignKey("studies.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False, comment="names it within its study"),
        sa.Column("place", sa.Integer, nullable=False, comment="its place in the order"),
        sa.Column("version", sa.Integer, nullable=False, comment="rises with every change"),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("concealed", sa.SmallInteger, nullable=False, comment="1 where the moves are to be found"),
        sa.Column("record", sa.Text, nullable=False, comment="in PGN style"),
        sa.Column("length", sa.Integer, nullable=False, comment="bytes of the record"),
    )


def _add_puzzles() -> None:
    op.create_table(
        "puzzle_answers",
        sa.Column("account", sa.String(24), sa.ForeignKey("accounts.id"), primary_key=True),
        sa.Column("puzzle", sa.String(40), primary_key=True, comment="its id; the first answer alone is kept"),
        sa.Column("game", sa.String(20), nullable=False, comment="rules by their short name"),
        sa.Column("at_ms", sa.BigInteger, nullable=False, comment="since 1970, UTC"),
        sa.Column("marks", sa.String(8), nullable=False, comment="for each move: f at the first try, l later, s shown"),
        sa.Column("number", sa.Integer, comment="counts the rated answers of the account in the game, from 1"),
        sa.Column("rating_before", sa.Double),
        sa.Column("rating_after", sa.Double),
    )
    op.create_index("puzzle_answers_by_game", "puzzle_answers", ["account", "game", "number"])
    op.create_table(
        "puzzle_standings",
        sa.Column("account", sa.String(24), sa.ForeignKey("accounts.id"), primary_key=True),
        sa.Column("game", sa.String(20), primary_key=True, comment="rules by their short name"),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("volatility", sa.Double, nullable=False),
        sa.Column("answers", sa.Integer, nullable=False, comment="that counted"),
        sa.Column("best_run", sa.Integer, nullable=False, comment="puzzles solved in a timed run, the most"),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("puzzle", sa.String(40), primary_key=True, comment="its id"),
        sa.Column("game", sa.String(20), nullable=False, comment="rules by their short name"),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("volatility", sa.Double, nullable=False),
        sa.Column("answers", sa.Integer, nullable=False, comment="that counted"),
    )
    op.create_index("puzzle_ratings_by_game", "puzzle_ratings", ["game"])
    op.create_table(
        "puzzle_days",
        sa.Column("account", sa.String(24), sa.ForeignKey("accounts.id"), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True, comment="UTC, such as 2026-11-29"),
        sa.Column("game", sa.String(20), primary_key=True, comment="rules by their short name"),
        sa.Column("marks", sa.String(8), nullable=False, comment="as in puzzle_answers"),
    )
