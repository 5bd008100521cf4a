"""What people read of each game: its name and rules in English, as the catalogues know them, and the words it uses.

The page's scripts have a part of it in `static/js/game/rules_records.js`, which `kernel/generate.py` writes.
"""

from __future__ import annotations

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
        korgools: whether forms speak of korgools and the kazan, and not of stones and the store.
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
            N_("Sow as in toguz korgool, but also into your own store at your right; the opponent's store is skipped."),
            N_("A last stone in your store gives you another turn."),
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
            N_("The stores are not sown into and there are no extra turns. Even captures stay."),
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
    """What a won hole is called in a game, or None where no hole can be won."""
    if not rules.tuz:
        return None
    known = GAME_WORDS.get(rules.name)
    return known.won_hole if known else "tuz"
