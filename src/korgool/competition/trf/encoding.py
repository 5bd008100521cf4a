"""The encoding of a report file, guessed from its bytes: the format does not state it."""

from __future__ import annotations

import re

from korgool.competition.text_cleaning import utf16_name

_RUN = re.compile(rb"[\x80-\xff]+")
_TURKISH = frozenset("ğışĞİŞ".encode("cp1254"))
"""The only letters in which Windows Turkish differs from cp1252. There they are letters of Icelandic alone."""
_ICELANDIC = frozenset("áíóúæÁÍÓÚÆ".encode("cp1252"))
"""Letters that an Icelandic text has as well, and a Turkish one has not."""


def decode_trf(data: bytes) -> tuple[str, str]:
    """The text of a file and the encoding it was read in.

    UTF-16, or UTF-8 with or without its mark, if the bytes are valid as that. Otherwise cp1251 if most letters outside
    ASCII stand side by side, as in a Cyrillic name. If they stand alone among Latin ones, Windows Turkish (cp1254) or
    cp1252, whichever the letters in which these two differ speak for.
    """
    if (wide := utf16_name(data)) is not None:
        return data.decode(wide, "replace").removeprefix("\ufeff"), wide
    try:
        return data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        pass
    runs = [len(run) for run in _RUN.findall(data)]
    in_words = sum(length for length in runs if length > 2)
    if 2 * in_words > sum(runs):
        encoding = "cp1251"
    elif _TURKISH & set(data) and not _ICELANDIC & set(data):
        encoding = "cp1254"
    else:
        encoding = "cp1252"
    try:
        return data.decode(encoding), encoding
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"
