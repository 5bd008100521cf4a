"""The games of one player: searched, in pages by key, and with the journals for a file of them all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from sqlalchemy import ColumnElement, Connection, Engine, Select, Subquery, and_, case, or_, select, tuple_

from korgool.app.server.storage.game_terms import read_terms
from korgool.app.server.storage.journal import JournalEntry, read_journal
from korgool.app.server.storage.schema import events, games, rated_games, seats
from korgool.app.server.storage.writer import ABORTED
from korgool.live import GameTerms

Result: TypeAlias = Literal["won", "lost", "drawn", "running", "aborted"]
RESULTS: tuple[Result, ...] = ("won", "lost", "drawn", "running", "aborted")
Key: TypeAlias = tuple[int, str]
"""The place in the order of games: the start in milliseconds since 1970, and the address."""
MOST_LOOKED = 1000
"""Games of a player that one answer looks through, the newest first: what it costs does not grow with the others."""
_LOOKED = 100, MOST_LOOKED
"""Few at first: the newest games are mostly enough, and a tenth of the work."""
_OTHER = seats.alias("other")
WHITE_HALF_POINTS = case(
    (games.c.result_text.like("1 %"), 2),
    (games.c.result_text.like("0.5 %"), 1),
    (games.c.result_text.like("0 %- 1%"), 0),
)
"""The half points of White in a finished game; NULL where both lost, and without a result."""


@dataclass(frozen=True, slots=True)
class GameFilter:
    """A search among games.

    Attributes:
        opponents: the identities of those who may be the opponent; empty for all.
        engine: only games against the engine.
        game: the short name of the game; empty for all.
        result: how they ended for the player; None for all.
        rated: whether they count for ratings; None for all.
        since: made at this time or later, milliseconds since 1970.
        until: made before it; 0 for no bound.
    """

    opponents: tuple[str, ...] = ()
    engine: bool = False
    game: str = ""
    result: Result | None = None
    rated: bool | None = None
    since: int = 0
    until: int = 0


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game in the list of one of its players.

    Attributes:
        id: its address.
        game: the rules by their short name.
        clock: the time control as text.
        conduct: friendly or competition.
        rated: whether it counts for ratings.
        side: 0 for White, 1 for Black; 2 for both at one device.
        opponent: the identity of the other person; empty for the engine and at one device.
        strength: of the engine, 0 against a person.
        plies: how many plies stand; None where the reader sees the game later.
        result: how it ended for the player.
        result_text: such as `1 (82) - 0 (60)`, None without one.
        termination: why it ended, None while it goes on.
        change: the player's rating before and after it in whole points, None where it was not counted.
        started: milliseconds since 1970.
        ended: the same, None while it goes on.
    """

    id: str
    game: str
    clock: str
    conduct: str
    rated: bool
    side: int
    opponent: str
    strength: int
    plies: int | None
    result: Result
    result_text: str | None
    termination: str | None
    change: tuple[int, int] | None
    started: int
    ended: int | None

    @property
    def key(self) -> Key:
        """Its place in the order of games."""
        return self.started, self.id


@dataclass(frozen=True, slots=True)
class ExportedJournal:
    """A game as its file needs it.

    Attributes:
        id: its address.
        terms: what was agreed.
        opened: when it was made, milliseconds since 1970.
        entries: what the reader may see of its journal.
        ended: when it ended; None while it goes on for the reader.
        result_text: None without a result.
        termination: None while it goes on.
        ratings: those of White and Black before it, None where it was not counted.
    """

    id: str
    terms: GameTerms
    opened: int
    entries: Sequence[JournalEntry]
    ended: int | None
    result_text: str | None
    termination: str | None
    ratings: tuple[int, int] | None


