"""The names of games and endings, and the options of rules in words, in English as in the catalogues.

The page's scripts have a part of it in `static/js/game/rules_records.js`, which `kernel/generate.py` writes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from korgool.languages import N_
from korgool.rules import Rules


@dataclass(frozen=True, slots=True)
class GameWords:
    """The words of one game. Each text is a message of the catalogues.

    Attributes:
        name: what people call it.
        about: what marks it, in the list of games.
        in_short: its rules, a sentence or two in each part.
        won_hole: what a won hole is called, in a game that has such.
        korgools: whether the stones have a name of their own in some languages; forms then explain the number in
            brackets.
        turns: turns for which a blank form has room at least; few games are longer, and those go on on another sheet.
    """

    name: str
    about: str
    in_short: tuple[str, ...]
    won_hole: Literal["tuz", "castle"] = "tuz"
    korgools: bool = False
    turns: int = 100


GAME_WORDS: dict[str, GameWords] = {
    "toguz": GameWords(
        N_("Toguz korgool"),
        N_("2 × 9 holes, 162 stones, with the tuz"),
        (
            N_(
                "Take all stones of one of your holes and sow them counter-clockwise, the first one back into "
                "the same hole. A single stone moves on to the next hole."
            ),
            N_(
                "If your last stone makes an even number in a hole of the opponent, you take all of them into "
                "your kazan."
            ),
            N_(
                "If it makes exactly three there, the hole becomes your tuz: you take the three, and later "
                "every stone that falls into it. You may win one tuz in a game, never hole 9, and not the "
                "hole with the number of the opponent's tuz."
            ),
            N_(
                "The first player with 82 stones wins. If the player to move has no stones left, each side "
                "keeps what lies on it, and the larger kazan wins."
            ),
        ),
        korgools=True,
        turns=140,
    ),
    "mangala": GameWords(
        N_("Mangala"),
        N_("2 × 6 holes, 48 stones, extra turns"),
        (
            N_("Sow as in toguz korgool, but also into your own kazan at your right; the opponent's kazan is skipped."),
            N_("A last stone in your kazan gives you another turn."),
            N_(
                "A last stone that makes an even number in a hole of the opponent takes them all. One that falls "
                "into your own empty hole takes itself and the stones opposite."
            ),
            N_(
                "When one side is empty, the player of that side also gains the stones left on the other. The"
                " player with more stones wins."
            ),
        ),
        turns=70,
    ),
    "castle": GameWords(
        N_("Mangala with the castle"),
        N_("2 × 6 holes, 48 stones, with a castle"),
        (
            N_("The kazans are not sown into and there are no extra turns. Even captures stay."),
            N_(
                "A last stone that makes exactly three in a hole of the opponent, other than the sixth, makes it "
                "your castle: the three and all later stones there are yours."
            ),
            N_("When one side is empty, each player keeps what lies on their own side. More stones win."),
        ),
        won_hole="castle",
        turns=100,
    ),
    "bestemshe": GameWords(
        N_("Bestemshe"),
        N_("2 × 5 holes, 50 stones, quick to learn"),
        (
            N_(
                "Sow and capture as in toguz korgool, with five holes of five stones. There is no tuz. The "
                "first player with 26 stones wins."
            ),
        ),
        korgools=True,
        turns=100,
    ),
}
"""The words of every game in the registry, by its short name."""


def won_hole(rules: Rules) -> Literal["tuz", "castle"] | None:
    """The name of a won hole in a game, or None where no hole can be won."""
    if not rules.tuz:
        return None
    known = GAME_WORDS.get(rules.name)
    return known.won_hole if known else "tuz"


GAME_NAMES = {name: words.name for name, words in GAME_WORDS.items()}
"""Games by their command line names."""

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
"""Reasons of an ending, by termination and winner or `draw`, with a clause where that tells more."""


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
        N_("Sowing drops a stone into the player's own kazan."),
        N_("Sowing passes both kazans by."),
    ),
    "extra_turn": (
        N_("A last stone in the player's own kazan gives another turn."),
        N_("A last stone in the player's own kazan gives no other turn."),
    ),
    "extra_turn_single": (
        N_("A single stone moved into the kazan gives another turn too."),
        N_("A single stone moved into the kazan gives no other turn."),
    ),
    "drawn_position": (
        N_("A draw may be claimed in a drawn position of at most 4 stones that a player cannot bring to an end."),
        N_("That a drawn position cannot be brought to an end gives no claim of a draw."),
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
    "goal": N_("The game ends at once with so many stones in a kazan: %(n)s."),
    "goal 0": N_("The game is played to its end, however many stones lie in a kazan."),
    "threefold": N_("A draw may be claimed when a position has occurred so many times: %(n)s."),
    "threefold 0": N_("How often a position occurs gives no claim of a draw."),
    "recurrence": N_("A draw may be claimed when a position recurs within so many moves of each player: %(n)s."),
    "recurrence 0": N_("A position that recurs once gives no claim of a draw."),
}


STONE_GAMES = tuple(name for name, game in GAME_WORDS.items() if not game.korgools)
"""The games whose stones have no name of their own."""


def option_words(rules: Rules, name: str, gettext: Callable[[str], str]) -> str:
    """An option of the rules of a game as a sentence.

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
