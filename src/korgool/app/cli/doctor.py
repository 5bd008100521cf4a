"""`korgool doctor`: says what is wrong with an installation, and what to type."""

from __future__ import annotations

from pathlib import Path

import click

from korgool.app.cli.language import spoken, tell
from korgool.app.cli.options import json_option
from korgool.app.cli.output import emit
from korgool.app.cli.parts import PARTS
from korgool.app.cli.vocabulary import PathName, Takes, option
from korgool.languages import N_


@click.command("doctor", epilog="\b\nExample:\n  korgool doctor --data ./games --base-url https://example.org/")
@option("--data", type=PathName(Takes.FOLDER, as_path=True), help="The server's folder for games.")
@option("--database", metavar="URL", help="The server's database by URL.")
@option("--base-url", metavar="URL", help="The address that people use; it is asked as a browser asks it.")
@option("--host", default="127.0.0.1", show_default=True, help="The address on which the server listens.")
@option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Its port.")
@option("--smtp", metavar="HOST:PORT", help="The SMTP server of the site; nothing is sent.")
@option("--mail-from", metavar="ADDRESS", help="The address that e-mails come from.")
@option("--push", metavar="CONTACT", help="The contact of web push.")
@json_option
def command(
    data: Path | None,
    database: str | None,
    base_url: str | None,
    host: str,
    port: int,
    smtp: str | None,
    mail_from: str | None,
    push: str | None,
    as_json: bool,
) -> None:
    """Say what is wrong with an installation, a line for each check, and what to type.

    Give the options of `korgool serve`, and run it as the same user. It changes nothing. Exit status 1 if something is
    wrong.
    """
    from korgool.app.doctor.diagnosis import Condition
    from korgool.app.doctor.examination import Installation, examine

    installation = Installation(PARTS, data, database, host, port, base_url, smtp, mail_from, push)
    faults = 0
    for found in examine(installation):
        faults += found.condition is Condition.WRONG
        if as_json:
            emit({"check": found.about, "condition": found.condition.value, "said": found.said, "advice": found.advice})
            continue
        click.echo(f"{found.condition.value:<5}  {found.about}: {found.said}")
        if found.advice:
            click.echo(f"       → {found.advice}")
    if faults:
        if not as_json:
            if spoken() == "en":
                click.echo(f"{faults} {'thing is' if faults == 1 else 'things are'} wrong")
            else:
                click.echo(tell(N_("faults found: {count}"), count=faults))
        raise SystemExit(1)
