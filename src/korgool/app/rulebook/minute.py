"""The rules of each game in one minute: a few moves, each with one sentence, for boards that move.

A scene is played when it is read, as the examples of the rules are, so one that does not hold is never shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from korgool.languages import N_
from korgool.rules import GAMES, Position, Sowing

_SOW = N_(
    "Lift all stones of one of your holes and sow them one by one counter-clockwise, the first back into its hole."
)
_SINGLE = N_("A single stone moves on to the next hole.")
_EVEN = N_("Your last stone makes the number in a hole of the opponent even: you take them all.")
_ODD = N_("It makes the number odd: nothing is taken, and the stones stay.")


@dataclass(frozen=True, slots=True)
class Scene:
    """A few moves that show one rule.

    Attributes:
        before: the position at their start.
        sowings: the moves, one or more.
        text: what happens, a message of the catalogues.
    """

    before: Position
    sowings: tuple[Sowing, ...]
    text: str


_SCENES: dict[str, tuple[tuple[str, tuple[int, ...], str], ...]] = {
    "toguz": (
        ("", (1,), _SOW),
        ("8,4S/3,1S,3,5S,1 80 72 S 30", (4,), _SINGLE),
        ("", (7,), _EVEN),
        ("9S,9S,9S,1,10S,10S,10S,10S,10S/9S,9S,9S,9S,9S,9S,1S,10S,10S 10 0 S 2", (2,), _ODD),
        (
            "2,4S,3,2S,2/8,4S 76 76 S 40",
            (9,),
            N_("It makes exactly three: you take the three, and the hole is your tuz from now on."),
        ),
        (
            "2,4S,3,t,1,3S/8,4S 76 75 N 40",
            (1,),
            N_("Every stone that falls into your tuz later is yours, whoever sows it."),
        ),
        ("4,14S,3,1S/5S,7,2S 80 60 S 50", (9,), N_("The first player with 82 stones wins.")),
    ),
    "mangala": (
        ("", (1,), _SOW),
        (
            "",
            (5,),
            N_("You sow into your own kazan too, at the end of your row, and pass by the opponent's."),
        ),
        ("", (4, 6), N_("Your last stone falls into your own kazan: you move again.")),
        ("4S,4S,4S,4S,3S,4S/4S,4S,4S,4S,4S,4S 1 0 S 1", (6,), _EVEN),
        (
            "2,5S,2,1S/3S,4,2S 20 17 S 20",
            (1,),
            N_("Your last stone falls into an empty hole of yours: it takes itself and the stones opposite."),
        ),
        (
            "4,4S,3S/5,1S 19 21 S 25",
            (6,),
            N_("Your side is empty: you also gain what is left on the other side. More stones win."),
        ),
    ),
    "castle": (
        ("", (3,), _SOW),
        ("1,6S,2,3S,1/3S,4,3S 16 17 S 20", (6,), _EVEN),
        (
            "1,6S,2,2S,1/3S,4,3S 17 17 S 20",
            (6,),
            N_("It makes exactly three: you take the three, and the hole is your castle from now on."),
        ),
        (
            "1,6S,2,t,3S/3S,4,3S 17 16 N 20",
            (1,),
            N_("Every stone that falls into your castle later is yours, whoever sows it."),
        ),
        (
            "4,4S,4S/5,1S 20 19 S 25",
            (6,),
            N_("One side is empty: both players keep what lies on their own. More stones win."),
        ),
    ),
    "bestemshe": (
        ("", (1,), _SOW),
        ("2,4S,2S,1/1,1S,1,2S,1 20 21 S 20", (2,), _SINGLE),
        ("", (5,), _EVEN),
        ("2,4S,2S,1/4,3S 20 21 S 20", (5,), _ODD),
        ("3,6S,1S/3,3S,2S 24 14 S 20", (5,), N_("The first player with 26 stones wins.")),
    ),
}
"""For each game, positions (empty for the start), the holes that are sown, and what that shows."""


@cache
def scenes_of(game: str) -> tuple[Scene, ...]:
    """The scenes of a game, by its short name in the registry.

    Raises:
        KeyError: there is no such game.
        ValueError: a scene is not possible; a test plays them all.
    """
    return tuple(_played(game, *scene) for scene in _SCENES[game])


def _played(game: str, text: str, holes: tuple[int, ...], words: str) -> Scene:
    rules = GAMES[game]
    before = Position.parse(text, rules) if text else rules.start()
    sowings = [before.sow(holes[0])]
    for hole in holes[1:]:
        sowings.append(sowings[-1].after.sow(hole))
    return Scene(before, tuple(sowings), words)
