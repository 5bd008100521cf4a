"""One word for one thing in every language: the catalogues, the rules and the guide against the list of terms."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from korgool.languages import LANGUAGES
from korgool.languages.terms import Term, catalogue_faults, terms, text_faults

ROOT = Path(__file__).parents[2]
APP = ROOT / "src" / "korgool" / "app"


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_use_the_words_of_the_list(language: str) -> None:
    faults = catalogue_faults(language)
    assert not faults, "see src/korgool/languages/terms.toml:\n" + "\n".join(faults)


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_and_guide_use_the_words_of_the_list(language: str) -> None:
    pages = [*(APP / "rulebook" / language).glob("*.md"), *(APP / "guide" / language).glob("*.md")]
    assert len(pages) > 10
    faults = [
        fault
        for page in pages
        for fault in text_faults(language, page.read_text(encoding="utf-8"), str(page.relative_to(ROOT)))
    ]
    assert not faults, "see src/korgool/languages/terms.toml:\n" + "\n".join(faults)


def test_each_term_is_whole() -> None:
    """A term with an English word says it in the other languages, and `never` names languages that exist."""
    for term in terms():
        assert set(term.words) <= set(LANGUAGES) - {"en"}, term.name
        assert term.english is None or {"ky", "kk", "ru", "tr"} <= set(term.words), term.name
        assert set(term.never) <= set(LANGUAGES), term.name
        assert term.english is not None or term.never, term.name


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ky", "Каршылашыңыз жүрдү."),
        ("ky", "3-тактай"),
        ("kk", "Рейтингілік ойын"),
        ("kk", "ақ пен қара"),
        ("ru", "Партии с днями на ход"),
        ("ru", "Полуход 5"),
        ("tr", "bu aygıtta"),
        ("tr", "Arkadaşınla oyna"),
        ("en", "After ply 5"),
    ],
)
def test_another_word_is_found(language: str, text: str) -> None:
    (fault,) = {fault.split(":")[0] for fault in text_faults(language, f"\n{text}", "a.md")}
    assert fault == "a.md, line 2"


def test_a_missing_word_is_found_where_the_english_text_has_it() -> None:
    tuz = Term("tuz", re.compile(r"\btuz\b"), {"tr": re.compile(r"\btuz")})
    assert list(tuz.missing("tr", "the tuz is won", "kale kazanıldı")) == [r"tuz: no '\\btuz'"]
    assert not list(tuz.missing("tr", "the tuz is won", "tuz kazanıldı"))
    assert not list(tuz.missing("tr", "the castle is won", "kale kazanıldı"))
    assert not list(tuz.missing("ky", "the tuz is won", "алынды"))
