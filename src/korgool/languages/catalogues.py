"""The languages, and their catalogues: PO files as translators know them, read at run time without any library.

Reading is strict, so that an error in a catalogue is reported at its line. A message without a translation is shown in
English, as with `gettext`.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

from korgool.languages.stones import STONES, in_stones

LANGUAGES = {"en": "English", "ky": "Кыргызча", "kk": "Қазақша", "ru": "Русский", "tr": "Türkçe"}
"""Language tags, each with the language's own name, in the order of the menu. Each has a catalogue."""

_LINE = re.compile(r'(?:(msgid|msgid_plural|msgstr|msgstr\[(\d)\]) )?"((?:[^"\\]|\\[nt"\\])*)"')
_ESCAPED = {"n": "\n", "t": "\t"}
_MAGIC = 0x950412DE


class CatalogueError(ValueError):
    """A catalogue cannot be read; the message names file and line."""


def catalogue_path(language: str) -> Path:
    """The path of a language's catalogue."""
    return Path(__file__).with_name(f"{language}.po")


def translations(language: str, stones: bool = False) -> GNUTranslations:
    """The catalogue of a language, read once.

    Args:
        language: its tag.
        stones: whether it speaks of mangala, whose stones have no name of their own.

    Raises:
        ValueError: there is no such language.
        CatalogueError: its catalogue cannot be read.
    """
    if language not in LANGUAGES:
        raise ValueError(f"there is no language {language!r}; there are {', '.join(LANGUAGES)}")
    return _translations(language, stones and language in STONES)


@cache
def _translations(language: str, stones: bool) -> GNUTranslations:
    path = catalogue_path(language)
    messages = read_catalogue(path.read_text(encoding="utf-8"), str(path))
    if stones:
        messages = {message: said if not message else in_stones(language, said) for message, said in messages.items()}
    return GNUTranslations(BytesIO(_compiled(messages)))


@cache
def script_messages() -> tuple[str | tuple[str, ...], ...]:
    """The messages in the scripts of the pages, as the English catalogue names their files; one with a plural has both
    forms. To extract them from the scripts takes a quarter of a second of every start."""
    entries = catalogue_path("en").read_text(encoding="utf-8").split("\n\n")
    scripts = (entry for entry in entries if re.search(r"^#:.*\bstatic/js/", entry, re.MULTILINE))
    messages = read_catalogue("\n\n".join(scripts), "en.po")
    return tuple(tuple(message.split("\0")) if "\0" in message else message for message in messages)


def read_catalogue(text: str, name: str) -> dict[str, str]:
    """The translated messages of a PO file; plural forms are joined by NUL, as in MO files.

    Args:
        text: the file; each line a comment, a keyword with a string, or a string that goes on.
        name: of the file, for errors.

    Raises:
        CatalogueError: a line is none of these, or out of order.
    """
    messages: dict[str, str] = {}
    for number, lines in _entries(text):
        entry: dict[str, str] = {}
        key = ""
        for offset, line in enumerate(lines):
            match = _LINE.fullmatch(line)
            if match is None or (match[1] or key) == "" or match[1] in entry:
                raise CatalogueError(f"{name}, line {number + offset}: this cannot be read: {line[:60]}")
            key = match[1] or key
            said = re.sub(r"\\(.)", lambda found: _ESCAPED.get(found[1], found[1]), match[3])
            entry[key] = entry.get(key, "") + said
        one, many = entry.pop("msgid", None), entry.pop("msgid_plural", None)
        wanted = ["msgstr"] if many is None else [f"msgstr[{form}]" for form in range(len(entry))]
        if one is None or not entry or list(entry) != wanted:
            raise CatalogueError(f"{name}, line {number}: this is no message with its translation")
        key, forms = one if many is None else f"{one}\0{many}", list(entry.values())
        if key in messages:
            raise CatalogueError(f"{name}, line {number}: this message stands here twice")
        if all(forms):
            messages[key] = "\0".join(forms)
    return messages


def _entries(text: str) -> Iterator[tuple[int, list[str]]]:
    """The messages of a file, each with the number of its first line, without those marked as fuzzy."""
    lines: list[str] = []
    fuzzy = False
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line and not line.startswith("#"):
            lines.append(line)
            continue
        if lines and not fuzzy:
            yield number - len(lines), lines
        if lines or not line:
            lines, fuzzy = [], False
        fuzzy = fuzzy or (line.startswith("#,") and "fuzzy" in line)


def _compiled(messages: dict[str, str]) -> bytes:
    """The messages as an MO file: a head of seven words, a table of messages, one of translations, and the strings."""
    pairs = sorted((key.encode(), said.encode()) for key, said in messages.items())
    place = 28 + 16 * len(pairs)
    tables, body = b"", b""
    for column in (0, 1):
        for pair in pairs:
            tables += struct.pack("<2I", len(pair[column]), place + len(body))
            body += pair[column] + b"\0"
    return struct.pack("<7I", _MAGIC, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, 0) + tables + body
