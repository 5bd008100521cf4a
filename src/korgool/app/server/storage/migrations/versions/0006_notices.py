"""Who wants to be told that it is their turn: browsers, and e-mail addresses."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the two tables."""
    op.create_table(
        "push_subscriptions",
        sa.Column("id", sa.String(64), primary_key=True, comment="SHA-256 of the endpoint"),
        sa.Column("who", sa.String(22), nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(30), nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
        sa.Column("failures", sa.SmallInteger, nullable=False, comment="messages in a row that did not arrive"),
    )
    op.create_index("push_subscriptions_by_who", "push_subscriptions", ["who", "made_ms"])
    op.create_table(
        "mail_addresses",
        sa.Column("who", sa.String(22), primary_key=True),
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("token", sa.String(43), nullable=False, unique=True, comment="of the links that confirm and end"),
        sa.Column("asked_ms", sa.BigInteger, nullable=False),
        sa.Column("confirmed_ms", sa.BigInteger, comment="nothing but the link is sent before"),
    )
