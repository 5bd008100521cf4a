"""Events of other sites that this one follows."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table; nothing is followed before."""
    op.create_table(
        "followed_events",
        sa.Column("id", sa.String(8), primary_key=True, comment="none of those of `competitions`"),
        sa.Column("maker", sa.String(24), nullable=False, comment="an identity"),
        sa.Column("address", sa.Text, nullable=False, comment="as its organiser typed it"),
        sa.Column("made_ms", sa.BigInteger, nullable=False, comment="since 1970, UTC"),
        sa.Column("name", sa.Text, nullable=False, comment="of the event"),
        sa.Column("snapshot", sa.Text, nullable=False, comment="the last good copy, JSON"),
        sa.Column("version", sa.String(64), nullable=False, comment="SHA-256 of the copy"),
        sa.Column("validator", sa.Text, nullable=False, comment="the header to ask with; empty for none"),
        sa.Column("changed_ms", sa.BigInteger, nullable=False, comment="when the copy changed"),
        sa.Column("confirmed_ms", sa.BigInteger, nullable=False, comment="when the other site last said so"),
        sa.Column("asked_ms", sa.BigInteger, nullable=False, comment="when it was last asked"),
        sa.Column("problem", sa.String(40), nullable=False, comment="why there is no newer copy; empty for none"),
    )
    op.create_index("followed_events_by_change", "followed_events", ["changed_ms"])
    op.create_index("followed_events_by_maker", "followed_events", ["maker"])
