"""Headers: the security headers of every answer, and the language that a request asks for."""

from __future__ import annotations

import re
from collections.abc import Iterable

from korgool.languages import LANGUAGES

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
"""Makes browsers use nothing but TLS for a year (RFC 6797). Other names below this one are not ours."""


def with_security_headers(headers: Iterable[tuple[bytes, bytes]], over_tls: bool) -> list[tuple[bytes, bytes]]:
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


LANGUAGE_COOKIE = "language"
"""The cookie that holds the language that a visitor has chosen on a page."""
GAME_COOKIE = "game"
LEARNT_COOKIE = "learnt"
"""The cookie of a device on which a first lesson was finished; `js/learn/progress.js` writes it."""
PUZZLE_COOKIE = "puzzle"
"""The cookie that says which puzzles of the day a device has answered; `js/puzzle/puzzle_days.js` writes it."""
SENT_IN = "in"
"""The parameter of a link that holds the language of whoever sends it."""


def negotiate_language(accept_language: str | None, cookie: str | None = None) -> str:
    """The language of a page: the cookie's if it is valid, or else the browser's best one, or else English.

    Args:
        accept_language: the header `Accept-Language`; unreadable parts are ignored.
        cookie: the language that the visitor chose on the page.
    """
    if cookie in LANGUAGES:
        return str(cookie)
    best, weight = "en", 0.0
    for part in (accept_language or "")[:1000].split(","):
        match = re.fullmatch(r"\s*([A-Za-z]{2,3})(?:[-_][\w-]*)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?))?\s*", part)
        if match and match[1].lower() in LANGUAGES and float(match[2] or 1) > weight:
            best, weight = match[1].lower(), float(match[2] or 1)
    return best
