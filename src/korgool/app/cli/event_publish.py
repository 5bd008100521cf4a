"""`korgool event publish`, `upload`, `download` and `follow`: an event on the web, as files or on a server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from korgool.app.cli.event_common import (
    asked_group,
    by_option,
    file_argument,
    file_of_group,
    named,
    opened,
    say,
    warning,
)
from korgool.app.cli.forms import ADDRESS
from korgool.app.cli.group import InputError
from korgool.app.cli.language import counts, spoken, tell
from korgool.app.cli.options import json_option
from korgool.app.cli.output import emit
from korgool.app.cli.vocabulary import option
from korgool.languages import LANGUAGES, N_

if TYPE_CHECKING:
    from collections.abc import Callable

    from korgool.competition.storage.event_file import EventFile


@click.command("publish")
@file_of_group
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
    in all languages; and the tables as JSON. Without --group the pages of every group are written, those of the first
    where those of an event are, and the others in folders within. The folder is replaced as a whole; one that holds
    something else is refused.

    \b
    Example:
      korgool event publish cup.korgool
      korgool event publish cup.korgool --folder site --base-url https://example.org/cup/
    """
    if folder is None and (base_url or languages):
        raise click.UsageError("--base-url and --only-language belong to --folder.")
    with opened(path, whole=folder is not None) as file:
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
    log, state = file.log(), file.state
    every = [file.turn_to(id_) for id_ in state.groups] if asked_group() is None else []
    players = {id_ for one in (state, *every) for id_ in one.players}
    try:
        written = write_folder(
            state,
            folder,
            base_url=base_url,
            languages=languages,
            changed=log[-1].time if log else "",
            photos={id_: held for id_ in sorted(players) if (held := file.photo(id_)) is not None},
            groups=every,
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


_WAIT_S = 120.0
_LONGEST = 256_000_000


def _place(command: Callable[..., Any]) -> Callable[..., Any]:
    server = option(
        "--server", type=ADDRESS, required=True, metavar="URL", help="The server, such as https://example.org."
    )
    token = option(
        "--token",
        required=True,
        envvar="KORGOOL_TOKEN",
        metavar="T",
        help="A token of your account that is for events; by default KORGOOL_TOKEN of the environment.",
    )
    return server(token(json_option(command)))


@click.command("upload")
@file_argument
@_place
def upload_command(path: str, server: str, token: str, as_json: bool) -> None:
    """Make an event on a server from FILE, with the same log and the same hashes. The file stays as it is; what is
    changed in it later does not go to the server. Only officials see the event until one makes it public there.

    A file that comes from a server carries the event's address there. It is kept where it is free; otherwise the event
    gets a new one, and a warning says so. Where it is kept, a copy that a server has written on a stick also brings the
    links and codes of helpers; the log on the server then has one more line, which says that the event is led there.

    \b
    Example:
      korgool event upload cup.korgool --server https://example.org --token kgt_...
    """
    from pathlib import Path

    from korgool.competition.errors import CompetitionError
    from korgool.competition.storage.event_file import EventFile
    from korgool.competition.storage.transfer import check_whole_log

    try:
        with EventFile.open(path) as file, file.together():  # others cannot write while it is read
            check_whole_log(file)
            head, data = file.head(), Path(path).read_bytes()
    except CompetitionError as error:
        raise InputError(named(path, error)) from error
    made = _json(_ask(server, "POST", "/api/events/file", token, data))
    address, carried = f"{server.rstrip('/')}/events/{made.get('id')}", str(made.get("carried") or "")
    if carried not in ("", made.get("id")):
        warning(tell(N_("the address {id} of this file is taken on the server; the event has a new one"), id=carried))
    if as_json:
        emit({"id": made.get("id"), "url": address, "head": made.get("head") or str(head), "carried": carried})
    else:
        click.echo(address)


@click.command("download")
@file_argument
@click.argument("event", metavar="ID")
@_place
def download_command(path: str, event: str, server: str, token: str, as_json: bool) -> None:
    """Write the event ID of a server to a new FILE, with the same log and the same hashes. ID may be its address.

    \b
    Example:
      korgool event download cup.korgool k3m8x2pa --server https://example.org --token kgt_...
    """
    from pathlib import Path
    from urllib.parse import quote

    from korgool.competition.errors import CompetitionError
    from korgool.competition.storage.event_file import EventFile
    from korgool.competition.storage.transfer import check_whole_log
    from korgool.competition.storage.whole_file import new_file

    id_ = event.rstrip("/").rpartition("/")[2]
    try:
        with new_file(Path(path)) as scratch:
            scratch.write_bytes(_ask(server, "GET", f"/api/events/{quote(id_, safe='')}/file", token))
            with EventFile.open(scratch) as file:
                check_whole_log(file)
                state, head = file.state, file.head()
    except CompetitionError as error:
        raise InputError(named(path, error)) from error
    if as_json:
        emit({"name": state.event.name, "lines": state.actions, "head": str(head)})
    else:
        lines = counts((state.actions, "line", N_("Lines of the file")))
        end = tell(N_("head {head}"), head=head)
        click.echo(f"{path}: {state.event.name}, {lines}, {end}")


@click.command("follow")
@click.argument("address", metavar="ADDRESS")
@_place
def follow_command(address: str, server: str, token: str, as_json: bool) -> None:
    """Let a server show the public pages of an event that lies elsewhere, and follow it as it goes on. ADDRESS is its
    page on another site of Korgool, or the address of a folder that `publish --to` wrote.

    Where another machine leads an event by now under another address, follow it there in the same way: its pages on
    the server keep their address.

    \b
    Example:
      korgool event follow https://example.com/cup/ --server https://example.org --token kgt_...
    """
    import json

    made = _json(_ask(server, "POST", "/api/events/follow", token, json.dumps({"address": address}).encode()))
    place = f"{server.rstrip('/')}/events/{made.get('id')}"
    if as_json:
        emit({"id": made.get("id"), "url": place, "name": made.get("name")})
    else:
        click.echo(place)


def _ask(server: str, method: str, path: str, token: str, data: bytes | None = None) -> bytes:
    """Answer of a server.

    Raises:
        InputError: it cannot be reached, or refuses; the message gives its reason.
    """
    from urllib.error import HTTPError, URLError
    from urllib.request import Request, urlopen

    headers = {"authorization": f"Bearer {token}", "content-type": "application/octet-stream"}
    headers["accept-language"] = spoken()
    request = Request(server.rstrip("/") + path, data=data, headers=headers, method=method)
    try:
        with urlopen(request, timeout=_WAIT_S) as answer:
            found: bytes = answer.read(_LONGEST)
            return found
    except HTTPError as error:
        detail = _json(error.read(65_536)).get("detail", error.reason)
        said = tell(N_("refused with {status}: {reason}"), status=error.code, reason=detail)
        raise InputError(f"{server}: {said}") from None
    except (URLError, OSError, ValueError) as error:
        said = tell(N_("cannot be reached: {reason}"), reason=getattr(error, "reason", error))
        raise InputError(f"{server}: {said}") from None


def _json(text: bytes) -> dict[str, Any]:
    import json

    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
