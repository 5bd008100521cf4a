"""`korgool serve`: the web server."""

from __future__ import annotations

import gc
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
from click.core import ParameterSource

from korgool.app.cli.forms import ADDRESS, DATABASE, SENDER
from korgool.app.cli.options import json_option
from korgool.app.cli.output import emit_life
from korgool.app.cli.server_options import refused, shown_database
from korgool.app.cli.vocabulary import PathName, Takes, option
from korgool.rules import GAMES, TOGUZ_KORGOOL

if TYPE_CHECKING:
    from korgool.app.server.limits.caller import Network


@click.command("serve", epilog="\b\nExample:\n  korgool serve --port 8080 --data ./games")
@option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="The port; 0 for any free one.")
@option(
    "--data",
    type=PathName(Takes.FOLDER, as_path=True),
    help="The folder for games; by default, the user's data folder.",
)
@option(
    "--database", type=DATABASE, metavar="URL", help="A database by URL; by default, a SQLite file in the data folder."
)
@option(
    "--engine-queue",
    is_flag=True,
    help="Leave the engine's long searches to `korgool worker` processes; needs PostgreSQL. While no worker is alive, "
    "the server searches by itself.",
)
@option(
    "--bus",
    metavar="nats://HOST:PORT|off",
    help="How several servers of one PostgreSQL database tell each other news; without it by the database itself.",
)
@option(
    "--game",
    type=click.Choice(list(GAMES)),
    default=TOGUZ_KORGOOL.name,
    show_default=True,
    help="The game that the form for a new game offers first; all of them can be played.",
)
@option(
    "--allowed-host",
    "allowed_hosts",
    metavar="NAME",
    multiple=True,
    help="A name or address under which people reach the server; repeatable. Without it and --base-url: every literal "
    "address, the name of --host, and this machine's own name if --host means all addresses. Others are refused.",
)
@option(
    "--base-url",
    type=ADDRESS,
    metavar="URL",
    help="The address that people use, such as https://example.org/ behind a proxy that provides TLS. Records contain "
    "it, and with https, cookies are sent over TLS only.",
)
@option(
    "--limits",
    "limits_file",
    metavar="FILE|off",
    help="A TOML file with the limits of a session and an address; 'off' for no limits, as load tests need.",
)
@option(
    "--trusted-proxy",
    "proxies",
    metavar="NET",
    multiple=True,
    help="The address or network of a proxy whose X-Forwarded-For is trusted; repeatable.",
)
@option(
    "--lan",
    is_flag=True,
    help="Let everybody in the local network play: listen on all addresses of this machine, and show its address and "
    "a QR code for phones.",
)
@option(
    "--push",
    metavar="CONTACT",
    help="Tell people by web push that it is their turn in a slow game; mailto:ADDRESS or https://PAGE by which push "
    "services reach you.",
)
@option(
    "--push-network",
    "push_networks",
    metavar="NET",
    multiple=True,
    help="A network that is not public to which web push is sent all the same; repeatable.",
)
@option(
    "--follow-network",
    "follow_networks",
    metavar="NET",
    multiple=True,
    help="A network that is not public in which events of other sites may be followed, also without TLS; repeatable.",
)
@option(
    "--copies",
    type=PathName(Takes.FOLDER, as_path=True),
    help="A folder, such as that of a memory stick, into which every event is copied as a file after each round.",
)
@option(
    "--smtp",
    metavar="HOST:PORT",
    help="Tell people by e-mail over this SMTP server, with STARTTLS; KORGOOL_SMTP_USER and KORGOOL_SMTP_PASSWORD of "
    "the environment log in.",
)
@option("--mail-from", type=SENDER, metavar="ADDRESS", help="The address that e-mails come from.")
@option(
    "--drain",
    metavar="SECONDS",
    type=click.FloatRange(0, 3600),
    default=0.0,
    help="Seconds to go on after SIGTERM while /healthz says 503, so that a balancer sends nobody here any more.",
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
    help="The least level that the log tells; at info it tells every request.",
)
@option(
    "--metrics",
    metavar="[HOST:]PORT",
    help="Figures for Prometheus at an address of their own; without a host for this machine only.",
)
@option("--open", "opened", is_flag=True, help="Open the page in the browser as soon as it answers.")
@json_option
@click.pass_context
def command(
    context: click.Context,
    host: str,
    port: int,
    data: Path | None,
    database: str | None,
    engine_queue: bool,
    bus: str | None,
    game: str,
    allowed_hosts: tuple[str, ...],
    base_url: str | None,
    limits_file: str | None,
    proxies: tuple[str, ...],
    lan: bool,
    push: str | None,
    push_networks: tuple[str, ...],
    follow_networks: tuple[str, ...],
    copies: Path | None,
    smtp: str | None,
    mail_from: str | None,
    drain: float,
    log: Literal["text", "json"],
    log_level: str,
    metrics: str | None,
    opened: bool,
    as_json: bool,
) -> None:
    """Run the web server on which people play.

    It prints its address as soon as it answers. Ctrl-C ends it; no game is lost. With --json it prints an object when
    it answers, with address, process, version and where games are kept, and another one when it has stopped.
    """
    gc.disable()  # what a start imports and makes stays; to look through it for garbage takes a tenth of the time
    context.call_on_close(gc.enable)
    from korgool.app.cli.serve_report import EVERYWHERE, StartReport, lan_address
    from korgool.app.server.core.settings import ServerSettings, read_metrics, read_smtp
    from korgool.app.server.limits import OFF, ServiceLimits, read_limits
    from korgool.app.server.run import serve

    shown, running = None, dict[str, str | None]()

    def ready(address: str) -> None:
        if as_json:
            running["address"] = address
            emit_life("started", **running)
        else:
            click.echo(address)
        start.ready(address)

    def ended() -> None:
        if as_json:
            with suppress(OSError):  # the reader has gone
                emit_life("stopped", **running)

    if lan:
        if base_url is not None or context.get_parameter_source("host") is not ParameterSource.DEFAULT:
            raise click.UsageError("--lan finds the address by itself; leave out --host and --base-url.")
        host, shown = EVERYWHERE, lan_address()
        allowed_hosts = (*allowed_hosts, shown) if allowed_hosts else ()
    try:
        limits = (
            ServiceLimits() if limits_file is None else OFF if limits_file == "off" else read_limits(Path(limits_file))
        )
        networks = tuple(_network(text, "--trusted-proxy") for text in proxies)
        settings = ServerSettings(
            data=data,
            database=database,
            engine_queue=engine_queue,
            bus=bus,
            game=game,
            allowed_hosts=allowed_hosts,
            base_url=base_url,
            limits=limits,
            proxies=networks,
            push=push,
            push_networks=tuple(_network(text, "--push-network") for text in push_networks),
            follow_networks=tuple(_network(text, "--follow-network") for text in follow_networks),
            copies=None if copies is None else copies.absolute(),
            smtp=None if smtp is None else read_smtp(smtp, mail_from),
        )
        folder = None if database is not None else str(settings.folder.absolute())
        running |= {"data": folder, "database": shown_database(settings)}
        with StartReport(folder, opened=opened, lan=lan) as start:
            serve(
                host,
                port,
                settings,
                ready=ready,
                ended=ended,
                shown=shown,
                drain=drain,
                log=log,
                log_level=log_level,
                metrics=None if metrics is None else read_metrics(metrics),
            )
    except ValueError as error:
        raise refused(error) from None


def _network(text: str, option: str) -> Network:
    from korgool.app.server.limits import parse_network

    try:
        return parse_network(text)
    except ValueError as error:
        raise click.UsageError(f"{option}: {error}") from None
