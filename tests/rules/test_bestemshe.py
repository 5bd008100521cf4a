"""Bestemshe (docs/rules/options.md): toguz korgool's sowing and even capture on 2 rows of 5, without tuz."""

from __future__ import annotations

from korgool import BESTEMSHE, Outcome, Position, Side, Termination
from tests.rules.positions import board


def bestemshe(white: list[int], black: list[int], stores: tuple[int, int] | None = None) -> Position:
    return board(white, black, stores, rules=BESTEMSHE)


def test_start_has_five_in_each_of_ten_holes() -> None:
    assert BESTEMSHE.start().holes == ((5,) * 5, (5,) * 5)
    assert BESTEMSHE.total == 50


def test_even_capture() -> None:
    sowing = BESTEMSHE.start().sow(5)
    assert (sowing.last.side, sowing.last.hole) == (Side.BLACK, 4)
    assert sowing.captured == ((Side.BLACK, 4, 6),)


def test_three_make_no_tuz() -> None:
    sowing = bestemshe([1, 0, 0, 0, 2], [2, 5, 5, 5, 5]).sow(5)
    assert (sowing.tuz, sowing.taken, sowing.after.holes[Side.BLACK][0]) == (None, 0, 3)


def test_twenty_six_win_and_nothing_is_swept() -> None:
    sowing = bestemshe([1, 0, 0, 0, 2], [1, 0, 0, 0, 0], (24, 22)).sow(5)
    assert sowing.outcome == Outcome(Side.WHITE, Termination.MAJORITY, (26, 22))


def test_no_move_gives_the_rest_to_its_side() -> None:
    assert bestemshe([0] * 5, [0, 0, 3, 0, 0], (24, 23)).outcome() == Outcome(
        Side.BLACK, Termination.NO_MOVE, (24, 26), (0, 3)
    )


def test_twenty_five_each_is_a_draw() -> None:
    assert bestemshe([0] * 5, [0] * 5, (25, 25)).outcome() == Outcome(None, Termination.EQUAL, (25, 25))
