"""The database tables of the current version; `migrations` creates them."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, MetaData, SmallInteger, String, Table, Text, text

metadata = MetaData()

games = Table(
    "games",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("game", String(20), nullable=False, comment="rules by their short name"),
    Column("rules", Text, comment="JSON: the named options that differ from these rules"),
    Column("conduct", String(12), nullable=False, comment="friendly or competition"),
    Column("clock", String(40), nullable=False, comment="none, a time control such as 10+5, or days for a turn: 3d"),
    Column("rated", SmallInteger, nullable=False),
    Column("delay_s", Integer, nullable=False, comment="how much later spectators see the game"),
    Column("started_ms", BigInteger, nullable=False, comment="when it was made, since 1970, UTC"),
    Column("start", Text, comment="position text of the start, where it is not the usual one"),
    # The columns below repeat what follows from the journal, so that lists and timers need not replay games.
    Column("version", BigInteger, nullable=False),
    Column("to_move", SmallInteger, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("termination", String(20), comment="none while the game goes on"),
    Column("result_text", String(30)),
    Column("due_ms", BigInteger, comment="when time alone decides something, since 1970, UTC"),
    Column("ended_ms", BigInteger),
    Column("rematch", String(12), comment="the game that followed this one with sides swapped"),
    Index("games_by_termination", "termination"),
    Index("games_by_due", "due_ms"),
    Index("games_by_end", "ended_ms"),
)

seats = Table(
    "seats",
    metadata,
    Column("game_id", String(12), ForeignKey("games.id"), primary_key=True),
    Column("side", SmallInteger, primary_key=True, autoincrement=False, comment="0 White, 1 Black"),
    Column("kind", String(6), nullable=False, comment="person or engine"),
    Column("who", String(24), nullable=False, comment="the identity of a person; empty for the engine"),
    Column("strength", SmallInteger, nullable=False, comment="of the engine, as the engine room numbers it"),
    Column("sign_ms", BigInteger, comment="the last sign of life of a person, since 1970, UTC"),
    Index("seats_by_person", "who", "game_id"),
)

events = Table(
    "events",
    metadata,
    Column("game_id", String(12), ForeignKey("games.id"), primary_key=True),
    Column("version", BigInteger, primary_key=True, autoincrement=False, comment="gapless from 1 in each game"),
    Column("at_ms", BigInteger, nullable=False, comment="since 1970, UTC"),
    Column("kind", String(20), nullable=False),
    Column("payload", Text, nullable=False, comment="JSON"),
    Column("side", SmallInteger, comment="the seat that caused it"),
    Column("command", String(40), comment="the id that the command had there"),
    Index(
        "events_by_command",
        "game_id",
        "side",
        "command",
        unique=True,
        sqlite_where=text("command IS NOT NULL"),
        postgresql_where=text("command IS NOT NULL"),
    ),
)
"""Append-only: the journal from which every game is rebuilt."""

challenges = Table(
    "challenges",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("maker", String(24), nullable=False, comment="an identity"),
    Column("game", String(20), nullable=False, comment="rules by their short name"),
    Column("rules", Text, comment="JSON: the named options that differ from these rules"),
    Column("clock", String(40), nullable=False),
    Column("side", String(6), nullable=False, comment="of the maker: white, black or random"),
    Column("conduct", String(12), nullable=False, comment="friendly or competition"),
    Column("start", Text, comment="position text of the start, where it is not the usual one"),
    Column("rated", SmallInteger, nullable=False),
    Column("delay_s", Integer, nullable=False, comment="how much later spectators see the game"),
    Column("way", String(5), nullable=False, comment="link, lobby, name, or none where it began at once"),
    Column("addressee", String(24), nullable=False, comment="whose it is; empty for everybody"),
    Column("expires_ms", BigInteger, nullable=False, comment="since 1970, UTC; judged when read"),
    Column("state", String(9), nullable=False),
    Column("by", String(24), nullable=False, comment="who took or declined it"),
    Column("reason", String(12), comment="why it was declined"),
    Column("result", String(12), comment="the game that came of it"),
    Index("challenges_by_maker", "maker", "state"),
    Index("challenges_by_way", "way", "state", "expires_ms"),
    Index("challenges_by_expiry", "expires_ms"),
    Index("challenges_by_result", "result"),
)
"""Terms with an open seat. The id is the seed of the lot for the sides, so rows that led to a game stay."""

evaluations = Table(
    "evaluations",
    metadata,
    Column("game_id", String(12), ForeignKey("games.id"), primary_key=True),
    Column("payload", Text, nullable=False, comment="JSON: stones from White's view, a number for each position"),
)
"""The engine's evaluations of finished games; they can be computed again."""

outages = Table(
    "outages",
    metadata,
    Column("began_ms", BigInteger, primary_key=True, autoincrement=False, comment="since 1970, UTC"),
    Column("ended_ms", BigInteger, nullable=False),
)
"""When no server could take a move. Nobody is charged for that time."""

vacations = Table(
    "vacations",
    metadata,
    Column("who", String(24), primary_key=True, comment="an identity"),
    Column("began_ms", BigInteger, primary_key=True, autoincrement=False, comment="since 1970, UTC"),
    Column("until_ms", BigInteger, nullable=False, comment="when it ends or ended, early or not"),
)
"""Vacations of people who play slow games."""

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(20), primary_key=True),
    Column("value", String(64), nullable=False),
)
"""The key that signs visitors' cookies, and the one that signs web push, each created when it is first needed."""

owner = Table(
    "owner",
    metadata,
    Column("id", SmallInteger, primary_key=True, autoincrement=False),
    Column("epoch", BigInteger, nullable=False, comment="rises with every server that takes the database"),
    Column("clean", SmallInteger, nullable=False, comment="1 where the last owner ended in order"),
    Column("beat_ms", BigInteger, nullable=False, comment="its last sign of life, since 1970, UTC"),
)
"""One row: the server that owns the database. See `ownership.py`."""

push_subscriptions = Table(
    "push_subscriptions",
    metadata,
    Column("id", String(64), primary_key=True, comment="SHA-256 of the endpoint"),
    Column("who", String(22), nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", String(100), nullable=False),
    Column("auth", String(30), nullable=False),
    Column("language", String(2), nullable=False),
    Column("made_ms", BigInteger, nullable=False),
    Column("failures", SmallInteger, nullable=False, comment="messages in a row that did not arrive"),
    Index("push_subscriptions_by_who", "who", "made_ms"),
)
"""Browsers that are told that it is their person's turn."""

mail_addresses = Table(
    "mail_addresses",
    metadata,
    Column("who", String(22), primary_key=True),
    Column("address", String(254), nullable=False),
    Column("language", String(2), nullable=False),
    Column("token", String(43), nullable=False, unique=True, comment="of the links that confirm and end"),
    Column("asked_ms", BigInteger, nullable=False),
    Column("confirmed_ms", BigInteger, comment="nothing but the link is sent before"),
)
"""The same for e-mail, one address a person."""
