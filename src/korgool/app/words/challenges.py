"""The words of challenges: clocks, and the set reasons to decline."""

from __future__ import annotations

from gettext import GNUTranslations

from korgool.conduct import TimeControl
from korgool.languages import N_
from korgool.live import DeclineReason, write_clock

DECLINE_REASONS = {
    DeclineReason.LATER: N_("Later, please"),
    DeclineReason.NOT_NOW: N_("Not now"),
    DeclineReason.OTHER_CLOCK: N_("With another clock"),
    DeclineReason.OTHER_GAME: N_("Another game"),
    DeclineReason.UNRATED: N_("Without ratings"),
}
"""Why somebody declines."""


def clock_words(control: TimeControl | None, catalogue: GNUTranslations) -> str:
    """A clock in words, such as `3 days for each turn`; a time control of minutes stays as it is written."""
    text = write_clock(control)
    if text == "none":
        return catalogue.gettext("no clock")
    if text.endswith("d"):
        days = int(text[:-1])
        words: str = catalogue.ngettext("%(n)s day for each turn", "%(n)s days for each turn", days)
        return words % {"n": days}
    return text
