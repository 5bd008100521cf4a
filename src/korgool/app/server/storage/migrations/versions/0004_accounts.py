"""Accounts with their sessions, tokens, passkeys, children, blocks and reports; ratings.

Nothing that there was changes: visitors stay visitors, and their games move only when they open an account.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """The new tables, empty."""
    _accounts()
    _children()
    _keys()
    _passkeys()
    _others()
    _ratings()


def _accounts() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(24), primary_key=True, comment="an identity of its own, never that of a visitor"),
        sa.Column("kind", sa.String(8), nullable=False, comment="account, operator, child or bot"),
        sa.Column("name", sa.String(20), comment="as its owner writes it; none once the account is deleted"),
        sa.Column("key", sa.String(60), unique=True, comment="what the name is looked up by, see `accounts/names.py`"),
        sa.Column("look", sa.String(60), unique=True, comment="what the name looks like"),
        sa.Column("short", sa.String(20), comment="the public name of a child"),
        sa.Column("password", sa.String(200), comment="argon2id in PHC form; none with passkeys or tokens alone"),
        sa.Column("owner", sa.String(24), sa.ForeignKey("accounts.id"), comment="whose bot it is"),
        sa.Column("guardian", sa.String(24), sa.ForeignKey("accounts.id"), comment="the adult of a child's account"),
        sa.Column("made_ms", sa.BigInteger, nullable=False, comment="since 1970, UTC"),
        sa.Column("locked_ms", sa.BigInteger, comment="when the operator locked it"),
        sa.Column("deleted_ms", sa.BigInteger, comment="then only the identity stays, for the games"),
    )
    op.create_index("accounts_by_owner", "accounts", ["owner"])
    op.create_index("accounts_by_guardian", "accounts", ["guardian"])
    op.create_index("accounts_by_lock", "accounts", ["locked_ms"])


def _children() -> None:
    op.create_table(
        "trusted",
        sa.Column("child", sa.String(24), sa.ForeignKey("accounts.id"), primary_key=True),
        sa.Column(
            "who",
            sa.String(24),
            sa.ForeignKey("accounts.id"),
            primary_key=True,
            comment="whom the child may know by name",
        ),
        sa.Column("at_ms", sa.BigInteger, nullable=False, comment="when the guardian agreed"),
    )
    op.create_index("trusted_by_who", "trusted", ["who"])
    op.create_table(
        "consents",
        sa.Column("child", sa.String(24), sa.ForeignKey("accounts.id"), primary_key=True),
        sa.Column("guardian", sa.String(24), sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("wording", sa.String(20), nullable=False, comment="which text was agreed to"),
        sa.Column("withdrawn_ms", sa.BigInteger, comment="the account is deleted then"),
    )


def _keys() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(16), primary_key=True, comment="for lists; opens nothing"),
        sa.Column("account", sa.String(24), sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False, unique=True, comment="SHA-256 of the cookie's secret"),
        sa.Column("begun_ms", sa.BigInteger, nullable=False),
        sa.Column("seen_ms", sa.BigInteger, nullable=False, comment="the last use, to ten minutes"),
        sa.Column(
            "proved_ms", sa.BigInteger, nullable=False, comment="when a password or passkey was last given; 0 for never"
        ),
        sa.Column("device", sa.String(100), nullable=False, comment="the browser as its owner recognizes it"),
        sa.Column("ended_ms", sa.BigInteger, comment="by the owner, the operator, or a new password"),
    )
    op.create_index("sessions_by_account", "sessions", ["account", "seen_ms"])
    op.create_index("sessions_by_use", "sessions", ["seen_ms"])
    op.create_index("sessions_by_end", "sessions", ["ended_ms"])
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(16), primary_key=True, comment="for lists; opens nothing"),
        sa.Column("account", sa.String(24), sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False, unique=True, comment="SHA-256 of the secret"),
        sa.Column("scopes", sa.String(60), nullable=False, comment="words with spaces between"),
        sa.Column("label", sa.String(60), nullable=False),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
        sa.Column("expires_ms", sa.BigInteger, nullable=False),
        sa.Column("ended_ms", sa.BigInteger),
    )
    op.create_index("tokens_by_account", "tokens", ["account"])
    op.create_index("tokens_by_expiry", "tokens", ["expires_ms"])
    op.create_index("tokens_by_end", "tokens", ["ended_ms"])
    op.create_table(
        "recovery_codes",
        sa.Column("digest", sa.String(64), primary_key=True, comment="SHA-256 of the code"),
        sa.Column("account", sa.String(24), sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("recovery_codes_by_account", "recovery_codes", ["account"])
    op.create_table(
        "guesses",
        sa.Column(
            "subject", sa.String(64), primary_key=True, comment="SHA-256 of what was guessed at, or of the address"
        ),
        sa.Column("failed", sa.Integer, nullable=False, comment="wrong passwords and codes since the beginning"),
        sa.Column("began_ms", sa.BigInteger, nullable=False, comment="when the count began"),
    )
    op.create_index("guesses_by_age", "guesses", ["began_ms"])


def _passkeys() -> None:
    op.create_table(
        "passkeys",
        sa.Column("digest", sa.String(64), primary_key=True, comment="SHA-256 of the credential's id"),
        sa.Column("account", sa.String(24), sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("credential", sa.Text, nullable=False, comment="the id that the device gave, base64url"),
        sa.Column("public_key", sa.Text, nullable=False, comment="COSE, base64url"),
        sa.Column("uses", sa.BigInteger, nullable=False, comment="the device's signature counter"),
        sa.Column("label", sa.String(60), nullable=False),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
        sa.Column("used_ms", sa.BigInteger, comment="the last sign-in"),
    )
    op.create_index("passkeys_by_account", "passkeys", ["account"])
    op.create_table(
        "ceremonies",
        sa.Column("id", sa.String(64), primary_key=True, comment="SHA-256 of what the browser brings back"),
        sa.Column(
            "account", sa.String(24), sa.ForeignKey("accounts.id"), comment="who adds a passkey; none at sign-in"
        ),
        sa.Column("challenge", sa.String(90), nullable=False, comment="random bytes that the device signs, base64url"),
        sa.Column("expires_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("ceremonies_by_expiry", "ceremonies", ["expires_ms"])


def _others() -> None:
    op.create_table(
        "blocks",
        sa.Column("account", sa.String(24), sa.ForeignKey("accounts.id"), primary_key=True, comment="who blocks"),
        sa.Column(
            "blocked",
            sa.String(24),
            primary_key=True,
            comment="whom: an account's or a visitor's identity",
        ),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("blocks_by_blocked", "blocks", ["blocked"])
    op.create_table(
        "reports",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("reporter", sa.String(24), nullable=False, comment="an identity"),
        sa.Column("about", sa.String(24), nullable=False, comment="an identity"),
        sa.Column("game_id", sa.String(12), sa.ForeignKey("games.id")),
        sa.Column("words", sa.Text, nullable=False, comment="what the reporter wrote"),
        sa.Column("record", sa.Text, comment="the game's record as it stood then"),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("closed_ms", sa.BigInteger, comment="when the operator had dealt with it"),
    )
    op.create_index("reports_by_time", "reports", ["at_ms"])


def _ratings() -> None:
    op.create_table(
        "standings",
        sa.Column("account", sa.String(24), primary_key=True, comment="an identity"),
        sa.Column("game", sa.String(20), primary_key=True, comment="rules by their short name"),
        sa.Column("speed", sa.String(6), primary_key=True, comment="bullet, blitz, rapid, slow or days"),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column(
            "deviation", sa.Double, nullable=False, comment="after the last game; it grows while nothing is played"
        ),
        sa.Column("volatility", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False, comment="the end of the last game"),
        sa.Column("seq", sa.BigInteger, nullable=False, comment="the last game's number; 0 before the first"),
        sa.Column(
            "fixed", sa.SmallInteger, nullable=False, comment="1 where no game changes it: a program of known strength"
        ),
    )
    op.create_index("standings_by_rating", "standings", ["game", "speed", "rating"])
    op.create_table(
        "rated_games",
        sa.Column(
            "seq",
            sa.BigInteger().with_variant(sa.Integer, "sqlite"),
            primary_key=True,
            comment="alone decides the order",
        ),
        sa.Column("game_id", sa.String(12), sa.ForeignKey("games.id"), nullable=False, unique=True),
        sa.Column("game", sa.String(20), nullable=False, comment="rules by their short name"),
        sa.Column("speed", sa.String(6), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False, comment="when it ended, since 1970, UTC"),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("white", sa.String(24), nullable=False, comment="an identity"),
        sa.Column("black", sa.String(24), nullable=False, comment="an identity"),
        sa.Column("white_half_points", sa.SmallInteger, nullable=False, comment="2 for a win, 1 for a draw"),
        sa.Column("black_half_points", sa.SmallInteger, nullable=False),
        sa.Column("white_before", sa.Double, nullable=False, comment="ratings and deviations when the game ended"),
        sa.Column("white_deviation_before", sa.Double, nullable=False),
        sa.Column("black_before", sa.Double, nullable=False),
        sa.Column("black_deviation_before", sa.Double, nullable=False),
        sa.Column("white_after", sa.Double, nullable=False, comment="and what the game made of them"),
        sa.Column("white_deviation_after", sa.Double, nullable=False),
        sa.Column("black_after", sa.Double, nullable=False),
        sa.Column("black_deviation_after", sa.Double, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("rated_games_by_white", "rated_games", ["white", "seq"])
    op.create_index("rated_games_by_black", "rated_games", ["black", "seq"])
    op.create_table(
        "marks",
        sa.Column("game_id", sa.String(12), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("account", sa.String(24), primary_key=True, comment="an identity"),
        sa.Column("way", sa.String(8), nullable=False, comment="played, aborted or left"),
        sa.Column("at_ms", sa.BigInteger, nullable=False, comment="since 1970, UTC"),
    )
    op.create_index("marks_by_account", "marks", ["account", "at_ms"])
    op.create_index("marks_by_time", "marks", ["at_ms"])
