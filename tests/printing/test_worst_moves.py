"""The sheet of one's worst moves: made in every language, opened again, and read."""

from __future__ import annotations

import pytest
from msgspec import structs

from korgool.app.printing import PAPERS, worst_moves_pdf, worst_moves_png
from korgool.languages import LANGUAGES, translations
from korgool.rules import GAMES
from korgool.training.mistakes import Mistake
from tests.printing.reading import pages
from tests.training.mistakes import mistake


def sheet(count: int = 20) -> list[Mistake]:
    """Mistakes of all games; every other one is Black's."""
    names = list(GAMES)
    return [mistake(names[at % len(names)], 1 + at % 5, made=1_790_000_000_000 + at * 10**8) for at in range(count)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_twenty_moves_fill_two_sheets_and_their_answers_follow(language: str) -> None:
    gettext = translations(language).gettext
    text = pages(worst_moves_pdf(sheet(), language=language))
    assert len(text) == 3
    assert gettext("Your worst moves") in text[0]
    assert gettext("Better moves") not in text[0] + text[1]
    assert gettext("Better moves") in text[2]
    assert (text[0] + text[1]).count(gettext("White to move")) == 20
    for number in range(1, 21):
        assert f"{number}. " in text[2]


@pytest.mark.parametrize("paper", PAPERS)
def test_a_few_moves_have_their_answers_at_the_foot_of_the_same_sheet(paper: str) -> None:
    (text,) = pages(worst_moves_pdf(sheet(3), paper=paper))
    assert "You played 1 and lost about 12 stones." in text
    assert "Toguz korgool · move" in text
    assert "Better moves" in text


def test_a_loss_that_is_no_stone_is_a_mistake_all_the_same() -> None:
    (text,) = pages(worst_moves_pdf([mistake(stones=0.2)]))
    assert "You played 1, which was a mistake." in text


def test_the_same_moves_give_the_same_bytes_and_pictures() -> None:
    assert worst_moves_pdf(sheet(2)) == worst_moves_pdf(sheet(2))
    (picture,) = worst_moves_png(sheet(2), resolution=30)
    assert picture.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("mistakes", "options", "reason"),
    [
        ([], {}, "1 to 20 mistakes, not 0"),
        (sheet(21), {}, "not 21"),
        (sheet(1), {"language": "xx"}, "no language 'xx'"),
        (sheet(1), {"paper": "a3"}, "no paper 'a3'"),
        ([structs.replace(mistake(), position="1/1")], {}, "position"),
        ([structs.replace(mistake(), right=(77,))], {}, "accepted moves"),
    ],
)
def test_what_cannot_be_printed_is_refused(mistakes: list[Mistake], options: dict[str, str], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        worst_moves_pdf(mistakes, **options)
