"""`korgool ratings`: check the ratings of a server's database against its games, compute them anew, or fix a bot's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from korgool.app.cli.forms import DATABASE
from korgool.app.cli.group import InputError, NearGroup
from korgool.app.cli.language import tell
from korgool.app.cli.options import json_option
from korgool.app.cli.output import emit
from korgool.app.cli.vocabulary import PathName, Takes, option
from korgool.languages import N_
from korgool.rules import GAMES

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from korgool.app.server.core.settings import ServerSettings
    from korgool.app.server.storage.rating_admin import RatingRecount

_MOST_SHOWN = 20
data_option = option(
    "--data", type=PathName(Takes.FOLDER, as_path=True), help="The server's data folder, as for korgool serve."
)
database_option = option(
    "--database", type=DATABASE, metavar="URL", help="The server's database, as for korgool serve."
)


@click.group(
    "ratings",
    cls=NearGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExample:\n  korgool ratings check --data ./games",
)
def command() -> None:
    """The ratings of a server's players, as the journals of the finished games give them."""


@command.command("check", epilog="\b\nExample:\n  korgool ratings check --data ./games")
@data_option
@database_option
@json_option
def check_command(data: Path | None, database: str | None, as_json: bool) -> None:
    """Compute all ratings once more from the games, and compare them with those that are stored.

    Nothing is changed, and the server may run meanwhile. Exit status 1 where something differs.
    """
    from korgool.app.server.storage.database import snapshot
    from korgool.app.server.storage.rating_admin import check

    with _plain_errors(), snapshot(_settings(data, database)) as connection:
        found = check(connection)
    _report(found, as_json=as_json)
    if found.differences:
        raise SystemExit(1)


@command.command("recompute", epilog="\b\nExample:\n  korgool ratings recompute --data ./games")
@data_option
@database_option
@json_option
def recompute_command(data: Path | None, database: str | None, as_json: bool) -> None:
    """Replace all ratings by those that the games give; games that were never counted are counted now.

    Stop the server first. The whole happens, or nothing of it.
    """
    from korgool.app.server.storage.rating_admin import recompute

    with _stopped_site(data, database) as connection:
        found = recompute(connection)
    _report(found, as_json=as_json)


@command.command("fix", epilog="\b\nExample:\n  korgool ratings fix Level5 toguz blitz 1240 --data ./games")
@click.argument("name")
@click.argument("game", type=click.Choice(list(GAMES)))
@click.argument("speed", type=click.Choice(["bullet", "blitz", "rapid", "slow", "days"]))
@click.argument("rating", type=click.IntRange(0, 4000))
@data_option
@database_option
@json_option
def fix_command(
    name: str, game: str, speed: str, rating: int, data: Path | None, database: str | None, as_json: bool
) -> None:
    """Give the bot NAME a rating that no game changes, such as that of a level of the engine.

    Stop the server first. Only before the first rated game of the bot in that game and speed.
    """
    from korgool.accounts import Speed
    from korgool.app.server.storage.rating_admin import fix

    with _stopped_site(data, database) as connection:
        fix(connection, name, game, Speed(speed), rating)
    if as_json:
        emit({"name": name, "game": game, "speed": speed, "rating": rating})
        return
    said = N_("{name} has the rating {rating} in {game}, {speed}, and keeps it")
    click.echo(tell(said, name=name, rating=rating, game=game, speed=speed))


def _settings(data: Path | None, database: str | None) -> ServerSettings:
    from korgool.app.server.core.settings import ServerSettings

    return ServerSettings(data=data, database=database)


@contextmanager
def _plain_errors() -> Iterator[None]:
    """Turn errors of the database into wrong input, on one line."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except (ValueError, SQLAlchemyError) as error:
        raise InputError(" ".join(str(error).split())) from None


@contextmanager
def _stopped_site(data: Path | None, database: str | None) -> Iterator[Connection]:
    """A transaction in the database of a server that does not run."""
    from korgool.app.server.storage.database import Storage

    with (
        _plain_errors(),
        closing(Storage.open(_settings(data, database))) as storage,
        storage.engine.begin() as connection,
    ):
        storage.lease.fence(connection)
        yield connection


def _report(found: RatingRecount, *, as_json: bool) -> None:
    if as_json:
        emit({"games": found.games, "ratings": len(found.standings), "differences": found.differences})
        return
    for one in found.differences[:_MOST_SHOWN]:
        click.echo(one)
    if len(found.differences) > _MOST_SHOWN:
        click.echo(tell(N_("… and {count} more"), count=len(found.differences) - _MOST_SHOWN))
    said = N_("{games} rated games, {ratings} ratings, {differences} differences")
    click.echo(tell(said, games=found.games, ratings=len(found.standings), differences=len(found.differences)))
