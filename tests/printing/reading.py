"""What stands in a PDF, as a reader copies it."""

from __future__ import annotations

import io
from collections.abc import Iterable

import pypdf


def pages(pdf: bytes) -> list[str]:
    """The text of each page with single spaces, without signs that only divide words."""
    found = []
    for page in pypdf.PdfReader(io.BytesIO(pdf)).pages:
        text = page.extract_text().replace("\u00ad", "").replace("\u200b", "").replace("\u2009", " ")
        found.append(" ".join(text.split()))
    return found


def squeezed(pdf: bytes | str) -> str:
    """All text without any space, so that the end of a line parts no word."""
    return "".join((" ".join(pages(pdf)) if isinstance(pdf, bytes) else pdf).split())


def sizes(pdf: bytes) -> list[tuple[int, int]]:
    """Width and height of each page in points."""
    boxes = [page.mediabox for page in pypdf.PdfReader(io.BytesIO(pdf)).pages]
    return [(round(box.width), round(box.height)) for box in boxes]


def counts(pdf: bytes, names: Iterable[str]) -> dict[str, int]:
    """How often each name stands there; a name that begins another one is not counted within it."""
    text, found = squeezed(pdf), {}
    for name in sorted(set(names), key=len, reverse=True):
        key = squeezed(name)
        found[name] = text.count(key)
        text = text.replace(key, "\n")
    return found
