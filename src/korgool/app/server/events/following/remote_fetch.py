"""Fetching what another site says of an event, from inside the network in which this server runs.

An official names the address, so it is checked as those of push endpoints are: the connection goes to the very address
that was checked, redirects are not followed, and size and time have limits.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from urllib.parse import urlsplit, urlunsplit

import h11

from korgool.app.server.limits.caller import Network
from korgool.app.server.notices.push_endpoints import EndpointError, PushEndpoint, resolve_endpoint
from korgool.languages import LANGUAGES

_SECONDS = 10.0
"""The most seconds for one answer, from the connection to its last byte."""
_HEAD_BYTES = 16_384
_VALIDATOR = 200
_ON_A_SITE = re.compile(r"(?P<before>.*?)/(?:api/)?events/(?P<id>[a-z0-9]{8}(?:~[1-9][0-9]{0,5})?)(?:/.*)?", re.DOTALL)


class FetchProblem(StrEnum):
    """Reasons why there is no new copy; `app/words/event_words.py` has their sentences."""

    PLACE = "place"
    SILENT = "silent"
    REDIRECT = "redirect"
    STATUS = "status"
    LONG = "long"
    NO_EVENT = "no_event"
    FOREIGN = "foreign"
    NOT_LEADING = "not_leading"


class FetchError(Exception):
    """There is no answer that can be used.

    Attributes:
        problem: why.
        status: of the answer, if that is why.
    """

    def __init__(self, problem: FetchProblem, status: int = 0) -> None:
        super().__init__(problem.value)
        self.problem, self.status = problem, status


@dataclass(frozen=True, slots=True)
class FetchedCopy:
    """An answer.

    Attributes:
        body: its bytes; None where nothing has changed.
        validator: what to ask with next time, a header such as `if-none-match: "x"`; empty if there is none.
    """

    body: bytes | None
    validator: str = ""


def id_of(address: str) -> str:
    """The id of an event on the site that has it, by the address of any of its pages; empty for a folder."""
    try:
        found = _ON_A_SITE.fullmatch(urlsplit(address.strip()).path)
    except ValueError:
        return ""
    return found["id"] if found else ""


def source_of(address: str) -> str:
    """Address of the snapshot of an event, by the address of any of its pages: on a site of Korgool, or in a folder
    that `korgool event publish` wrote.

    Raises:
        FetchError: it is no address.
    """
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        raise FetchError(FetchProblem.PLACE) from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise FetchError(FetchProblem.PLACE)
    if found := _ON_A_SITE.fullmatch(parts.path):
        path = f"{found['before']}/api/events/{found['id']}/public"
    else:
        folders = parts.path.split("/")
        if "." in folders[-1] or not folders[-1]:
            folders.pop()
        if (at := next((at for at, one in enumerate(folders) if one in LANGUAGES), None)) is not None:
            folders = folders[:at]
        path = "/".join([*folders, "event.json"])
    return urlunsplit((parts.scheme, parts.netloc, path if path.startswith("/") else f"/{path}", "", ""))


async def fetch(
    source: str, validator: str = "", *, allowed: Sequence[Network] = (), most: int, body: bytes | None = None
) -> FetchedCopy:
    """Ask for what lies at an address, or send something there.

    Args:
        source: the address.
        validator: of the copy that is here.
        allowed: networks that are accepted although they are not public, also without TLS.
        most: bytes of an answer.
        body: JSON to be sent; None to ask.

    Raises:
        FetchError: the address leads to where nobody asks, nobody answers, or the answer is none.
    """
    try:
        place = await resolve_endpoint(source, allowed, plain=True)
    except EndpointError:
        raise FetchError(FetchProblem.PLACE) from None
    try:
        async with asyncio.timeout(_SECONDS):
            return await _get(place, validator, most, body)
    except (OSError, TimeoutError, h11.ProtocolError, EOFError):
        raise FetchError(FetchProblem.SILENT) from None


async def _get(place: PushEndpoint, validator: str, most: int, body_sent: bytes | None) -> FetchedCopy:
    context = _context() if place.tls else None
    reader, writer = await asyncio.open_connection(
        place.address,
        place.port,
        ssl=context,
        server_hostname=place.host if place.tls else None,
        limit=_HEAD_BYTES,
    )
    try:
        name, _, value = validator.partition(": ")
        headers = [
            ("Host", place.name),
            ("Accept", "application/json"),
            ("User-Agent", "Korgool"),
            ("Connection", "close"),
        ]
        client = h11.Connection(h11.CLIENT, max_incomplete_event_size=_HEAD_BYTES)
        if value:
            headers.append((name, value))
        if body_sent is not None:
            headers += [("Content-Type", "application/json"), ("Content-Length", str(len(body_sent)))]
        method = "GET" if body_sent is None else "POST"
        asked = h11.Request(method=method, target=place.target, headers=headers)
        for part in (asked, *([h11.Data(data=body_sent)] if body_sent else []), h11.EndOfMessage()):
            writer.write(client.send(part) or b"")
        await writer.drain()
        head, body = None, bytearray()
        while True:
            event = client.next_event()
            if event is h11.NEED_DATA:
                client.receive_data(await reader.read(65_536))
            elif isinstance(event, h11.Response):
                head = _judged(event, known=bool(value))
                if head.status_code == 304:
                    return FetchedCopy(None, validator)
            elif isinstance(event, h11.Data):
                body += event.data
                if len(body) > most:
                    raise FetchError(FetchProblem.LONG)
            elif isinstance(event, h11.EndOfMessage) and head is not None:
                return FetchedCopy(bytes(body), _validator(head))
            elif isinstance(event, h11.ConnectionClosed) or event is h11.PAUSED:
                raise EOFError
    finally:
        writer.transport.abort()


def _judged(response: h11.Response, *, known: bool) -> h11.Response:
    """The head of an answer that can be used; raises FetchError for any other."""
    status = response.status_code
    if status == 200 or (status == 304 and known):
        return response
    if 300 <= status < 400:
        raise FetchError(FetchProblem.REDIRECT)
    raise FetchError(FetchProblem.STATUS, status)


def _validator(head: h11.Response) -> str:
    told = dict(head.headers)
    for name, asks in ((b"etag", "if-none-match"), (b"last-modified", "if-modified-since")):
        text = told.get(name, b"").decode("latin-1")
        if text and text.isascii() and text.isprintable() and len(text) <= _VALIDATOR - 20:
            return f"{asks}: {text}"
    return ""


@lru_cache(maxsize=1)
def _context() -> ssl.SSLContext:
    return ssl.create_default_context()
