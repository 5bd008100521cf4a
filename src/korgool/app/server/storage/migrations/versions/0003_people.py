"""Two seats in every game, commands with ids, deadlines, outages, challenges, vacations, and ways to tell people.

Of the journals two things change: a repetition is told by the move that makes it, and a rematch is an event. Clocks go
on from what the last event left on them, as they did after every restart before, for all time until now is an outage.
"""

from __future__ import annotations

import json
import time
from collections import Counter

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def _games() -> tuple[sa.Column[object], ...]:
    return (
        sa.Column("rules", sa.Text, comment="JSON: the named options that differ from these rules"),
        sa.Column(
            "conduct", sa.String(12), nullable=False, server_default="friendly", comment="friendly or competition"
        ),
        sa.Column("rated", sa.SmallInteger, nullable=False, server_default="0"),
        sa.Column(
            "delay_s", sa.Integer, nullable=False, server_default="0", comment="how much later spectators see the game"
        ),
        sa.Column("plies", sa.Integer, nullable=False, server_default="0"),
        sa.Column("due_ms", sa.BigInteger, comment="when time alone decides something, since 1970, UTC"),
        sa.Column("ended_ms", sa.BigInteger),
    )


def _events() -> tuple[sa.Column[object], ...]:
    return (
        sa.Column("side", sa.SmallInteger, comment="the seat that caused it"),
        sa.Column("command", sa.String(40), comment="the id that the command had there"),
    )


