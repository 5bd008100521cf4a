"""Mistakes of accounts that come back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
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
