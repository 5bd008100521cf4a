"""Scoresheets that are kept on phones at the boards of an event."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "competition_boards",
        sa.Column("competition", sa.String(8), sa.ForeignKey("competitions.id"), primary_key=True),
        _key("part", comment="id of the group, 1 without groups"),
        _key("round"),
        _key("board"),
        _key("number", comment="gapless from 1 on each board"),
        sa.Column("white", sa.Integer, nullable=False, comment="id of the player of the pairing, as black"),
        sa.Column("black", sa.Integer, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False, comment="when the server took it, since 1970, UTC"),
        sa.Column("line", sa.Text, nullable=False, comment="JSON: whose device, and what it wrote"),
    )
    op.create_index("competition_boards_by_time", "competition_boards", ["at_ms"])


def _key(name: str, comment: str | None = None) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, primary_key=True, autoincrement=False, comment=comment)
