"""Reads the pages of the arbiter's guide, Markdown files `<language>/<screen>.md` beside this module, and renders them.

Long texts stand in files of their own and not in the catalogues, where nobody could read them as a whole. The files use
a part of Markdown that a translator learns in a minute, and no more: a title, headings, paragraphs, numbered and
unnumbered lists, bold and code, each block one line; and citations in brackets. Anything else is an error, so that no
page shows markup by mistake, and no library is needed to read it.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from korgool.languages import LANGUAGES

SCREENS = (
    "create",
    "entries",
    "import",
    "check-in",
    "round",
    "results",
    "warnings",
    "standings",
    "prizes",
    "papers",
    "log",
    "helpers",
    "settings",
    "privacy",
    "screens",
)
"""The screens of the desk that have a page, in the order of an event; `screens` is about the public page and walls."""

_BLOCK = re.compile(r"(?P<mark>#{1,2}|-|\d+\.) (?P<text>.+)")
_CITED = r"\[(?:WNG-TK|WNG-M|FIDE) [^\[\]]+\](?!\()"
_INLINE = re.compile(rf"\*\*(?P<bold>[^*`\[\]]+)\*\*|`(?P<code>[^`]+)`|(?P<cited>{_CITED})")
_UNKNOWN = re.compile(r"[*`\[\]<>#|\\]|&\w+;")


class GuideError(ValueError):
    """There is no such page, or it cannot be read; the message names its line."""


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
    return render(Path(__file__).with_name(language).joinpath(f"{screen}.md").read_text(encoding="utf-8"))


def render(text: str) -> GuidePage:
    """A page from its Markdown; raises GuideError with the line that is not of the part that is known."""
    blocks, step = [], 0
    for number, line in enumerate(text.splitlines(), 1):
        if line:
            blocks.append(_block(number, line))
            step = step + 1 if blocks[-1][0] == "ol" else 0
            if step and not line.startswith(f"{step}. "):
                raise GuideError(f"line {number}: this step has the number {line.partition('.')[0]}, not {step}")
    if [kind for kind, _ in blocks].count("title") != 1 or blocks[0][0] != "title":
        raise GuideError("a page has one title, in its first line")
    found = []
    for kind, group in groupby(blocks[1:], key=lambda block: block[0]):
        inner = [text for _, text in group]
        if kind in ("ol", "ul"):
            found.append(f"<{kind}>\n" + "".join(f"<li>{item}</li>\n" for item in inner) + f"</{kind}>")
        else:
            found += [f"<{kind}>{item}</{kind}>" for item in inner]
    return GuidePage(blocks[0][1], "\n".join(found))


_KINDS = {"#": "title", "##": "h3", "-": "ul"}


def _block(number: int, line: str) -> tuple[str, str]:
    """The kind of a line, as the name of its element or `title`, and its content as HTML; a title stays text."""
    marked = _BLOCK.fullmatch(line)
    kind = _KINDS.get(marked["mark"], "ol") if marked else "p"
    text = marked["text"] if marked else line
    if _UNKNOWN.search(_INLINE.sub("", text)) or text != text.strip() or (kind == "title" and _INLINE.search(text)):
        raise GuideError(f"line {number}: this markup is unknown: {line[:60]}")
    if kind == "title":
        return kind, text
    html, end = "", 0
    for found in _INLINE.finditer(text):
        html += escape(text[end : found.start()])
        if found["bold"]:
            html += f"<strong>{escape(found['bold'])}</strong>"
        elif found["code"]:
            html += f"<code>{escape(found['code'])}</code>"
        else:
            html += f'<span class="clause">{escape(found["cited"])}</span>'
        end = found.end()
    return kind, html + escape(text[end:])
