"""What a page says of results that wait on a device, as JSON for its script."""

from __future__ import annotations

import json
from functools import lru_cache

from korgool.app.words.plurals import plural_digits, plural_texts
from korgool.languages import LANGUAGES, N_, NN_, translations

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
