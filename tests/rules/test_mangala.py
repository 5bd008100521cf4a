"""Mangala by the text of its rules (WNG-M §I to §III)."""

from __future__ import annotations

from dataclasses import replace

from korgool import MANGALA, Outcome, Position, Side, Termination
from tests.rules.positions import board


def mangala(
    white: list[int],
    black: list[int],
    stores: tuple[int, int] | None = None,
    mover: Side = Side.WHITE,
) -> Position:
    return board(white, black, stores, rules=MANGALA, mover=mover)


def test_start_has_four_in_each_of_twelve_holes() -> None:
    """WNG-M §I: 48 stones, empty stores."""
    assert MANGALA.start().holes == ((4,) * 6, (4,) * 6)
    assert MANGALA.total == 48


def test_first_stone_stays_and_the_own_store_is_sown() -> None:
    """WNG-M §III.1: one stone back, then counter-clockwise, the own store included."""
    after = MANGALA.start().play(6)
    assert after.holes == ((4, 4, 4, 4, 4, 1), (5, 5, 4, 4, 4, 4))
    assert after.stores == (1, 0)
    assert after.to_move is Side.BLACK


def test_last_stone_in_the_own_store_gives_another_turn() -> None:
    """WNG-M §III.1: the same player moves again."""
    sowing = MANGALA.start().sow(4)
    assert sowing.extra_turn
    assert sowing.after.to_move is Side.WHITE
    assert sowing.after.fullmove == 1


def test_a_single_stone_moves_to_its_right() -> None:
    """WNG-M §III.1."""
    after = mangala([1, 5, 0, 0, 0, 4], [4] * 6).play(1)
    assert after.holes[Side.WHITE] == (0, 6, 0, 0, 0, 4)
    assert after.to_move is Side.BLACK


def test_a_single_stone_into_the_store_gives_another_turn() -> None:
    """docs/rules/options.md, extra turn; the option reads rule 1's "the turn passes" literally."""
    position = mangala([4, 0, 0, 0, 0, 1], [4] * 6)
    assert position.play(6).to_move is Side.WHITE
    strict = replace(position, rules=replace(MANGALA, extra_turn_single=False))
    assert strict.play(6).to_move is Side.BLACK


def test_the_opponents_store_is_skipped() -> None:
    """docs/rules/options.md, sowing: 14 stones end in the origin, one in every other hole and one in the own store."""
    sowing = mangala([1, 14, 1, 1, 1, 1], [1] * 6, (23, 0)).sow(2)
    assert (sowing.last.side, sowing.last.hole) == (Side.WHITE, 2)
    assert sowing.after.holes == ((2, 2, 2, 2, 2, 2), (2, 2, 2, 2, 2, 2))
    assert sowing.after.stores == (24, 0)


def test_even_count_at_the_opponent_is_captured() -> None:
    """WNG-M §III.2."""
    sowing = mangala([0, 0, 0, 0, 0, 3], [3, 4, 4, 4, 4, 4]).sow(6)
    assert sowing.captured == ((Side.BLACK, 1, 4),)
    assert sowing.after.to_move is Side.BLACK


def test_three_stay() -> None:
    """WNG-M §III has no castle."""
    sowing = mangala([1, 0, 0, 0, 0, 3], [2, 4, 4, 4, 4, 4]).sow(6)
    assert (sowing.tuz, sowing.taken, sowing.after.holes[Side.BLACK][0]) == (None, 0, 3)


def test_empty_own_hole_takes_itself_and_the_stones_opposite() -> None:
    """WNG-M §III.3: White's 3 lies opposite Black's 4."""
    sowing = mangala([0, 1, 0, 0, 0, 5], [4, 4, 4, 7, 4, 4]).sow(2)
    assert sowing.captured == ((Side.WHITE, 3, 1), (Side.BLACK, 4, 7))
    assert sowing.taken == 8
    assert sowing.after.holes == ((0, 0, 0, 0, 0, 5), (4, 4, 4, 0, 4, 4))


def test_empty_own_hole_with_nothing_opposite_takes_nothing() -> None:
    """WNG-M §III.3 asks for stones in the opposite pit."""
    sowing = mangala([0, 1, 0, 0, 0, 5], [4, 4, 4, 0, 4, 4]).sow(2)
    assert sowing.captured == ()
    assert sowing.after.holes[Side.WHITE] == (0, 0, 1, 0, 0, 5)


def test_an_own_hole_with_stones_takes_nothing() -> None:
    """WNG-M §III.3 asks for an empty pit."""
    assert mangala([0, 1, 1, 0, 0, 5], [4] * 6).sow(2).captured == ()


def test_who_empties_his_side_gains_the_stones_of_the_other() -> None:
    """WNG-M §III.4."""
    sowing = mangala([0, 0, 0, 0, 0, 1], [0, 3, 0, 2, 0, 0], (20, 22)).sow(6)
    assert sowing.outcome == Outcome(Side.WHITE, Termination.SIDE_EMPTY, (26, 22), (5, 0))
    assert not sowing.extra_turn


def test_who_was_emptied_by_a_capture_gains_too() -> None:
    """WNG-M §III.4 read literally: the player whose side is empty (docs/rules/options.md, rule 4)."""
    sowing = mangala([5, 0, 0, 0, 0, 3], [1, 0, 0, 0, 0, 0], (20, 19)).sow(6)
    assert sowing.taken == 2
    assert sowing.outcome == Outcome(Side.BLACK, Termination.SIDE_EMPTY, (23, 25), (0, 6))


def test_the_option_leaves_the_rest_to_the_side_it_lies_on() -> None:
    """docs/rules/options.md, rule 4, option sweep=owner."""
    position = mangala([0, 0, 0, 0, 0, 1], [0, 3, 0, 2, 0, 0], (20, 22))
    outcome = replace(position, rules=replace(MANGALA, sweep="owner")).sow(6).outcome
    assert outcome == Outcome(Side.BLACK, Termination.SIDE_EMPTY, (21, 27), (0, 5))


def test_empty_side_is_tested_within_a_turn() -> None:
    """docs/rules/options.md, rule 4: after every ply, also before an extra turn."""
    sowing = mangala([0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0], (23, 23)).sow(6)
    assert sowing.outcome is not None
    assert sowing.after.legal_moves() == ()


def test_most_stones_win_and_24_each_is_a_draw() -> None:
    """WNG-M §I, §II."""
    outcome = mangala([0] * 6, [0] * 6, (24, 24)).outcome()
    assert outcome is not None
    assert outcome.result_text == "0.5 (24) - 0.5 (24)"


def test_the_set_is_played_out_unless_stopping_at_25_is_chosen() -> None:
    """docs/rules/options.md, result."""
    position = mangala([2, 0, 0, 0, 0, 1], [3, 3, 3, 3, 3, 3], (25, 2))
    assert position.outcome() is None
    stopped = replace(position, rules=MANGALA.with_option("goal", "25")).outcome()
    assert stopped == Outcome(Side.WHITE, Termination.MAJORITY, (25, 2))
