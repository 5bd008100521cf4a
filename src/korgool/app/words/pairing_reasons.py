"""Why two players meet, in five languages: the sentences of `korgool.competition.pairing.explanation`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from korgool.languages import N_, translations

PAIRING_SENTENCES: Final[Mapping[str, str]] = {
    "pairing.group": N_("Both have {points}."),
    "pairing.float": N_("{upper} has {upper_points} and floats down to {lower}, who has {lower_points}."),
    "pairing.again": N_("{name} floated the same way in round {round}."),
    "colour.due": N_("{name} is due {colour} ({strength}: {history})."),
    "colour.free": N_("{name} is due no colour yet."),
    "colour.5.2.1": N_("Each gets the colour they are due (5.2.1)."),
    "colour.5.2.2": N_("The stronger wish is granted, or the wider difference (5.2.2)."),
    "colour.5.2.3": N_(
        "The colours are those of the latest round in which they differed, the other way round (5.2.3)."
    ),
    "colour.5.2.4": N_("The wish of the higher ranked is granted (5.2.4)."),
    "colour.5.2.5": N_("The lot for the first round decides (5.2.5)."),
    "colour.hand": N_("The colours were set by hand: by the rules {name} has White."),
    "bye.allocated": N_("{name} has {points} and gets the pairing-allocated bye."),
    "bye.least": N_("Nobody with fewer points may get it."),
    "bye.barred": N_("{name} cannot get it: {why} in round {round}."),
    "bye.asked": N_("{name} does not play this round ({kind})."),
    "word.white": N_("White"),
    "word.black": N_("Black"),
    "word.mild": N_("mildly"),
    "word.strong": N_("strongly"),
    "word.absolute": N_("absolutely"),
    "word.bye": N_("a bye"),
    "word.walkover": N_("a win without a game"),
    "word.half": N_("half-point bye"),
    "word.full": N_("full-point bye"),
    "word.zero": N_("zero-point bye"),
}
"""The same texts as `explanation.SENTENCES`, which a test compares: that room knows no languages."""


def pairing_sentences(language: str) -> Mapping[str, str]:
    """The sentences in a language, for `PairingReason.in_words`."""
    gettext = translations(language).gettext
    return {key: gettext(text) for key, text in PAIRING_SENTENCES.items()}
