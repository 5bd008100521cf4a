"""Links by which a visitor goes on in another browser, and the time zone of those who are told by e-mail."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and the column."""
    zone = sa.Column(
        "zone", sa.String(40), nullable=False, server_default="", comment="the reader's time zone, as IANA names it"
    )
    op.add_column("mail_addresses", zone)
    op.create_table(
        "seat_links",
        sa.Column("digest", sa.String(64), primary_key=True, comment="SHA-256 of the secret in the link"),
        sa.Column("who", sa.String(22), nullable=False, comment="the visitor that a browser becomes by it"),
        sa.Column("game_id", sa.String(12), nullable=False, comment="where it leads"),
        sa.Column("expires_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("seat_links_by_who", "seat_links", ["who", "expires_ms"])
    op.create_index("seat_links_by_expiry", "seat_links", ["expires_ms"])
