"""Ratings as the operator handles them: checked and computed again from the journals, and fixed for bots.

What a game changed is never trusted here: each game is replayed from its journal, in the order of the sequence, and
must give the numbers that were stored when it ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Select, func, select

from korgool.accounts import RatedGame, Speed, Standing, name_key, rate
from korgool.accounts.ratings import SUREST
from korgool.app.server.storage.game_terms import read_terms
from korgool.app.server.storage.journal import read_journal
from korgool.app.server.storage.rated_games import (
    Pool,
    counted_game,
    game_row,
    last_number,
    lock,
    pools_of,
    read_standing,
    standing_row,
)
from korgool.app.server.storage.schema import accounts, events, games, rated_games, seats, standings
from korgool.glicko import Glicko
from korgool.live import OnlineGame, replay

_AT_ONCE = 500
"""Journals read by one query."""
_CLOSE = 1e-6
"""Ratings before a game are not rounded, and another host's logarithm may end in other digits."""


@dataclass
class RatingRecount:
    """Ratings as they follow from the journals.

    Attributes:
        games: how many games count.
        standings: the rating of each player in each game and speed.
        differences: where what is stored says something else, in English, a line each.
        rows: the games as they have to be stored, where they were asked for.
    """

    games: int = 0
    standings: dict[Pool, Standing] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)


def check(connection: Connection) -> RatingRecount:
    """Compare what is stored with what the journals give. Nothing is written."""
    found = _count(connection)
    stored = {
        (row.account, row.game, row.speed): read_standing(row)
        for row in connection.execute(select(standings))
        if not row.fixed
    }
    for pool in sorted(stored.keys() | found.standings.keys()):
        have, want = stored.get(pool), found.standings.get(pool)
        if want is not None and want.fixed:
            continue
        if have != want:
            found.differences.append(f"the standing of {', '.join(pool)} is {_words(have)}; games give {_words(want)}")
    for address in connection.scalars(_uncounted()):
        if counted_game(1, _game(connection, [address])[address]) is not None:
            found.differences.append(f"game {address} counts, and was not counted")
    return found


def recompute(connection: Connection) -> RatingRecount:
    """Replace what is stored by what the journals give, within the connection's transaction.

    Games that were not counted come after the others, in the order of their ends; fixed ratings stay.
    """
    lock(connection)
    before = check(connection)
    late = [one.id for one in connection.execute(_uncounted().add_columns(games.c.ended_ms))]
    found = _count(connection, late, keep=True)
    found.differences = before.differences
    connection.execute(rated_games.delete())
    connection.execute(standings.delete().where(standings.c.fixed == 0))
    for table, rows in (
        (rated_games, found.rows),
        (standings, [standing_row(pool, one) for pool, one in found.standings.items() if not one.fixed]),
    ):
        for begin in range(0, len(rows), _AT_ONCE):
            connection.execute(table.insert(), rows[begin : begin + _AT_ONCE])
    return found


def _uncounted() -> Select[Any]:
    """Rated games with a result that have no number, the first to end first."""
    known = select(rated_games.c.seq).where(rated_games.c.game_id == games.c.id).exists()
    over = (games.c.rated == 1) & games.c.result_text.is_not(None) & ~known
    return select(games.c.id).where(over).order_by(games.c.ended_ms, games.c.id)


def _count(connection: Connection, late: list[str] | None = None, *, keep: bool = False) -> RatingRecount:
    """Count all games that have a number, and then `late`; with `keep` anew from 1, and their rows are kept."""
    found = RatingRecount()
    for fixed in connection.execute(select(standings).where(standings.c.fixed == 1)):
        found.standings[fixed.account, fixed.game, fixed.speed] = read_standing(fixed)
    after = 0
    for stored, address, game in _games(connection, late or []):
        number = found.games + 1 if keep else stored.seq
        if not keep and stored.seq != after + 1:
            found.differences.append(f"game {address} has the number {stored.seq} after {after}")
        after = number
        counted = counted_game(number, game)
        if counted is None:
            found.differences.append(f"game {address} was counted, and does not count")
            continue
        row = _counted(found, address, counted, game.plies)
        if keep:
            found.rows.append(row)
        else:
            found.differences += _compared(address, stored, row)
    return found


