"""The look of the manual: the colours of the product's own pages, and its mark."""

from __future__ import annotations

import re
from pathlib import Path

STATIC = Path(__file__).parents[2] / "src" / "korgool" / "app" / "static"
MARK = str(STATIC / "icon.svg")
FONTS = str(STATIC / "fonts")
OURS = {
    "color-background-primary": "card",
    "color-background-secondary": "ground",
    "color-background-hover": "accent-soft",
    "color-background-border": "line",
    "color-foreground-primary": "text",
    "color-foreground-secondary": "quiet",
    "color-foreground-muted": "quiet",
    "color-foreground-border": "edge",
    "color-brand-primary": "accent",
    "color-brand-content": "accent",
    "color-brand-visited": "accent",
    "color-highlight-on-target": "accent-soft",
    "color-highlighted-background": "accent-soft",
    "color-inline-code-background": "ground",
    "color-problematic": "wrong",
    "korgool-felt": "felt",
    "korgool-felt-text": "felt-text",
    "korgool-gold": "gold",
}
"""The theme's variables, and the one of the product's pages whose value each has."""


def colours(value: int) -> dict[str, str]:
    """The theme's variables with the values of `page.css`: 0 the light ones, 1 the dark ones.

    Raises:
        KeyError: `page.css` has no such variable any more.
    """
    text = (STATIC / "css" / "page.css").read_text(encoding="utf-8")
    found = {
        name: pair for name, *pair in re.findall(r"--([\w-]+): var\(--light, (#\w+)\) var\(--dark, (#\w+)\);", text)
    }
    return {name: found[ours][value] for name, ours in OURS.items()}
