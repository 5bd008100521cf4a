"""QR codes on pages."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=200)
def qr_svg(text: str) -> str:
    """The code of a text as an SVG element: dark on white, whatever the page's colours are."""
    import segno  # imported here because it brings the HTTP client of the standard library, and few pages have a code

    return str(segno.make(text, micro=False).svg_inline(border=2, omitsize=True, light="#fff"))
