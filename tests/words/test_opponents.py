"""The opponents: names, faces and lines that are true of how each level plays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import korgool.app
from korgool.app.words.opponents import OPPONENTS, opponent_name, opponent_title, people_rating, strength
from korgool.engine.games import FIGURES
from korgool.engine.levels import NUMBERS
from korgool.engine.perfect import PERFECT
from korgool.languages import LANGUAGES, translations

FACES = Path(korgool.app.__path__[0], "static", "faces.svg").read_text(encoding="utf-8")


def test_every_level_and_perfect_play_is_an_opponent() -> None:
    assert [one.number for one in OPPONENTS] == [*NUMBERS, PERFECT]


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_has_the_name_or_the_character_of_another(language: str) -> None:
    gettext = translations(language).gettext
    for texts in ([gettext(one.name) for one in OPPONENTS], [gettext(one.line) for one in OPPONENTS]):
        assert len(set(texts)) == len(OPPONENTS)


def test_faces_differ_by_shape() -> None:
    drawn = re.findall(r'<symbol id="face-(\d)"[^>]*>(.*?)</symbol>', FACES)
    assert [int(number) for number, _ in drawn] == [one.number for one in OPPONENTS]
    assert len({tuple(re.findall(r' (?:d|cx|r)="([^"]+)"', body)) for _, body in drawn}) == len(OPPONENTS)


@pytest.mark.parametrize("game", FIGURES)
def test_lines_are_true_of_the_levels(game: str) -> None:
    """What the lines say: how far each looks, that it gives away less and less, and that the last ones give nothing."""
    levels = FIGURES[game].levels
    assert [level.depth for level in levels[:3]] == [1, 2, 2]
    assert levels[3].depth in (2, 3)
    assert (levels[4].depth, levels[5].depth) in [(4, 6), (3, 5)]
    losses = [level.loss for level in levels[:6]]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] >= 0.14  # Kulun lets captures go
    assert losses[5] <= 0.03  # Argymak gives few presents
    assert levels[6].spread == levels[7].spread == 0
    assert (levels[6].nodes or 0) >= 2000
    assert levels[7] == type(levels[7])(8)


def test_strengths_in_words() -> None:
    assert [opponent_title(str, number) for number in (1, 8, PERFECT, 800)] == [
        "Kulun · level 1",
        "Chalkuyruk · level 8",
        "Tulpar · perfect",
        "rating 800",
    ]
    assert (opponent_name(str, 800), strength(str, 800)) == ("Engine", "rating 800")
    assert [people_rating(str, number) for number in (1, 6, 7, 8, PERFECT, 800)] == [
        "about 500",
        "about 1570",
        "above 1700",
        "above 1900",
        "",
        "",
    ]
    assert people_rating(str, 1, "mangala") == ""
