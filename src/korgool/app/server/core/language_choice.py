"""Chooses the language of a page: the visitor's choice, or else the browser's."""

from __future__ import annotations

import re

from korgool.languages import LANGUAGES

LANGUAGE_COOKIE = "language"
"""The cookie that holds the language that a visitor has chosen on a page."""
SENT_IN = "in"
"""The parameter of a link that holds the language of whoever sends it."""


def negotiate(accept_language: str | None, cookie: str | None = None) -> str:
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
