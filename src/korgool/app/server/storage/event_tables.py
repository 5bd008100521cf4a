"""The tables of events: competitions with their logs, the personal data beside them, and the roles of officials.

They stand apart from those of games (`schema.py`), where `events` is the journal of a game.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from korgool.app.server.storage.schema import metadata

competitions = Table(
    "competitions",
    metadata,
    Column("id", String(8), primary_key=True),
    Column("made_ms", BigInteger, nullable=False, comment="since 1970, UTC"),
    Column("maker", String(24), nullable=False, comment="an identity"),
    Column("public", SmallInteger, nullable=False, comment="1 where anybody may read it"),
    Column("seq", BigInteger, nullable=False, comment="the last line of its log"),
    Column("changed_ms", BigInteger, nullable=False, comment="when that line was written"),
    # The column below repeats what follows from the log, so that lists need not replay events.
    Column("name", Text, nullable=False),
    Index("competitions_by_change", "public", "changed_ms"),
    Index("competitions_by_maker", "maker"),
)
"""Events. Whoever writes to one holds its row first, so that its log has no gaps."""

competition_log = Table(
    "competition_log",
    metadata,
    Column("competition", String(8), ForeignKey("competitions.id"), primary_key=True),
    Column("at", BigInteger, primary_key=True, autoincrement=False, comment="gapless from 1 in each event"),
    Column("time", String(20), nullable=False, comment="UTC, such as 2026-09-14T10:05:00Z"),
    Column("by", Text, nullable=False, comment="the official as the event knows them"),
    Column("reason", Text, nullable=False),
    Column("action", Text, nullable=False, comment="JSON"),
    Column("chain", String(64), nullable=False, comment="the hash of this line and of all before it"),
    Column("details", Text, nullable=False, comment="JSON: what can be removed; see korgool.competition"),
    Column("who", String(24), nullable=False, comment="the identity or the role of the official; empty for a file's"),
    Column("command", String(40), comment="the id that the action had there"),
    Index("competition_log_by_command", "competition", "who", "command"),
)
"""Append-only: the log from which every event follows."""

competition_personal = Table(
    "competition_personal",
    metadata,
    Column("competition", String(8), ForeignKey("competitions.id"), primary_key=True),
    Column("player", Integer, primary_key=True, autoincrement=False),
    Column("data", Text, nullable=False, comment="JSON"),
)
"""Personal data of players, which can be removed."""

competition_roles = Table(
    "competition_roles",
    metadata,
    Column("id", String(16), primary_key=True, comment="for lists; opens nothing"),
    Column("competition", String(8), ForeignKey("competitions.id"), nullable=False),
    Column("account", String(24), comment="an identity; none where a link or a code opens the role"),
    Column("link", String(64), unique=True, comment="SHA-256 of the token of the link"),
    Column("code", String(64), unique=True, comment="SHA-256 of the code"),
    Column("role", String(12), nullable=False),
    Column("first_board", Integer, comment="of its range of boards; none for all"),
    Column("last_board", Integer),
    Column("name", String(60), nullable=False, comment="what the log calls the official"),
    Column("made_ms", BigInteger, nullable=False, comment="since 1970, UTC"),
    Column("until_ms", BigInteger, comment="when it ends by itself"),
    Column("ended_ms", BigInteger, comment="when somebody ended it"),
    Index("competition_roles_by_competition", "competition"),
    Index("competition_roles_by_account", "account"),
)
"""Roles of people in events; `korgool.competition.roles` says what each role may do."""

competition_stand_bys = Table(
    "competition_stand_bys",
    metadata,
    Column("id", String(16), primary_key=True, comment="for lists; opens nothing"),
    Column("competition", String(8), ForeignKey("competitions.id"), nullable=False),
    Column("token", String(64), unique=True, comment="SHA-256 of its token; none where an account's token serves"),
    Column("name", String(60), nullable=False, comment="what the desk calls it"),
    Column("kind", String(8), nullable=False, comment="machine or browser; empty before it has come"),
    Column("address", Text, nullable=False, comment="where it would serve after a take-over; empty for nowhere"),
    Column("made_ms", BigInteger, nullable=False, comment="since 1970, UTC"),
    Column("ended_ms", BigInteger, comment="when somebody ended it"),
    Column("line", BigInteger, nullable=False, comment="the last line of the log that it holds"),
    Column("seen_ms", BigInteger, nullable=False, comment="when it said so; 0 for never"),
    Index("competition_stand_bys_by_competition", "competition"),
)
"""Second machines that keep the log of an event."""

competition_entry_windows = Table(
    "competition_entry_windows",
    metadata,
    Column("competition", String(8), ForeignKey("competitions.id"), primary_key=True),
    Column("group_id", Integer, primary_key=True, autoincrement=False, comment="1 in an event without groups"),
    Column("opens_ms", BigInteger, nullable=False, comment="since 1970, UTC"),
    Column("closes_ms", BigInteger, nullable=False, comment="since 1970, UTC"),
    Column("most", Integer, nullable=False, comment="how many players; 0 for any number"),
)
"""Times in which anybody may apply for a group of an event."""

competition_applications = Table(
    "competition_applications",
    metadata,
    Column("id", String(16), primary_key=True, comment="for the desk; opens nothing"),
    Column("competition", String(8), ForeignKey("competitions.id"), nullable=False),
    Column("link", String(64), nullable=False, comment="SHA-256 of the token of the applicant's link"),
    Column("place", Integer, nullable=False, comment="among those that came together, from 0"),
    Column("made_ms", BigInteger, nullable=False, comment="since 1970, UTC"),
    Column("state", String(10), nullable=False, comment="waiting, asked, entered, refused or withdrawn"),
    Column("data", Text, nullable=False, comment="JSON: who applies; empty once that is removed"),
    Column("paper", Text, comment="a picture of the doctor's paper, base64 of a JPEG"),
    Column("question", Text, nullable=False, comment="of the organiser, or the reason of a refusal"),
    Column("answer", Text, nullable=False, comment="of the applicant"),
    Column("player", Integer, comment="the id in the event, once it is entered"),
    UniqueConstraint("competition", "link", "place", name="competition_applications_once"),
)
"""Applications for events before anybody is entered; of those refused or withdrawn nothing personal is left."""

competition_leads = Table(
    "competition_leads",
    metadata,
    Column("competition", String(8), ForeignKey("competitions.id"), primary_key=True),
    Column("home", Text, nullable=False, comment="the address on its printed codes; empty for this site's"),
    Column("peers", Text, nullable=False, comment="JSON: addresses of other machines that may lead it"),
    Column(
        "leader", Text, nullable=False, comment="JSON: the machine that leads it instead; empty where this one does"
    ),
    Column("strays", Text, nullable=False, comment="JSON: lines of a machine that led before, which nobody else has"),
)
"""The leadership of an event that has been on several machines."""
board_lines = Table(
    "competition_boards",
    metadata,
    Column("competition", String(8), ForeignKey("competitions.id"), primary_key=True),
    Column("part", Integer, primary_key=True, autoincrement=False, comment="id of the group, 1 without groups"),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("board", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False, comment="gapless from 1 on each board"),
    Column("white", Integer, nullable=False, comment="id of the player of the pairing, as black"),
    Column("black", Integer, nullable=False),
    Column("at_ms", BigInteger, nullable=False, comment="when the server took it, since 1970, UTC"),
    Column("line", Text, nullable=False, comment="JSON: whose device, and what it wrote"),
    Index("competition_boards_by_time", "at_ms"),
)
"""Append-only: the lines of scoresheets that are kept on phones, from which live boards follow. What stands at the end
of a game becomes its record in the log."""

sheet_photos = Table(
    "competition_sheet_photos",
    metadata,
    Column("competition", String(8), ForeignKey("competitions.id"), primary_key=True),
    Column("part", Integer, primary_key=True, autoincrement=False, comment="id of the group, 1 without groups"),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("board", Integer, primary_key=True, autoincrement=False),
    Column("side", String(5), primary_key=True, comment="white or black"),
    Column("player", Integer, nullable=False, comment="the id of who sat there"),
    Column("taken_ms", BigInteger, nullable=False, comment="when the server took it, since 1970, UTC"),
    Column("picture", Text, nullable=False, comment="base64 of a JPEG"),
    Index("competition_sheet_photos_by_time", "taken_ms"),
)
"""Photographs of scoresheets from the tables, the last one of each seat."""

followed_events = Table(
    "followed_events",
    metadata,
    Column("id", String(8), primary_key=True, comment="none of those of `competitions`"),
    Column("maker", String(24), nullable=False, comment="an identity"),
    Column("address", Text, nullable=False, comment="as its organiser typed it"),
    Column("made_ms", BigInteger, nullable=False, comment="since 1970, UTC"),
    Column("name", Text, nullable=False, comment="of the event"),
    Column("snapshot", Text, nullable=False, comment="the last good copy, JSON"),
    Column("version", String(64), nullable=False, comment="SHA-256 of the copy"),
    Column("validator", Text, nullable=False, comment="the header to ask with; empty for none"),
    Column("changed_ms", BigInteger, nullable=False, comment="when the copy changed"),
    Column("confirmed_ms", BigInteger, nullable=False, comment="when the other site last said so"),
    Column("asked_ms", BigInteger, nullable=False, comment="when it was last asked"),
    Column("problem", String(40), nullable=False, comment="why there is no newer copy; empty for none"),
    Index("followed_events_by_change", "changed_ms"),
    Index("followed_events_by_maker", "maker"),
)
"""Events of other sites that this one follows: copies of what is public of them."""
