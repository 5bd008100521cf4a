"""The words of the public pages in one language."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from babel.dates import format_datetime
from markupsafe import Markup

from korgool.app.words.event_texts import day_text
from korgool.app.words.event_words import event_words
from korgool.app.words.page_texts import outbox_words, sentences
from korgool.competition.model import ByeKind
from korgool.languages import LANGUAGES, translations

BYES = {ByeKind.ALLOCATED: "bye", ByeKind.FULL: "full_bye", ByeKind.HALF: "half_bye", ByeKind.ZERO: "absent"}
"""The labels of byes in `event_words`."""


@lru_cache(maxsize=len(LANGUAGES))
def page_words(language: str) -> dict[str, Any]:
    """Words of a language for every template: `_`, `gettext`, `ngettext`, and labels as `w`.

    All pages share the dictionary, which must not be changed.
    """
    catalogue = translations(language)
    return {
        **sentences(catalogue),
        "w": event_words(language),
        "language": language,
        "languages": LANGUAGES,
        "moment": lambda text: moment(text, language),
        "address_link": address_link,
        "outbox_words": outbox_words(language),
    }


def moment(text: str, language: str) -> Markup:
    """A point in time such as `2026-09-14T10:05:00Z` as an element that a script rewrites in the reader's own time."""
    when = datetime.fromisoformat(text).astimezone(UTC)
    shown = format_datetime(when, "d MMMM y, HH:mm", locale=language)
    return Markup('<time class="moment" datetime="{}">{} UTC</time>').format(when.isoformat(), shown)


def address_link(address: str) -> Markup:
    """A link to an event on another site, shown without its scheme."""
    shown = address.partition("://")[2].rstrip("/")
    return Markup('<a class="source" href="{}" rel="nofollow">{}</a>').format(address, shown)


def dates(begins: str, ends: str, language: str) -> str:
    """The dates of an event as a text; dates of another form stay as they are written."""
    first, last = (day_text(text, language) or text for text in (begins, ends))
    if first and last and first != last:
        return event_words(language)["from_to"] % {"begins": first, "ends": last}
    return first or last
