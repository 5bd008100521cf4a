"""Profiles of players: ratings, their course, the record against each opponent; and the best players.

Watchers may see a game later than its players. Until then its rating is not told either: everything here is as it was
before the first such game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest
from operator import itemgetter
from types import MappingProxyType
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Connection, Engine, Row, func, literal, literal_column, select, text, union_all

from korgool.accounts import Person, Shown, Speed, Standing
from korgool.app.server.people.profiles.player_games import has_more, newest_results
from korgool.app.server.storage.rated_games import Pool, read_standing
from korgool.app.server.storage.schema import SETTLED, accounts, games, rated_games, standings
from korgool.glicko import Glicko
from korgool.live.terms import MOST_DELAY_S
from korgool.rules import GAMES

MOST_POINTS = 500
"""Games of the course of ratings."""
_AT_ONCE = 500
_SPARE = 50
"""Further standings read for a list of the best: some have become provisional since."""
_MOST_COUNTED = 500
"""Players of a game at a speed that are counted; lists with more stand in the order of their names."""
PoolOf: TypeAlias = tuple[str, Speed]
"""The short name of a game, and a speed."""


@dataclass(frozen=True, slots=True)
class HeadToHead:
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
        """Number of games."""
        return self.won + self.drawn + self.lost


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A rating after a game; `at` in milliseconds since 1970."""

    at: int
    rating: int
    deviation: int


