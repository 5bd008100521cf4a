"""Results, half points and the order of names as all pages and papers of an event write them."""

from __future__ import annotations

import re
import unicodedata
from datetime import date

from korgool.competition.result import Result, said_number, said_points

half, number_text = said_points, said_number
_HALF = re.compile(r"(?<![\d.])(?:0|(\d+))\.5(?!\d)")
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_ALPHABET = "аәбвгғдеёжзийкқлмнңоөпрстуұүфхһцчшщъыіьэюя" + "abcçdefgğhıijklmnoöpqrsştuüvwxyz"
_PLACES = {letter: place for place, letter in enumerate(_ALPHABET, 1)}


def result_text(result: Result) -> str:
    """`1 (82) – 0 (60)`; for a match with the points of its sets, `1 (130) – 0 (110) [3½:1½]`; `+ – −` for a
    forfeit."""
    if not result.played:
        return f"{'+' if result.white else '−'} – {'+' if result.black else '−'}"
    text = halves_said(result.text).replace(" - ", " – ")
    if not result.sets:
        return text
    white, black = (sum(getattr(one, side) for one in result.sets) for side in ("white", "black"))
    return f"{text} [{half(white)}:{half(black)}]"


def collation(text: str, language: str) -> tuple[int, ...]:
    """The sort key of a name: Kyrgyz, Kazakh and Russian Cyrillic, Turkish and Latin letters."""
    if language == "tr":
        text = text.replace("I", "ı").replace("İ", "i")
    key = []
    for letter in text.casefold().replace("i\u0307", "i"):
        place = _PLACES.get(letter) or _PLACES.get(unicodedata.normalize("NFKD", letter)[0])
        key.append(place if place else -1 if not letter.isalnum() else 1000 + ord(letter))
    return tuple(key)


def halves_said(text: str) -> str:
    """A text with decimals of half points, such as the result of a game, as people read it: `½ (81) - ½ (81)`."""
    return _HALF.sub(r"\1½", text)


def day_text(text: str, language: str) -> str | None:
    """`2026-09-08` as a date in a language; None for a text that is no such date."""
    from babel.dates import format_date

    found, locale = _DAY.fullmatch(text.strip()), "en_GB" if language == "en" else language
    try:
        day = date(*map(int, found.groups())) if found else None
    except ValueError:
        day = None
    return None if day is None else format_date(day, "long", locale=locale)
