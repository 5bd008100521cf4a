"""Texts of the catalogues as templates and scripts need them: escaped sentences, plural forms, the desk's outbox."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from gettext import GNUTranslations

from markupsafe import Markup, escape

from korgool.languages import LANGUAGES, N_, NN_, translations


def sentences(catalogue: GNUTranslations) -> dict[str, Callable[..., Markup]]:
    """`_`, `gettext` and `ngettext` for templates.

    What they give is markup already, so a value that is put into a sentence is escaped exactly if it is none: a moment
    or a link stays an element, and a name stays text.
    """

    def gettext(message: str) -> Markup:
        return escape(catalogue.gettext(message))

    def ngettext(one: str, many: str, number: int) -> Markup:
        return escape(catalogue.ngettext(one, many, number))

    return {"_": gettext, "gettext": gettext, "ngettext": ngettext}


_COUNTS = 200
"""More than the stones of any game, and than the boards whose results wait."""


def plural_digits(catalogue: GNUTranslations) -> str:
    """The plural form of each number from 0 to 199 as a digit."""
    plural = catalogue.plural  # type: ignore[attr-defined]  # the compiled Plural-Forms header
    return "".join(str(plural(number)) for number in range(_COUNTS))


def plural_texts(catalogue: GNUTranslations, one: str, many: str) -> list[str]:
    """The translation of a message in each of its forms."""
    digits = plural_digits(catalogue)
    return [catalogue.ngettext(one, many, digits.index(form)) for form in sorted(set(digits))]


_TEXTS = {
    "board": N_("Round %(round)s, board %(board)s"),
    "refused": N_("Not entered:"),
    "stands": N_("another result stands there; the reason for the change is missing"),
    "ended": N_(
        "You may not enter results here any more. They stay on this device: ask for a new link or sign in, and they "
        "are sent."
    ),
    "other": N_("%(name)s has typed this, and now %(now)s is at the desk."),
    "send": N_("Send now"),
    "as": N_("Send as %(name)s"),
    "go": N_("To the board"),
    "drop": N_("Discard"),
}


@lru_cache(maxsize=len(LANGUAGES))
def outbox_words(language: str) -> str:
    """The texts of `desk/waiting.js`, and the plural form of each number from 0 to 199 as a digit."""
    catalogue = translations(language)
    waits = NN_("%(n)s result waits to be sent", "%(n)s results wait to be sent")
    texts = {key: catalogue.gettext(text) for key, text in _TEXTS.items()}
    told = {"plural": plural_digits(catalogue), "waits": plural_texts(catalogue, *waits), **texts}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))
