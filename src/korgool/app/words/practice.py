"""The words of a practice event."""

from __future__ import annotations

from korgool.competition.practice import PracticeWords
from korgool.languages import N_, translations

_EVENT = N_("Practice event")
_PLAYER = N_("Player %(number)s")
_TEAM = N_("Team %(number)s")


def practice_words(language: str) -> PracticeWords:
    """What a practice event and its players and teams are called; raises ValueError for an unknown language."""
    gettext = translations(language).gettext
    return PracticeWords(gettext(_EVENT), gettext(_PLAYER), gettext(_TEAM))
