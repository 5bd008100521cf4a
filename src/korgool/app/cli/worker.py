"""`korgool worker`: searches for servers that share a PostgreSQL database."""

from __future__ import annotations

import os
from typing import Literal

import click

from korgool.app.cli.account_place import refused
from korgool.app.cli.forms import DATABASE
from korgool.app.cli.vocabulary import option


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
def command(database: str, threads: int, log: Literal["text", "json"], log_level: str) -> None:
    """Search for servers that run with `korgool serve --engine-queue`.

    Any number of workers may run anywhere and be ended at any time; Ctrl-C lets them finish what they search.
    """
    from korgool.app.server.core.logs import begin_log
    from korgool.app.server.core.settings import ServerSettings
    from korgool.app.server.worker import work

    try:
        url = ServerSettings(database=database).url()
        place = url.render_as_string(hide_password=True).replace("postgresql+psycopg", "postgresql")
        begin_log(log, log_level)
        said = f"Searching for the servers of {place}, {threads} at once. Ctrl-C ends it."
        work(url, threads, lambda: click.echo(said, err=True))
    except ValueError as error:
        raise refused(error) from None
