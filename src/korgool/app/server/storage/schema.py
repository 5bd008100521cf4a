"""The database tables of the current version; `migrations` creates them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    text,
)

from korgool.accounts.ratings import PROVISIONAL

metadata = MetaData()
SETTLED = f"deviation <= {PROVISIONAL:g} OR fixed = 1"
"""SQL for ratings that are not provisional."""


def partial(name: str, *columns: str, where: str) -> Index:
    """An index of some rows only; a query uses it where it has the same condition, written out and not as a value.

    An index of all rows by a column that is mostly NULL leads SQLite astray: without statistics it takes `IS NULL` for
    a few rows, and with them any value for many.
    """
    return Index(name, *columns, sqlite_where=text(where), postgresql_where=text(where))


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
    Column("people", SmallInteger, nullable=False, comment="1 where two different people play"),
    # Where many processes serve the games: which of them sees to what nobody else has to do at the same time.
    Column("swept_ms", BigInteger, comment="until when a process sees to the deadline"),
    Column("thinks_ms", BigInteger, comment="until when a process thinks for the engine"),
    Index("games_by_due", "due_ms"),
    partial("games_watched", "started_ms", where="termination IS NULL AND people = 1"),
    partial("games_finished", "ended_ms", where="result_text IS NOT NULL AND people = 1"),
    partial("games_shown_later", "ended_ms", where="delay_s > 0"),
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
    # The columns below repeat what stands in `games`, so that a person's newest and running games are found at once.
    Column("started_ms", BigInteger, nullable=False, comment="when the game was made"),
    Column("running", SmallInteger, nullable=False, comment="1 while the game goes on"),
    Index("seats_by_person", "who", "started_ms", "game_id"),
    partial("seats_running", "who", where="running = 1"),
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
    Column(
        "waits_ms", BigInteger, comment="until when its maker waits, since 1970, UTC; written by many processes only"
    ),
    Index("challenges_by_maker", "maker", "state"),
    Index("challenges_by_way", "way", "state", "expires_ms"),
    Index("challenges_by_expiry", "expires_ms"),
    Index("challenges_by_result", "result"),
    Index("challenges_by_addressee", "addressee"),
    Index("challenges_by_taker", "by"),
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
    Index("outages_by_end", "ended_ms"),
)
"""Times in which no server could take a move. Nobody is charged for them."""

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
"""The keys that sign visitors' cookies, web push, and the device cookies of each account, created when first needed."""

owner = Table(
    "owner",
    metadata,
    Column("id", SmallInteger, primary_key=True, autoincrement=False),
    Column("epoch", BigInteger, nullable=False, comment="rises with every server that takes the database"),
    Column("clean", SmallInteger, nullable=False, comment="1 where the last owner ended in order"),
    Column("beat_ms", BigInteger, nullable=False, comment="its last sign of life, since 1970, UTC"),
)
"""One row: the server that owns an SQLite database. See `ownership.py`."""

processes = Table(
    "processes",
    metadata,
    Column("id", String(12), primary_key=True),
    Column(
        "beat_ms", BigInteger, nullable=False, comment="its last sign of life, since 1970, UTC, by the database's clock"
    ),
)
"""The server processes of a PostgreSQL database. See `processes.py`."""

attendance = Table(
    "attendance",
    metadata,
    Column("game_id", String(12), ForeignKey("games.id"), primary_key=True),
    Column("process", String(12), primary_key=True),
    Column("white_lag_ms", Integer, comment="of White's connection there; none where there is no such connection"),
    Column("black_lag_ms", Integer),
    Column("white_silent_ms", BigInteger, comment="since when White's connection is silent; none where it is not"),
    Column("black_silent_ms", BigInteger),
    Column("watchers", Integer, nullable=False),
    Index("attendance_by_process", "process"),
)
"""Players connected to a game, by process, where there may be several. See `play/presence_repository.py`."""

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
    Column("zone", String(40), nullable=False, server_default="", comment="the reader's time zone, as IANA names it"),
)
"""The same for e-mail, one address a person."""

seat_links = Table(
    "seat_links",
    metadata,
    Column("digest", String(64), primary_key=True, comment="SHA-256 of the secret in the link"),
    Column("who", String(22), nullable=False, comment="the visitor that a browser becomes by it"),
    Column("game_id", String(12), nullable=False, comment="where it leads"),
    Column("expires_ms", BigInteger, nullable=False),
    Index("seat_links_by_who", "who", "expires_ms"),
    Index("seat_links_by_expiry", "expires_ms"),
)
"""Links by which a visitor goes on in another browser; each is deleted when it is used."""

