"""Challenges: terms with an open seat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(12), primary_key=True),
        sa.Column("maker", sa.String(24), nullable=False, comment="an identity"),
        sa.Column("game", sa.String(20), nullable=False, comment="rules by their short name"),
        sa.Column("rules", sa.Text, comment="JSON: the named options that differ from these rules"),
        sa.Column("clock", sa.String(40), nullable=False),
        sa.Column("side", sa.String(6), nullable=False, comment="of the maker: white, black or random"),
        sa.Column("conduct", sa.String(12), nullable=False, comment="friendly or competition"),
        sa.Column("start", sa.Text, comment="position text of the start, where it is not the usual one"),
        sa.Column("rated", sa.SmallInteger, nullable=False),
        sa.Column("delay_s", sa.Integer, nullable=False, comment="how much later spectators see the game"),
        sa.Column("way", sa.String(5), nullable=False, comment="link, lobby, name, or none where it began at once"),
        sa.Column("addressee", sa.String(24), nullable=False, comment="whose it is; empty for everybody"),
        sa.Column("expires_ms", sa.BigInteger, nullable=False, comment="since 1970, UTC; judged when read"),
        sa.Column("state", sa.String(9), nullable=False),
        sa.Column("by", sa.String(24), nullable=False, comment="who took or declined it"),
        sa.Column("reason", sa.String(12), comment="why it was declined"),
        sa.Column("result", sa.String(12), comment="the game that came of it"),
    )
    op.create_index("challenges_by_maker", "challenges", ["maker", "state"])
    op.create_index("challenges_by_way", "challenges", ["way", "state", "expires_ms"])
    op.create_index("challenges_by_expiry", "challenges", ["expires_ms"])
    op.create_index("challenges_by_result", "challenges", ["result"])
