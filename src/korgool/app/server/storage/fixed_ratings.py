"""Fixed ratings of bots: an engine at one level, by which others are measured, and which no game changes."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from korgool.accounts import Speed, Standing, name_key
from korgool.accounts.ratings import SUREST
from korgool.app.server.storage.rated_games import lock, standing_row
from korgool.app.server.storage.schema import accounts, rated_games, standings
from korgool.glicko import Glicko


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
