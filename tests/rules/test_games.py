"""The registry of games: every fact of it holds for every game."""

import re

import pytest

import korgool
from korgool import GAMES, Position, PositionError
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Settings
from korgool.competition.time_control import read_control
from korgool.notation.terminations import rules_of_variant
from korgool.rules.games import VARIANTS, Variant, game_of_board

each = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)


@each
def test_a_game_is_read_by_its_name_its_title_and_its_aliases(variant: Variant) -> None:
    for name in (variant.choices.name, variant.choices.title, *variant.aliases):
        assert rules_of_variant(name) == GAMES[variant.choices.name]
    assert all(re.fullmatch(r"[^\W_]+", alias) and alias == alias.lower() for alias in variant.aliases)


def test_no_two_games_share_a_name() -> None:
    names = [name for one in VARIANTS.values() for name in (one.choices.name, *one.aliases)]
    assert len(names) == len(set(names))


@each
def test_a_game_has_a_usual_clock(variant: Variant) -> None:
    assert read_control(variant.control).initial_ms >= variant.least_clock_ms >= 0


@each
def test_a_position_of_the_game_can_be_pasted_back(variant: Variant) -> None:
    start = GAMES[variant.choices.name].start()
    scope = {"Position": Position, **{name: getattr(korgool, name) for name in korgool.__all__}}
    assert eval(repr(start), scope) == start
    assert not variant.constant or getattr(korgool, variant.constant) == GAMES[variant.choices.name]


@each
def test_a_board_belongs_to_the_first_game_that_fits_it(variant: Variant) -> None:
    rules = GAMES[variant.choices.name]
    fitting = [one for one in GAMES.values() if one.holes == rules.holes]
    assert Position.parse(str(fitting[0].start())).rules == fitting[0]
    for tuz in (False, True):
        first = next((one for one in fitting if one.tuz or not tuz), fitting[0])
        assert game_of_board(rules.holes, tuz) == first.name


def test_a_board_of_no_game_names_those_there_are() -> None:
    with pytest.raises(PositionError, match=r"no game has 1 holes a side; toguz korgool has 9, mangala 6, bestemshe 5"):
        Position.parse("1S/1S 0 0 S 1")


@each
def test_an_event_takes_the_game_with_its_usual_clock(variant: Variant) -> None:
    settings = Settings(name="Cup", game=variant.choices.name)
    assert settings.rules() == GAMES[variant.choices.name]
    assert settings.time_control() == read_control(variant.control)


def test_an_event_of_a_game_that_nobody_knows_is_refused() -> None:
    with pytest.raises(CompetitionError, match=r"the game is one of toguz, .*, not 'chess'"):
        Settings(name="Cup", game="chess")
