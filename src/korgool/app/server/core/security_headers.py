"""The security headers of every answer: of pages, the API, files, and refused requests and handshakes."""

from __future__ import annotations

from collections.abc import Iterable

_STRICT = {
    "content-security-policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    "img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    # Opener and embedder policy together make a page isolated: the engine in it may use threads.
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-resource-policy": "same-origin",
}
_ENCODED = [(name.encode(), value.encode()) for name, value in _STRICT.items()]
_TLS_ALWAYS = (b"strict-transport-security", b"max-age=31536000")
"""Where people use TLS, browsers use nothing else for a year (RFC 6797). Other names below this one are not ours."""


def strict(headers: Iterable[tuple[bytes, bytes]], over_tls: bool) -> list[tuple[bytes, bytes]]:
    """The headers of an answer with those that all answers have; nobody keeps it where it does not say so.

    Args:
        headers: the answer's own.
        over_tls: whether people use this site over TLS.
    """
    found = list(headers)
    if all(name.lower() != b"cache-control" for name, _ in found):
        found.append((b"cache-control", b"no-store"))
    if over_tls:
        found.append(_TLS_ALWAYS)
    return found + _ENCODED
