"""Names cleaned of invisible characters, and letters found that were lost to a wrong encoding."""

from __future__ import annotations

import re
import unicodedata

from korgool.competition.errors import Message
from korgool.languages import N_

_OF_THE_LANGUAGES = frozenset("абвгдеёжзийклмнопрстуфхцчшщъыьэюяңөүәғқұһі" + "çğıöşüâîû")
_LETTERS = _OF_THE_LANGUAGES | frozenset("".join(_OF_THE_LANGUAGES).upper()) | frozenset("İ")
_UNSEEN = re.compile("[\u034f\ufe00-\ufe0f]")
_BETWEEN_WORDS = re.compile(r"[\x00-@\[-`{-\x7f]+")
_MISREAD = ("cp1251", "cp1252")
_FAILED = frozenset({
    "#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!", "#NAME?", "#Н/Д", "#ССЫЛКА!", "#ЗНАЧ!", "#ДЕЛ/0!",
    "#ЧИСЛО!", "#ПУСТО!", "#ИМЯ?", "#YOK", "#BAŞV!", "#DEĞER!", "#SAYI/0!", "#SAYI!", "#BOŞ!", "#AD?",
})  # fmt: skip
"""Errors that spreadsheets in English, Russian and Turkish save in place of a value that cannot be computed."""
_LEAST_ZEROS = 0.08


def clean(text: str) -> str:
    """A text with single blanks and composed letters (NFC), without joiners, soft hyphens and marks of direction."""
    seen = "".join(letter for letter in text if unicodedata.category(letter) != "Cf")
    return " ".join(unicodedata.normalize("NFC", _UNSEEN.sub("", seen)).split())


def lost_letters(text: str, *, name: bool = True) -> str:
    """Reason why letters of a text seem to be lost, in a sentence; empty if they do not.

    A program that saves a Kyrgyz or Kazakh name in an encoding without ү, ө, ң, қ, ғ, ұ, і, һ and ә writes `?` for
    them; one that reads UTF-8 as a Windows encoding makes several signs of every letter. A spreadsheet writes `#N/A`
    for the whole text where a formula failed.

    Args:
        text: as it was read, before `clean`.
        name: whether it is a name, in which no `?` can stand; in another text one beside a letter is meant.
    """
    if text.strip() in _FAILED:
        return Message(N_("{text!r} is what a spreadsheet writes where a formula failed"), text=text)
    if "\ufffd" in text:
        return Message(N_("{text!r} holds {sign} in place of a letter that was lost"), text=text, sign=chr(0xFFFD))
    if "?" in text if name else re.search(r"\w\?\w|(?<!\S)\?\w", text):
        asked = N_("{text!r} holds a question mark, as programs write it for a letter that they cannot save")
        return Message(asked, text=text)
    for word in _BETWEEN_WORDS.split(text):
        if found := _misread(word):
            whole, encoding = found
            misread = N_("{text!r} looks like UTF-8 that was read as {encoding}: {word!r} may be {whole!r}")
            return Message(misread, text=text, encoding=encoding, word=word, whole=whole)
    return ""


def _misread(word: str) -> tuple[str, str] | None:
    """Text in UTF-8 of a misread word, and the encoding it was read in; None for an ordinary word."""
    if word.isascii():
        return None
    for encoding, strictly in ((encoding, strictly) for strictly in (True, False) for encoding in _MISREAD):
        try:
            whole = b"".join(_byte(letter, encoding, strictly) for letter in word).decode()
        except (UnicodeEncodeError, UnicodeDecodeError):
            continue
        if all(letter.isascii() or letter in _LETTERS for letter in whole):
            return whole, encoding
    return None


def _byte(letter: str, encoding: str, strictly: bool) -> bytes:
    """The byte of a letter; most programs read a byte that an encoding does not have as the sign of that number."""
    try:
        return letter.encode(encoding)
    except UnicodeEncodeError:
        if strictly:
            raise
        return letter.encode("latin-1")


def utf16_name(data: bytes) -> str | None:
    """`utf-16` for bytes with its mark, `utf-16-le` or `utf-16-be` for bytes that look like it, else None.

    Blanks, digits and line ends have a zero in every other place there, and no text has one in the places between.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    begin = data[:4000]
    even, odd = begin[0::2].count(0), begin[1::2].count(0)
    if min(even, odd) or max(even, odd) < max(_LEAST_ZEROS * len(begin) / 2, 4):
        return None
    return "utf-16-le" if odd else "utf-16-be"
