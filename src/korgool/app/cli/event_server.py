"""`korgool event upload`, `download` and `follow`: an event file to a server and back, and an event of another site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from korgool.app.cli.event_common import file_argument, named
from korgool.app.cli.forms import ADDRESS
from korgool.app.cli.group import InputError
from korgool.app.cli.language import counts, spoken, tell
from korgool.app.cli.options import json_option
from korgool.app.cli.output import emit
from korgool.app.cli.vocabulary import option
from korgool.languages import N_

if TYPE_CHECKING:
    from collections.abc import Callable

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
    changed in it later does not go to the server. Nobody else sees the event yet.

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
    address = f"{server.rstrip('/')}/events/{made.get('id')}"
    if as_json:
        emit({"id": made.get("id"), "url": address, "head": str(head)})
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
        lines = counts((state.actions, "line", N_("Lines")))
        end = tell(N_("head {head}"), head=head)
        click.echo(f"{path}: {state.event.name}, {lines}, {end}")


@click.command("follow")
@click.argument("address", metavar="ADDRESS")
@_place
def follow_command(address: str, server: str, token: str, as_json: bool) -> None:
    """Let a server show the public pages of an event that lies elsewhere, and follow it as it goes on. ADDRESS is its
    page on another site of Korgool, or the address of a folder that `publish --to` wrote.

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