@dataclass(frozen=True, slots=True)
class Profile:
    """A player's record.

    Attributes:
        person: who it is.
        since: when the account was opened, milliseconds since 1970.
        ratings: for each game and speed that has rated games, the rating and their number.
        course: for each of them, the rating after each of the last games, the oldest first.
        total: the finished games against people among the last `MOST_LOOKED` games.
        opponents: those met most often in these.
        whole: whether the player has no more games than these.
    """

    person: Person
    since: int
    ratings: Mapping[PoolOf, tuple[Shown, int]]
    course: Mapping[PoolOf, tuple[RatingPoint, ...]]
    total: HeadToHead
    opponents: tuple[HeadToHead, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A player of a list of the best; `games` are those that are rated in this game and speed."""

    who: str
    shown: Shown
    games: int


class ProfileRepository:
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
            total, scores = _scores(connection, who, now, opponents)
            whole = not has_more(connection, who)
        ratings = {
            (game, Speed(speed)): (standing.shown(now), standing.games)
            for (_, game, speed), standing in sorted(seen.items())
            if standing.games or standing.fixed
        }
        return Profile(person, since, MappingProxyType(ratings), course, total, scores, whole)

    def pools(self) -> list[tuple[str, Speed]]:
        """The games and speeds in which players have settled ratings, those with the most players first.

        Those of one are counted up to a limit: the cost is the same however large the site has grown.
        """
        parts = []
        for game in GAMES:
            for speed in Speed:
                one = select(literal(1)).where(_pool(game, speed)).limit(_MOST_COUNTED).subquery("counted")
                parts.append(
                    select(
                        literal(game).label("game"),
                        literal(speed.value).label("speed"),
                        func.count().label("players"),
                    ).select_from(one)
                )
        with self._engine.begin() as connection:
            rows = connection.execute(union_all(*parts)).all()
        found = sorted((-row.players, row.game, row.speed) for row in rows if row.players)
        return [(game, Speed(speed)) for _, game, speed in found]

    def best(self, game: str, speed: Speed, now: int, most: int) -> list[RankedPlayer]:
        """The players with the highest ratings that are settled, without accounts that are locked or deleted."""
        going = accounts.c.locked_ms.is_(None) & accounts.c.deleted_ms.is_(None)
        query = (
            select(standings).join(accounts, (accounts.c.id == standings.c.account) & going).where(_pool(game, speed))
        )
        with self._engine.begin() as connection:
            hidden = _hidden(connection, now)
            rows = connection.execute(query.order_by(standings.c.rating.desc()).limit(most + _SPARE)).all()
        players = [
            RankedPlayer(who, standing.shown(now), standing.games)
            for (who, _, _), standing in _seen(rows, hidden).items()
        ]
        settled_now = [player for player in players if not player.shown.provisional]
        return sorted(settled_now, key=lambda player: (-player.shown.rating, player.who))[:most]


def _pool(game: str, speed: Speed) -> ColumnElement[bool]:
    """The standings of a game at a speed that are settled."""
    return (standings.c.game == game) & (standings.c.speed == speed.value) & text(f"({SETTLED})")


def _hidden(connection: Connection, now: int) -> Sequence[Row[Any]]:
    """Counted games that watchers do not know to be over, in order. No delay is longer than an hour."""
    later = games.c.delay_s > literal_column("0")
    late = (games.c.ended_ms > now - 1000 * MOST_DELAY_S) & (games.c.ended_ms + 1000 * games.c.delay_s > now)
    addresses = connection.scalars(select(games.c.id).where(later & late)).all()
    rows: list[Row[Any]] = []
    for begin in range(0, len(addresses), _AT_ONCE):
        query = select(rated_games).where(rated_games.c.game_id.in_(addresses[begin : begin + _AT_ONCE]))
        rows += connection.execute(query)
    return sorted(rows, key=lambda row: row.seq)


def _seen(rows: Iterable[Any], hidden: Sequence[Row[Any]]) -> dict[Pool, Standing]:
    pools = {(row.account, row.game, row.speed): read_standing(row) for row in rows}
    for row in reversed(hidden):
        for side in ("white", "black"):
            pool = (getattr(row, side), row.game, row.speed)
            after = pools.get(pool)
            if after is None or after.fixed:
                continue
            before = getattr(row, f"{side}_before"), getattr(row, f"{side}_deviation_before")
            rating = Glicko(*before, after.rating.volatility)
            pools[pool] = replace(after, rating=rating, games=after.games - 1, at=row.at_ms)
    return pools


def _course(connection: Connection, who: str, hidden: set[int]) -> Mapping[PoolOf, tuple[RatingPoint, ...]]:
    rows: list[Any] = []
    for side in ("white", "black"):  # each in the order of its index; together the database would sort all of them
        after = (rated_games.c[f"{side}{what}_after"] for what in ("", "_deviation"))
        columns = rated_games.c.seq, rated_games.c.game, rated_games.c.speed, rated_games.c.at_ms
        own = select(*columns, *after).where(rated_games.c[side] == who)
        rows += connection.execute(own.order_by(rated_games.c.seq.desc()).limit(MOST_POINTS)).all()
    rows.sort(key=itemgetter(0))
    speeds = {speed.value: speed for speed in Speed}
    courses: dict[PoolOf, list[RatingPoint]] = {}
    for seq, game, speed, at, rating, deviation in rows[-MOST_POINTS:]:
        if seq not in hidden:
            courses.setdefault((game, speeds[speed]), []).append(RatingPoint(at, round(rating), round(deviation)))
    return MappingProxyType({pool: tuple(points) for pool, points in courses.items()})


def _scores(connection: Connection, who: str, now: int, most: int) -> tuple[HeadToHead, tuple[HeadToHead, ...]]:
    """All together, and those against the opponents met most often."""
    each = Counter(newest_results(connection, who, now))
    total, met = Counter[str](), Counter[str]()
    for (opponent, result), games_ in each.items():
        total[result] += games_
        met[opponent] += games_
    often = nsmallest(most, met.items(), key=lambda opponent: (-opponent[1], opponent[0]))
    return (
        HeadToHead("", total["won"], total["drawn"], total["lost"]),
        tuple(
            HeadToHead(opponent, each[opponent, "won"], each[opponent, "drawn"], each[opponent, "lost"])
            for opponent, _ in often
        ),
    )
