"""The release of the pages that this server serves: their files, under addresses that change when anything changes.

`/static/TAG/NAME` is a file of the release TAG and never changes: browsers keep it without asking again. Files name
each other by relative addresses, so a page and everything it loads belong to one release. `/static/NAME` is the current
file, revalidated each time: for programs, and for pages and workers of other releases.

A page loads each of its scripts as a bundle (`bundles.py`). Where `KORGOOL_MODULES` is set in the environment there are
none, and it loads the modules themselves: for whoever changes them.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated

from litestar import Response, get
from litestar.params import FromPath, HeaderParameter

import korgool
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.http import script_bundles, static_files
from korgool.app.server.http.middleware import takes_gzip
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.http.static_files import File, MadeFile
from korgool.languages import LANGUAGES, catalogue_path

_APP = Path(__file__).parents[2]
WORKER = "sw.js"
_READING = threading.Lock()
_FOR_EVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Release:
    """Everything that the pages are made of.

    Attributes:
        tag: differs when anything differs, be it a script, a template or a translation; 16 hexadecimal digits.
        files: every static file, by its name.
    """

    tag: str
    files: dict[str, File]

    @property
    def root(self) -> str:
        """The address prefix of its files."""
        return f"/static/{self.tag}/"

    def addressed(self, template: str) -> str:
        """A template with the addresses of this release in place of plain names."""

        def script(found: re.Match[str]) -> str:
            name = script_bundles.bundle_name(found[2])
            return f'{found[1]}/static/{name if name in self.files else found[2]}"'

        return script_bundles.ENTRY.sub(script, template).replace('"/static/', f'"{self.root}')

    def kept(self) -> dict[str, str]:
        """The addresses of the files that pages need without a network, with their checksums; all of them are made."""
        bundled = any(name.startswith(script_bundles.FOLDER) for name in self.files)
        return {
            self.root + name: file.sum
            for name, file in self.files.items()
            if name != WORKER and not name.endswith(".map") and not (bundled and _is_module(name)) and file.sound
        }

    def find(self, name: str) -> tuple[File | None, bool]:
        """The file at `/static/NAME`, and whether that address never changes."""
        tag, slash, rest = name.partition("/")
        if slash and len(tag) == len(self.tag) and set(tag) <= set("0123456789abcdef"):
            # A page of another release gets the current file in place of its own.
            return self.files.get(rest), tag == self.tag
        return self.files.get(name), False

    def smallest_first(self) -> list[File]:
        """All files in the order in which they are compressed; those that are still to be made come last."""
        made = [file for file in self.files.values() if not isinstance(file, MadeFile)]
        others = [file for file in self.files.values() if isinstance(file, MadeFile)]
        return [*sorted(made, key=lambda file: len(file.body)), *others]


def release() -> Release:
    """The release as it was on disk at the first call, which takes a moment. May be called from any thread."""
    with _READING:
        return _read()


@cache
def _read() -> Release:
    files = static_files.collect()
    templates = sorted(_APP.glob("templates/**/*.html"))
    if not os.environ.get("KORGOOL_MODULES"):
        files |= _bundled(files, templates)
    parts = [korgool.__version__, *(f"{name} {files[name].mark}" for name in sorted(files))]
    for path in [*templates, *map(catalogue_path, LANGUAGES)]:
        parts.append(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}")
    return Release(hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16], files)


def _bundled(files: dict[str, File], templates: list[Path]) -> dict[str, File]:
    """The bundles of all scripts that pages name, and their maps."""
    sources = {name: file.body.decode() for name, file in files.items() if _is_module(name)}
    pages = "".join(path.read_text(encoding="utf-8") for path in templates)
    made = script_bundles.bundles(sources, (name for _, name in script_bundles.ENTRY.findall(pages) if name in files))
    return {name: File(static_files.kind_of(name), text.encode()) for name, text in made.items()}


def _is_module(name: str) -> bool:
    """Return whether a static file is a module of the pages, and no bundle of them."""
    return name.endswith(".js") and name != WORKER and not name.startswith(script_bundles.FOLDER)


@get("/static/{name:path}", action=ANYBODY, include_in_schema=False)
async def static_file(
    name: FromPath[str],
    known: Annotated[str | None, HeaderParameter(name="if-none-match")] = None,
    encodings: Annotated[str | None, HeaderParameter(name="accept-encoding")] = None,
) -> Response[bytes]:
    """A file, or only the answer that the browser's copy is still valid."""
    file, immutable = release().find(name.removeprefix("/"))
    if file is None:
        raise ApiError(404, errors.NO_PAGE)
    packed = file.packed() if file.ready else await asyncio.to_thread(file.packed)
    if not file.sound:
        raise ApiError(404, errors.NO_PAGE)
    tag = file.sum[:32]
    headers = {"cache-control": _FOR_EVER if immutable else "no-cache"}
    body = file.body
    if packed is not None:
        headers["vary"] = "accept-encoding"
        if takes_gzip(encodings or ""):
            body, tag, headers["content-encoding"] = packed, f"{tag}-gzip", "gzip"
    headers["etag"] = f'"{tag}"'
    if known is not None and file.sum[:32] in known:
        headers.pop("content-encoding", None)
        return Response(b"", status_code=304, headers=headers)
    return Response(body, media_type=file.kind, headers=headers)