def upgrade() -> None:
    """A game of a visitor against the engine becomes one with a person's seat and an engine's seat."""
    old = "old_games" if op.get_bind().dialect.name == "sqlite" else "games"
    op.drop_index("games_by_visitor", "games")
    op.drop_index("games_by_termination", "games")
    if old == "old_games":
        _copy()
    else:
        _alter()
    op.create_table(
        "seats",
        sa.Column("game_id", sa.String(12), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("side", sa.SmallInteger, primary_key=True, autoincrement=False, comment="0 White, 1 Black"),
        sa.Column("kind", sa.String(6), nullable=False, comment="person or engine"),
        sa.Column("who", sa.String(24), nullable=False, comment="the identity of a person; empty for the engine"),
        sa.Column("strength", sa.SmallInteger, nullable=False, comment="of the engine, as the engine room numbers it"),
        sa.Column("sign_ms", sa.BigInteger, comment="the last sign of life of a person, since 1970, UTC"),
    )
    seat = "INSERT INTO seats (game_id, side, kind, who, strength) SELECT id"
    op.execute(f"{seat}, side, 'person', visitor, 0 FROM {old}")
    op.execute(f"{seat}, 1 - side, 'engine', '', level FROM {old}")
    if old == "old_games":
        for name in ("old_evaluations", "old_events", "old_games"):
            op.drop_table(name)
    else:
        for name in ("visitor", "side", "level"):
            op.drop_column("games", name)
    _journals()
    _summaries()
    op.create_index("seats_by_person", "seats", ["who", "game_id"])
    op.create_index("games_by_termination", "games", ["termination"])
    op.create_index("games_by_due", "games", ["due_ms"])
    op.create_index("games_by_end", "games", ["ended_ms"])
    given = sa.text("command IS NOT NULL")
    op.create_index(
        "events_by_command",
        "events",
        ["game_id", "side", "command"],
        unique=True,
        sqlite_where=given,
        postgresql_where=given,
    )
    op.create_table(
        "outages",
        sa.Column("began_ms", sa.BigInteger, primary_key=True, autoincrement=False, comment="since 1970, UTC"),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
    )
    _charge_nobody()
    _challenges()
    _vacations()
    _notices()


def _alter() -> None:
    for column in _games():
        op.add_column("games", column)
    for column in _events():
        op.add_column("events", column)
    clock = "none, a time control such as 10+5, or days for a turn: 3d"
    op.alter_column("games", "clock", type_=sa.String(40), comment=clock)
    op.alter_column("games", "started_ms", comment="when it was made, since 1970, UTC")
    op.alter_column("games", "termination", comment="none while the game goes on")
    op.alter_column("events", "kind", type_=sa.String(20))
    op.alter_column("events", "at_ms", comment="since 1970, UTC")
    op.alter_column("owner", "beat_ms", comment="its last sign of life, since 1970, UTC")


def _copy() -> None:
    """SQLite drops columns only from 3.35 on, and a table that others refer to cannot be dropped alone: copy all."""
    for name in ("games", "events", "evaluations"):
        op.rename_table(name, f"old_{name}")
    op.create_table(
        "games",
        sa.Column("id", sa.String(12), primary_key=True),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("clock", sa.String(40), nullable=False),
        sa.Column("started_ms", sa.BigInteger, nullable=False),
        sa.Column("start", sa.Text),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("to_move", sa.SmallInteger, nullable=False),
        sa.Column("termination", sa.String(20)),
        sa.Column("result_text", sa.String(30)),
        sa.Column("rematch", sa.String(12)),
        *_games(),
    )
    op.create_table(
        "events",
        sa.Column("game_id", sa.String(12), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("version", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        *_events(),
    )
    op.create_table(
        "evaluations",
        sa.Column("game_id", sa.String(12), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("payload", sa.Text, nullable=False),
    )
    for name, columns in (
        ("games", "id, game, clock, started_ms, start, version, to_move, termination, result_text, rematch"),
        ("events", "game_id, version, at_ms, kind, payload"),
        ("evaluations", "game_id, payload"),
    ):
        op.execute(f"INSERT INTO {name} ({columns}) SELECT {columns} FROM old_{name}")


def _journals() -> None:
    """Drop the rows that say again what a move says, and write down rematches, which only the table of games knew."""
    last = "(SELECT MAX(version) FROM events WHERE game_id = games.id)"
    op.execute("DELETE FROM events WHERE kind = 'repetition'")
    op.execute(f"UPDATE games SET version = {last} WHERE version > {last}")
    op.execute(
        "INSERT INTO events (game_id, version, at_ms, kind, payload, side) "
        "SELECT games.id, games.version + 1, again.started_ms, 'rematch', "
        """'{"game":"' || games.rematch || '"}', seats.side FROM games """
        "JOIN games AS again ON again.id = games.rematch "
        "JOIN seats ON seats.game_id = games.id AND seats.kind = 'person'"
    )
    op.execute("UPDATE games SET version = version + 1 WHERE rematch IN (SELECT id FROM games)")


def _charge_nobody() -> None:
    """A server before this one let clocks go on after every restart from what their last event had left on them."""
    connection, now = op.get_bind(), time.time_ns() // 1_000_000
    if connection.scalar(sa.text("SELECT COUNT(*) FROM games")):
        connection.execute(sa.text("INSERT INTO outages (began_ms, ended_ms) VALUES (0, :now)"), {"now": now})
        connection.execute(sa.text("UPDATE owner SET beat_ms = :now"), {"now": now})


def _summaries() -> None:
    """Fill the new columns of games from their journals."""
    connection = op.get_bind()
    op.execute(
        "UPDATE games SET ended_ms = (SELECT MAX(at_ms) FROM events WHERE game_id = games.id AND kind <> 'rematch') "
        "WHERE termination IS NOT NULL"
    )
    # Due at once: the server reads these games when it starts, and then knows.
    op.execute("UPDATE games SET due_ms = 0 WHERE termination IS NULL AND clock <> 'none'")
    op.execute("UPDATE games SET plies = (SELECT COUNT(*) FROM events WHERE game_id = games.id AND kind = 'move')")
    undone: Counter[str] = Counter()
    for game, payload in connection.execute(sa.text("SELECT game_id, payload FROM events WHERE kind = 'undo'")):
        undone[game] += json.loads(payload).get("plies", 0)
    if undone:
        connection.execute(
            sa.text("UPDATE games SET plies = plies - :plies WHERE id = :game"),
            [{"game": game, "plies": plies} for game, plies in undone.items()],
        )


def _challenges() -> None:
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(12), primary_key=True),
        sa.Column("maker", sa.String(24), nullable=False, comment="an identity"),
        sa.Column("game", sa.String(20), nullable=False, comment="rules by their short name"),
        sa.Column("rules", sa.Text, comment="JSON: the named options that differ from these rules"),
        sa.Column("clock", sa.String(40), nullable=False),
        sa.Column("side", sa.String(6), nullable=False, comment="of the maker: white, black or random"),
        sa.Column("conduct", sa.String(12), nullable=False, comment="friendly or competition"),
        sa.Column("start", sa.Text, comment="position text of the start, where it is not the usual one"),
        sa.Column("rated", sa.SmallInteger, nullable=False),
        sa.Column("delay_s", sa.Integer, nullable=False, comment="how much later spectators see the game"),
        sa.Column("way", sa.String(5), nullable=False, comment="link, lobby, name, or none where it began at once"),
        sa.Column("addressee", sa.String(24), nullable=False, comment="whose it is; empty for everybody"),
        sa.Column("expires_ms", sa.BigInteger, nullable=False, comment="since 1970, UTC; judged when read"),
        sa.Column("state", sa.String(9), nullable=False),
        sa.Column("by", sa.String(24), nullable=False, comment="who took or declined it"),
        sa.Column("reason", sa.String(12), comment="why it was declined"),
        sa.Column("result", sa.String(12), comment="the game that came of it"),
    )
    op.create_index("challenges_by_maker", "challenges", ["maker", "state"])
    op.create_index("challenges_by_way", "challenges", ["way", "state", "expires_ms"])
    op.create_index("challenges_by_expiry", "challenges", ["expires_ms"])
    op.create_index("challenges_by_result", "challenges", ["result"])


def _vacations() -> None:
    op.create_table(
        "vacations",
        sa.Column("who", sa.String(24), primary_key=True, comment="an identity"),
        sa.Column("began_ms", sa.BigInteger, primary_key=True, autoincrement=False, comment="since 1970, UTC"),
        sa.Column("until_ms", sa.BigInteger, nullable=False, comment="when it ends or ended, early or not"),
    )


def _notices() -> None:
    op.create_table(
        "push_subscriptions",
        sa.Column("id", sa.String(64), primary_key=True, comment="SHA-256 of the endpoint"),
        sa.Column("who", sa.String(22), nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(30), nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
        sa.Column("failures", sa.SmallInteger, nullable=False, comment="messages in a row that did not arrive"),
    )
    op.create_index("push_subscriptions_by_who", "push_subscriptions", ["who", "made_ms"])
    op.create_table(
        "mail_addresses",
        sa.Column("who", sa.String(22), primary_key=True),
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("token", sa.String(43), nullable=False, unique=True, comment="of the links that confirm and end"),
        sa.Column("asked_ms", sa.BigInteger, nullable=False),
        sa.Column("confirmed_ms", sa.BigInteger, comment="nothing but the link is sent before"),
    )
