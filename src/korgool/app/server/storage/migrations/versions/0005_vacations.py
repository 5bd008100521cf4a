"""Vacations of people who play slow games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "vacations",
        sa.Column("who", sa.String(24), primary_key=True, comment="an identity"),
        sa.Column("began_ms", sa.BigInteger, primary_key=True, autoincrement=False, comment="since 1970, UTC"),
        sa.Column("until_ms", sa.BigInteger, nullable=False, comment="when it ends or ended, early or not"),
    )
