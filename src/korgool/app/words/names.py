"""The names of games, levels and endings, in English as in the catalogues."""

from __future__ import annotations

from collections.abc import Callable

from korgool.app.words.games import GAME_WORDS
from korgool.languages import N_

GAME_NAMES = {name: words.name for name, words in GAME_WORDS.items()}
"""Games by their command line names."""

LEVEL_NAMES = (
    N_("first game"),
    N_("beginner"),
    N_("casual"),
    N_("practised"),
    N_("club player"),
    N_("strong player"),
    N_("master"),
    N_("full strength"),
)
"""Names of the engine's levels 1 to 8."""
PERFECT_NAME = N_("perfect")
"""The name of perfect play, which is above all levels."""

REASONS = {
    "majority white": N_("White's kazan holds more than half of the stones"),
    "majority black": N_("Black's kazan holds more than half of the stones"),
    "no_move white": N_("the player to move had no stones left; White has more"),
    "no_move black": N_("the player to move had no stones left; Black has more"),
    "no_move draw": N_("the player to move had no stones left; both have the same"),
    "equal draw": N_("both kazans hold half of the stones"),
    "side_empty white": N_("one side of the board is empty; White has more"),
    "side_empty black": N_("one side of the board is empty; Black has more"),
    "side_empty draw": N_("one side of the board is empty; both have the same"),
    "resignation white": N_("Black resigned"),
    "resignation black": N_("White resigned"),
    "time white": N_("Black's time ran out"),
    "time black": N_("White's time ran out"),
    "time draw": N_("both times ran out"),
    "agreement draw": N_("draw agreed"),
    "repetition draw": N_("the position was repeated"),
    "forfeit white": N_("Black lost by forfeit"),
    "forfeit black": N_("White lost by forfeit"),
    "unknown white": N_("proven: White wins with best play"),
    "unknown black": N_("proven: Black wins with best play"),
    "unknown draw": N_("proven: a draw with best play"),
    "resignation white, WNG-TK §X": N_("Black offered a draw more than three times"),
    "resignation black, WNG-TK §X": N_("White offered a draw more than three times"),
    "forfeit white, WNG-TK §V, §XIV": N_("Black did not come in time"),
    "forfeit black, WNG-TK §V, §XIV": N_("White did not come in time"),
    "forfeit draw, WNG-TK §V, §XIV": N_("neither player came in time"),
    "forfeit white, friendly play": N_("Black left the game"),
    "forfeit black, friendly play": N_("White left the game"),
}
"""Why a game ended: termination and winner, or `draw`, with the clause behind it where that tells more."""


def strength(gettext: Callable[[str], str], level: int) -> str:
    """The strength of an engine in a word or two: its level, its rating, or perfect play."""
    if level == len(LEVEL_NAMES) + 1:
        return gettext(PERFECT_NAME)
    if level <= len(LEVEL_NAMES):
        return gettext("level %(level)s") % {"level": level}
    return gettext("rating %(rating)s") % {"rating": level}
