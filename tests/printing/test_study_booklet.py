"""The booklet of a study: made in every language, opened again, and read."""

from __future__ import annotations

import pytest

from korgool.app.printing import PAPERS, BookletError, study_pdf, study_png
from korgool.app.printing.study_booklet import MOST_DIAGRAMS
from korgool.languages import LANGUAGES, translations
from korgool.training.study import Study, read_study
from tests.printing.reading import pages, sizes, squeezed

FILE = """[StudyName "Биринчи жүрүш"]
[ChapterName "Тутуу"]
[Annotator "Үсөнбаев #1"]

{Look at the ninth hole.} 1. 76(10) $1 {[%cal Gf1e2] It takes ten.}
(1. 65(10) {also *takes* $x$} 1... 76) 1... 55(10) 2. 33 *

[White "Aibek"]
[Black "Elena"]
[ChapterMode "conceal"]

1. 76(10) {Takes ten.} *

[FEN "1S,8/2S,8 80 79 S 40"]

{Who reaches 82?} *
"""


def study() -> Study:
    return read_study(FILE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_booklet_has_all_that_stands_in_the_study(language: str) -> None:
    gettext = translations(language).gettext
    text = pages(study_pdf(study(), language=language))
    assert text[0].startswith("Биринчи жүрүш Үсөнбаев #1")
    assert gettext("Chapters") in text[0]
    branch = "(1. 65(10) also *takes* $x$ 1… 76(2))"
    for words in ("Look at the ninth hole.", "1. 76(10)! It takes ten.", branch, "2. 33"):
        assert squeezed(words) in squeezed(" ".join(text[1:])), words
    body, answers = squeezed(" ".join(text)).split(squeezed(gettext("Answers")))
    assert squeezed(gettext("Find the moves. They stand at the end of the booklet.")) in body
    assert "Takesten." not in body
    assert "Takesten." in answers
    assert "[%cal" not in " ".join(text)


@pytest.mark.parametrize("paper", PAPERS)
def test_both_papers(paper: str) -> None:
    pdf = study_pdf(study(), paper=paper)
    assert set(sizes(pdf)) == {{"a4": (595, 842), "a5": (420, 595)}[paper]}
    assert pdf == study_pdf(study(), paper=paper)
    assert all(picture.startswith(b"\x89PNG") for picture in study_png(study(), paper=paper, resolution=30))


def test_texts_of_users_are_texts() -> None:
    evil = read_study('[StudyName "#panic()"]\n\n1. 76(10) {#read("/etc/passwd") \\u202e ' + "x" * 5000 + "} *\n")
    text = squeezed(study_pdf(evil))
    assert "#panic()" in text
    assert '#read("/etc/passwd")' in text


def test_an_empty_study_is_a_title_page() -> None:
    (first, *_) = pages(study_pdf(Study()))
    assert "Study without a title" in first


def test_what_is_too_long_is_refused() -> None:
    with pytest.raises(BookletError, match=f"at most {MOST_DIAGRAMS} diagrams"):
        study_pdf(read_study(("1. 76(10) {[#]} " + "(1. 65(10) {[#]}) " * 10 + "*\n") * 40))
    for wrong in ({"language": "xx"}, {"paper": "a3"}):
        with pytest.raises(ValueError, match="there is no"):
            study_pdf(Study(), **wrong)
