"""Games that start from another position than the usual one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; the games that are there began as usual."""
    comment = "position text of the start, where it is not the usual one"
    op.add_column("games", sa.Column("start", sa.Text, comment=comment))
