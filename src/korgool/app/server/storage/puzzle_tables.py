"""The tables of puzzles: answers and ratings of accounts, days, and how hard puzzles have turned out to be."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Double, ForeignKey, Index, Integer, String, Table

from korgool.app.server.storage.schema import metadata

puzzle_answers = Table(
    "puzzle_answers",
    metadata,
    Column("account", String(24), ForeignKey("accounts.id"), primary_key=True),
    Column("puzzle", String(40), primary_key=True, comment="its id; the first answer alone is kept"),
    Column("game", String(20), nullable=False, comment="rules by their short name"),
    Column("at_ms", BigInteger, nullable=False, comment="since 1970, UTC"),
    Column("marks", String(8), nullable=False, comment="for each move: f at the first try, l later, s shown"),
    # The columns below are empty where the answer did not count.
    Column("number", Integer, comment="counts the rated answers of the account in the game, from 1"),
    Column("rating_before", Double),
    Column("rating_after", Double),
    Index("puzzle_answers_by_game", "account", "game", "number"),
)
"""First answers of accounts to puzzles."""

puzzle_standings = Table(
    "puzzle_standings",
    metadata,
    Column("account", String(24), ForeignKey("accounts.id"), primary_key=True),
    Column("game", String(20), primary_key=True, comment="rules by their short name"),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("answers", Integer, nullable=False, comment="that counted"),
    Column("best_run", Integer, nullable=False, comment="puzzles solved in a timed run, the most"),
)
"""Ratings of accounts as solvers, and their best timed runs."""

puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("puzzle", String(40), primary_key=True, comment="its id"),
    Column("game", String(20), nullable=False, comment="rules by their short name"),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("answers", Integer, nullable=False, comment="that counted"),
    Index("puzzle_ratings_by_game", "game"),
)
"""Puzzles that accounts have answered; of any other one the rating is that from the engine."""

puzzle_days = Table(
    "puzzle_days",
    metadata,
    Column("account", String(24), ForeignKey("accounts.id"), primary_key=True),
    Column("day", String(10), primary_key=True, comment="UTC, such as 2026-11-29"),
    Column("game", String(20), primary_key=True, comment="rules by their short name"),
    Column("marks", String(8), nullable=False, comment="as in puzzle_answers"),
)
"""Puzzles of the day that accounts have answered."""
