"""Events with their logs and officials' roles, accounts that a passkey alone opens, sign-ins, indexes of reports."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables; nothing is known of sign-ins before."""
    _events()
    _accounts()


def _events() -> None:
    op.create_table(
        "competitions",
        sa.Column("id", sa.String(8), primary_key=True),
        sa.Column("made_ms", sa.BigInteger, nullable=False, comment="since 1970, UTC"),
        sa.Column("maker", sa.String(24), nullable=False, comment="an identity"),
        sa.Column("public", sa.SmallInteger, nullable=False, comment="1 where anybody may read it"),
        sa.Column("seq", sa.BigInteger, nullable=False, comment="the last line of its log"),
        sa.Column("changed_ms", sa.BigInteger, nullable=False, comment="when that line was written"),
        sa.Column("name", sa.Text, nullable=False),
    )
    op.create_index("competitions_by_change", "competitions", ["public", "changed_ms"])
    who = "the identity or the role of the official; empty for a file's"
    op.create_table(
        "competition_log",
        sa.Column("competition", sa.String(8), sa.ForeignKey("competitions.id"), primary_key=True),
        sa.Column("at", sa.BigInteger, primary_key=True, autoincrement=False, comment="gapless from 1 in each event"),
        sa.Column("time", sa.String(20), nullable=False, comment="UTC, such as 2026-09-14T10:05:00Z"),
        sa.Column("by", sa.Text, nullable=False, comment="the official as the event knows them"),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("action", sa.Text, nullable=False, comment="JSON"),
        sa.Column("chain", sa.String(64), nullable=False, comment="the hash of this line and of all before it"),
        sa.Column("details", sa.Text, nullable=False, comment="JSON: what can be removed; see korgool.competition"),
        sa.Column("who", sa.String(24), nullable=False, comment=who),
        sa.Column("command", sa.String(40), comment="the id that the action had there"),
    )
    op.create_index("competition_log_by_command", "competition_log", ["competition", "who", "command"])
    op.create_table(
        "competition_personal",
        sa.Column("competition", sa.String(8), sa.ForeignKey("competitions.id"), primary_key=True),
        sa.Column("player", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("data", sa.Text, nullable=False, comment="JSON"),
    )
    account = "an identity; none where a link or a code opens the role"
    op.create_table(
        "competition_roles",
        sa.Column("id", sa.String(16), primary_key=True, comment="for lists; opens nothing"),
        sa.Column("competition", sa.String(8), sa.ForeignKey("competitions.id"), nullable=False),
        sa.Column("account", sa.String(24), comment=account),
        sa.Column("link", sa.String(64), unique=True, comment="SHA-256 of the token of the link"),
        sa.Column("code", sa.String(64), unique=True, comment="SHA-256 of the code"),
        sa.Column("role", sa.String(12), nullable=False),
        sa.Column("first_board", sa.Integer, comment="of its range of boards; none for all"),
        sa.Column("last_board", sa.Integer),
        sa.Column("name", sa.String(60), nullable=False, comment="what the log calls the official"),
        sa.Column("made_ms", sa.BigInteger, nullable=False, comment="since 1970, UTC"),
        sa.Column("until_ms", sa.BigInteger, comment="when it ends by itself"),
        sa.Column("ended_ms", sa.BigInteger, comment="when somebody ended it"),
    )
    op.create_index("competition_roles_by_competition", "competition_roles", ["competition"])
    op.create_index("competition_roles_by_account", "competition_roles", ["account"])


def _accounts() -> None:
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