accounts = Table(
    "accounts",
    metadata,
    Column("id", String(24), primary_key=True, comment="an identity of its own, never that of a visitor"),
    Column("kind", String(8), nullable=False, comment="account, operator, child or bot"),
    Column("name", String(20), comment="as its owner writes it; none once the account is deleted"),
    Column("key", String(60), unique=True, comment="what the name is looked up by, see `accounts/names.py`"),
    Column("look", String(60), unique=True, comment="what the name looks like"),
    Column("short", String(20), comment="the public name of a child"),
    Column("password", String(200), comment="argon2id in PHC form; none with passkeys or tokens alone"),
    Column("owner", String(24), ForeignKey("accounts.id"), comment="whose bot it is"),
    Column("guardian", String(24), ForeignKey("accounts.id"), comment="the adult of a child's account"),
    Column("made_ms", BigInteger, nullable=False, comment="since 1970, UTC"),
    Column("locked_ms", BigInteger, comment="when the operator locked it"),
    Column("deleted_ms", BigInteger, comment="then only the identity stays, for the games"),
    partial("accounts_by_owner", "owner", where="owner IS NOT NULL"),
    partial("accounts_by_guardian", "guardian", where="guardian IS NOT NULL"),
    partial("accounts_by_lock", "locked_ms", where="locked_ms IS NOT NULL"),
)
"""People with a name. Games, challenges and vacations know them by their identity."""

trusted = Table(
    "trusted",
    metadata,
    Column("child", String(24), ForeignKey("accounts.id"), primary_key=True),
    Column("who", String(24), ForeignKey("accounts.id"), primary_key=True, comment="whom the child may know by name"),
    Column("at_ms", BigInteger, nullable=False, comment="when the guardian agreed"),
    Index("trusted_by_who", "who"),
)
"""Accounts whose names a child sees, and who see the child's."""

consents = Table(
    "consents",
    metadata,
    Column("child", String(24), ForeignKey("accounts.id"), primary_key=True),
    Column("guardian", String(24), ForeignKey("accounts.id"), nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("wording", String(20), nullable=False, comment="which text was agreed to"),
    Column("withdrawn_ms", BigInteger, comment="the account is deleted then"),
    Index("consents_by_guardian", "guardian"),
)
"""Consents of adults for their children."""

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(16), primary_key=True, comment="for lists; opens nothing"),
    Column("account", String(24), ForeignKey("accounts.id"), nullable=False),
    Column("digest", String(64), nullable=False, unique=True, comment="SHA-256 of the cookie's secret"),
    Column("begun_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False, comment="the last use, to ten minutes"),
    Column("proved_ms", BigInteger, nullable=False, comment="when a password or passkey was last given; 0 for never"),
    Column("device", String(100), nullable=False, comment="the browser as its owner recognizes it"),
    Column("ended_ms", BigInteger, comment="by the owner, the operator, or a new password"),
    Index("sessions_by_account", "account", "seen_ms"),
    Index("sessions_by_use", "seen_ms"),
    partial("sessions_by_end", "ended_ms", where="ended_ms IS NOT NULL"),
)
"""Browsers in which somebody is signed in."""

tokens = Table(
    "tokens",
    metadata,
    Column("id", String(16), primary_key=True, comment="for lists; opens nothing"),
    Column("account", String(24), ForeignKey("accounts.id"), nullable=False),
    Column("digest", String(64), nullable=False, unique=True, comment="SHA-256 of the secret"),
    Column("scopes", String(60), nullable=False, comment="words with spaces between"),
    Column("label", String(60), nullable=False),
    Column("made_ms", BigInteger, nullable=False),
    Column("expires_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger),
    Index("tokens_by_account", "account"),
    Index("tokens_by_expiry", "expires_ms"),
    partial("tokens_by_end", "ended_ms", where="ended_ms IS NOT NULL"),
)
"""Tokens with which programs act in the name of an account."""

recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("digest", String(64), primary_key=True, comment="SHA-256 of the code"),
    Column("account", String(24), ForeignKey("accounts.id"), nullable=False),
    Column("made_ms", BigInteger, nullable=False),
    Index("recovery_codes_by_account", "account"),
)
"""The unused recovery codes; a used one is deleted."""

sign_ins = Table(
    "sign_ins",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("account", String(24), ForeignKey("accounts.id"), nullable=False),
    Column("at_ms", BigInteger, nullable=False, comment="since 1970, UTC"),
    Column("way", String(8), nullable=False, comment="password, passkey, code or token"),
    Column("device", String(100), nullable=False, comment="the browser; empty for tokens"),
    Index("sign_ins_by_account", "account", "at_ms"),
    Index("sign_ins_by_time", "at_ms"),
)
"""Recent sign-ins of each account, for its owner."""

guesses = Table(
    "guesses",
    metadata,
    Column("subject", String(64), primary_key=True, comment="SHA-256 of what was guessed at, or of the address"),
    Column("failed", Integer, nullable=False, comment="wrong passwords and codes since the beginning"),
    Column("began_ms", BigInteger, nullable=False, comment="when the count began"),
    Index("guesses_by_age", "began_ms"),
)
"""Wrong passwords and recovery codes, by the key of a name, whether an account has it or not, and by address."""

