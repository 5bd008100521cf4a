"""The manual looks like the product: its colours are read from the product's pages, and its mark is the product's."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path

from tests.docs.commands import DOCS

sys.path.append(str(DOCS / "_ext"))
look = import_module("korgool_look")


def luminance(colour: str) -> float:
    """How bright a colour is, from 0 to 1, as WCAG counts it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_the_colours_are_those_of_the_pages_and_can_be_read() -> None:
    light, dark = look.colours(0), look.colours(1)
    assert light.keys() == dark.keys() == look.OURS.keys()
    for value in (light, dark):
        assert all(re.fullmatch(r"#[0-9a-f]{6}", colour) for colour in value.values()), value
        for ground in ("color-background-primary", "color-background-secondary"):
            for text in ("color-foreground-primary", "color-foreground-muted", "color-brand-content"):
                assert contrast(value[text], value[ground]) >= 4.5, (text, ground)
        assert contrast(value["korgool-felt-text"], value["korgool-felt"]) >= 4.5


def test_the_mark_and_the_letters_are_there() -> None:
    assert Path(look.MARK).is_file()
    assert (Path(look.FONTS) / "bitter-bold.woff2").is_file()
