"""Every game in the registry has figures, words and a picture; the pages show its holes and its rules."""

from __future__ import annotations

import pytest

from korgool.app.printing.form_words import form_words
from korgool.app.server.http.template_texts import words
from korgool.app.server.play.board_picture import BoardPicture
from korgool.app.words.games import GAME_WORDS, won_hole
from korgool.app.words.reasons import REASON_WORDS
from korgool.engine.games import FIGURES, figures_of
from korgool.languages import LANGUAGES
from korgool.rules import GAMES, Rules

each = pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)


def test_the_registries_name_the_same_games_in_the_same_order() -> None:
    assert list(FIGURES) == list(GAME_WORDS) == list(GAMES)


@each
def test_figures_fit_the_board(rules: Rules) -> None:
    figures = figures_of(rules)
    assert [level.number for level in figures.levels] == list(range(1, 9))
    assert len(figures.elo) == 8
    assert list(figures.elo) == sorted(figures.elo)
    assert [knot[0] for knot in figures.strengths] == sorted({knot[0] for knot in figures.strengths})
    assert len(figures.usual_plies) == len(figures.most_plies) == 21
    assert all(usual <= most for usual, most in zip(figures.usual_plies, figures.most_plies, strict=True))
    weights = figures.weights
    assert len(weights.own) == len(weights.other) == rules.holes
    assert len(weights.tuz_own) == len(weights.tuz_other) == (rules.holes if rules.tuz else 0)


@each
def test_the_words_stand_in_every_language(rules: Rules) -> None:
    for language in LANGUAGES:
        known = words(language)
        assert known["game_names"][rules.name]
        assert known["game_abouts"][rules.name]
        assert all(known["rules_in_short"][rules.name])
        assert form_words(rules, language)["legend"]


@each
def test_a_won_hole_has_its_word_where_there_is_one(rules: Rules) -> None:
    word = won_hole(rules)
    assert (word is not None) == rules.tuz
    if word not in (None, "tuz"):
        assert {f"{kind} {word}" for kind in ("tuz", "feeds", "stops_tuz", "allows_tuz")} <= set(REASON_WORDS)


@each
def test_the_picture_has_every_hole_and_both_stores(rules: Rules) -> None:
    for picture in BoardPicture.start(rules.name).pictures:
        assert [len(places) for places in picture.places.values()] == [rules.holes + 1] * 2
