"""Many server processes on one database: their beats, who is connected where, and who sees to what by itself."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Only PostgreSQL has more than one process; SQLite has the tables too, and leaves them empty."""
    op.add_column("games", sa.Column("swept_ms", sa.BigInteger, comment="until when a process sees to the deadline"))
    op.add_column("games", sa.Column("thinks_ms", sa.BigInteger, comment="until when a process thinks for the engine"))
    waits = "until when its maker waits, since 1970, UTC; written by many processes only"
    op.add_column("challenges", sa.Column("waits_ms", sa.BigInteger, comment=waits))
    beat = "its last sign of life, since 1970, UTC, by the database's clock"
    op.create_table(
        "processes",
        sa.Column("id", sa.String(12), primary_key=True),
        sa.Column("beat_ms", sa.BigInteger, nullable=False, comment=beat),
    )
    lag = "of White's connection there; none where there is no such connection"
    silent = "since when White's connection is silent; none where it is not"
    op.create_table(
        "attendance",
        sa.Column("game_id", sa.String(12), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("process", sa.String(12), primary_key=True),
        sa.Column("white_lag_ms", sa.Integer, comment=lag),
        sa.Column("black_lag_ms", sa.Integer),
        sa.Column("white_silent_ms", sa.BigInteger, comment=silent),
        sa.Column("black_silent_ms", sa.BigInteger),
        sa.Column("watchers", sa.Integer, nullable=False),
    )
    op.create_index("attendance_by_process", "attendance", ["process"])
