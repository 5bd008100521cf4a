"""Rated games are counted in the transaction that ends them: their numbers, the standings, and the players' marks.

One process counts at a time, so that the numbers have no gaps and every game finds the standings that the one before it
left. PostgreSQL does so by one message (`rated_at_once`), and as here only where that fails. Where counting fails for
one game, because something stored of it is damaged, that game has ended all the same and the others are counted;
`korgool ratings check` names it, and `recompute` counts it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Connection, func, select, text
from sqlalchemy.exc import DataError, IntegrityError

from korgool.accounts import RatedGame, Standing, Way, counts, rate, speed_of
from korgool.accounts.leaving import REMEMBER_MS
from korgool.app.server.storage.schema import marks, rated_games, standings
from korgool.glicko import Glicko
from korgool.live import OnlineGame

_LOG = logging.getLogger(__name__)
COUNTING = 7310417
"""The key of PostgreSQL's advisory lock: until the end of the transaction that has it, no other process counts."""
Pool: TypeAlias = tuple[str, str, str]
"""The identity of a player, the short name of a game, a speed: the key of a standing."""


@dataclass(frozen=True, slots=True)
class RatedEnd:
    """The end of a rated game.

    Attributes:
        id: its address.
        game: the game that is over.
        ways: how White and Black ended it, None where it says nothing about them.
    """

    id: str
    game: OnlineGame
    ways: tuple[Way | None, Way | None]


def count(connection: Connection, ended: Sequence[RatedEnd]) -> None:
    """Count games in the order given, within the transaction that writes their ends."""
    if not ended:
        return
    lock(connection)
    for one in ended:
        try:
            with connection.begin_nested():
                _mark(connection, one)
                _count(connection, one)
        except (ValueError, ArithmeticError, DataError, IntegrityError):
            _LOG.exception("rated game %s could not be counted; see korgool ratings check", one.id)


def lock(connection: Connection) -> None:
    """Let nobody else count until the end of the transaction. An SQLite file has one writer at a time anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({COUNTING})"))


def counted_game(seq: int, game: OnlineGame) -> RatedGame | None:
    """A finished game as the ratings see it, None where it does not count."""
    terms, ending = game.terms, game.ending
    speed = speed_of(terms.rules.name, terms.control)
    if not terms.rated or speed is None or ending is None or not counts(ending.half_points, game.plies):
        return None
    players = terms.seats[0].who, terms.seats[1].who
    return RatedGame(seq, game.ended or game.at, terms.rules.name, speed, players, ending.half_points)


def last_number(connection: Connection) -> int:
    """The number of the last game that was counted; 0 before the first."""
    return connection.scalar(select(func.max(rated_games.c.seq))) or 0


def pools_of(game: RatedGame) -> tuple[Pool, Pool]:
    """The keys of the standings of White and Black."""
    white, black = game.players
    return (white, game.game, game.speed.value), (black, game.game, game.speed.value)


def read_standing(row: Any) -> Standing:
    """The standing of a row."""
    rating = Glicko(row.rating, row.deviation, row.volatility)
    return Standing(rating, row.games, row.at_ms, row.seq, fixed=bool(row.fixed))


def standing_row(pool: Pool, standing: Standing) -> dict[str, Any]:
    """The row of a standing."""
    account, game, speed = pool
    rating = standing.rating
    return {
        "account": account,
        "game": game,
        "speed": speed,
        "rating": rating.rating,
        "deviation": rating.deviation,
        "volatility": rating.volatility,
        "games": standing.games,
        "at_ms": standing.at,
        "seq": standing.seq,
        "fixed": int(standing.fixed),
    }


def game_row(
    address: str, game: RatedGame, plies: int, before: tuple[Standing, Standing], after: tuple[Standing, Standing]
) -> dict[str, Any]:
    """The row of a game that was counted."""
    row: dict[str, Any] = {
        "seq": game.seq,
        "game_id": address,
        "game": game.game,
        "speed": game.speed.value,
        "at_ms": game.at,
        "plies": plies,
    }
    for index, side in enumerate(("white", "black")):
        was, made = before[index].at_time(game.at), after[index].rating
        row |= {
            side: game.players[index],
            f"{side}_half_points": game.half_points[index],
            f"{side}_before": was.rating,
            f"{side}_deviation_before": was.deviation,
            f"{side}_after": made.rating,
            f"{side}_deviation_after": made.deviation,
        }
    return row


def marks_of(ended: RatedEnd) -> list[dict[str, Any]]:
    """The rows that say how each player ended a game."""
    at = ended.game.ended or ended.game.at
    both = zip(ended.game.terms.seats, ended.ways, strict=True)
    return [
        {"game_id": ended.id, "account": seat.who, "way": way.value, "at_ms": at}
        for seat, way in both
        if way is not None and seat.who
    ]


def _count(connection: Connection, ended: RatedEnd) -> None:
    game = counted_game(last_number(connection) + 1, ended.game)
    if game is None:
        return
    pools = pools_of(game)
    known = _standing(connection, pools[0]), _standing(connection, pools[1])
    before = known[0] or Standing(), known[1] or Standing()
    after = rate(*before, game)
    for pool, stored, made in zip(pools, known, after, strict=True):
        if stored is None:
            connection.execute(standings.insert().values(standing_row(pool, made)))
        elif stored != made:
            connection.execute(standings.update().where(_is(pool)).values(standing_row(pool, made)))
    connection.execute(rated_games.insert().values(game_row(ended.id, game, ended.game.plies, before, after)))


def _standing(connection: Connection, pool: Pool) -> Standing | None:
    row = connection.execute(select(standings).where(_is(pool))).one_or_none()
    return None if row is None else read_standing(row)


def _is(pool: Pool) -> ColumnElement[bool]:
    account, game, speed = pool
    return (standings.c.account == account) & (standings.c.game == game) & (standings.c.speed == speed)


def _mark(connection: Connection, ended: RatedEnd) -> None:
    for row in marks_of(ended):
        connection.execute(marks.insert().values(row))
        old = (marks.c.account == row["account"]) & (marks.c.at_ms < row["at_ms"] - REMEMBER_MS)
        connection.execute(marks.delete().where(old))
