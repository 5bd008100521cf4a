"""What stands in a PDF, as a reader copies it."""

from __future__ import annotations

from collections.abc import Iterable

import pypdfium2

DIVIDING = {0xAD: None, 0xFFFE: None, 0x200B: None, 0x2009: " "}
"""U+FFFE is how PDFium tells a hyphen at the end of a line that only divides a word."""


def pages(pdf: bytes) -> list[str]:
    """The text of each page with single spaces, without signs that only divide words."""
    found = []
    with pypdfium2.PdfDocument(pdf) as document:
        for page in document:
            text = page.get_textpage().get_text_range()
            found.append(" ".join(text.translate(DIVIDING).split()))
    return found


def squeezed(pdf: bytes | str) -> str:
    """All text without any space, so that the end of a line parts no word."""
    return "".join((" ".join(pages(pdf)) if isinstance(pdf, bytes) else pdf).split())


def sizes(pdf: bytes) -> list[tuple[int, int]]:
    """Width and height of each page in points."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [(round(page.get_width()), round(page.get_height())) for page in document]


def counts(pdf: bytes, names: Iterable[str]) -> dict[str, int]:
    """How often each name stands there; a name that begins another one is not counted within it."""
    text, found = squeezed(pdf), {}
    for name in sorted(set(names), key=len, reverse=True):
        key = squeezed(name)
        found[name] = text.count(key)
        text = text.replace(key, "\n")
    return found
