"""The explorer: a file of many games, asked for the moves that were played in one position at a time.

The file is an SQLite database. Its key is `Position.key`, which stands for the choices of the rules too, so games of
all kinds may lie in one file, and one position is found however it was reached.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import msgspec

from korgool.atomic_files import WriteError, replacement
from korgool.notation.record import Record
from korgool.rules import Position

APPLICATION = 0x4B474C58
"""The mark of the file in SQLite's header, "KGLX"."""
VERSION = 1
MOST_GAMES = 12
"""Games that are kept for a position: the best rated first, then the newest."""
_DATE = re.compile(r"(\d{4})(?:\.(\d\d)(?:\.(\d\d))?)?(?:\.\?\?)*", re.ASCII)
_SIGN = 1 << 64
_Row = TypeVar("_Row", "PlayedMove", "PlayedGame")
_TABLES = (
    """CREATE TABLE games(
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, white TEXT, black TEXT, white_rating INTEGER, black_rating INTEGER,
    result TEXT NOT NULL, date TEXT, event TEXT, moves TEXT NOT NULL)""",
    """CREATE TABLE moves(
    position INTEGER NOT NULL, move INTEGER NOT NULL, games INTEGER NOT NULL, white INTEGER NOT NULL,
    draws INTEGER NOT NULL, black INTEGER NOT NULL, rating INTEGER, last TEXT,
    PRIMARY KEY(position, move)) WITHOUT ROWID""",
    """CREATE TABLE examples(
    position INTEGER NOT NULL, place INTEGER NOT NULL, game INTEGER NOT NULL,
    PRIMARY KEY(position, place)) WITHOUT ROWID""",
)
_WORK = """
ATTACH DATABASE '' AS work;
CREATE TABLE work.plies(position INTEGER NOT NULL, move INTEGER NOT NULL, game INTEGER NOT NULL, rating INTEGER);
"""
_GATHER = f"""
INSERT INTO moves
    SELECT position, move, count(*), sum(result = '1-0'), sum(result = '1/2-1/2'), sum(result = '0-1'),
        CAST(round(avg(rating)) AS INTEGER), max(date)
    FROM work.plies AS ply JOIN games ON games.id = ply.game
    WHERE move > 0 GROUP BY position, move ORDER BY position, move;
CREATE TABLE work.ranks AS
    SELECT id AS game, row_number() OVER (
        ORDER BY coalesce(white_rating, 0) + coalesce(black_rating, 0) DESC, date DESC, id) AS place FROM games;
CREATE UNIQUE INDEX work.by_game ON ranks(game);
INSERT INTO examples
    SELECT position, place, game FROM (
        SELECT position, game, row_number() OVER (PARTITION BY position ORDER BY ranks.place) AS place
        FROM (SELECT DISTINCT position, game FROM work.plies) JOIN work.ranks USING (game))
    WHERE place <= {MOST_GAMES} ORDER BY position, place;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""


class ExplorerError(ValueError):
    """A file is no explorer, or one of another version, or it cannot be read or written."""


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move as it has been played in one position.

    Attributes:
        move: the hole, 1 to n.
        games: in how many games.
        white: how many of them White has won.
        draws: how many were drawn. The rest have no result.
        black: how many Black has won.
        rating: mean rating of those who made the move, or None where none is known.
        last: the date of the latest of these games, such as `2026-11-29`, `2026-11` or `2026`, or None.
    """

    move: int
    games: int
    white: int
    draws: int
    black: int
    rating: int | None
    last: str | None


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game in which a position stood.

    Attributes:
        white: White's name, or None.
        black: Black's name, or None.
        white_rating: White's rating, or None.
        black_rating: Black's rating, or None.
        result: `1-0`, `0-1`, `1/2-1/2` or `*`.
        date: as in `PlayedMove.last`.
        event: where it was played, or None.
        moves: the holes of all its plies.
    """

    white: str | None
    black: str | None
    white_rating: int | None
    black_rating: int | None
    result: str
    date: str | None
    event: str | None
    moves: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """Moves and games of a position.

    Attributes:
        moves: the moves, the most frequent first.
        games: some of the games, at most `MOST_GAMES`: the best rated first, then the newest.
    """

    moves: tuple[PlayedMove, ...] = ()
    games: tuple[PlayedGame, ...] = ()


class ExplorerWriter:
    """Takes in games, and makes an explorer of them.

    Args:
        path: the new file, or None for one in memory.

    Raises:
        ExplorerError: the file cannot be written.
    """

    def __init__(self, path: Path | None = None) -> None:
        try:
            # Another thread may ask what this one has made.
            self._database = sqlite3.connect(path or ":memory:", isolation_level=None, check_same_thread=False)
            # The file appears complete or not at all, so it needs no journal of its own.
            self._database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _WORK)
            self._database.executescript("BEGIN;" + ";".join(_TABLES) + ";")
        except sqlite3.Error as error:
            raise ExplorerError(str(error)) from None
        self.count = 0

    def close(self) -> None:
        """Give up what was taken in, or close the file that `finish` has made."""
        self._database.close()

    def add(self, record: Record) -> None:
        """Take in a game; of a bad record the moves before the error.

        Raises:
            ExplorerError: the file cannot be written.
        """
        tags, self.count = record.tags, self.count + 1
        ratings = _rating(tags.get("WhiteElo")), _rating(tags.get("BlackElo"))
        game = (
            self.count, record.start.rules.name, tags.get("White"), tags.get("Black"), *ratings,
            record.result, _date(tags.get("Date")), tags.get("Event"), "".join(map(str, record.moves)),
        )  # fmt: skip
        plies, seen = [], set()
        for position, move in zip(record.positions, (*record.moves, 0), strict=True):
            ply = _key(position), move
            if ply not in seen:  # a repeated position counts once for a game
                seen.add(ply)
                plies.append((*ply, self.count, ratings[position.to_move]))
        try:
            self._database.execute("INSERT INTO games VALUES (?,?,?,?,?,?,?,?,?,?)", game)
            self._database.executemany("INSERT INTO work.plies VALUES (?,?,?,?)", plies)
        except sqlite3.Error as error:
            raise ExplorerError(str(error)) from None

    def finish(self) -> Explorer:
        """Sort what was taken in; nothing can be added afterwards.

        Raises:
            ExplorerError: the file cannot be written.
        """
        try:
            self._database.executescript(f"{_GATHER} DETACH DATABASE work;")
        except sqlite3.Error as error:
            raise ExplorerError(str(error)) from None
        return Explorer(self._database)


class Explorer:
    """Answers what has been played in a position.

    Args:
        database: its database; `open_explorer` opens a file.
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def __enter__(self) -> Explorer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def ask(self, position: Position) -> Played:
        """The moves and games of a position, whose move number does not matter.

        Raises:
            ExplorerError: the file is damaged.
        """
        key = _key(position)
        try:
            moves = self._database.execute(
                "SELECT move, games, white, draws, black, rating, last FROM moves WHERE position = ?"
                " ORDER BY games DESC, move",
                (key,),
            ).fetchall()
            games = self._database.execute(
                "SELECT white, black, white_rating, black_rating, result, date, event, moves"
                " FROM examples JOIN games ON games.id = examples.game WHERE position = ? ORDER BY place",
                (key,),
            ).fetchall()
            return Played(
                tuple(_read(PlayedMove, row) for row in moves),
                tuple(_read(PlayedGame, (*facts, tuple(map(int, holes)))) for *facts, holes in games),
            )
        except (sqlite3.Error, TypeError, ValueError) as error:
            raise ExplorerError(f"the file is damaged: {error}") from None


