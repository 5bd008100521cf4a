"""Results, half points, the order of names, time controls and planned times as events write them."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime
from gettext import NullTranslations
from zoneinfo import ZoneInfo

from korgool.competition.model import Settings
from korgool.competition.result import Result, said_number, said_points
from korgool.conduct import TimeControl
from korgool.conduct.control import ControlKind

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


def control_words(control: TimeControl, catalogue: NullTranslations) -> list[str]:
    """The time of each player for a game, in sentences.

    Args:
        control: the time control.
        catalogue: of the language.
    """
    gettext = catalogue.gettext
    found = []
    if control.initial_ms:
        found.append(gettext("Each player has %(time)s for the game.") % {"time": _span(control.initial_ms, catalogue)})
    if control.increment_ms:
        found.append(gettext("Every move adds %(time)s.") % {"time": _span(control.increment_ms, catalogue)})
    delay = {"time": _span(control.delay_ms, catalogue)}
    match control.kind:
        case ControlKind.BRONSTEIN:
            found.append(gettext("After every move the time it took is given back, at most %(time)s.") % delay)
        case ControlKind.DELAY:
            found.append(gettext("In every turn the clock waits %(time)s before it runs.") % delay)
        case ControlKind.BYOYOMI:
            words = {"periods": control.periods, "moves": max(1, control.moves), **delay}
            found.append(
                gettext(
                    "Then come %(periods)s × %(time)s: whoever makes the moves required (%(moves)s) in time keeps "
                    "the period."
                )
                % words
            )
    if control.moves and control.kind is not ControlKind.BYOYOMI:
        found.append(gettext("The time is given again after so many moves: %(n)s.") % {"n": control.moves})
        if control.periods:
            found.append(gettext("It is given so many times in all: %(n)s.") % {"n": control.periods})
    return found


def _span(milliseconds: int, catalogue: NullTranslations) -> str:
    seconds = milliseconds / 1000
    if seconds >= 60 and seconds % 60 == 0:
        minutes = int(seconds) // 60
        return catalogue.ngettext("%(n)s minute", "%(n)s minutes", minutes) % {"n": minutes}
    if seconds == int(seconds):
        return catalogue.ngettext("%(n)s second", "%(n)s seconds", int(seconds)) % {"n": int(seconds)}
    return f"{seconds:g} s"


def planned_time(settings: Settings, number: int, language: str) -> str:
    """The planned time of a round, such as `14 September 2026, 10:00 (UTC+6)`; empty if the timetable has none."""
    from babel.dates import format_datetime

    found = next((one.time for one in settings.timetable if one.round == number), None)
    if found is None:
        return ""
    shown = format_datetime(found, "d MMMM y, HH:mm", locale=language)
    zone = zone_text(settings.zone, found)
    return f"{shown} ({zone})" if zone else shown


def planned_ms(settings: Settings, number: int) -> int | None:
    """The planned time of a round, in milliseconds since 1970.

    None where the timetable does not say it, or not in which time zone, or where this computer does not know the zone.
    """
    found = next((one.time for one in settings.timetable if one.round == number), None)
    if found is None or not settings.zone:
        return None
    try:
        return round(found.replace(tzinfo=ZoneInfo(settings.zone)).timestamp() * 1000)
    except (LookupError, ValueError, OSError):
        return None


def zone_minutes(settings: Settings, moment: int) -> int | None:
    """Minutes by which the clocks of the place are ahead of UTC at a moment, None where nobody knows."""
    if not settings.zone:
        return None
    try:
        offset = datetime.fromtimestamp(moment / 1000, ZoneInfo(settings.zone)).utcoffset()
    except (LookupError, ValueError, OSError):
        return None
    return None if offset is None else round(offset.total_seconds() / 60)


def timetable(settings: Settings, language: str) -> list[tuple[int, str]]:
    """The rounds that are planned, each with its time."""
    return [(one.round, planned_time(settings, one.round, language)) for one in settings.timetable]


def zone_text(name: str, when: datetime) -> str:
    """The offset of a zone at a time, `UTC+5:30`; its name where this computer does not know it."""
    if not name:
        return ""
    try:
        offset = when.replace(tzinfo=ZoneInfo(name)).utcoffset()
    except (LookupError, ValueError, OSError):
        return name
    minutes = 0 if offset is None else round(offset.total_seconds() / 60)
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'−' if minutes < 0 else '+'}{hours}" + (f":{rest:02}" if rest else "")