class PlayerGamesRepository:
    """Reads the games of players. Methods block, and may be called from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def page(self, who: str, wanted: GameFilter, after: Key | None, most: int) -> tuple[list[PlayedGame], Key | None]:
        """A player's own games, the newest first, from behind a key on.

        Returns:
            At most so many of those wanted among the next `MOST_LOOKED`, and the key behind which the search goes on;
            None at the end.
        """
        with self._engine.begin() as connection:
            for looked in _LOOKED:
                own = _newest(who, looked, after, wanted)
                rows = connection.execute(_listed(own, who).where(*_conditions(wanted, own)).limit(most + 1)).all()
                page = [_read(row, who) for row in rows]
                if len(page) > most:
                    return page[:most], page[most - 1].key
                if (last := _last_of(connection, own, looked)) is None:
                    break
            return page, last

    def opponents(self, who: str) -> list[str]:
        """The identities of the people whom a player has met in the last `MOST_LOOKED` games."""
        own = _newest(who, MOST_LOOKED)
        met = select(_OTHER.c.who).distinct().select_from(own).join(_OTHER, _OTHER.c.game_id == own.c.game_id)
        with self._engine.begin() as connection:
            rows = connection.execute(met.where(_OTHER.c.who != who, _OTHER.c.kind == "person"))
            return [row.who for row in rows]

    def public(self, who: str, now: int, most: int) -> list[PlayedGame]:
        """The newest games with other people among the last `MOST_LOOKED`, as anybody may know of them now."""
        with self._engine.begin() as connection:
            for looked in _LOOKED:
                own = _newest(who, looked)
                rows = connection.execute(_listed(own, who).where(public_now(own, now)).limit(most)).all()
                if len(rows) == most:
                    break
        return [_read(row, who, now) for row in rows]

    def keys(self, who: str, after: Key | None, most: int, now: int, *, public: bool) -> list[Key]:
        """The keys of a player's games, the oldest first, from behind a key on; at least one, but at the end."""
        with self._engine.begin() as connection:
            while True:
                own = _oldest(who, after, most)
                query = _joined(select(own.c.started_ms, own.c.game_id), own, who)
                if public:
                    query = query.where(public_now(own, now))
                rows = connection.execute(query.order_by(own.c.started_ms, own.c.game_id)).all()
                if rows or (after := _last_of(connection, own, most)) is None:
                    return [(row.started_ms, row.game_id) for row in rows]

    def journals(self, keys: Sequence[Key], now: int, *, public: bool) -> list[ExportedJournal]:
        """These games with as much of their journals as may be seen now, in the same order.

        Raises:
            ValueError: what is stored contradicts itself.
        """
        addresses = [address for _, address in keys]
        with self._engine.begin() as connection:
            rows = {row.id: row for row in connection.execute(select(games).where(games.c.id.in_(addresses)))}
            places: dict[str, list[Any]] = {}
            for row in connection.execute(select(seats).where(seats.c.game_id.in_(addresses))):
                places.setdefault(row.game_id, []).append(row)
            journal_rows: dict[str, list[Any]] = {}
            order = select(events).where(events.c.game_id.in_(addresses)).order_by(events.c.game_id, events.c.version)
            for row in connection.execute(order):
                journal_rows.setdefault(row.game_id, []).append(row)
            counted = connection.execute(select(rated_games).where(rated_games.c.game_id.in_(addresses))).all()
        ratings = {row.game_id: (round(row.white_before), round(row.black_before)) for row in counted}
        return [
            _journal(
                rows[address],
                places[address],
                journal_rows.get(address, []),
                ratings.get(address),
                now if public else None,
            )
            for address in addresses
            if address in rows
        ]


def public_now(own: Subquery, now: int) -> ColumnElement[bool]:
    """Games between two people which have begun for those who watch; those that were called off say nothing."""
    people = (_OTHER.c.kind == "person") & (_OTHER.c.who != own.c.who)
    begun = (games.c.plies > 0) & (games.c.started_ms + 1000 * games.c.delay_s <= now)
    return people & begun & or_(games.c.termination.is_(None), games.c.termination != ABORTED)


def over_for_all(now: int) -> ColumnElement[bool]:
    """Finished games of which watchers may know the result."""
    return games.c.ended_ms + 1000 * games.c.delay_s <= now


_SEAT = select(seats.c.game_id, seats.c.side, seats.c.who, seats.c.started_ms)
_PLACE = tuple_(seats.c.started_ms, seats.c.game_id)


def _newest(who: str, most: int, after: Key | None = None, wanted: GameFilter | None = None) -> Subquery:
    """A player's seats in the next so many games behind a key, the newest first.

    The limit stands in here so that no plan can begin with another table.
    """
    query = _SEAT.where(seats.c.who == who)
    if after is not None:
        query = query.where(tuple_(*after) > _PLACE)
    if wanted is not None and wanted.since:
        query = query.where(seats.c.started_ms >= wanted.since)
    if wanted is not None and wanted.until:
        query = query.where(seats.c.started_ms < wanted.until)
    return query.order_by(seats.c.started_ms.desc(), seats.c.game_id.desc()).limit(most).subquery("own")


def _oldest(who: str, after: Key | None, most: int) -> Subquery:
    """The same the other way round, for so many."""
    query = _SEAT.where(seats.c.who == who)
    if after is not None:
        query = query.where(tuple_(*after) < _PLACE)
    return query.order_by(seats.c.started_ms, seats.c.game_id).limit(most).subquery("own")


def _last_of(connection: Connection, own: Subquery, most: int) -> Key | None:
    """The key of the last of so many seats; None where there are fewer."""
    row = connection.execute(select(own.c.started_ms, own.c.game_id).limit(1).offset(most - 1)).one_or_none()
    return None if row is None else (row.started_ms, row.game_id)


