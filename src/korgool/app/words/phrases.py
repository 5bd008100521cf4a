"""What players may say to each other: set phrases, so that nobody reads anything else; the pages get the same texts by
`words_json`."""

from __future__ import annotations

from korgool.languages import N_

PHRASES: dict[str, str] = {
    "hello": N_("Hello!"),
    "luck": N_("Good luck!"),
    "nice": N_("Nice move!"),
    "mistake": N_("That was a mistake of mine."),
    "sorry": N_("Sorry!"),
    "thanks": N_("Thank you!"),
    "moment": N_("One moment, please."),
    "leave": N_("I have to go."),
    "played": N_("Well played!"),
    "game": N_("That was a good game."),
    "again": N_("Shall we play again?"),
    "bye": N_("Goodbye!"),
}
"""The texts by the keys that go over the wire."""
