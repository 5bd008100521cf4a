"""Words of puzzles: their themes and their tasks."""

from __future__ import annotations

from collections.abc import Mapping

from korgool.languages import N_

THEME_WORDS: Mapping[str, str] = {
    "capture": N_("Captures"),
    "make-tuz": N_("Make a tuz"),
    "castle": N_("Make a castle"),
    "forbid-tuz": N_("Prevent a tuz"),
    "forbid-tuz castle": N_("Prevent a castle"),
    "feed-tuz": N_("Feed the tuz"),
    "feed-tuz castle": N_("Feed the castle"),
    "ninth-hole": N_("Hole 9"),
    "extra-turn": N_("Another turn"),
    "empty-hole": N_("The empty hole"),
    "quiet": N_("Quiet moves"),
    "tempo": N_("Few moves left"),
    "starve": N_("No move left"),
    "count": N_("Count to 82"),
    "count bestemshe": N_("Count to 26"),
    "save": N_("Save the game"),
    "ending": N_("Endings"),
}
"""The names of themes, followed by the game where it has another one."""
GOAL_WORDS: Mapping[str, str] = {
    "win": N_("Find the move that wins. Every other one does not."),
    "save": N_("Find the move that saves the game. Every other one loses."),
    "stones": N_("Find the best move. Every other one loses 4 stones or more."),
}
"""The tasks by the goal of a puzzle, as a page asks them."""


def theme_word(theme: str, game: str) -> str:
    """The name of a theme in a game, a message of the catalogues."""
    return THEME_WORDS.get(f"{theme} {game}") or THEME_WORDS[theme]
