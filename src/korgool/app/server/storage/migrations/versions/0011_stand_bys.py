"""Second machines of events, and who leads an event that has been on several."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "competition_stand_bys",
        sa.Column("id", sa.String(16), primary_key=True, comment="for lists; opens nothing"),
        sa.Column("competition", sa.String(8), sa.ForeignKey("competitions.id"), nullable=False),
        sa.Column(
            "token", sa.String(64), unique=True, comment="SHA-256 of its token; none where an account's token serves"
        ),
        sa.Column("name", sa.String(60), nullable=False, comment="what the desk calls it"),
        sa.Column("kind", sa.String(8), nullable=False, comment="machine or browser; empty before it has come"),
        sa.Column(
            "address", sa.Text, nullable=False, comment="where it would serve after a take-over; empty for nowhere"
        ),
        sa.Column("made_ms", sa.BigInteger, nullable=False, comment="since 1970, UTC"),
        sa.Column("ended_ms", sa.BigInteger, comment="when somebody ended it"),
        sa.Column("line", sa.BigInteger, nullable=False, comment="the last line of the log that it holds"),
        sa.Column("seen_ms", sa.BigInteger, nullable=False, comment="when it said so; 0 for never"),
    )
    op.create_index("competition_stand_bys_by_competition", "competition_stand_bys", ["competition"])
    op.create_table(
        "competition_leads",
        sa.Column("competition", sa.String(8), sa.ForeignKey("competitions.id"), primary_key=True),
        sa.Column("home", sa.Text, nullable=False, comment="the address on its printed codes; empty for this site's"),
        sa.Column("peers", sa.Text, nullable=False, comment="JSON: addresses of other machines that may lead it"),
        sa.Column(
            "leader",
            sa.Text,
            nullable=False,
            comment="JSON: the machine that leads it instead; empty where this one does",
        ),
        sa.Column(
            "strays", sa.Text, nullable=False, comment="JSON: lines of a machine that led before, which nobody else has"
        ),
    )
