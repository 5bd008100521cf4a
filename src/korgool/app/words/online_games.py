"""The words of games over a network: speeds, claims, results, challenges, and what players may say to each other."""

from __future__ import annotations

from gettext import GNUTranslations

from korgool.accounts import Speed
from korgool.conduct import TimeControl
from korgool.conduct.claims import ClaimKind
from korgool.languages import N_
from korgool.live import DeclineReason, write_clock

SPEED_NAMES = {
    Speed.BULLET: N_("bullet"),
    Speed.BLITZ: N_("blitz"),
    Speed.RAPID: N_("rapid"),
    Speed.SLOW: N_("slow, an hour and more"),
    Speed.DAYS: N_("correspondence"),
}
"""Names of the speeds."""
NO_CLOCK = "none"
"""The pace of a game without a clock, beside the speeds."""
SHORT_SPEED_NAMES = {
    Speed.BULLET.value: N_("bullet"),
    Speed.BLITZ.value: N_("blitz"),
    Speed.RAPID.value: N_("rapid"),
    Speed.SLOW.value: N_("an hour and more"),
    Speed.DAYS.value: N_("correspondence"),
    NO_CLOCK: N_("no clock"),
}
"""The same for filters, where there is little room."""
CLAIM_BUTTONS = {
    ClaimKind.RECURRENCE: N_("Claim a draw"),
    ClaimKind.DRAWN_POSITION: N_("Claim a draw: the position cannot be brought to an end"),
    ClaimKind.FLAG: N_("Claim the game on time"),
    ClaimKind.FOURTH_OFFER: N_("Claim the game: fourth offer of a draw"),
    ClaimKind.NO_SHOW: N_("Claim the game: the opponent has not come"),
}
"""Labels of the buttons for claims that the state of a game lists."""
RESULT_NAMES = {
    "won": N_("Win"),
    "lost": N_("Loss"),
    "drawn": N_("Draw"),
    "running": N_("in progress"),
    "aborted": N_("called off"),
}
"""Results from the side of one player."""


DECLINE_REASONS = {
    DeclineReason.LATER: N_("Later, please"),
    DeclineReason.NOT_NOW: N_("Not now"),
    DeclineReason.OTHER_CLOCK: N_("With another clock"),
    DeclineReason.OTHER_GAME: N_("Another game"),
    DeclineReason.UNRATED: N_("Without ratings"),
}
"""Reasons for declining a challenge."""


def clock_words(control: TimeControl | None, catalogue: GNUTranslations) -> str:
    """A clock in words, such as `3 days a move`; a time control of minutes stays as it is written."""
    text = write_clock(control)
    if text == "none":
        return catalogue.gettext("no clock")
    if text.endswith("d"):
        days = int(text[:-1])
        words: str = catalogue.ngettext("%(n)s day a move", "%(n)s days a move", days)
        return words % {"n": days}
    return text


def time_left(ms: int, catalogue: GNUTranslations) -> str:
    """The time until a deadline in words, rounded down: days from two days on, hours from two hours on, or minutes."""
    minutes = max(0, ms) // 60_000
    if minutes >= 2 * 24 * 60:
        days = minutes // (24 * 60)
        return str(catalogue.ngettext("%(n)s day", "%(n)s days", days) % {"n": days})
    if minutes >= 2 * 60:
        hours = minutes // 60
        return str(catalogue.ngettext("%(n)s hour", "%(n)s hours", hours) % {"n": hours})
    if minutes:
        return str(catalogue.ngettext("%(n)s minute", "%(n)s minutes", minutes) % {"n": minutes})
    return catalogue.gettext("less than a minute")


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
"""Set phrases by the keys that go over the wire, so that nobody reads anything else; pages get them by `words_json`."""
