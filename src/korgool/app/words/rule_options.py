"""What the options of the rules mean, in words. `docs/rules/options.md` tells where each of them comes from."""

from __future__ import annotations

from collections.abc import Callable

from korgool.languages import N_
from korgool.rules import Rules

_YES_NO = {
    "tuz": (
        N_("A hole of the opponent can be won, as tuz or castle."),
        N_("No hole can be won: there is no tuz and no castle."),
    ),
    "tuz_last_hole": (N_("The last hole can be won too."), N_("The last hole cannot be won.")),
    "tuz_same_number": (
        N_("The hole with the number of the opponent's tuz can be won too."),
        N_("The hole with the number of the opponent's tuz cannot be won."),
    ),
    "tuz_takes": (
        N_("The three stones that win a hole go to its new owner."),
        N_("The three stones that win a hole stay in it."),
    ),
    "store_sown": (
        N_("Sowing drops a stone into the player's own store."),
        N_("Sowing passes both stores by."),
    ),
    "extra_turn": (
        N_("A last stone in the player's own store gives another turn."),
        N_("A last stone in the player's own store gives no other turn."),
    ),
    "extra_turn_single": (
        N_("A single stone moved into the store gives another turn too."),
        N_("A single stone moved into the store gives no other turn."),
    ),
    "empty_capture": (
        N_("A last stone in an empty hole of the player's own takes itself and the stones opposite."),
        N_("A last stone in an empty hole of the player's own takes nothing."),
    ),
}
_CHOSEN = {
    "ending no_move": N_("The game ends when the player to move has no stones."),
    "ending side_empty": N_("The game ends as soon as either side is empty."),
    "sweep owner": N_("Stones left at the end belong to the side they lie on."),
    "sweep emptied": N_("Stones left at the end go to the player whose side is empty."),
    "sweep nobody": N_("Stones left at the end count for nobody."),
    "goal": N_("The game ends at once with so many stones in a store: %(n)s."),
    "goal 0": N_("The game is played to its end, however many stones lie in a store."),
    "threefold": N_("A draw may be claimed when a position has occurred so many times: %(n)s."),
    "threefold 0": N_("How often a position occurs gives no claim of a draw."),
    "recurrence": N_("A draw may be claimed when a position recurs within so many moves of each player: %(n)s."),
    "recurrence 0": N_("A position that recurs once gives no claim of a draw."),
}


def option_words(rules: Rules, name: str, gettext: Callable[[str], str]) -> str:
    """What an option says in a game, as a sentence.

    Args:
        rules: the game.
        name: the option, as `Rules.options` names it; any other raises KeyError.
        gettext: translates.
    """
    value = rules.options()[name]
    if isinstance(value, bool):
        return gettext(_YES_NO[name][0 if value else 1])
    found = _CHOSEN.get(f"{name} {value}") or _CHOSEN[name]
    return gettext(found) % {"n": value}
