"""Typesetting with Typst, offline and with its own fonts, and texts of users that are safe to print."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import typst

LONGEST = 200
"""The most letters of a text that are printed; a longer text ends in an ellipsis."""


def typeset(
    template: Path, data: Mapping[str, Any], kind: Literal["pdf", "png"], resolution: float = 80
) -> list[bytes]:
    """Typeset a document with its data: one PDF, or a PNG for each page, `resolution` pixels an inch."""
    import typst

    text = json.dumps(data, ensure_ascii=False)
    result = typst.compile(
        template,
        format=kind,
        ppi=resolution,
        sys_inputs={"data": text},
        font_paths=_fonts_for(text),
        root=template.parent,
    )
    return result if isinstance(result, list) else [result]


def printable(text: str, longest: int = LONGEST) -> str:
    """A user's text as one line: without control or direction characters, long words divisible, cut if too long."""
    shown = "".join(" " if letter.isspace() else letter for letter in text if letter.isspace() or _shown(letter))
    shown = " ".join(shown.split())
    if len(shown) > longest:
        shown = shown[: longest - 1] + "…"
    return " ".join(
        "\u200b".join(word[place : place + 6] for place in range(0, len(word), 6)) if len(word) > 30 else word
        for word in shown.split(" ")
    )


def _shown(letter: str) -> bool:
    """Joiners belong to scripts and emoji; all other format, control, private and lone surrogate characters are
    removed."""
    return letter in "\u200c\u200d" or unicodedata.category(letter)[0] != "C"


def _fonts_for(text: str) -> typst.Fonts:
    """The fonts that typst carries; they have every letter of all languages, Greek and Hebrew.

    For a name in other scripts, such as Arabic or Chinese, the fonts of the system are searched, which takes a while; a
    letter that no font has is printed as a box. A font that is installed later is found by the next process.
    """
    return _fonts(include_system=not all(map(_carried, set(text))))


@cache
def _fonts(*, include_system: bool) -> typst.Fonts:
    """Parsed once: every document that parses them again takes almost twice as long."""
    import typst

    return typst.Fonts(include_system_fonts=include_system, include_embedded_fonts=True)


def _carried(letter: str) -> bool:
    return letter < "\u0530" or "\u1e00" <= letter <= "\u22ff" or letter in "■☐×○●"
