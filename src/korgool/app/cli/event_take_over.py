"""`korgool event take-over`: this machine leads an event from the copy that it has kept."""

from __future__ import annotations

import socket
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from korgool.app.cli.event_common import by_option
from korgool.app.cli.group import InputError
from korgool.app.cli.language import spoken, tell
from korgool.app.cli.options import json_option
from korgool.app.cli.output import emit_life
from korgool.app.cli.serve_report import EVERYWHERE
from korgool.app.cli.stand_by_copy import SITE, StandByCopy
from korgool.app.cli.vocabulary import PathName, Takes, option
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.app.server.core.settings import ServerSettings
    from korgool.app.server.events.stand_by.adoption import Adopted

_ASK_S = 3.0
_GO_ON = N_("Links, codes and roles of all helpers go on.")
_NOT_KEPT = N_("This copy holds no links and codes of helpers. Give them new ones at your desk.")


@dataclass(frozen=True, slots=True)
class _Place:
    """The address that is printed on everybody's codes.

    Attributes:
        home: as the machine before this one had it, such as `http://desk.local:8000`.
        host, port: its parts.
    """

    home: str
    host: str
    port: int


@click.command("take-over")
@click.argument("folder", metavar="DIR", type=PathName(Takes.FOLDER, as_path=True))
@option("--host", default=EVERYWHERE, show_default=True, help="The address to listen on.")
@option("--port", type=click.IntRange(1, 65535), help="The port; by default that of the printed codes.")
@option(
    "--name",
    default="",
    metavar="NAME",
    help="The name or address that people type; by default that of the printed codes.",
)
@option("--even-so", is_flag=True, help="Take over although the first machine still answers.")
@by_option
@json_option
def take_over_command(
    folder: Path, host: str, port: int | None, name: str, even_so: bool, by: str, as_json: bool
) -> None:
    """Lead the event that `stand-by` has kept in DIR: a server goes on with it under the same address, with all links,
    codes and roles, until Ctrl-C. The log says who took over, when, and from which line.

    DIR may also be one file: the log that a phone's browser has kept, or the copy on a memory stick. A folder beside it
    then keeps the event.

    The printed codes lead to a name and a port. The command says which, and whether they lead to this machine; where
    they do not, give this machine that name or address in the router. Called again it goes on with the same event.

    \b
    Example:
      korgool event take-over stand-by
    """
    from korgool.app.server.core.settings import ServerSettings
    from korgool.app.server.run import serve

    copy = StandByCopy.unpack(folder) if folder.is_file() else StandByCopy.open(folder)
    folder = copy.folder
    try:
        place = _place(copy, name, port)
        settings = ServerSettings(data=folder / SITE, more_hosts=(place.host,))
        event, known = copy.source.event, bool(copy.snapshot().get("secret"))
        adopted = _lead(copy, settings, by, host, place, even_so)
        kept = known or adopted is None  # afterwards all that this machine knows goes on
    finally:
        copy.close()
    link = f"{place.home}/events/{event}/join/{adopted.token}" if adopted else None
    code = adopted.code if adopted else None
    if adopted:  # at once: whatever happens to the server, nobody can ask for them again
        said = N_("The log went on with line {line}. Your desk, as chief referee: {link} (code {code})")
        click.echo(tell(said, line=adopted.line, link=link, code=code), err=True)

    def ready(_: str) -> None:
        address = f"{place.home}/events/{event}"
        if as_json:
            emit_life("started", address=address, line=adopted and adopted.line, desk=link, code=code)
        else:
            click.echo(address)
            click.echo(tell(_GO_ON if kept else _NOT_KEPT), err=True)
        threading.Thread(target=_check_home, args=(place, event, kept), daemon=True).start()

    try:
        serve(host, place.port, settings, ready=ready)
    except ValueError as error:
        raise InputError(str(error)) from None


