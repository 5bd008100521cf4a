"""Games against the engine, their events, and the secret of visitors' cookies."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the first tables."""
    op.create_table(
        "games",
        sa.Column("id", sa.String(12), primary_key=True),
        sa.Column("game", sa.String(20), nullable=False, comment="rules by their short name"),
        sa.Column("visitor", sa.String(22), nullable=False),
        sa.Column("side", sa.SmallInteger, nullable=False, comment="of the visitor: 0 White, 1 Black"),
        sa.Column("level", sa.SmallInteger, nullable=False),
        sa.Column("clock", sa.String(7), nullable=False, comment="none, or minutes+seconds"),
        sa.Column("started_ms", sa.BigInteger, nullable=False, comment="since 1970, UTC"),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("to_move", sa.SmallInteger, nullable=False),
        sa.Column("termination", sa.String(20)),
        sa.Column("result_text", sa.String(30)),
        sa.Column("rematch", sa.String(12), comment="the game that followed this one with sides swapped"),
    )
    op.create_index("games_by_visitor", "games", ["visitor", "started_ms"])
    op.create_index("games_by_termination", "games", ["termination"])
    op.create_table(
        "events",
        sa.Column("game_id", sa.String(12), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column(
            "version", sa.BigInteger, primary_key=True, autoincrement=False, comment="gapless from 1 in each game"
        ),
        sa.Column("at_ms", sa.BigInteger, nullable=False, comment="since 1970, UTC; for people, no rule reads it"),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("payload", sa.Text, nullable=False, comment="JSON"),
    )
    op.create_table(
        "evaluations",
        sa.Column("game_id", sa.String(12), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column(
            "payload", sa.Text, nullable=False, comment="JSON: stones from White's view, a number for each position"
        ),
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(20), primary_key=True),
        sa.Column("value", sa.String(64), nullable=False),
    )
