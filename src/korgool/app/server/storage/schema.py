"""The database tables of the current version; `migrations` creates them."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, MetaData, SmallInteger, String, Table, Text

metadata = MetaData()

games = Table(
    "games",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("game", String(20), nullable=False, comment="rules by their short name"),
    Column("visitor", String(22), nullable=False),
    Column("side", SmallInteger, nullable=False, comment="of the visitor: 0 White, 1 Black"),
    Column("level", SmallInteger, nullable=False),
    Column("clock", String(7), nullable=False, comment="none, or minutes+seconds"),
    Column("started_ms", BigInteger, nullable=False, comment="since 1970, UTC"),
    Column("start", Text, comment="position text of the start, where it is not the usual one"),
    # The columns below repeat the last event, so that lists need not replay games.
    Column("version", BigInteger, nullable=False),
    Column("to_move", SmallInteger, nullable=False),
    Column("termination", String(20)),
    Column("result_text", String(30)),
    Column("rematch", String(12), comment="the game that followed this one with sides swapped"),
    Index("games_by_visitor", "visitor", "started_ms"),
    Index("games_by_termination", "termination"),
)

events = Table(
    "events",
    metadata,
    Column("game_id", String(12), ForeignKey("games.id"), primary_key=True),
    Column("version", BigInteger, primary_key=True, autoincrement=False, comment="gapless from 1 in each game"),
    Column("at_ms", BigInteger, nullable=False, comment="since 1970, UTC; for people, no rule reads it"),
    Column("kind", String(12), nullable=False),
    Column("payload", Text, nullable=False, comment="JSON"),
)
"""Append-only: the journal from which every game is rebuilt."""

evaluations = Table(
    "evaluations",
    metadata,
    Column("game_id", String(12), ForeignKey("games.id"), primary_key=True),
    Column("payload", Text, nullable=False, comment="JSON: stones from White's view, a number for each position"),
)
"""The engine's evaluations of finished games; they can be computed again."""

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(20), primary_key=True),
    Column("value", String(64), nullable=False),
)
"""The key that signs visitors' cookies, created at the first start."""

owner = Table(
    "owner",
    metadata,
    Column("id", SmallInteger, primary_key=True, autoincrement=False),
    Column("epoch", BigInteger, nullable=False, comment="rises with every server that takes the database"),
    Column("clean", SmallInteger, nullable=False, comment="1 where the last owner ended in order"),
    Column("beat_ms", BigInteger, nullable=False, comment="its last transaction, since 1970, UTC"),
)
"""One row: the server that owns the database. See `ownership.py`."""