@contextmanager
def writing(path: Path) -> Iterator[ExplorerWriter]:
    """Make an explorer's file; it takes the place of `path` when the block ends, and is deleted if the block raises.

    Raises:
        ExplorerError: the file cannot be written.
    """
    try:
        with replacement(path) as made, closing(ExplorerWriter(made)) as writer:
            yield writer
            writer.finish()
    except WriteError as error:
        raise ExplorerError(error.strerror or str(error)) from None


def open_explorer(path: Path) -> Explorer:
    """Open a file that `writing` has made, for reading alone.

    Raises:
        ExplorerError: there is none, or it is something else.
    """
    if not path.is_file():
        raise ExplorerError("there is no such file" if not path.exists() else "it is not a file")
    try:
        database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)
    except sqlite3.Error as error:
        raise ExplorerError(str(error)) from None
    try:
        ((mark,),) = database.execute("PRAGMA application_id")
        ((version,),) = database.execute("PRAGMA user_version")
        tables = {text for (text,) in database.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")}
    except (sqlite3.Error, ValueError):
        mark, version, tables = 0, 0, set()
    if mark == APPLICATION and version == VERSION and tables == set(_TABLES):  # and no views in their place
        return Explorer(database)
    database.close()
    if mark == APPLICATION and version != VERSION:
        raise ExplorerError(f"it is an explorer of version {version}, and this program reads {VERSION}; build it anew")
    raise ExplorerError("it is not an explorer; korgool explorer build makes one of game records")


@lru_cache(1 << 16)
def _key(position: Position) -> int:
    """The key of a position as SQLite's signed number. Most games share their first moves, so it remembers some."""
    key = position.key
    return key - _SIGN if key >= _SIGN >> 1 else key


def _rating(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= 4 and int(text) else None


def _date(text: str | None) -> str | None:
    """The date of a tag as ISO 8601 has it, as far as it is known."""
    match = _DATE.fullmatch(text or "")
    return "-".join(part for part in match.groups() if part) if match else None


def _read(kind: type[_Row], row: Sequence[Any]) -> _Row:
    """A row of a file, which may be anybody's: SQLite's columns hold values of any type.

    Raises:
        ValueError: a value is of another type.
    """
    return msgspec.convert(dict(zip((field.name for field in fields(kind)), row, strict=True)), kind)
