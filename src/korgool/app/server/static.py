"""The files of the pages: styles, scripts, the kernel, the networks and levels of the engine in the browser.

Browsers keep them and ask whether they changed; the service worker keeps all of them for the time without a network
(`offline.py`), and both tell files apart by a sum of their contents.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec
from litestar import Response, get
from litestar.params import Parameter

from korgool.app.server import messages
from korgool.app.server.messages import RefusedError
from korgool.engine import networks
from korgool.engine.levels import USUAL_SECONDS, levels_of
from korgool.engine.openings import BookError, page
from korgool.engine.search import CHANCES
from korgool.rules import GAMES

FOLDER = (Path(__file__).parents[1] / "static").resolve()
_NETWORKS = networks.FOLDER.resolve()
_KINDS = {
    # What the platform says about these differs from machine to machine, and browsers refuse modules of a wrong type.
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".kgn": "application/octet-stream",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_LEVELS_FILE = "levels.json"
_OPENINGS = "openings/"
_sums: dict[Path, tuple[tuple[int, int], str]] = {}


@dataclass(frozen=True, slots=True)
class Served:
    """A file as it is served.

    Attributes:
        kind: its media type.
        sum: SHA-256 of its bytes, in hexadecimal digits.
        where: its path, or its bytes where no file holds them.
    """

    kind: str
    sum: str
    where: Path | bytes

    def read(self) -> bytes:
        """Its bytes."""
        return self.where if isinstance(self.where, bytes) else self.where.read_bytes()


def find(name: str) -> Served | None:
    """The file at `/static/NAME`, or None."""
    if name == _LEVELS_FILE:
        # What the engine in the browser must know: every field of a level as `Level` names it, the games with a network
        # (asking for one that is not there would be an error in the console), and the chances without one.
        shipped = sorted(path.stem for path in _NETWORKS.glob("*.kgn"))
        levels = {name: levels_of(rules) for name, rules in GAMES.items()}
        known = {"usual_seconds": USUAL_SECONDS, "levels": levels, "networks": shipped, "chances": CHANCES}
        numbers = msgspec.json.encode(known)
        return Served(_KINDS[".json"], hashlib.sha256(numbers).hexdigest(), numbers)
    if name.startswith(_OPENINGS) and name.endswith(".json"):
        book = _book(name.removeprefix(_OPENINGS).removesuffix(".json"))
        return Served(_KINDS[".json"], book[1], book[0]) if book else None
    folder, inside = (_NETWORKS, name.removeprefix("networks/")) if name.startswith("networks/") else (FOLDER, name)
    path = folder / inside
    if "\0" in name or path.suffix not in _KINDS or not path.resolve().is_relative_to(folder) or not path.is_file():
        return None
    return Served(_KINDS[path.suffix], sum_of(path), path)


def names() -> Iterator[str]:
    """The names of all files that `find` finds."""
    for path in sorted(FOLDER.rglob("*")):
        if path.suffix in _KINDS and path.is_file():
            yield path.relative_to(FOLDER).as_posix()
    for path in sorted(_NETWORKS.glob("*.kgn")):
        yield f"networks/{path.name}"
    yield from (f"{_OPENINGS}{game}.json" for game in GAMES if _book(game))
    yield _LEVELS_FILE


def _book(game: str) -> tuple[bytes, str] | None:
    """An opening book and its sum; a damaged one is as none."""
    try:
        return page(game)
    except BookError:
        return None


def sum_of(path: Path) -> str:
    """SHA-256 of a file in hexadecimal digits; it is read again only when it has changed."""
    found = path.stat()
    stamp = found.st_mtime_ns, found.st_size
    known = _sums.get(path)
    if known is None or known[0] != stamp:
        known = _sums[path] = stamp, hashlib.sha256(path.read_bytes()).hexdigest()
    return known[1]


@get("/static/{name:path}", sync_to_thread=False, include_in_schema=False, exclude_from_csrf=True)
def static_file(name: str, known: Annotated[str | None, Parameter(header="if-none-match")] = None) -> Response[bytes]:
    """A file, or only the word that the browser's copy is still right."""
    found = find(name.lstrip("/"))
    if found is None:
        raise RefusedError(404, messages.NO_PAGE)
    tag = f'"{found.sum[:32]}"'
    headers = {"etag": tag, "cache-control": "no-cache"}
    if known is not None and tag in known:
        return Response(b"", status_code=304, headers=headers)
    return Response(found.read(), media_type=found.kind, headers=headers)
