"""`korgool event publish`: the standings in the log, and the public pages as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from korgool.app.cli.event_common import by_option, file_argument, named, opened, say
from korgool.app.cli.forms import ADDRESS
from korgool.app.cli.group import InputError
from korgool.app.cli.language import tell
from korgool.app.cli.options import json_option
from korgool.app.cli.output import emit
from korgool.app.cli.vocabulary import option
from korgool.languages import LANGUAGES, N_

if TYPE_CHECKING:
    from korgool.competition.storage.event_file import EventFile


@click.command("publish")
@file_argument
@option(
    "--folder", was=("--to",), metavar="FOLDER", help="Write the public pages into this folder, and not into the log."
)
@option(
    "--base-url", type=ADDRESS, default="", metavar="URL", help="Where the folder will be found, for previews of links."
)
@option(
    "--only-language", "languages", was=("--language",), multiple=True, type=click.Choice(tuple(LANGUAGES)),
    help="Only this language; may be given several times.",
)  # fmt: skip
@by_option
@json_option
def publish_command(
    path: str, folder: str | None, base_url: str, languages: tuple[str, ...], by: str, as_json: bool
) -> None:
    """Publish the standings after all complete rounds; `check` computes them again.

    With --folder, write the public pages of the event as files for any web host, and leave the log as it is: entries,
    pairings, results, standings with every tie-break worked out, cards of the players, games, and screens for the wall,
    in all languages; and the tables as JSON. The folder is replaced as a whole; one that holds something else is
    refused.

    \b
    Example:
      korgool event publish cup.korgool
      korgool event publish cup.korgool --folder site --base-url https://example.org/cup/
    """
    if folder is None and (base_url or languages):
        raise click.UsageError("--base-url and --only-language belong to --folder.")
    with opened(path) as file:
        if folder is None:
            _into_log(file, by, as_json)
        else:
            _as_pages(file, path, folder, _checked(base_url), languages or tuple(LANGUAGES), as_json)


def _into_log(file: EventFile, by: str, as_json: bool) -> None:
    from korgool.competition import commands
    from korgool.competition.event_fields import standings_fields

    commands.publish(file, by=by)
    state = file.state
    rounds = len(state.rounds) - (not state.complete)
    lines = standings_fields(state, rounds=rounds)
    head = file.head(state.actions)
    said = tell(N_("the standings after round {round} are published, {lines} lines"), round=rounds, lines=len(lines))
    log = tell(N_("log {head}"), head=head)
    say(lines, lambda: f"{said}\n{log}", as_json)


def _as_pages(
    file: EventFile, path: str, folder: str, base_url: str, languages: tuple[str, ...], as_json: bool
) -> None:
    from korgool.app.publishing import FolderError, write_folder

    if Path(folder).resolve() in Path(path).resolve().parents:
        said = tell(N_("the event itself lies in this folder, which would be replaced"))
        raise InputError(f"{folder}: {said}")
    log = file.log()
    try:
        written = write_folder(
            file.state,
            folder,
            base_url=base_url,
            languages=languages,
            changed=log[-1].time if log else "",
            photos={id_: held for id_ in file.state.players if (held := file.photo(id_)) is not None},
        )
    except FolderError as error:
        raise InputError(str(error)) from None
    except ValueError as error:
        raise InputError(named(path, error)) from None
    if as_json:
        emit({"folder": folder, "pages": written.pages, "files": written.files, "languages": list(languages)})
    else:
        said = tell(N_("{pages} pages in {languages} languages"), pages=written.pages, languages=len(languages))
        click.echo(f"{folder}: {said}")


def _checked(base_url: str) -> str:
    """Address without a slash at its end; raises UsageError if it is not one of the web."""
    try:
        parts = urlsplit(base_url)
        right = not base_url or (parts.scheme in ("http", "https") and parts.hostname and not parts.query)
    except ValueError:
        right = False
    if not right or any(letter.isspace() or letter in '"<>' for letter in base_url):
        raise click.UsageError(f"--base-url {base_url!r} is no address such as https://example.org/cup/")
    return base_url.rstrip("/")