passkeys = Table(
    "passkeys",
    metadata,
    Column("digest", String(64), primary_key=True, comment="SHA-256 of the credential's id"),
    Column("account", String(24), ForeignKey("accounts.id"), nullable=False),
    Column("credential", Text, nullable=False, comment="the id that the device gave, base64url"),
    Column("public_key", Text, nullable=False, comment="COSE, base64url"),
    Column("uses", BigInteger, nullable=False, comment="the device's signature counter"),
    Column("label", String(60), nullable=False),
    Column("made_ms", BigInteger, nullable=False),
    Column("used_ms", BigInteger, comment="the last sign-in"),
    Index("passkeys_by_account", "account"),
)
"""Public keys of devices that sign in without a password (WebAuthn)."""

ceremonies = Table(
    "ceremonies",
    metadata,
    Column("id", String(64), primary_key=True, comment="SHA-256 of what the browser brings back"),
    Column("account", String(24), ForeignKey("accounts.id"), comment="who adds a passkey; none at sign-in"),
    Column("challenge", String(90), nullable=False, comment="random bytes that the device signs, base64url"),
    Column("expires_ms", BigInteger, nullable=False),
    Column("opens", String(24), comment="the identity of the account that it opens; none for others"),
    Index("ceremonies_by_expiry", "expires_ms"),
)
"""Registrations and sign-ins by passkey that have begun; each is deleted when it is answered."""

blocks = Table(
    "blocks",
    metadata,
    Column("account", String(24), ForeignKey("accounts.id"), primary_key=True, comment="who blocks"),
    Column("blocked", String(24), primary_key=True, comment="whom: an account's or a visitor's identity"),
    Column("at_ms", BigInteger, nullable=False),
    Index("blocks_by_blocked", "blocked"),
)
"""Players blocked by players."""

reports = Table(
    "reports",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("reporter", String(24), nullable=False, comment="an identity"),
    Column("about", String(24), nullable=False, comment="an identity"),
    Column("game_id", String(12), ForeignKey("games.id")),
    Column("words", Text, nullable=False, comment="what the reporter wrote"),
    Column("record", Text, comment="the game's record as it stood then"),
    Column("at_ms", BigInteger, nullable=False),
    Column("closed_ms", BigInteger, comment="when the operator had dealt with it"),
    Index("reports_by_time", "at_ms"),
    Index("reports_by_reporter", "reporter", "game_id"),
    Index("reports_by_closing", "closed_ms"),
    Index("reports_by_subject", "about"),
)
"""Reports of players about each other, for the operator."""

_SEQUENCE = BigInteger().with_variant(Integer, "sqlite")
"""SQLite numbers rows by itself only in a column of this type."""

standings = Table(
    "standings",
    metadata,
    Column("account", String(24), primary_key=True, comment="an identity"),
    Column("game", String(20), primary_key=True, comment="rules by their short name"),
    Column("speed", String(6), primary_key=True, comment="bullet, blitz, rapid, slow or days"),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False, comment="after the last game; it grows while nothing is played"),
    Column("volatility", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("at_ms", BigInteger, nullable=False, comment="the end of the last game"),
    Column("seq", BigInteger, nullable=False, comment="the last game's number; 0 before the first"),
    Column("fixed", SmallInteger, nullable=False, comment="1 where no game changes it: a program of known strength"),
    partial("standings_settled", "game", "speed", "rating", where=SETTLED),
)
"""The ratings that follow from the rated games."""

rated_games = Table(
    "rated_games",
    metadata,
    Column("seq", _SEQUENCE, primary_key=True, comment="alone decides the order"),
    Column("game_id", String(12), ForeignKey("games.id"), nullable=False, unique=True),
    Column("game", String(20), nullable=False, comment="rules by their short name"),
    Column("speed", String(6), nullable=False),
    Column("at_ms", BigInteger, nullable=False, comment="when it ended, since 1970, UTC"),
    Column("plies", Integer, nullable=False),
    Column("white", String(24), nullable=False, comment="an identity"),
    Column("black", String(24), nullable=False, comment="an identity"),
    Column("white_half_points", SmallInteger, nullable=False, comment="2 for a win, 1 for a draw"),
    Column("black_half_points", SmallInteger, nullable=False),
    Column("white_before", Double, nullable=False, comment="ratings and deviations when the game ended"),
    Column("white_deviation_before", Double, nullable=False),
    Column("black_before", Double, nullable=False),
    Column("black_deviation_before", Double, nullable=False),
    Column("white_after", Double, nullable=False, comment="and what the game made of them"),
    Column("white_deviation_after", Double, nullable=False),
    Column("black_after", Double, nullable=False),
    Column("black_deviation_after", Double, nullable=False),
    Index("rated_games_by_white", "white", "seq"),
    Index("rated_games_by_black", "black", "seq"),
    sqlite_autoincrement=True,
)
"""Finished games that count, in the order in which they were counted."""

marks = Table(
    "marks",
    metadata,
    Column("game_id", String(12), ForeignKey("games.id"), primary_key=True),
    Column("account", String(24), primary_key=True, comment="an identity"),
    Column("way", String(8), nullable=False, comment="played, aborted or left"),
    Column("at_ms", BigInteger, nullable=False, comment="since 1970, UTC"),
    Index("marks_by_account", "account", "at_ms"),
    Index("marks_by_time", "at_ms"),
)
"""Endings of rated games by player; those who leave often are excluded from them for a while."""
