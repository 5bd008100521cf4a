"""Words of classes: tasks, and what was done of them."""

from __future__ import annotations

from gettext import NullTranslations

from korgool.app.words.lessons import DRILL_WORDS
from korgool.app.words.opponents import opponent_name
from korgool.app.words.puzzles import theme_word
from korgool.languages import N_
from korgool.training.drills import Drill
from korgool.training.lessons import path_of

KIND_WORDS = {"stop": N_("Lesson"), "drill": N_("Drill"), "puzzles": N_("Puzzles"), "game": N_("Game")}
"""The word for a task, by its kind."""
_GAME_WORDS = (N_("a loss"), N_("a draw"), N_("a win"))


def task_name(catalogue: NullTranslations, game: str, kind: str, what: str) -> str:
    """The subject of a task, such as *Even takes*."""
    gettext = catalogue.gettext
    match kind:
        case "stop":
            return gettext(next((stop.title for stop in path_of(game) if stop.name == what), what))
        case "drill":
            return gettext(DRILL_WORDS[Drill(what)][0])
        case "puzzles":
            return gettext(theme_word(what, game)) if what else gettext(N_("Of all themes"))
    level = gettext(N_("level %(level)s")) % {"level": what}
    return f"{opponent_name(gettext, int(what))}, {level}"


def task_title(catalogue: NullTranslations, game: str, kind: str, what: str) -> str:
    """The title of a task, such as *Lesson: Even takes*."""
    return f"{catalogue.gettext(KIND_WORDS[kind])}: {task_name(catalogue, game, kind, what)}"


def done_words(catalogue: NullTranslations, kind: str, value: int, most: int, parts: int) -> str:
    """The work on a task in words, such as *7 of 10 right*."""
    gettext = catalogue.gettext
    match kind:
        case "stop":
            return gettext(N_("%(n)s of 3 stars")) % {"n": value}
        case "drill":
            return gettext(N_("%(n)s right")) % {"n": value}
        case "puzzles" if parts < most:
            return gettext(N_("%(n)s right, %(left)s left")) % {"n": value, "left": most - parts}
        case "puzzles":
            return gettext(N_("%(n)s of %(all)s right")) % {"n": value, "all": most}
        case _:
            return gettext(_GAME_WORDS[value])


def done_short(catalogue: NullTranslations, kind: str, value: int, most: int) -> str:
    """The same for a cell of a table: a number, or a word for a game."""
    if kind == "game":
        return catalogue.gettext(_GAME_WORDS[value])
    return f"{value}/{most}" if most else str(value)
