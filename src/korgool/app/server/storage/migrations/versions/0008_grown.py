"""Columns and indexes by which every page of a large database is found without reading a table through.

What repeats other columns is filled in here. Indexes by columns that are mostly NULL hold the other rows only: SQLite
without statistics takes `IS NULL` for a few rows, with them any value for many, and begins with the wrong table.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_REPLACED = {
    "games_by_termination": "games",
    "games_by_end": "games",
    "seats_by_person": "seats",
    "accounts_by_lock": "accounts",
    "accounts_by_owner": "accounts",
    "accounts_by_guardian": "accounts",
    "sessions_by_end": "sessions",
    "tokens_by_end": "tokens",
    "standings_by_rating": "standings",
}
_WHOLE = (
    ("seats_by_person", "seats", ["who", "started_ms", "game_id"]),
    ("challenges_by_addressee", "challenges", ["addressee"]),
    ("challenges_by_taker", "challenges", ["by"]),
    ("outages_by_end", "outages", ["ended_ms"]),
    ("consents_by_guardian", "consents", ["guardian"]),
    ("reports_by_subject", "reports", ["about"]),
    ("competitions_by_maker", "competitions", ["maker"]),
)
_PARTIAL = (
    ("games_watched", "games", ["started_ms"], "termination IS NULL AND people = 1"),
    ("games_finished", "games", ["ended_ms"], "result_text IS NOT NULL AND people = 1"),
    ("games_shown_later", "games", ["ended_ms"], "delay_s > 0"),
    ("seats_running", "seats", ["who"], "running = 1"),
    ("accounts_by_lock", "accounts", ["locked_ms"], "locked_ms IS NOT NULL"),
    ("accounts_by_owner", "accounts", ["owner"], "owner IS NOT NULL"),
    ("accounts_by_guardian", "accounts", ["guardian"], "guardian IS NOT NULL"),
    ("sessions_by_end", "sessions", ["ended_ms"], "ended_ms IS NOT NULL"),
    ("tokens_by_end", "tokens", ["ended_ms"], "ended_ms IS NOT NULL"),
    ("standings_settled", "standings", ["game", "speed", "rating"], "deviation <= 110 OR fixed = 1"),
)


def upgrade() -> None:
    """Add the columns, fill them in, and replace the indexes."""
    for index, table in _REPLACED.items():
        op.drop_index(index, table, if_exists=True)  # older servers of these revisions made fewer
    op.add_column(
        "games",
        sa.Column(
            "people",
            sa.SmallInteger,
            nullable=False,
            server_default="0",
            comment="1 where two different people play",
        ),
    )
    op.add_column(
        "seats",
        sa.Column("started_ms", sa.BigInteger, nullable=False, server_default="0", comment="when the game was made"),
    )
    op.add_column(
        "seats",
        sa.Column("running", sa.SmallInteger, nullable=False, server_default="0", comment="1 while the game goes on"),
    )
    op.execute(
        "UPDATE games SET people = 1 WHERE 2 = (SELECT count(DISTINCT seats.who) FROM seats "
        "WHERE seats.game_id = games.id AND seats.kind = 'person')"
    )
    op.execute("UPDATE seats SET started_ms = (SELECT games.started_ms FROM games WHERE games.id = seats.game_id)")
    op.execute(
        "UPDATE seats SET running = 1 "
        "WHERE EXISTS (SELECT 1 FROM games WHERE games.id = seats.game_id AND games.termination IS NULL)"
    )
    for name, table, columns in _WHOLE:
        op.create_index(name, table, columns)
    for name, table, columns, where in _PARTIAL:
        op.create_index(name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))
