"""Applications for events, and when anybody may apply."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "competition_entry_windows",
        sa.Column("competition", sa.String(8), sa.ForeignKey("competitions.id"), primary_key=True),
        sa.Column(
            "group_id", sa.Integer, primary_key=True, autoincrement=False, comment="1 in an event without groups"
        ),
        sa.Column("opens_ms", sa.BigInteger, nullable=False, comment="since 1970, UTC"),
        sa.Column("closes_ms", sa.BigInteger, nullable=False, comment="since 1970, UTC"),
        sa.Column("most", sa.Integer, nullable=False, comment="how many players; 0 for any number"),
    )
    op.create_table(
        "competition_applications",
        sa.Column("id", sa.String(16), primary_key=True, comment="for the desk; opens nothing"),
        sa.Column("competition", sa.String(8), sa.ForeignKey("competitions.id"), nullable=False),
        sa.Column("link", sa.String(64), nullable=False, comment="SHA-256 of the token of the applicant's link"),
        sa.Column("place", sa.Integer, nullable=False, comment="among those that came together, from 0"),
        sa.Column("made_ms", sa.BigInteger, nullable=False, comment="since 1970, UTC"),
        sa.Column("state", sa.String(10), nullable=False, comment="waiting, asked, entered, refused or withdrawn"),
        sa.Column("data", sa.Text, nullable=False, comment="JSON: who applies; empty once that is removed"),
        sa.Column("paper", sa.Text, comment="a picture of the doctor's paper, base64 of a JPEG"),
        sa.Column("question", sa.Text, nullable=False, comment="of the organiser, or the reason of a refusal"),
        sa.Column("answer", sa.Text, nullable=False, comment="of the applicant"),
        sa.Column("player", sa.Integer, comment="the id in the event, once it is entered"),
        sa.UniqueConstraint("competition", "link", "place", name="competition_applications_once"),
    )