def _counted(found: RatingRecount, address: str, game: RatedGame, plies: int) -> dict[str, Any]:
    white, black = pools_of(game)
    before = found.standings.get(white, Standing()), found.standings.get(black, Standing())
    found.standings[white], found.standings[black] = rate(*before, game)
    found.games += 1
    return game_row(address, game, plies, before, (found.standings[white], found.standings[black]))


def _compared(address: str, stored: Any, row: dict[str, Any]) -> list[str]:
    said = []
    for name, wanted in row.items():
        have = getattr(stored, name)
        same = abs(have - wanted) < _CLOSE if isinstance(wanted, float) else have == wanted
        if not same:
            said.append(f"game {address}: {name} is {have}; the journals give {wanted}")
    return said


def _games(connection: Connection, late: list[str]) -> Iterator[tuple[Any, str, OnlineGame]]:
    """Every game that counts, in order, with its row; a batch of journals is in memory at a time."""
    after, last = 0, last_number(connection)
    while after < last:
        batch = select(rated_games).where(rated_games.c.seq > after).order_by(rated_games.c.seq).limit(_AT_ONCE)
        rows = connection.execute(batch).all()
        played = _game(connection, [row.game_id for row in rows])
        yield from ((row, row.game_id, played[row.game_id]) for row in rows)
        after = rows[-1].seq
    addresses = iter(late)
    while part := list(islice(addresses, _AT_ONCE)):
        played = _game(connection, part)
        yield from ((None, one, played[one]) for one in part if counted_game(1, played[one]) is not None)


def _game(connection: Connection, addresses: list[str]) -> dict[str, OnlineGame]:
    """Games as their journals tell them.

    Raises:
        ValueError: a journal is damaged.
    """
    places: dict[str, list[Any]] = {}
    for row in connection.execute(select(seats).where(seats.c.game_id.in_(addresses))):
        places.setdefault(row.game_id, []).append(row)
    journals: dict[str, list[Any]] = {}
    told = select(events).where(events.c.game_id.in_(addresses)).order_by(events.c.game_id, events.c.version)
    for row in connection.execute(told):
        journals.setdefault(row.game_id, []).append(row)
    found = {}
    for row in connection.execute(select(games).where(games.c.id.in_(addresses))):
        entries = read_journal(row.id, journals.get(row.id, []))
        happened = [(entry.at_ms, entry.event, entry.stocks) for entry in entries]
        found[row.id] = replay(read_terms(row, places[row.id]), row.started_ms, happened)
    return found


def _words(standing: Standing | None) -> str:
    if standing is None:
        return "nothing"
    rating = standing.rating
    return f"{rating.rating:g} ± {rating.deviation:g} ({rating.volatility:g}) after {standing.games} games"


class FixError(ValueError):
    """A rating that cannot be fixed; the message says why."""


def fix(connection: Connection, name: str, game: str, speed: Speed, rating: int) -> None:
    """Give a bot a rating in one game and speed, or another one, within the connection's transaction.

    The ratings of its opponents follow from it, so nothing is changed any more once a game was counted.

    Raises:
        FixError: there is no such bot, or it has rated games there.
    """
    lock(connection)
    row = connection.execute(select(accounts).where(accounts.c.key == name_key(name))).one_or_none()
    if row is None or row.deleted_ms is not None:
        raise FixError(f"there is no account {name!r}")
    if row.kind != "bot":
        raise FixError(f"{row.name} is not a bot; the ratings of people follow from their games")
    played = (rated_games.c.white == row.id) | (rated_games.c.black == row.id)
    there = (rated_games.c.game == game) & (rated_games.c.speed == speed.value)
    games = connection.scalar(select(func.count()).select_from(rated_games).where(played & there))
    if games:
        where = f"{game}, {speed.value}: {games}"
        raise FixError(f"{row.name} has played rated games in {where}; a rating is fixed before the first")
    pool = (row.id, game, speed.value)
    mine = (standings.c.account == row.id) & (standings.c.game == game) & (standings.c.speed == speed.value)
    connection.execute(standings.delete().where(mine))
    standing = Standing(Glicko(float(rating), SUREST), fixed=True)
    connection.execute(standings.insert().values(standing_row(pool, standing)))
