"""Reading games from the database: one with its journal, those with a deadline, and the lists that pages show."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, Select, Subquery, func, literal_column, select, union_all

from korgool.app.server.storage.game_terms import read_terms
from korgool.app.server.storage.journal import StoredGame, read_journal
from korgool.app.server.storage.schema import evaluations, events, games, seats
from korgool.live.terms import MOST_DELAY_S

_DAY_MS = 86_400_000
_PEOPLE = games.c.people == literal_column("1")
"""Games between two people, as the partial indexes of `games` say it."""


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in a person's list.

    Attributes:
        id: its address.
        game: the rules by their short name.
        side: the side of the person: `white`, `black`, or `both` at one device.
        opponent: the identity of the other person, empty for the engine and at one device.
        strength: of the engine, 0 against a person.
        result_text: None while it goes on, and where it was aborted.
        termination: None while it goes on.
        turn: whether it goes on and it is the person's turn.
        started: ISO 8601 in UTC.
        due_ms: when time alone decides something, or None.
        clock: the time control as text.
    """

    id: str
    game: str
    side: str
    opponent: str
    strength: int
    result_text: str | None
    termination: str | None
    turn: bool
    started: str
    due_ms: int | None
    clock: str


@dataclass(frozen=True, slots=True)
class PublicGame:
    """A game between people as watchers may know of it.

    Attributes:
        id: its address.
        game: the rules by their short name.
        white: the identity of White.
        black: that of Black.
        clock: the time control as text.
        conduct: friendly or competition.
        rated: whether it counts for ratings.
        plies: how many plies stand; None where watchers see the game later than its players.
        result_text: None while it goes on for those who watch.
        started: ISO 8601 in UTC.
    """

    id: str
    game: str
    white: str
    black: str
    clock: str
    conduct: str
    rated: bool
    plies: int | None
    result_text: str | None
    started: str


class GameRepository:
    """Reads games. Methods block, and may be called from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def load(self, game: str) -> StoredGame | None:
        """A game with its whole journal, or None.

        Raises:
            ValueError: what is stored contradicts itself.
        """
        with self._engine.begin() as connection:
            row = connection.execute(select(games).where(games.c.id == game)).one_or_none()
            if row is None:
                return None
            places = connection.execute(select(seats).where(seats.c.game_id == game)).all()
            rows = connection.execute(select(events).where(events.c.game_id == game).order_by(events.c.version)).all()
        signs = {seat.side: seat.sign_ms for seat in places}
        for row_of in rows:  # what a player has done is a sign too
            if row_of.side is not None:
                signs[row_of.side] = max(row_of.at_ms, signs.get(row_of.side) or 0)
        return StoredGame(
            game,
            read_terms(row, places),
            row.started_ms,
            len(rows),
            read_journal(game, rows),
            (signs.get(0), signs.get(1)),
        )

    def unattended(self) -> list[str]:
        """The running games in which the engine may have to move without anybody looking: those with a clock."""
        thinks = select(seats.c.game_id).where(
            (seats.c.game_id == games.c.id) & (seats.c.kind == "engine") & (seats.c.side == games.c.to_move)
        )
        running = games.c.termination.is_(None) & (games.c.due_ms >= 0) & thinks.exists()
        with self._engine.begin() as connection:
            return list(connection.scalars(select(games.c.id).where(running)))

    def due(self, before_ms: int, most: int = 500) -> list[tuple[str, int]]:
        """The games in which time alone decides something before a time, the first ones first, with that time."""
        query = select(games.c.id, games.c.due_ms).where(games.c.due_ms < before_ms).order_by(games.c.due_ms)
        with self._engine.begin() as connection:
            return [(row.id, row.due_ms) for row in connection.execute(query.limit(most))]

    def has_deadlines(self) -> bool:
        """Return whether time decides something in any game."""
        with self._engine.begin() as connection:
            return connection.scalar(select(games.c.id).where(games.c.due_ms >= 0).limit(1)) is not None

    def recent(self, who: str, most: int = 20) -> list[GameSummary]:
        """The games of a person, newest first."""
        with self._engine.begin() as connection:
            return [_summary(row, who) for row in connection.execute(_of_person(who, most))]

    def clocks_of(self, who: str, most: int = 20) -> set[tuple[str, str]]:
        """The game and the time control of each of a person's latest games, against people and the engine."""
        with self._engine.begin() as connection:
            return {(row.game, row.clock) for row in connection.execute(_of_person(who, most))}

    def running(self, now_ms: int, most: int = 100) -> list[PublicGame]:
        """The games between people that go on as far as watchers know, the newest first."""
        with self._engine.begin() as connection:
            return [_public(row, now_ms) for row in connection.execute(_running(most, now_ms))]

    def finished(self, now_ms: int, most: int = 100) -> list[PublicGame]:
        """The games between people with a result from the last 24 hours that watchers may know of."""
        with self._engine.begin() as connection:
            return [_public(row, now_ms) for row in connection.execute(_finished(most, now_ms))]

    def has_played(self, who: str) -> bool:
        """Return whether a person has ever begun a game."""
        query = select(seats.c.game_id).where(seats.c.who == who).limit(1)
        with self._engine.begin() as connection:
            return connection.scalar(query) is not None

    def unfinished(self, who: str) -> int:
        """The number of the unfinished games of a person."""
        own = (seats.c.who == who) & (seats.c.running == literal_column("1"))
        query = select(func.count(seats.c.game_id.distinct())).where(own)
        with self._engine.begin() as connection:
            return connection.scalar(query) or 0

    def evaluations(self, game: str) -> bytes | None:
        """The stored evaluations of a finished game as JSON, or None."""
        with self._engine.begin() as connection:
            found = connection.scalar(select(evaluations.c.payload).where(evaluations.c.game_id == game))
        return None if found is None else str(found).encode()


