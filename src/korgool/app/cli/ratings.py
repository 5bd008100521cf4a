"""`korgool ratings`: check the ratings of a server's database against its games, or compute them anew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from korgool.app.cli.group import InputError
from korgool.app.cli.options import json_option
from korgool.app.cli.output import emit
from korgool.app.cli.suggestions import NearGroup

if TYPE_CHECKING:
    from korgool.app.server.settings import ServerSettings
    from korgool.app.server.storage.recount import Recount

_MOST_SHOWN = 20
data_option = click.option(
    "--data", type=click.Path(path_type=Path), help="The server's data folder, as for korgool serve."
)
database_option = click.option("--database", metavar="URL", help="The server's database, as for korgool serve.")


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
    from sqlalchemy.exc import SQLAlchemyError

    from korgool.app.server.storage.database import snapshot
    from korgool.app.server.storage.recount import check

    try:
        with snapshot(_settings(data, database)) as connection:
            found = check(connection)
    except (ValueError, SQLAlchemyError) as error:
        raise InputError(" ".join(str(error).split())) from None
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
    from sqlalchemy.exc import SQLAlchemyError

    from korgool.app.server.storage.database import Storage
    from korgool.app.server.storage.recount import recompute

    try:
        storage = Storage.open(_settings(data, database))
        try:
            with storage.engine.begin() as connection:
                storage.ownership.fence(connection)
                found = recompute(connection)
        finally:
            storage.close()
    except (ValueError, SQLAlchemyError) as error:
        raise InputError(" ".join(str(error).split())) from None
    _report(found, as_json=as_json)


def _settings(data: Path | None, database: str | None) -> ServerSettings:
    from korgool.app.server.settings import ServerSettings

    return ServerSettings(data=data, database=database)


def _report(found: Recount, *, as_json: bool) -> None:
    if as_json:
        emit({"games": found.games, "ratings": len(found.standings), "differences": found.differences})
        return
    for one in found.differences[:_MOST_SHOWN]:
        click.echo(one)
    if len(found.differences) > _MOST_SHOWN:
        click.echo(f"… and {len(found.differences) - _MOST_SHOWN} more")
    click.echo(f"{found.games} rated games, {len(found.standings)} ratings, {len(found.differences)} differences")
