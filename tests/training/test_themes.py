"""Themes: each holds where it is shown, and not in a position that lacks the one thing that it is about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from korgool.rules import GAMES, Side
from korgool.training.puzzle import Puzzle
from korgool.training.themes import THEMES, could_make_tuz, could_reach_goal, themes_of
from tests.training.puzzles import (
    AGAIN,
    CAPTURE,
    COUNTS,
    EMPTY,
    ENDING,
    FEEDS,
    NINTH,
    QUIET,
    STARVES,
    TUZ,
    puzzle,
)

CASTLE = puzzle("castle", "4S,4S,4S,4S,4S,2S/1,5S,5S,5S,5S,1S 0 0 S 2", 2)
"""Six stones of hole 2 would end in hole 1 of Black, where two lie, and make three."""
WITH = {
    "capture": CAPTURE,
    "make-tuz": TUZ,
    "castle": puzzle("castle", "4S,4S,4S,4S,4S,2S/1,6S,5S,5S,5S,1S 0 0 S 2", 2),
    "forbid-tuz": FEEDS,
    "feed-tuz": FEEDS,
    "ninth-hole": NINTH,
    "extra-turn": AGAIN,
    "empty-hole": EMPTY,
    "quiet": QUIET,
    "tempo": ENDING,
    "starve": STARVES,
    "count": COUNTS,
    "save": TUZ,
    "ending": ENDING,
}
WITHOUT = {
    "capture": [QUIET, TUZ, STARVES],
    "make-tuz": [QUIET, CAPTURE, WITH["castle"]],
    "castle": [TUZ, CASTLE],
    "forbid-tuz": [QUIET, CAPTURE],
    "feed-tuz": [QUIET, CAPTURE, AGAIN],
    "ninth-hole": [CAPTURE, TUZ, EMPTY],
    "extra-turn": [EMPTY, QUIET, replace(AGAIN, moves=((4,),))],
    "empty-hole": [AGAIN, CAPTURE],
    "quiet": [CAPTURE, TUZ, FEEDS, AGAIN],
    "tempo": [QUIET, STARVES, CAPTURE],
    "starve": [ENDING, EMPTY],
    "count": [QUIET, STARVES, EMPTY],
    "save": [CAPTURE, replace(TUZ, goal="win")],
    "ending": [QUIET, replace(ENDING, proof="search"), STARVES],
}


def test_every_theme_is_tried() -> None:
    assert set(WITH) == set(WITHOUT) == set(THEMES)


@pytest.mark.parametrize("theme", THEMES)
def test_a_theme_holds_where_it_is_shown(theme: str) -> None:
    assert theme in themes_of(WITH[theme])


@pytest.mark.parametrize(("theme", "other"), [(theme, other) for theme in WITHOUT for other in WITHOUT[theme]])
def test_a_theme_does_not_hold_elsewhere(theme: str, other: Puzzle) -> None:
    assert theme not in themes_of(other)


def test_a_line_that_reaches_the_goal_counts() -> None:
    takes = puzzle("toguz", "2,t,1S,2,16S,2/1,3S,1S,t,1S,1S,1S,2S,25S 81 30 S 32", 9)
    assert takes.sowings()[-1].after.stores[Side.WHITE] >= 82
    assert "count" in themes_of(takes)


def test_threats_are_looked_at_for_either_side() -> None:
    start = FEEDS.start
    assert could_make_tuz(start, Side.BLACK)
    assert not could_make_tuz(start.play(1), Side.BLACK)
    assert could_reach_goal(COUNTS.start, Side.BLACK)
    assert not could_reach_goal(COUNTS.start.play(8), Side.BLACK)
    assert not could_reach_goal(GAMES["mangala"].start(), Side.WHITE)
