"""Long texts that people read, as Markdown files of which a translator learns the marks in a minute.

They stand in files of their own and not in the catalogues, where nobody could read them as a whole. The marks are a
title, headings, numbered and unnumbered lists, bold, code, and citations in brackets; each block is one line. Anything
else is an error, so that no page shows a mark by mistake, and no library is needed to read it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

_LINE = re.compile(r"(?P<mark>#{1,2}|-|\d+\.) (?P<text>.+)")
_CITED = r"\[(?:(?:WNG-TK|WNG-M|RU|WIKI|FIDE) |Rules\.)[^\[\]]+\](?!\()"
_INLINE = re.compile(rf"\*\*(?P<bold>[^*`\[\]]+)\*\*|`(?P<code>[^`]+)`|(?P<space> ?)(?P<cited>{_CITED})")
_UNKNOWN = re.compile(r"[*`\[\]<>#|\\]|&\w+;")
_KINDS = {"#": "title", "##": "heading", "-": "ul"}


class MarkupError(ValueError):
    """A text cannot be read; the message names its line."""


def text_in(folder: Path, language: str, name: str) -> str:
    """The text of `<folder>/<language>/<name>.md`, or the English one where nobody has translated it yet."""
    path = folder / language / f"{name}.md"
    return (path if path.exists() else folder / "en" / f"{name}.md").read_text(encoding="utf-8")


class Block(NamedTuple):
    """A line of a text: `title`, `heading`, `p`, `ul` or `ol`, and its content as HTML; a title is plain text."""

    kind: str
    content: str


def read_blocks(text: str, first: int = 1) -> list[Block]:
    """The blocks of a text.

    Args:
        text: the Markdown.
        first: the number of its first line, for errors.

    Raises:
        MarkupError: a line has an unknown mark, or a step the wrong number.
    """
    blocks: list[Block] = []
    step = 0
    for number, line in enumerate(text.splitlines(), first):
        if line:
            blocks.append(_block(number, line))
            step = step + 1 if blocks[-1].kind == "ol" else 0
            if step and not line.startswith(f"{step}. "):
                raise MarkupError(f"line {number}: this step has the number {line.partition('.')[0]}, not {step}")
    return blocks


def split_title(blocks: list[Block]) -> tuple[str, list[Block]]:
    """The title of a page and what follows; raises MarkupError where the first line, and no other, is not the title."""
    if [block.kind for block in blocks].count("title") != 1 or blocks[0].kind != "title":
        raise MarkupError("a page has one title, in its first line")
    return blocks[0].content, blocks[1:]


def html_of(blocks: Iterable[Block], heading: str) -> str:
    """Blocks as HTML, with headings as the element of that name, such as `h3`."""
    found = []
    for kind, group in groupby(blocks, key=lambda block: block.kind):
        inner = [block.content for block in group]
        if kind in ("ol", "ul"):
            found.append(f"<{kind}>\n" + "".join(f"<li>{item}</li>\n" for item in inner) + f"</{kind}>")
        else:
            element = heading if kind == "heading" else kind
            found += [f"<{element}>{item}</{element}>" for item in inner]
    return "\n".join(found)


def _block(number: int, line: str) -> Block:
    marked = _LINE.fullmatch(line)
    kind = _KINDS.get(marked["mark"], "ol") if marked else "p"
    text = marked["text"] if marked else line
    wrong = _UNKNOWN.search(_INLINE.sub("", text)) or (marked and _LINE.match(text)) or text != text.strip()
    if wrong or (kind == "title" and _INLINE.search(text)):
        raise MarkupError(f"line {number}: this markup is unknown: {line[:60]}")
    return Block(kind, text if kind == "title" else _inline(text))


def _inline(text: str) -> str:
    html, end = "", 0
    for found in _INLINE.finditer(text):
        html += escape(text[end : found.start()])
        if found["bold"]:
            html += f"<strong>{escape(found['bold'])}</strong>"
        elif found["code"]:
            html += f"<code>{escape(found['code'])}</code>"
        else:
            html += _citation(found["space"], found["cited"])
        end = found.end()
    return html + escape(text[end:])


def _citation(space: str, cited: str) -> str:
    """The clauses that a citation names, without the options of the program, which only the manual explains."""
    clauses = [name for name in cited[1:-1].split(", ") if not name.startswith("Rules.")]
    return f'{space}<span class="clause">[{escape(", ".join(clauses))}]</span>' if clauses else ""
