"""Certificates for the children of a class: framed, with what was done, and room for a signature and a stamp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from korgool.app.printing.form_pages import PAPERS
from korgool.app.printing.typesetting import printable, typeset
from korgool.app.words.event_texts import day_text
from korgool.languages import LANGUAGES, N_, translations

MOST_PAGES = 500
MOST_LINES = 14
"""Tasks on a certificate; of more their number is told."""
_TEMPLATE = Path(__file__).with_name("class_certificate.typ")
_WORDS = {
    "title": N_("Certificate"),
    "about": N_("has done in this class:"),
    "more": N_("and %(n)s more"),
    "trainer": N_("Trainer, signature"),
    "stamp": N_("Place for a stamp"),
}
_HORN = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 13"><path fill="none" stroke="#9a6a14" stroke-width="1.6" '
    'stroke-linecap="round" d="M1 12h34M18 12V5C18 1 12 0 11 4c-.6 2.6 3 3.2 3 .8M18 5c0-4 6-5 7-1 '
    '.6 2.6-3 3.2-3 .8"/></svg>'
)
_HORNS = {"a4": 11, "a5": 11}


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate of one child.

    Attributes:
        name: of the child.
        done: each task with its result, in words of the language.
    """

    name: str
    done: tuple[tuple[str, str], ...]


def certificates_pdf(
    class_name: str, children: Sequence[Certificate], *, date: str, language: str = "en", paper: str = "a4"
) -> bytes:
    """A page for each child as PDF. The same values give the same bytes.

    Args:
        class_name: the name of the class.
        children: 1 to `MOST_PAGES`.
        date: the day, such as `2026-11-30`.
        language: one of `korgool.languages.LANGUAGES`.
        paper: `a4` or `a5`.

    Raises:
        ValueError: there are none or too many children, or there is no such language or paper.
        ImportError: the part `print` is not installed.
    """
    if not 1 <= len(children) <= MOST_PAGES:
        raise ValueError(f"certificates are printed for 1 to {MOST_PAGES} children, not {len(children)}")
    if language not in LANGUAGES:
        raise ValueError(f"there is no language {language!r}; there are {', '.join(LANGUAGES)}")
    if paper not in PAPERS:
        raise ValueError(f"there is no paper {paper!r}; there are {', '.join(PAPERS)}")
    gettext = translations(language).gettext
    words = {name: gettext(word) for name, word in _WORDS.items()}
    data = {
        "language": language,
        "paper": paper,
        "title": words["title"],
        "about": words["about"],
        "class": printable(class_name),
        "date": day_text(date, language) or printable(date),
        "horn": _HORN,
        "horns": _HORNS[paper],
        "words": words,
        "pages": [
            {
                "name": printable(one.name),
                "done": [[printable(what), printable(told)] for what, told in one.done[:MOST_LINES]],
                "more": words["more"] % {"n": len(one.done) - MOST_LINES} if len(one.done) > MOST_LINES else "",
            }
            for one in children
        ],
    }
    return typeset(_TEMPLATE, data, "pdf")[0]
