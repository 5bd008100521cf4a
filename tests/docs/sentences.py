"""How the sentences of the sources are split and numbered; docs/clauses.md tells it in words.

A sentence is named by document, section and number, as `WNG-TK §IV:3`; number 0 is the heading of the section.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

DOCUMENTS = {"WNG-TK": "000", "RU": "001", "WIKI": "002", "ARCHIVE": "003", "WNG-M": "004"}
"""The documents by the number their file begins with."""

_BREAK = re.compile(r"<\|[^|]*\|>")
_ROMAN = re.compile(r"(?:## )?(?P<number>[IVX]{1,5})\. (?P<title>\S.*)")
_ITEM = re.compile(r"^\s*(?:[-*] |\d\. )")
_END = re.compile(r"""(?<=[.!?])(["”»)`]*)\s+(?=["“«(]*[A-ZА-ЯЁ0-9])""")
_INITIAL = re.compile(r"(?:^|[\s(])[A-Z]\.$")
_RUNNING_HEADS = ("WORLD NOMAD GAMES", "2016 Kyrgyz Republic")


def sentences_of_block(text: str) -> Iterator[str]:
    """Split a block where a full stop, with its closing quotes, stands before a capital, a digit or an opening quote.

    A single capital with a stop is an initial and ends nothing.
    """
    start = 0
    for match in _END.finditer(text):
        piece = text[start : match.end(1)]
        if not _INITIAL.search(piece):
            yield piece.strip()
            start = match.end()
    if text[start:].strip():
        yield text[start:].strip()


def sentences(document: str, folder: Path) -> dict[str, str]:
    """The sentences of a document, found in the folder of sources, by their names."""
    (path,) = folder.glob(f"{DOCUMENTS[document]}_*.txt")
    return split(document, path.read_text(encoding="utf-8"))


def blocks(document: str, text: str) -> Iterator[tuple[str, int, str]]:
    """The blocks of a document as (section, 0 for a heading else 1, text)."""
    if document == "ARCHIVE":
        yield from _archive(text)
    elif document == "WIKI":
        yield from _wiki(text)
    else:
        yield from _numbered(text)


def _numbered(text: str) -> Iterator[tuple[str, int, str]]:
    section, lines = "0", list[str]()

    def flush() -> Iterator[tuple[str, int, str]]:
        block = _ITEM.sub("", " ".join(lines), count=1).strip()
        lines.clear()
        if block and not (section != "0" and block in _RUNNING_HEADS):
            yield section, 1, block

    for raw in text.splitlines():
        broken = _BREAK.search(raw) is not None
        line = _BREAK.sub("", raw).replace("**", "").replace("`", "").replace("*", "").removeprefix("# ").rstrip()
        heading = _ROMAN.fullmatch(line)
        rule = re.match(r"- Main rule (\d):", line)
        listed = lines and (_ITEM.match(lines[0]) is not None or lines[0][:1].isdigit())
        led_in = lines and lines[-1].endswith(":") and line[:1] in ("-", "1")
        closed = led_in or (listed and lines[-1].endswith((";", ".")))
        if not line.strip() or heading or _ITEM.match(line) or closed or (broken and section == "0"):
            yield from flush()
        if heading:
            section = heading["number"]
            yield section, 0, heading["title"]
            continue
        if rule:
            section = f"{section.partition('.')[0]}.{rule[1]}"
        if line.strip():
            lines.append(line.strip() if lines else line)
    yield from flush()


def _wiki(text: str) -> Iterator[tuple[str, int, str]]:
    section, empty, pending = 1, 0, ""
    for raw in text.splitlines():
        line = raw.replace("\xa0", " ").strip()
        if not line:
            empty += 1
            continue
        if line.endswith("[edit]"):
            section += 1
            yield str(section), 0, line.removesuffix("[edit]")
        else:
            section += empty >= 2
            if section == 7 and not pending:
                pending = line
            else:
                yield str(section), 1, f"{pending} {_ITEM.sub('', line, count=1)}".strip()
                pending = ""
        empty = 0


def _archive(text: str) -> Iterator[tuple[str, int, str]]:
    section, seen = 1, set[str]()
    for line in filter(None, map(str.strip, text.splitlines())):
        if line in seen and section == 2:
            section = 3
        elif section == 1 and line.startswith('"'):
            section = 2
        elif section == 3 and line not in seen:
            section = 4
        seen.add(line)
        yield str(section), 1, line


def split(document: str, text: str) -> dict[str, str]:
    """The sentences of a document by their names."""
    found: dict[str, str] = {}
    counts: dict[str, int] = {}
    for section, kind, block in blocks(document, text):
        literature = document == "WIKI" and section == "7"
        for sentence in [block] if kind == 0 or literature else sentences_of_block(block):
            number = counts[section] = kind and counts.get(section, 0) + 1
            name = f"{document} §{section}:{number}"
            assert name not in found, f"two sentences are called {name}"
            found[name] = sentence
    return found
