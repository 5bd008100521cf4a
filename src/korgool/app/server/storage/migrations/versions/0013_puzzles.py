"""Answers of accounts to puzzles, the ratings that follow from them, and the days of the puzzle of the day."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
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
