"""Two seats in every game, commands with ids, deadlines, and outages. Journals stay as they are."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def _game_columns() -> list[sa.Column[Any]]:
    return [
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
    ]


def _event_columns() -> list[sa.Column[Any]]:
    return [
        sa.Column("side", sa.SmallInteger, comment="the seat that caused it"),
        sa.Column("command", sa.String(40), comment="the id that the command had there"),
    ]


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


def _alter() -> None:
    for column in _game_columns():
        op.add_column("games", column)
    for column in _event_columns():
        op.add_column("events", column)
    op.alter_column("games", "clock", type_=sa.String(40))
    op.alter_column("events", "kind", type_=sa.String(20))


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
        *_game_columns(),
    )
    op.create_table(
        "events",
        sa.Column("game_id", sa.String(12), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("version", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        *_event_columns(),
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


def _summaries() -> None:
    """Fill the new columns of games from their journals."""
    connection = op.get_bind()
    op.execute(
        "UPDATE games SET ended_ms = (SELECT MAX(at_ms) FROM events WHERE game_id = games.id) "
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
