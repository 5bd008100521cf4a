"""`korgool event stand-by`: this machine keeps the log of an event line by line, and may take over."""

from __future__ import annotations

import re
import socket
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode, urlsplit

import click

from korgool.app.cli.group import InputError
from korgool.app.cli.language import counts, spoken, tell
from korgool.app.cli.options import json_option
from korgool.app.cli.output import emit
from korgool.app.cli.stand_by_copy import FORMAT, Source, StandByCopy
from korgool.app.cli.vocabulary import PathName, Takes, option
from korgool.languages import N_

if TYPE_CHECKING:
    from collections.abc import Sequence

    from korgool.competition.storage.line import Line

_WAIT_S = 20
_SLACK_S = 10.0
_PAUSES = (1.0, 2.0, 4.0, 8.0)
_MOST = 64_000_000
_PLACE = re.compile(r"(?P<before>.*?)/(?:api/)?events/(?P<id>[a-z0-9]{8})(?:[~/].*)?", re.DOTALL)
_FINAL = frozenset({400, 401, 403, 404, 409, 422, 423})
"""Refusals that stay as they are, however often one asks."""
_FOREIGN = N_("the answer is not that of Korgool")


class _SilentError(Exception):
    """The other machine does not answer, or not now."""


@click.command("stand-by")
@click.argument("address", metavar="URL")
@option(
    "--token",
    envvar="KORGOOL_TOKEN",
    metavar="T",
    default="",
    help="The code that the desk shows for a second machine, or a token of the organiser's account that is for events; "
    "by default KORGOOL_TOKEN of the environment.",
)
@option(
    "--data",
    type=PathName(Takes.FOLDER, as_path=True),
    required=True,
    help="The folder that keeps the event; it is made if it is not there.",
)
@option("--name", default="", metavar="NAME", help="What the desk calls this machine; by default its own name.")
@option(
    "--port", type=click.IntRange(1, 65535), help="The port after a take-over; by default the same as at the address."
)
@option("--once", is_flag=True, help="Fetch what there is, and end.")
@json_option
def stand_by_command(
    address: str, token: str, data: Path, name: str, port: int | None, once: bool, as_json: bool
) -> None:
    """Keep the event at URL in a folder of this machine, line by line as it is entered, until Ctrl-C.

    URL is any page of the event. Every line is verified, and is on this disk before the next one is asked for; the
    folder holds a real event file. Lost connections are made again. If the machine that leads the event dies, `korgool
    event take-over` goes on from here.

    \b
    Example:
      korgool event stand-by http://192.168.1.5:8000/events/k3m8x2pa --token kgs_... --data stand-by
    """
    from korgool.competition.errors import CompetitionError

    source = _source(address, token)
    copy = StandByCopy.begin(data, source)
    try:
        _Link(copy, name or socket.gethostname(), port, as_json).run(once=once)
    except CompetitionError as error:
        raise InputError(f"{data}: {error.said(spoken())}") from None
    except KeyboardInterrupt:
        pass
    finally:
        copy.close()


