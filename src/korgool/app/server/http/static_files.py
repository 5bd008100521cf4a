"""The static files of the pages: styles, scripts, and the kernel, networks and levels of the engine in the browser.

All are read once and stay in memory, each with its checksum and a compressed copy. A release serves what was on disk
when the server started (`release.py`), and no request reads or compresses anything.
"""

from __future__ import annotations

import gzip
import hashlib
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from korgool.engine import networks
from korgool.engine.levels import USUAL_SECONDS, levels_of
from korgool.engine.openings import BookError, page, source_of
from korgool.engine.ratings import STRENGTHS
from korgool.rules import GAMES

FOLDER = (Path(__file__).parents[2] / "static").resolve()
_NETWORKS = networks.FOLDER.resolve()
_KINDS = {
    # The operating system's answer for these differs from machine to machine, and browsers refuse modules of a wrong
    # type.
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".kgn": "application/octet-stream",
    ".map": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_WORTH = 0.95
"""A file is sent compressed if its compressed size is at most this share of it."""


class File:
    """A file ready to be served.

    Attributes:
        kind: its media type.
        body: its bytes.
        sum: SHA-256 of the bytes, in hexadecimal digits.
        mark: a checksum of what it is made of, which is known before it is made.
        sound: whether it could be made.
    """

    __slots__ = ("_lock", "_packed", "body", "kind", "mark", "packs", "sound", "sum")

    def __init__(self, kind: str, body: bytes) -> None:
        self.kind = kind
        self.body = body
        self.sum = self.mark = hashlib.sha256(body).hexdigest()
        self.sound = True
        self.packs = True
        self._packed: bytes | None = None
        self._lock = threading.Lock()

    @property
    def ready(self) -> bool:
        """Return whether `packed` returns at once."""
        return self._packed is not None or not self.packs

    def packed(self) -> bytes | None:
        """The gzipped bytes, or None if that saves too little. May be called from any thread; the first call takes a
        while."""
        with self._lock:
            if not self.ready:
                packed = gzip.compress(self.body, 9, mtime=0)
                self.packs = len(packed) <= _WORTH * len(self.body)
                self._packed = packed if self.packs else None
            return self._packed


class MadeFile(File):
    """A file that is made when it is first needed, in which case its attributes take a while, or in the background.

    Args:
        kind: its media type.
        make: returns its bytes, or None where it cannot be made.
        source: what it is made of.
    """

    __slots__ = ("_make", "_making")

    def __init__(self, kind: str, make: Callable[[], bytes | None], source: bytes) -> None:
        self.kind, self._make = kind, make
        self.mark = hashlib.sha256(source).hexdigest()
        self._making = threading.Lock()

    @property
    def ready(self) -> bool:
        """Return whether it is compressed already, and `packed` returns at once."""
        try:
            object.__getattribute__(self, "packs")
        except AttributeError:
            return False
        return super().ready

    def __getattr__(self, name: str) -> Any:
        """Make it; afterwards the attributes are there."""
        with self._making:
            try:
                return object.__getattribute__(self, name)
            except AttributeError:
                made = self._make()
                mark = self.mark
                super().__init__(self.kind, made or b"")
                self.mark, self.sound = mark, made is not None
        return object.__getattribute__(self, name)


def kind_of(name: str) -> str:
    """The media type of a file by its name."""
    return _KINDS[Path(name).suffix]


def collect() -> dict[str, File]:
    """Read all files, by their names below `/static/`."""
    return dict(_files())


def _files() -> Iterator[tuple[str, File]]:
    for path in sorted(FOLDER.rglob("*")):
        if path.suffix in _KINDS and path.is_file():
            yield path.relative_to(FOLDER).as_posix(), File(_KINDS[path.suffix], path.read_bytes())
    shipped = sorted(_NETWORKS.glob("*.kgn"))
    for path in shipped:
        yield f"networks/{path.name}", File(_KINDS[".kgn"], path.read_bytes())
    for game in GAMES:
        if (source := source_of(game)) is not None:
            yield f"openings/{game}.json", MadeFile(_KINDS[".json"], partial(_book, game), source)
    # The settings for the engine in the browser: every field of a level under its name in `Level`, the settings by
    # rating, and the games with a network (requesting a missing one would be an error in the console).
    levels = {name: levels_of(rules) for name, rules in GAMES.items()}
    names = [path.stem for path in shipped]
    known = {"usual_seconds": USUAL_SECONDS, "levels": levels, "strengths": STRENGTHS, "networks": names}
    yield "levels.json", File(_KINDS[".json"], msgspec.json.encode(known))


def _book(game: str) -> bytes | None:
    """An opening book, which takes a tenth of a second; a damaged one is treated as missing."""
    try:
        found = page(game)
    except BookError:
        return None
    return None if found is None else found[0]