def _place(copy: StandByCopy, name: str, port: int | None) -> _Place:
    """The public address: that of the printed codes, with another name and port where they are given."""
    home = urlsplit(str(copy.snapshot().get("address") or copy.source.origin))
    if not (name or home.hostname):
        raise click.UsageError("the copy does not say under which address people came; name it by --name")
    host, number = name or home.hostname or "", port or home.port or (443 if home.scheme == "https" else 80)
    shown = f"[{host}]" if ":" in host else host
    usual = number == (443 if home.scheme == "https" else 80)
    return _Place(f"{home.scheme or 'http'}://{shown}" + ("" if usual else f":{number}"), host, number)


def _lead(
    copy: StandByCopy, settings: ServerSettings, by: str, host: str, place: _Place, even_so: bool
) -> Adopted | None:
    """Put the event into the server's database; None where it is there already.

    Raises:
        InputError: the first machine leads and answers, nobody can listen at the address, or the copy cannot stand.
            Nothing is written then.
    """
    from korgool.app.server.events.stand_by.adoption import adopt, holds
    from korgool.app.server.storage.database import Storage
    from korgool.competition.errors import CompetitionError
    from korgool.competition.storage.transfer import contents

    source = copy.source
    if not copy.leads:
        _check_first(copy, even_so, host, place)
    settings.folder.mkdir(mode=0o700, exist_ok=True)
    try:
        storage = Storage.open(settings)
    except ValueError as error:
        raise InputError(str(error)) from None
    try:
        if holds(storage, source.event):
            return None
        lines, personal = contents(copy.file)
        held = copy.snapshot()
        snapshot = held | {"address": place.home}
        return adopt(
            storage,
            source.event,
            lines,
            personal,
            snapshot,
            by=by,
            machine=socket.gethostname(),
            peers=(str(held.get("address") or source.origin), source.origin),
            own_token=source.token,
        )
    except CompetitionError as error:
        raise InputError(f"{copy.folder}: {error.said(spoken())}") from None
    finally:
        storage.close()


def _check_first(copy: StandByCopy, even_so: bool, host: str, place: _Place) -> None:
    """Raise InputError where the first machine answers and leads, or nobody can listen at the address."""
    from korgool.app.server.run import check_port

    source = copy.source
    first = _leader_at(source.origin, source.event)
    if first is not None and first.get("leads") and not even_so:
        said = N_(
            "{origin} still answers and leads the event; it is at line {there}, this copy at line {here}. Stop it "
            "first, or say --even-so"
        )
        raise InputError(tell(said, origin=source.origin, there=first.get("seq"), here=copy.line))
    try:
        check_port(host, place.port)
    except ValueError as error:
        raise InputError(str(error)) from None


def _leader_at(origin: str, event: str) -> dict[str, Any] | None:
    """The answer of a machine about who leads an event; None where nobody answers so."""
    import json
    from http.client import HTTPException
    from urllib.request import urlopen

    try:
        with urlopen(f"{origin}/api/events/{event}/stand-by/leader", timeout=_ASK_S) as answer:
            found = json.loads(answer.read(1_000_000))
    except (OSError, ValueError, HTTPException):  # also where another protocol answers
        return None
    return found if isinstance(found, dict) and found.get("event") == event else None


def _check_home(place: _Place, event: str, kept: bool) -> None:
    """Say whether the printed codes lead to this machine, and go on where what they rest on is kept."""
    here = _leader_at(f"http://127.0.0.1:{place.port}", event)
    there = _leader_at(place.home, event)
    if there is not None and here is not None and there.get("machine") == here.get("machine"):
        leads = N_("{home} leads to this machine: the printed codes go on.")
        click.echo(tell(leads if kept else N_("{home} leads to this machine."), home=place.home), err=True)
        return
    said = (
        N_("{home} leads nowhere. The printed codes need it: give this machine that name or address in the router.")
        if there is None
        else N_("{home} leads to another machine. Give this machine that name or address in the router.")
    )
    click.echo(tell(said, home=place.home), err=True)
