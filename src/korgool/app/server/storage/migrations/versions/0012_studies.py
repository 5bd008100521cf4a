"""Studies: annotated games and positions of accounts, which are read by link."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "studies",
        sa.Column("id", sa.String(16), primary_key=True, comment="of its address, which nobody can guess"),
        sa.Column("maker", sa.String(24), nullable=False, comment="an identity"),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("author", sa.Text, nullable=False, comment="as its maker wrote it"),
        sa.Column("language", sa.String(3), nullable=False, comment="of its comments; empty where nobody said"),
        sa.Column("version", sa.Integer, nullable=False, comment="rises with every change but those within chapters"),
        sa.Column("last_number", sa.Integer, nullable=False, comment="of a chapter; numbers are not given twice"),
        sa.Column("made_ms", sa.BigInteger, nullable=False, comment="since 1970, UTC"),
        sa.Column("changed_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("studies_by_maker", "studies", ["maker", "changed_ms"])
    op.create_table(
        "study_chapters",
        sa.Column("study", sa.String(16), sa.ForeignKey("studies.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False, comment="names it within its study"),
        sa.Column("place", sa.Integer, nullable=False, comment="its place in the order"),
        sa.Column("version", sa.Integer, nullable=False, comment="rises with every change"),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("concealed", sa.SmallInteger, nullable=False, comment="1 where the moves are to be found"),
        sa.Column("record", sa.Text, nullable=False, comment="in PGN style"),
        sa.Column("length", sa.Integer, nullable=False, comment="bytes of the record"),
    )
