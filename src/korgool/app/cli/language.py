"""The language of what commands print: that of `--language`, or else that of the environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

import click

from korgool.app.cli.vocabulary import option
from korgool.languages import LANGUAGES, N_, translations

_CHOSEN = "korgool.language"
HEADINGS = {
    "after": N_("New rating"),
    "black": N_("Black"),
    "board": N_("Board"),
    "born": N_("Date of birth"),
    "borrower": N_("Lent to"),
    "bronze": N_("Bronze"),
    "by": N_("Official"),
    "captain": N_("Captain"),
    "category": N_("Category"),
    "change": N_("Change"),
    "club": N_("Club"),
    "counted": N_("Players that count"),
    "deviation": N_("Deviation"),
    "fed.": N_("Fed."),
    "federation": N_("Federation"),
    "form": N_("Form"),
    "game": N_("Game"),
    "games": N_("Games"),
    "gold": N_("Gold"),
    "group": N_("Group"),
    "groups": N_("Groups"),
    "line": N_("Line"),
    "may start": N_("May start"),
    "medals": N_("Medals"),
    "name": N_("Name"),
    "no.": N_("Number in the list"),
    "open to": N_("Open to"),
    "paired": N_("Rounds paired"),
    "places": N_("Places"),
    "players by board": N_("Line-up"),
    "players": N_("Players"),
    "points": N_("Points"),
    "prize": N_("Prize"),
    "rank": N_("Rank"),
    "rating": N_("Rating"),
    "reason": N_("Reason"),
    "result": N_("Result"),
    "round": N_("Round"),
    "rounds": N_("Rounds"),
    "score": N_("Score"),
    "sex": N_("Sex"),
    "silver": N_("Silver"),
    "state": N_("State"),
    "status": N_("State"),
    "system": N_("System"),
    "team": N_("Team"),
    "time": N_("Time"),
    "title": N_("Sports grade or title"),
    "volatility": N_("Volatility"),
    "warnings": N_("Warnings"),
    "what": N_("What"),
    "white": N_("White"),
    "why": N_("Why"),
}
"""The headings of the tables of events, by the words that they have in English."""
VALUES = {
    "agreement": N_("agreement"),
    "equal": N_("equal"),
    "excluded": N_("excluded"),
    "forfeit": N_("forfeit"),
    "lent": N_("lent"),
    "lost": N_("lost"),
    "majority": N_("more than half of the stones"),
    "no": N_("no"),
    "no_move": N_("no move left"),
    "nobody": N_("nobody"),
    "none": N_("none"),
    "plays": N_("plays"),
    "repetition": N_("repetition"),
    "resignation": N_("resignation"),
    "returned": N_("returned"),
    "side_empty": N_("one side is empty"),
    "spoiled": N_("spoiled"),
    "time": N_("time"),
    "unknown": N_("unknown"),
    "withdrawn": N_("withdrawn"),
    "yes": N_("yes"),
}
"""Words of these tables beside names and numbers."""


def terminal_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language set in the environment, in the order of gettext, or English."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        for tag in environment.get(name, "").split(":"):
            language = tag[:2].lower()
            if language in LANGUAGES and not tag[2:3].isalpha():
                return language
        if name != "LANGUAGE" and environment.get(name):
            break
    return "en"


def _choose(ctx: click.Context, _: click.Parameter, language: str | None) -> None:
    if language is not None:
        ctx.meta[_CHOSEN] = language


language_option = option(
    "--language",
    type=click.Choice(tuple(LANGUAGES)),
    expose_value=False,
    callback=_choose,
    help="The language of what is printed; by default, that of the environment.",
)
"""Adds `--language`; `spoken` says what was chosen."""


def chosen() -> str | None:
    """Value of `--language` of the command that runs; None without it."""
    ctx = click.get_current_context(silent=True)
    return None if ctx is None else ctx.meta.get(_CHOSEN)


def spoken() -> str:
    """The language of the command that runs."""
    return chosen() or terminal_language()


def gettext() -> Callable[[str], str] | None:
    """Translator into the language of the command that runs; None for English."""
    language = spoken()
    return None if language == "en" else translations(language).gettext


def tell(message: str, /, **values: object) -> str:
    """A sentence of the command line in the language of the command that runs.

    Args:
        message: the English text, a message of the catalogues, with its values in braces.
        values: what stands there; texts that can be translated are.
    """
    translate = gettext()
    text = message if translate is None else translate(message)
    return text.format(**{name: _in_language(value) for name, value in values.items()}) if values else text


def _in_language(value: object) -> object:
    """A value of a sentence: messages and refusals are translated, and tuples joined."""
    if isinstance(value, tuple):
        return "; ".join(str(_in_language(one)) for one in value)
    said = getattr(value, "said", None)
    return value if said is None else said(spoken())


def counts(*counted: tuple[int, str, str]) -> str:
    """Several numbers with their nouns.

    Args:
        counted: each number with its English noun in the singular, and the heading for it in other languages, which
            needs no plural.
    """
    translate = gettext()
    if translate is None:
        return ", ".join(f"{number} {noun}{'' if number == 1 else 's'}" for number, noun, _ in counted)
    return ", ".join(f"{translate(heading)}: {number}" for number, _, heading in counted)


def moves_of_both(number: int) -> str:
    """A number of plies, which nobody but a programmer calls so."""
    if spoken() == "en":
        return f"{number} {'move' if number == 1 else 'moves'}"
    return tell(N_("moves of both sides: {count}"), count=number)


def headings(words: Sequence[str]) -> list[str]:
    """The headings of a table; codes of tie-breaks and numbers of rounds are the same in every language."""
    translate = gettext()
    if translate is None:
        return list(words)
    return [translate(HEADINGS[word.lower()]) if word.lower() in HEADINGS else word for word in words]


def value(word: str) -> str:
    """A word in a table, such as `withdrawn`."""
    translate = gettext()
    return translate(VALUES[word]) if translate is not None and word in VALUES else word
