"""The registry of games: what each of them is, once for the whole program.

The engine keeps its figures by the same names in `korgool.engine.games`, and the pages and papers their words in
`korgool.app.words.games`. The kernel and the scripts of the pages have files generated from all three
(`kernel/generate.py`). Every other list of games is made from these.
"""

from __future__ import annotations

from dataclasses import dataclass

from korgool.rules.choices import Choices


@dataclass(frozen=True, slots=True)
class Variant:
    """A game of the family and how it is known and played.

    Attributes:
        choices: the rules without any option switched, as plain choices; `GAMES` has them with a start.
        aliases: names by which records of other programs call it, in lower case, letters and digits only.
        constant: the name under which `korgool` exports the rules, empty where it does not.
        in_sets: whether a match consists of several sets (WNG-M §III.4).
        control: the usual time control of an event, as `korgool.conduct.control_text.read_control` reads it.
        least_clock_ms: what each player has at least, in milliseconds, when a clock is brought into a game that began
            without one; 0 where the rules of the game give no such limit (WNG-TK §VII).
        turns: turns of each player in a usual game, for the speed that a clock makes. In toguz korgool those of people:
            the median of 469 games online. Elsewhere the mean of games of the engine's levels 3 and 5.
    """

    choices: Choices
    aliases: tuple[str, ...] = ()
    constant: str = ""
    in_sets: bool = False
    control: str = "15+0"
    least_clock_ms: int = 0
    turns: int = 60


_KNOWN = (
    Variant(
        # Toguz korgool, also togyzqumalaq (WNG-TK §III to §V).
        Choices("toguz", "Toguz korgool", holes=9, stones=9, goal=82, tuz=True),
        (
            *("toguzkorgool", "toguzkorgol", "toguzkumalak", "togyzkumalak", "togyzqumalaq", "togyzkorgool"),
            *("togizkumalak", "тогузкоргоол", "тогызкумалак", "тоғызқұмалақ"),
        ),
        "TOGUZ_KORGOOL",
        control="60+0",  # WNG-TK §XI
        least_clock_ms=25 * 60_000,  # WNG-TK §VII, RU §VII
    ),
    Variant(
        # Mangala (WNG-M §III).
        Choices(
            "mangala",
            "Mangala",
            holes=6,
            stones=4,
            store_sown=True,
            extra_turn=True,
            empty_capture=True,
            ending="side_empty",
            sweep="emptied",
        ),
        ("мангала",),
        "MANGALA",
        in_sets=True,
        turns=15,
    ),
    Variant(
        # Mangala with the castle rule (WNG-M §IV).
        Choices("castle", "Mangala castle", holes=6, stones=4, tuz=True, tuz_same_number=True, ending="side_empty"),
        ("mangalacastle", "castlemangala"),
        "MANGALA_CASTLE",
        in_sets=True,
        turns=31,
    ),
    # Bestemshe: 2 rows of 5, no tuz.
    Variant(Choices("bestemshe", "Bestemshe", holes=5, stones=5, goal=26), ("бестемше",), "BESTEMSHE", turns=37),
)

VARIANTS: dict[str, Variant] = {variant.choices.name: variant for variant in _KNOWN}
"""The games by their short names, which the command line uses; the first one is what a program starts with."""
_BOARDS: dict[int, Choices] = {variant.choices.holes: variant.choices for variant in reversed(_KNOWN)}
"""The first game with each number of holes a side, which a board belongs to when nothing names its game."""


def game_of_board(holes: int, tuz: bool) -> str | None:
    """The short name of the first game with such a board, or None.

    Args:
        holes: holes of each side.
        tuz: whether a hole is owned by the opponent; a game with tuz comes first then.
    """
    games = [variant.choices for variant in _KNOWN if variant.choices.holes == holes]
    return next((game.name for game in games if game.tuz or not tuz), games[0].name if games else None)


def boards_in_words() -> str:
    """Games by the number of holes of a side, in words: `toguz korgool has 9, mangala 6, bestemshe 5`."""
    first, *others = sorted(_BOARDS.items(), key=lambda board: list(VARIANTS).index(board[1].name))
    return ", ".join([f"{first[1].title.lower()} has {first[0]}", *(f"{game.title.lower()} {n}" for n, game in others)])
