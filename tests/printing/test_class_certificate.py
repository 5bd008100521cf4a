"""Certificates of a class: made, opened again, and read."""

from __future__ import annotations

import pytest

from korgool.app.printing.class_certificate import MOST_LINES, Certificate, certificates_pdf
from korgool.languages import LANGUAGES
from tests.printing.reading import pages, sizes

MARKUP = '#panic("x") *a* $c$ [d] #sys.inputs @f'
NAMES = {
    "en": "Anne-Marie O'Brien",
    "ky": "Өмүрбек Жаңыбаев Үсөнов",
    "kk": "Ұлбосын Әбдірахманқызы Ғани Іңкәр Һәкім",
    "ru": "Ёлка Щербакова-Фьюджи Объедков",
    "tr": "Çağrı Işıl Şükrü İpek Öğün",
}
"""Letters that only one of the languages has."""
DONE = (("Lesson: Sow", "3 of 3 stars"),)


def test_names_in_every_letter_of_every_language() -> None:
    assert set(NAMES) == set(LANGUAGES)
    for language in LANGUAGES:
        made = pages(
            certificates_pdf(
                "4b", [Certificate(name, DONE) for name in NAMES.values()], date="2026-11-30", language=language
            )
        )
        assert [name in page for name, page in zip(NAMES.values(), made, strict=True)] == [True] * len(NAMES)


def test_what_was_done_stands_there_and_nothing_is_run() -> None:
    many = tuple((f"Lesson {number}", f"{number} right") for number in range(MOST_LINES + 3))
    pdf = certificates_pdf(MARKUP, [Certificate(MARKUP, DONE), Certificate("x" * 300, many)], date="2026-11-30")
    one, two = pages(pdf)
    assert MARKUP in one
    assert "3 of 3 stars" in one
    assert "30 November 2026" in one
    assert f"Lesson {MOST_LINES - 1}" in two
    assert "and 3 more" in two
    assert sizes(pdf) == [(842, 595)] * 2
    assert certificates_pdf("4b", [Certificate("A", DONE)], date="x") == certificates_pdf(
        "4b", [Certificate("A", DONE)], date="x"
    )


def test_what_cannot_be_printed_is_refused() -> None:
    for children, more in (([], {}), ([Certificate("A", DONE)] * 501, {}), ([Certificate("A", ())], {"paper": "a3"})):
        with pytest.raises(ValueError, match=r"print|paper"):
            certificates_pdf("4b", children, date="2026-11-30", **more)
