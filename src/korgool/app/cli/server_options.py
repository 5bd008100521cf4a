"""Location of a server's database for the commands about accounts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from korgool.app.cli.forms import DATABASE
from korgool.app.cli.group import InputError
from korgool.app.cli.vocabulary import PathName, Takes, option

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from korgool.app.server.core.settings import ServerSettings
    from korgool.app.server.people.transactions import PeopleTransactions

_Command = TypeVar("_Command", bound=Callable[..., Any])


def place(work: _Command) -> _Command:
    """Give a command the options that name a server's database."""
    data = option("--data", type=PathName(Takes.FOLDER, as_path=True), help="The server's folder for games.")
    database = option("--database", type=DATABASE, metavar="URL", help="The server's database by URL.")
    return data(database(work))


def refused(error: Exception) -> click.ClickException:
    """Exception for an error of the server's rooms: an invalid setting is wrong usage, all else wrong input."""
    from korgool.app.server.core.settings import SettingsError

    return click.UsageError(str(error)) if isinstance(error, SettingsError) else InputError(str(error))


def shown_database(settings: ServerSettings) -> str:
    """URL of the database for people and programs: without its password and parameters, which may hold one too.

    Raises:
        SettingsError: it is no such URL.
    """
    from sqlalchemy import URL

    url = settings.url()
    return URL.create(url.get_backend_name(), url.username, None, url.host, url.port, url.database).render_as_string()


@contextmanager
def ledger_at(data: Path | None, database: str | None) -> Iterator[PeopleTransactions]:
    """The tables of people of a server, which may be running; raises what `engine_at` raises."""
    from korgool.app.server.people.transactions import PeopleTransactions

    with engine_at(data, database) as engine:
        yield PeopleTransactions(engine)


@contextmanager
def engine_at(data: Path | None, database: str | None) -> Iterator[Engine]:
    """The database of a server, which may be running.

    Raises:
        InputError: there is no such database, or it is of another version.
    """
    from korgool.app.server.core.settings import ServerSettings
    from korgool.app.server.storage.database import beside

    try:
        engine = beside(ServerSettings(data=data, database=database))
    except ValueError as error:
        raise refused(error) from None
    try:
        yield engine
    finally:
        engine.dispose()
