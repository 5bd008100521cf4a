"""Times in the sentences of a language."""

from __future__ import annotations

from gettext import NullTranslations

from korgool.conduct.sentences.messages import HALF, HOURS, MINUTES, SECONDS


def in_words(milliseconds: int, catalogue: NullTranslations) -> str:
    """A time in words, `30 min 30 s`; what is below 0 counts as 0."""
    hours, minutes, seconds, fraction = _parts(milliseconds, catalogue)
    parts = [(hours, "", HOURS), (minutes, "", MINUTES), (seconds, fraction, SECONDS)]
    said = [
        catalogue.gettext(unit) % {"number": f"{number}{fraction}"}
        for number, fraction, unit in parts
        if number or fraction
    ]
    return " ".join(said) or catalogue.gettext(SECONDS) % {"number": 0}


def on_a_clock(milliseconds: int, catalogue: NullTranslations) -> str:
    """A time as on a clock, `30:30`; what is below 0 counts as 0."""
    hours, minutes, seconds, fraction = _parts(milliseconds, catalogue)
    return (f"{hours}:{minutes:02}" if hours else f"{minutes}") + f":{seconds:02}{fraction}"


def _parts(milliseconds: int, catalogue: NullTranslations) -> tuple[int, int, int, str]:
    """Hours, minutes, seconds, and their fraction with its sign."""
    seconds, rest = divmod(max(0, milliseconds), 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return hours, minutes, seconds, f"{catalogue.gettext(HALF)[1]}{rest:03}".rstrip("0") if rest else ""
