"""`korgool worker`: searches for servers that share a PostgreSQL database."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Literal

import click

from korgool.app.cli.forms import DATABASE
from korgool.app.cli.language import tell
from korgool.app.cli.options import json_option
from korgool.app.cli.output import emit_life
from korgool.app.cli.server_options import refused, shown_database
from korgool.app.cli.vocabulary import option
from korgool.languages import N_


@click.command("worker", epilog="\b\nExample:\n  korgool worker --database postgresql://korgool@db/korgool")
@option("--database", type=DATABASE, metavar="URL", required=True, help="The PostgreSQL database of the servers.")
@option(
    "--threads",
    type=click.IntRange(1, 256),
    default=os.cpu_count() or 1,
    show_default="processors",
    help="Searches at once.",
)
@option(
    "--log-format",
    "log",
    was=("--log",),
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The form of the log on stderr.",
)
@option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="warning",
    show_default=True,
    help="The least level that the log tells.",
)
@json_option
def command(database: str, threads: int, log: Literal["text", "json"], log_level: str, as_json: bool) -> None:
    """Search for servers that run with `korgool serve --engine-queue`.

    Any number of workers may run anywhere and be ended at any time; Ctrl-C lets them finish what they search. With
    --json it prints an object when it begins, with process, version and database, and another one when it has stopped.
    """
    from korgool.app.server.core.logs import configure_logging
    from korgool.app.server.core.settings import ServerSettings
    from korgool.app.server.worker import work

    def ready() -> None:
        if as_json:
            emit_life("started", database=place, threads=threads)
        said = N_("Searching for the servers of {database}, {threads} at once. Ctrl-C ends it.")
        click.echo(tell(said, database=place, threads=threads), err=True)

    def ended() -> None:
        if as_json:
            with suppress(OSError):  # the reader has gone
                emit_life("stopped", database=place, threads=threads)

    try:
        settings = ServerSettings(database=database)
        place = shown_database(settings)
        configure_logging(log, log_level)
        work(settings.url(), threads, ready, ended)
    except ValueError as error:
        raise refused(error) from None