class _Link:
    """The connection of a copy with the machine that leads."""

    def __init__(self, copy: StandByCopy, name: str, port: int | None, as_json: bool) -> None:
        self._copy, self._name, self._json = copy, name, as_json
        self._base = f"{copy.source.origin}/api/events/{copy.source.event}/stand-by"
        parts = urlsplit(copy.source.origin)
        self._port = port or parts.port or (443 if parts.scheme == "https" else 80)
        self._heard = 0.0
        self._said = ""

    @property
    def _address(self) -> str:
        """The address after a take-over, which serves without TLS, as it is now: a laptop moves between networks."""
        return f"http://{self._own_address()}:{self._port}"

    def run(self, *, once: bool) -> None:
        """Fetch lines as they are entered.

        Raises:
            InputError: the other machine refuses.
            CompetitionError: a line does not follow.
        """
        tries = 0
        while True:
            try:
                more = self._fetch(wait=0 if once or not self._heard else _WAIT_S)
                tries = 0
                if once and not more:
                    return
            except _SilentError as error:
                if once:
                    raise InputError(f"{self._copy.source.origin}: {error}") from None
                self._say(silent=str(error))
                time.sleep(_PAUSES[min(tries, len(_PAUSES) - 1)])
                tries += 1

    def _fetch(self, wait: int) -> bool:
        """Fetch once; returns whether there is more at once."""
        from korgool.competition.storage.line import Line

        copy, held = self._copy, self._copy.snapshot().get("version", "")
        asked = {
            "after": copy.line,
            "chain": copy.chain,
            "snapshot": held,
            "wait": wait,
            "name": self._name[:60],
            "address": self._address,
        }
        head, *rows = self._parsed(self._ask(f"/lines?{urlencode(asked)}", wait + _SLACK_S))
        if head.get("kind") != "head" or head.get("format") != FORMAT:
            release = head.get("release", "?")
            said = N_("the machine that leads runs another version of korgool ({release}); install the same here")
            raise InputError(tell(said, release=release))
        if head.get("event") != copy.source.event:
            raise InputError(tell(N_("another event answers at this address")))
        self._take([Line(**{name: row.get(name, "") for name in Line._fields}) for row in rows], head)
        if head.get("snapshot") != held:
            self._fetch_beside(held)
        self._heard = time.monotonic()
        self._say()
        return bool(head.get("more"))

    def _take(self, lines: Sequence[Line], head: dict[str, Any]) -> None:
        from korgool.competition.codec import JsonError

        if not lines:
            return
        try:
            self._copy.take(lines)
        except (JsonError, KeyError) as error:
            said = N_("a line cannot be read: {error}. The machine that leads runs {release}; install the same here")
            raise InputError(tell(said, error=error, release=head.get("release", "?"))) from None

    def _fetch_beside(self, held: str) -> None:
        """Fetch what stands beside the log."""
        before = self._copy.snapshot().get("personal", {})
        snapshot = self._parsed(self._ask("/snapshot", _SLACK_S))[0]
        late = []
        for player, digest in snapshot.get("personal", {}).items():
            if before.get(player) != digest:
                found = self._parsed(self._ask(f"/personal/{quote(player)}", _SLACK_S))[0]
                if found.get("data") is not None and not self._copy.put_personal(int(player), found["data"]):
                    late.append(player)
        if late:  # the log has gone on meanwhile; they are asked for again
            snapshot["version"] = ""
            for player in late:
                snapshot["personal"][player] = ""
        self._copy.keep(snapshot)

    def _ask(self, path: str, seconds: float) -> bytes:
        """An answer.

        Raises:
            InputError: a refusal that stays.
            _SilentError: nobody answers, or not now.
        """
        from http.client import HTTPException
        from urllib.error import HTTPError
        from urllib.request import Request, urlopen

        headers = {"authorization": f"Bearer {self._copy.source.token}", "accept-language": spoken()}
        try:
            with urlopen(Request(self._base + path, headers=headers), timeout=seconds) as answer:
                found: bytes = answer.read(_MOST)
                return found
        except HTTPError as error:
            try:
                detail = self._parsed(error.read(65_536))[0].get("detail", error.reason)
            except (_SilentError, OSError, HTTPException):
                detail = error.reason
            if error.code in _FINAL:
                raise InputError(f"{self._copy.source.origin}: {detail}") from None
            raise _SilentError(str(detail)) from None
        except (OSError, ValueError) as error:
            raise _SilentError(str(getattr(error, "reason", error))) from None
        except HTTPException:  # what answers speaks no HTTP, or is cut off
            raise _SilentError(tell(_FOREIGN)) from None

    def _parsed(self, text: bytes) -> list[dict[str, Any]]:
        """JSON Lines, at least one; raises _SilentError for anything else."""
        import json

        try:
            found = [json.loads(line) for line in text.splitlines() if line]
        except ValueError:
            found = []
        if not found or not all(isinstance(one, dict) for one in found):
            raise _SilentError(tell(_FOREIGN))
        return found

    def _own_address(self) -> str:
        """The address of this machine as the other one sees it."""
        parts = urlsplit(self._copy.source.origin)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((parts.hostname or "192.0.2.1", parts.port or 80))  # sends nothing
                return str(probe.getsockname()[0])
            except OSError:
                return "127.0.0.1"

    def _say(self, silent: str = "") -> None:
        """Say what is here, where it is news or on a terminal."""
        line = self._copy.line
        if self._json:
            told = f"{line} {bool(silent)}"
            if told != self._said:
                emit({"line": line, "head": self._copy.chain, "connected": not silent, "problem": silent or None})
                sys.stdout.flush()
            self._said = told
            return
        held = counts((line, "line", N_("Lines of the file")))
        if silent:
            text = tell(N_("{held} are here; no connection: {why}. Trying again …"), held=held, why=silent)
        else:
            text = tell(N_("{held} are here, {time}"), held=held, time=time.strftime("%H:%M:%S"))
        if sys.stderr.isatty():
            click.echo(f"\r\x1b[K{text}", err=True, nl=False)
        elif text.split(",")[0] != self._said:
            click.echo(text, err=True)
        self._said = text.split(",")[0]


def _source(address: str, token: str) -> Source:
    """The machine and the event of an address, which may hold the token behind `#`.

    Raises:
        UsageError: it is no address of an event, or there is no token.
    """
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        parts = urlsplit("")
    found = _PLACE.fullmatch(parts.path)
    if parts.scheme not in ("http", "https") or not parts.hostname or found is None:
        raise click.UsageError(
            f"{address!r} is no address of an event, such as http://192.168.1.5:8000/events/k3m8x2pa"
        )
    token = token or parts.fragment
    if not token:
        raise click.UsageError("--token is missing; the desk makes one: Second machine.")
    return Source(f"{parts.scheme}://{parts.netloc}{found['before']}", found["id"], token)