def _of_person(who: str, most: int) -> Select[Any]:
    """The games of a person, newest first."""
    mine = select(seats.c.game_id, seats.c.side, seats.c.started_ms).where(seats.c.who == who)
    # Those at one device have both seats; the limit in here keeps every plan from beginning with another table.
    own = mine.order_by(seats.c.started_ms.desc(), seats.c.game_id.desc()).limit(2 * most).subquery("own")
    other = seats.alias("other")
    return (
        select(games, own.c.side, other.c.who.label("opponent"), other.c.strength)
        .select_from(own)
        .join(games, games.c.id == own.c.game_id)
        .join(other, (other.c.game_id == own.c.game_id) & (other.c.side == 1 - own.c.side))
        .where((other.c.who != who) | (own.c.side == 0))  # a game at one device stands in the list once
        .order_by(own.c.started_ms.desc(), own.c.game_id.desc())
        .limit(most)
    )


def _summary(row: Any, who: str) -> GameSummary:
    """A row of `_of_person`."""
    both = row.opponent == who
    return GameSummary(
        row.id,
        row.game,
        "both" if both else ("white", "black")[row.side],
        "" if both else row.opponent,
        row.strength,
        row.result_text,
        row.termination,
        row.termination is None and (both or row.to_move == row.side),
        iso(row.started_ms),
        row.due_ms,
        row.clock,
    )


def _running(most: int, now: int) -> Select[Any]:
    """The games between people that go on as far as watchers know, the newest first.

    A game that is shown later is listed later too: that two people play again says that their last game is over.
    """
    delay = 1000 * games.c.delay_s  # beside a time, for PostgreSQL counts it in 32 bits by itself
    known = (games.c.started_ms + delay <= now) & (games.c.plies > 0) & _PEOPLE
    going = games.c.termination.is_(None) & (games.c.started_ms <= now) & known
    over = (games.c.delay_s > literal_column("0")) & (games.c.ended_ms > now - 1000 * MOST_DELAY_S)
    not_shown = over & (games.c.ended_ms + delay > now) & known
    parts = [
        select(select(games).where(which).order_by(games.c.started_ms.desc()).limit(most).subquery(name))
        for name, which in (("going", going), ("not_shown", not_shown))
    ]
    return _with_players(union_all(*parts).subquery("listed"), "started_ms", most)


def _finished(most: int, now: int) -> Select[Any]:
    """The games between people with a result from the last 24 hours that watchers may know of, the last ones first."""
    over = (games.c.ended_ms >= now - _DAY_MS) & (games.c.ended_ms + 1000 * games.c.delay_s <= now)
    listed = select(games).where(over & games.c.result_text.is_not(None) & _PEOPLE)
    return _with_players(listed.order_by(games.c.ended_ms.desc()).limit(most).subquery("listed"), "ended_ms", most)


def _with_players(listed: Subquery, order: str, most: int) -> Select[Any]:
    white, black = seats.alias("white"), seats.alias("black")
    return (
        select(listed, white.c.who.label("white"), black.c.who.label("black"))
        .join(white, (white.c.game_id == listed.c.id) & (white.c.side == 0))
        .join(black, (black.c.game_id == listed.c.id) & (black.c.side == 1))
        .order_by(listed.c[order].desc(), listed.c.id.desc())
        .limit(most)
    )


def _public(row: Any, now: int) -> PublicGame:
    """A row of `_running` or `_finished`."""
    known = row.ended_ms is not None and row.ended_ms <= now - 1000 * row.delay_s
    return PublicGame(
        row.id,
        row.game,
        row.white,
        row.black,
        row.clock,
        row.conduct,
        bool(row.rated),
        row.plies if known or not row.delay_s else None,
        row.result_text if known else None,
        iso(row.started_ms),
    )


def iso(ms: int) -> str:
    """A time of day as ISO 8601 in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(ms / 1000))
