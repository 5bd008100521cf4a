"""The encoding of a report file, guessed from its bytes: the format does not state it."""

from __future__ import annotations

import re

from korgool.competition.text_cleaning import utf16_name

_RUN = re.compile(rb"[\x80-\xff]+")


def decode_trf(data: bytes) -> tuple[str, str]:
    """The text of a file and the encoding it was read in.

    UTF-16, or UTF-8 with or without its mark, if the bytes are valid as that. Otherwise cp1251 if most letters outside
    ASCII stand side by side, as in a Cyrillic name, and cp1252 if they stand alone among Latin ones.
    """
    if (wide := utf16_name(data)) is not None:
        return data.decode(wide, "replace").removeprefix("\ufeff"), wide
    try:
        return data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        pass
    runs = [len(run) for run in _RUN.findall(data)]
    in_words = sum(length for length in runs if length > 2)
    encoding = "cp1251" if 2 * in_words > sum(runs) else "cp1252"
    try:
        return data.decode(encoding), encoding
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"
