"""The files of the pages: styles, scripts, the kernel. Browsers keep them and ask whether they changed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from litestar import Response, get
from litestar.params import Parameter

from korgool.app.server import messages
from korgool.app.server.messages import RefusedError

FOLDER = (Path(__file__).parents[1] / "static").resolve()
_KINDS = {
    # What the platform says about these differs from machine to machine, and browsers refuse modules of a wrong type.
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


@get("/static/{name:path}", sync_to_thread=False, include_in_schema=False, exclude_from_csrf=True)
def static_file(name: str, known: Annotated[str | None, Parameter(header="if-none-match")] = None) -> Response[bytes]:
    """A file, or only the word that the browser's copy is still right."""
    path = FOLDER / name.lstrip("/")
    if "\0" in name or path.suffix not in _KINDS or not path.resolve().is_relative_to(FOLDER) or not path.is_file():
        raise RefusedError(404, messages.NO_PAGE)
    found = path.stat()
    tag = f'"{found.st_mtime_ns:x}-{found.st_size:x}"'
    headers = {"etag": tag, "cache-control": "no-cache"}
    if known is not None and tag in known:
        return Response(b"", status_code=304, headers=headers)
    return Response(path.read_bytes(), media_type=_KINDS[path.suffix], headers=headers)