def _joined(query: Select[Any], own: Subquery, who: str) -> Select[Any]:
    return (
        query.select_from(own)
        .join(games, games.c.id == own.c.game_id)
        .join(_OTHER, (_OTHER.c.game_id == own.c.game_id) & (_OTHER.c.side == 1 - own.c.side))
        .where((_OTHER.c.who != who) | (own.c.side == 0))  # a game at one device stands in the list once
    )


def newest_results(connection: Connection, who: str, now: int) -> list[tuple[str, Result]]:
    """The opponents and the results that anybody may know of among a player's last `MOST_LOOKED` games."""
    own = _newest(who, MOST_LOOKED)
    over = public_now(own, now) & over_for_all(now) & games.c.result_text.is_not(None)
    query = _joined(select(_OTHER.c.who, own.c.side, games.c.result_text), own, who).where(over)
    return [(opponent, _scored(side, text)) for opponent, side, text in connection.execute(query).all()]


def _scored(side: int, result_text: str) -> Result:
    """`WHITE_HALF_POINTS` seen from a side."""
    if result_text.startswith("0.5 "):
        return "drawn"
    white = result_text.startswith("1 ")
    won = white if side == 0 else not white and "- 1" in result_text
    return "won" if won else "lost"


def has_more(connection: Connection, who: str) -> bool:
    """True if a player has more games than one answer looks through."""
    return _last_of(connection, _newest(who, MOST_LOOKED + 1), MOST_LOOKED + 1) is not None


def _listed(own: Subquery, who: str) -> Select[Any]:
    columns = (own.c.side, _OTHER.c.who.label("opponent"), _OTHER.c.strength)
    ratings = [rated_games.c[f"{side}_{when}"] for side in ("white", "black") for when in ("before", "after")]
    query = _joined(select(games, *columns, WHITE_HALF_POINTS.label("half_points"), *ratings), own, who)
    return query.outerjoin(rated_games, rated_games.c.game_id == games.c.id).order_by(
        own.c.started_ms.desc(), own.c.game_id.desc()
    )


def _conditions(wanted: GameFilter, own: Subquery) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if wanted.opponents:
        conditions.append(_OTHER.c.who.in_(wanted.opponents))
    if wanted.engine:
        conditions.append(_OTHER.c.kind == "engine")
    if wanted.game:
        conditions.append(games.c.game == wanted.game)
    if wanted.rated is not None:
        conditions.append(games.c.rated == int(wanted.rated))
    if wanted.result is not None:
        conditions.append(_ended(wanted.result, own))
    return conditions


def _ended(result: Result, own: Subquery) -> ColumnElement[bool]:
    white = own.c.side == 0
    two = _OTHER.c.who != own.c.who
    over = games.c.result_text.is_not(None)
    match result:
        case "running":
            return games.c.termination.is_(None)
        case "aborted":
            return games.c.termination == ABORTED
        case "drawn":
            return WHITE_HALF_POINTS == 1
        case "won":
            return two & or_(and_(white, WHITE_HALF_POINTS == 2), and_(~white, WHITE_HALF_POINTS == 0))
    won = or_(and_(white, WHITE_HALF_POINTS == 0), and_(~white, WHITE_HALF_POINTS == 2))
    return two & over & or_(won, WHITE_HALF_POINTS.is_(None))


def _read(row: Any, who: str, public: int | None = None) -> PlayedGame:
    both = row.opponent == who
    known = public is None or (row.ended_ms is not None and row.ended_ms <= public - 1000 * row.delay_s)
    side = ("white", "black")[row.side]
    before, after = getattr(row, f"{side}_before"), getattr(row, f"{side}_after")
    return PlayedGame(
        row.id,
        row.game,
        row.clock,
        row.conduct,
        bool(row.rated),
        2 if both else row.side,
        "" if both else row.opponent,
        row.strength,
        row.plies if known or not row.delay_s else None,
        _result(row) if known else "running",
        row.result_text if known else None,
        row.termination if known else None,
        (round(before), round(after)) if known and before is not None else None,
        row.started_ms,
        row.ended_ms if known else None,
    )


def _result(row: Any) -> Result:
    if row.termination is None:
        return "running"
    if row.termination == ABORTED or row.result_text is None:
        return "aborted"
    if row.half_points == 1:
        return "drawn"
    return "won" if row.half_points == (2 if row.side == 0 else 0) else "lost"


def _journal(
    row: Any, places: Sequence[Any], journal_rows: Sequence[Any], ratings: tuple[int, int] | None, public: int | None
) -> ExportedJournal:
    until = None if public is None else public - 1000 * row.delay_s
    entries = read_journal(row.id, journal_rows)
    known = row.ended_ms is not None and (until is None or row.ended_ms <= until)
    return ExportedJournal(
        row.id,
        read_terms(row, places),
        row.started_ms,
        [entry for entry in entries if until is None or entry.at_ms <= until],
        row.ended_ms if known else None,
        row.result_text if known else None,
        row.termination if known else None,
        ratings,
    )
