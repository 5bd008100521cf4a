"""The cells of an entry list: years, ratings and numbers as lists write them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from korgool.competition.entry_lists.column_headings import sex_of
from korgool.competition.entry_lists.federations import federation_code
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Consent

_DATE = re.compile(
    r"(?:(?P<y>\d{4})[-./](?P<m>\d\d?)[-./](?P<d>\d\d?)|(?P<d2>\d\d?)[-./](?P<m2>\d\d?)[-./](?P<y2>\d{4}))"
)
_YEAR_WORDS = re.compile(r"[\s-]*(?:г\.?\s?р\.?|г\.|г|год\w*|ж\.?|жыл\w*|yıl\w*)$", re.I)
_FIRST_DAY, _YEARS = date(1899, 12, 30), range(1930, 2051)
"""The day 0 of spreadsheets, and years that they show as days of 1905 when the cell is one for days."""


class CellError(CompetitionError):
    """A cell that cannot be read; `kind` and `text` are those of `Fault`."""

    def __init__(self, kind: str, reason: str, text: str = "") -> None:
        super().__init__(reason)
        self.kind, self.text = kind, text


def read_consent(values: dict[str, Any], before: Consent | None = None) -> dict[str, Consent | None]:
    """Take the consent of a guardian out of the values of an entry, as its member; nothing if they hold none of it.

    Args:
        values: `guardian`, `consent_day` and `consent_how` are taken; an empty guardian takes the consent back.
        before: the consent that they change.

    Raises:
        CompetitionError: no guardian is named, or the day is not valid.
    """
    given = {name: values.pop(name) for name in CONSENT if name in values}
    if not given:
        return {}
    if given.get("guardian") == "":
        return {"consent": None}
    held = before or Consent(guardian=given.get("guardian", ""))
    day = held.day
    if text := given.get("consent_day", ""):
        _, day = read_born(text)
        if not day:
            raise CellError("date", f"{text!r} is no day; write 2026-05-31 or 31.05.2026", text)
    how = given.get("consent_how", held.how)
    return {"consent": Consent(guardian=given.get("guardian", held.guardian), day=day, how=how)}


CONSENT = ("guardian", "consent_day", "consent_how")
"""Columns and options with the consent of a guardian."""


def read_born(text: str) -> tuple[int, str]:
    """The year of birth, and the day as `2001-05-31` where it is given; raises CompetitionError for anything else.

    A year may be told as spreadsheets and people write it: `2010 г.р.`, `2010.0`, `2010/00/00`, a day as the number
    of days since 1900, and a year in a cell of days as a day of 1905.
    """
    plain = _YEAR_WORDS.sub("", text).removesuffix(".0")
    plain = re.sub(r"(?<=\d)[ T]\d\d?:\d\d(:\d\d)?$", "", plain).strip()
    if re.fullmatch(r"\d{4}", plain):
        return int(plain), ""
    if re.fullmatch(r"[1-5]\d{4}", plain, re.ASCII):
        day = _FIRST_DAY + timedelta(days=int(plain))
        return day.year, day.isoformat()
    found = _DATE.fullmatch(plain)
    if found is None:
        raise CellError("date", f"{text!r} is no date; write 2001, 2001-05-31 or 31.05.2001", text)
    year, month, number = (int(found[name] or found[name + "2"]) for name in "ymd")
    if not month and not number:
        return year, ""
    try:
        day = date(year, month, number)
    except ValueError:
        raise CellError("day", f"there is no day {text!r}", text) from None
    if found["y"] and (as_number := (day - _FIRST_DAY).days) in _YEARS:
        return as_number, ""
    return year, day.isoformat()


def _number(what: str, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and len(text) < 10):
            raise CellError(what, f"{text!r} is no {what}", text)
        if int(text) > most:
            raise CellError(what, f"{text} is no {what}, which is {most} at most", text)
        return int(text)

    return read


def _rating(text: str) -> int:
    """A rating as lists have it: `1 450`, `1450.0`, `1.450`."""
    plain = re.sub(r"(?<=\d)[\s'’](?=\d{3}\b)", "", text)
    if found := re.fullmatch(r"(\d)[.,](\d{3})|(\d{1,4})[.,]\d{1,2}", plain, re.ASCII):
        plain = found[3] or found[1] + found[2]
    return _number("rating", 9999)(plain)


def _external(text: str) -> str:
    """A number without the blanks between its digits; 0 is none."""
    plain = re.sub(r"\s+", "", text)
    return (plain if plain.strip("0") else "") if plain.isdecimal() else text


def _sex(text: str) -> str:
    found = sex_of(text)
    if found is None:
        raise CellError("sex", f"{text!r} is no sex; write m or f", text)
    return found


def _several(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in re.split(r"[;,/]", text) if part.strip())


READERS: dict[str, Callable[[str], Any]] = {
    "sex": _sex,
    "rating": _rating,
    "external": _external,
    "federation": federation_code,
    "board": _number("board", 99),
    "groups": _several,
    "coaches": _several,
}
"""Parsers of the text of a cell, for fields that are not plain text; they raise CellError."""
