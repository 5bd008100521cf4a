"""Time controls in words."""

from __future__ import annotations

from gettext import NullTranslations

from korgool.conduct import TimeControl
from korgool.conduct.control import ControlKind


def control_words(control: TimeControl, catalogue: NullTranslations) -> list[str]:
    """What each player is given for a game, in sentences.

    Args:
        control: the time control.
        catalogue: of the language.
    """
    gettext = catalogue.gettext
    found = []
    if control.initial_ms:
        found.append(gettext("Each player has %(time)s for the game.") % {"time": _time(control.initial_ms, catalogue)})
    if control.increment_ms:
        found.append(gettext("Every move adds %(time)s.") % {"time": _time(control.increment_ms, catalogue)})
    delay = {"time": _time(control.delay_ms, catalogue)}
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


def _time(milliseconds: int, catalogue: NullTranslations) -> str:
    seconds = milliseconds / 1000
    if seconds >= 60 and seconds % 60 == 0:
        minutes = int(seconds) // 60
        return catalogue.ngettext("%(n)s minute", "%(n)s minutes", minutes) % {"n": minutes}
    if seconds == int(seconds):
        return catalogue.ngettext("%(n)s second", "%(n)s seconds", int(seconds)) % {"n": int(seconds)}
    return f"{seconds:g} s"
