"""Reads the pages of the arbiter's guide: files `<language>/<screen>.md` beside this module (`words/markup.py`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from korgool.app.words.markup import html_of, read_blocks, split_title, text_in
from korgool.languages import LANGUAGES

SCREENS = (
    "create",
    "entries",
    "applications",
    "import",
    "check-in",
    "round",
    "results",
    "warnings",
    "standings",
    "prizes",
    "papers",
    "copies",
    "log",
    "helpers",
    "second-machine",
    "settings",
    "privacy",
    "screens",
)
"""The screens of the desk that have a page, in the order of an event; `screens` is about the public page and walls."""


class GuideError(ValueError):
    """There is no such page."""


class GuidePage(NamedTuple):
    """A page of the guide: its title as text, and what follows it as HTML whose highest heading is `h3`."""

    title: str
    html: str


@cache
def guide_page(screen: str, language: str) -> GuidePage:
    """The page beside a screen.

    Args:
        screen: one of `SCREENS`.
        language: a tag of `LANGUAGES`.

    Raises:
        GuideError: there is no such screen or language.
    """
    if screen not in SCREENS or language not in LANGUAGES:
        raise GuideError(f"the guide has no page {screen[:40]!r} in {language[:40]!r}; there are {', '.join(SCREENS)}")
    return render(text_in(Path(__file__).parent, language, screen))


def render(text: str) -> GuidePage:
    """A page from its Markdown; raises MarkupError with the line that is not of the part that is known."""
    title, blocks = split_title(read_blocks(text))
    return GuidePage(title, html_of(blocks, heading="h3"))
