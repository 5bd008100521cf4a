"""A sheet of one's own worst moves as PDF: diagrams two in a row, and the better moves upside down at the end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from korgool.app.printing.form_pages import PAPERS
from korgool.app.printing.typesetting import printable, typeset
from korgool.app.words.games import GAME_NAMES, STONE_GAMES
from korgool.app.words.reasons import reasons_text
from korgool.engine.reasons import reasons
from korgool.languages import LANGUAGES, N_, NN_, translations
from korgool.notation.svg import svg_board
from korgool.rules import Side
from korgool.training.mistakes import Mistake, check_mistake

MOST_DIAGRAMS = 20
"""Diagrams of a sheet."""
_TEMPLATE = Path(__file__).with_name("worst_moves.typ")
_WORDS = {
    "title": N_("Your worst moves"),
    "about": N_("Find a better move in each position. Whoever is to move sits below."),
    "solutions": N_("Better moves"),
    "white": N_("White to move"),
    "black": N_("Black to move"),
    "played": N_("You played %(move)s and lost about %(stones)s."),
    "close": N_("You played %(move)s, which was a mistake."),
    "move": N_("move %(n)s"),
    "or": N_("or %(moves)s"),
}
_STONES = NN_("%(n)s stone", "%(n)s stones")
_PLIES = 5


def worst_moves_pdf(mistakes: Sequence[Mistake], *, language: str = "en", paper: str = "a4") -> bytes:
    """A sheet as PDF. The same mistakes give the same bytes.

    Args:
        mistakes: 1 to `MOST_DIAGRAMS`, in the order of the sheet.
        language: one of `korgool.languages.LANGUAGES`.
        paper: `a4` or `a5`.

    Raises:
        ValueError: there are none or too many, one of them is no card, or there is no such language or paper.
        ImportError: the part `print` is not installed.
    """
    return _typeset(mistakes, language, paper, "pdf")[0]


def worst_moves_png(
    mistakes: Sequence[Mistake], *, language: str = "en", paper: str = "a4", resolution: float = 110
) -> list[bytes]:
    """The pages of the same sheet as pictures, `resolution` pixels an inch."""
    return _typeset(mistakes, language, paper, "png", resolution)


def _typeset(
    mistakes: Sequence[Mistake], language: str, paper: str, kind: Literal["pdf", "png"], resolution: float = 110
) -> list[bytes]:
    if not 1 <= len(mistakes) <= MOST_DIAGRAMS:
        raise ValueError(f"a sheet has 1 to {MOST_DIAGRAMS} mistakes, not {len(mistakes)}")
    if language not in LANGUAGES:
        raise ValueError(f"there is no language {language!r}; there are {', '.join(LANGUAGES)}")
    if paper not in PAPERS:
        raise ValueError(f"there is no paper {paper!r}; there are {', '.join(PAPERS)}")
    gettext = translations(language).gettext
    data = {
        "language": language,
        "paper": paper,
        **{name: gettext(_WORDS[name]) for name in ("title", "about", "solutions")},
        "tasks": [_task(number, one, language) for number, one in enumerate(mistakes, 1)],
    }
    return typeset(_TEMPLATE, data, kind, resolution)


def _task(number: int, mistake: Mistake, language: str) -> dict[str, Any]:
    """A diagram with its words, and its solution."""
    from babel.dates import format_date

    start = check_mistake(mistake)
    catalogue = translations(language, mistake.game in STONE_GAMES)
    gettext, lost = catalogue.gettext, round(mistake.stones)
    stones = catalogue.ngettext(*_STONES, lost) % {"n": lost}
    side = gettext(_WORDS["white" if start.to_move is Side.WHITE else "black"])
    where = gettext(_WORDS["move"]) % {"n": mistake.position.split()[4]}
    day = format_date(datetime.fromtimestamp(mistake.made / 1000, UTC), locale=language)
    return {
        "number": number,
        "board": svg_board(start, below=start.to_move, theme="print"),
        "alt": f"{side}: {start}",
        "side": side,
        "source": printable(" · ".join((gettext(GAME_NAMES[mistake.game]), where, day))),
        "played": gettext(_WORDS["played" if lost else "close"]) % {"move": mistake.played, "stones": stones},
        "solution": _solution(mistake, language),
    }


def _solution(mistake: Mistake, language: str) -> dict[str, str]:
    """The better moves: the best, why it is, the line expected, and what else is accepted."""
    catalogue = translations(language, mistake.game in STONE_GAMES)
    best, *others = mistake.right
    line = mistake.line(best)
    found = reasons(mistake.start(), best, line[1:], mistake.line(mistake.played))
    also = catalogue.gettext(_WORDS["or"]) % {"moves": ", ".join(map(str, others))} if others else ""
    return {
        "moves": " ".join(filter(None, (str(best), also))),
        "why": reasons_text(catalogue, found[:2], mistake.game),
        "line": " ".join(map(str, line[:_PLIES])) if len(line) > 1 else "",
    }
