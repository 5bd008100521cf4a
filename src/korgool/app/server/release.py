"""Which release of the pages this server gives: the files that a browser keeps for the time without a network."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from pathlib import Path

import korgool
from korgool.app.server import static

_APP = Path(__file__).parents[1]
_FRESH_SECONDS = 3.0
"""Files are looked at again after that long: whoever works on them sees changes without a restart."""
WORKER = "sw.js"


@dataclass(frozen=True, slots=True)
class Release:
    """All that the pages are made of.

    Attributes:
        tag: differs when anything differs, be it a script, a template or a translation.
        files: SHA-256 in hexadecimal digits of each static file that pages use, by its address.
    """

    tag: str
    files: dict[str, str]


_known: list[tuple[float, Release]] = []


def release() -> Release:
    """The release as it lies on disk, looked up every few seconds at most."""
    if not _known or time.monotonic() - _known[0][0] > _FRESH_SECONDS:
        _known[:] = [(time.monotonic(), _look())]
    return _known[0][1]


def _look() -> Release:
    found = {name: served.sum for name in static.names() if (served := static.find(name)) is not None}
    parts = [korgool.__version__, *(f"{name} {found[name]}" for name in sorted(found))]
    for pattern in ("templates/*.html", "locale/*/LC_MESSAGES/*.po"):
        parts += (f"{path.relative_to(_APP)} {static.sum_of(path)}" for path in sorted(_APP.glob(pattern)))
    files = {f"/static/{name}": file_sum for name, file_sum in found.items() if name != WORKER}
    return Release(hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16], files)
