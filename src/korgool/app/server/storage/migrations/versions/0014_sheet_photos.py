"""Photographs of scoresheets that players send from their tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "competition_sheet_photos",
        sa.Column("competition", sa.String(8), sa.ForeignKey("competitions.id"), primary_key=True),
        sa.Column(
            "part", sa.Integer, primary_key=True, autoincrement=False, comment="id of the group, 1 without groups"
        ),
        sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("board", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("side", sa.String(5), primary_key=True, comment="white or black"),
        sa.Column("player", sa.Integer, nullable=False, comment="the id of who sat there"),
        sa.Column("taken_ms", sa.BigInteger, nullable=False, comment="when the server took it, since 1970, UTC"),
        sa.Column("picture", sa.Text, nullable=False, comment="base64 of a JPEG"),
    )
    op.create_index("competition_sheet_photos_by_time", "competition_sheet_photos", ["taken_ms"])
