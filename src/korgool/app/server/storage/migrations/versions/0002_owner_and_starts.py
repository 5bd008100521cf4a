"""The owner of the database, so that a server that has lost its lock cannot write; and starting positions of games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the owner's table with its one row; existing games have the usual start."""
    owner = op.create_table(
        "owner",
        sa.Column("id", sa.SmallInteger, primary_key=True, autoincrement=False),
        sa.Column("epoch", sa.BigInteger, nullable=False, comment="rises with every server that takes the database"),
        sa.Column("clean", sa.SmallInteger, nullable=False, comment="1 where the last owner ended in order"),
        sa.Column("beat_ms", sa.BigInteger, nullable=False, comment="its last transaction, since 1970, UTC"),
    )
    op.bulk_insert(owner, [{"id": 1, "epoch": 0, "clean": 1, "beat_ms": 0}])
    comment = "position text of the start, where it is not the usual one"
    op.add_column("games", sa.Column("start", sa.Text, comment=comment))
