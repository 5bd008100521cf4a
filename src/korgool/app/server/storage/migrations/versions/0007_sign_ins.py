"""Accounts that a passkey alone opens, the log of sign-ins, and indexes by which reports are found and forgotten."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing is known of sign-ins before."""
    opens = "the identity of the account that it opens; none for others"
    op.add_column("ceremonies", sa.Column("opens", sa.String(24), comment=opens))
    op.create_table(
        "sign_ins",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("account", sa.String(24), sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False, comment="since 1970, UTC"),
        sa.Column("way", sa.String(8), nullable=False, comment="password, passkey, code or token"),
        sa.Column("device", sa.String(100), nullable=False, comment="the browser; empty for tokens"),
    )
    op.create_index("sign_ins_by_account", "sign_ins", ["account", "at_ms"])
    op.create_index("sign_ins_by_time", "sign_ins", ["at_ms"])
    op.create_index("reports_by_reporter", "reports", ["reporter", "game_id"])
    op.create_index("reports_by_closing", "reports", ["closed_ms"])
