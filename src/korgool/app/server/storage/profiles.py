"""What a player's page shows: ratings, their course, the record against each opponent; and the best players.

Watchers may see a game later than its players. Until then its rating is not told either: everything here is as it was
before the first such game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypeAlias

from sqlalchemy import Connection, Engine, Row, func, select

from korgool.accounts import Person, Shown, Speed, Standing
from korgool.accounts.ratings import PROVISIONAL
from korgool.app.server.storage.played import WHITE_HALF_POINTS, over_for_all, public_now, with_opponents
from korgool.app.server.storage.rated_games import Pool, read_standing
from korgool.app.server.storage.schema import accounts, games, rated_games, standings
from korgool.glicko import Glicko
from korgool.live.terms import MOST_DELAY_S

MOST_POINTS = 500
"""Games of the course of ratings."""
_SPARE = 50
"""How many more standings are read for a list of the best: some have become provisional since."""
PoolOf: TypeAlias = tuple[str, Speed]
"""The short name of a game, and a speed."""


@dataclass(frozen=True, slots=True)
class Score:
    """Games against one opponent, or all of them.

    Attributes:
        opponent: the identity, empty for all.
        won: games won.
        drawn: games drawn.
        lost: games lost.
    """

    opponent: str
    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        """How many."""
        return self.won + self.drawn + self.lost


@dataclass(frozen=True, slots=True)
class Point:
    """A rating after a game; `at` in milliseconds since 1970."""

    at: int
    rating: int
    deviation: int


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of a player.

    Attributes:
        person: who it is.
        since: when the account was opened, milliseconds since 1970.
        ratings: for each game and speed that has rated games, the rating and their number.
        course: for each of them, the rating after each of the last games, the oldest first.
        total: all finished games against people.
        opponents: those met most often.
    """

    person: Person
    since: int
    ratings: Mapping[PoolOf, tuple[Shown, int]]
    course: Mapping[PoolOf, tuple[Point, ...]]
    total: Score
    opponents: tuple[Score, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A player of a list of the best; `games` are those that are rated in this game and speed."""

    who: str
    shown: Shown
    games: int


class ProfileShelf:
    """Reads profiles. Methods block, and may be called from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def profile(self, person: Person, now: int, opponents: int = 50) -> Profile:
        """Everything that the page of a player shows."""
        who = person.id
        with self._engine.begin() as connection:
            since = connection.scalar(select(accounts.c.made_ms).where(accounts.c.id == who)) or 0
            hidden = _hidden(connection, now)
            rows = connection.execute(select(standings).where(standings.c.account == who)).all()
            seen = _seen(rows, hidden)
            course = _course(connection, who, {row.seq for row in hidden})
            scores = _scores(connection, who, now, opponents)
            total = _total(connection, who, now)
        ratings = {
            (game, Speed(speed)): (standing.shown(now), standing.games)
            for (_, game, speed), standing in sorted(seen.items())
            if standing.games or standing.fixed
        }
        return Profile(person, since, MappingProxyType(ratings), course, total, scores)

    def best(self, game: str, speed: Speed, now: int, most: int) -> list[Ranked]:
        """The players with the highest ratings that are settled, without accounts that are locked or deleted."""
        settled = (standings.c.deviation <= PROVISIONAL) | (standings.c.fixed == 1)
        pool = (standings.c.game == game) & (standings.c.speed == speed.value) & settled
        going = accounts.c.locked_ms.is_(None) & accounts.c.deleted_ms.is_(None)
        query = select(standings).join(accounts, (accounts.c.id == standings.c.account) & going).where(pool)
        with self._engine.begin() as connection:
            hidden = _hidden(connection, now)
            rows = connection.execute(query.order_by(standings.c.rating.desc()).limit(most + _SPARE)).all()
        found = [
            Ranked(who, standing.shown(now), standing.games) for (who, _, _), standing in _seen(rows, hidden).items()
        ]
        settled_now = [one for one in found if not one.shown.provisional]
        return sorted(settled_now, key=lambda one: (-one.shown.rating, one.who))[:most]


def _hidden(connection: Connection, now: int) -> list[Row[Any]]:
    """Counted games that watchers do not know to be over, in order. No delay is longer than an hour."""
    late = (games.c.ended_ms > now - 1000 * MOST_DELAY_S) & (games.c.ended_ms + 1000 * games.c.delay_s > now)
    query = select(rated_games).join(games, games.c.id == rated_games.c.game_id).where(late & (games.c.delay_s > 0))
    return list(connection.execute(query.order_by(rated_games.c.seq)))


def _seen(rows: Iterable[Any], hidden: list[Row[Any]]) -> dict[Pool, Standing]:
    found = {(row.account, row.game, row.speed): read_standing(row) for row in rows}
    for row in reversed(hidden):
        for side in ("white", "black"):
            pool = (getattr(row, side), row.game, row.speed)
            after = found.get(pool)
            if after is None or after.fixed:
                continue
            before = getattr(row, f"{side}_before"), getattr(row, f"{side}_deviation_before")
            rating = Glicko(*before, after.rating.volatility)
            found[pool] = replace(after, rating=rating, games=after.games - 1, at=row.at_ms)
    return found


def _course(connection: Connection, who: str, hidden: set[int]) -> Mapping[PoolOf, tuple[Point, ...]]:
    own = (rated_games.c.white == who) | (rated_games.c.black == who)
    rows = connection.execute(select(rated_games).where(own).order_by(rated_games.c.seq.desc()).limit(MOST_POINTS))
    found: dict[PoolOf, list[Point]] = {}
    for row in reversed(rows.all()):
        if row.seq in hidden:
            continue
        side = "white" if row.white == who else "black"
        rating, deviation = getattr(row, f"{side}_after"), getattr(row, f"{side}_deviation_after")
        found.setdefault((row.game, Speed(row.speed)), []).append(Point(row.at_ms, round(rating), round(deviation)))
    return MappingProxyType({pool: tuple(points) for pool, points in found.items()})


def _results(who: str, now: int) -> Any:
    over = public_now(now) & over_for_all(now) & games.c.result_text.is_not(None)
    return with_opponents(select(WHITE_HALF_POINTS.label("white")), who).where(over).subquery()


def _counts(one: Any) -> tuple[Any, Any, Any]:
    draws = func.count().filter(one.c.white == 1)
    won = func.count().filter(((one.c.side == 0) & (one.c.white == 2)) | ((one.c.side == 1) & (one.c.white == 0)))
    return won.label("won"), draws.label("drawn"), func.count().label("games")


def _scores(connection: Connection, who: str, now: int, most: int) -> tuple[Score, ...]:
    one = _results(who, now)
    won, drawn, played = _counts(one)
    query = select(one.c.opponent, won, drawn, played).group_by(one.c.opponent)
    rows = connection.execute(query.order_by(played.desc(), one.c.opponent).limit(most))
    return tuple(Score(row.opponent, row.won, row.drawn, row.games - row.won - row.drawn) for row in rows)


def _total(connection: Connection, who: str, now: int) -> Score:
    row = connection.execute(select(*_counts(_results(who, now)))).one()
    return Score("", row.won, row.drawn, row.games - row.won - row.drawn)
