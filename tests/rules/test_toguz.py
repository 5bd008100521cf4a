"""Toguz korgool by the texts of its rules, clause by clause."""

from __future__ import annotations

import pytest

from korgool import TOGUZ_KORGOOL, Outcome, Position, Side, Termination
from tests.rules.positions import board

EMPTY = [0] * 9


def test_start_has_nine_in_each_of_eighteen_holes() -> None:
    """WNG-TK §I, WIKI: 162 stones, empty stores, White begins."""
    start = TOGUZ_KORGOOL.start()
    assert start.holes == ((9,) * 9, (9,) * 9)
    assert start.stores == (0, 0)
    assert start.to_move is Side.WHITE
    assert start.legal_moves() == (1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert TOGUZ_KORGOOL.total == 162


def test_first_stone_stays_in_its_hole() -> None:
    """WNG-TK §I, §III: sowing begins with the hole it came from."""
    after = TOGUZ_KORGOOL.start().play(1)
    assert after.holes[Side.WHITE] == (1, 10, 10, 10, 10, 10, 10, 10, 10)


def test_sowing_goes_on_into_the_opponents_first_hole() -> None:
    """WNG-TK §III: after the ninth hole follows the opponent's first, then the second."""
    sowing = TOGUZ_KORGOOL.start().sow(9)
    assert [(drop.side, drop.hole) for drop in sowing.drops] == [
        (Side.WHITE, 9),
        *((Side.BLACK, hole) for hole in range(1, 9)),
    ]


def test_single_stone_moves_on_and_leaves_its_hole_empty() -> None:
    """WNG-TK §III."""
    after = board([0, 1, 0, 5, 5, 5, 5, 5, 5], [9] * 9).play(2)
    assert after.holes[Side.WHITE] == (0, 0, 1, 5, 5, 5, 5, 5, 5)


def test_even_count_at_the_opponent_is_captured() -> None:
    """WNG-TK §III: 7 from the start ends in Black's 6 and makes 10."""
    sowing = TOGUZ_KORGOOL.start().sow(7)
    assert sowing.captured == ((Side.BLACK, 6, 10),)
    assert sowing.after.stores == (10, 0)
    assert sowing.after.holes[Side.BLACK][5] == 0


def test_single_stone_that_makes_two_captures() -> None:
    """WNG-TK §III with docs/rules/options.md: a capture asks for no more than an even count."""
    sowing = board([0] * 8 + [1], [1, 5, 5, 5, 5, 5, 5, 5, 5]).sow(9)
    assert sowing.taken == 2


def test_odd_count_at_the_opponent_stays() -> None:
    """RU §III: nothing happens in an odd hole."""
    sowing = board([0] * 8 + [2], [4, 5, 5, 5, 5, 5, 5, 5, 5]).sow(9)
    assert sowing.taken == 0
    assert sowing.after.holes[Side.BLACK][0] == 5


@pytest.mark.parametrize("before", [1, 2, 3])
def test_nothing_is_taken_on_the_own_side(before: int) -> None:
    """WNG-TK §III, WIKI: a last stone on the own side takes nothing, even or odd."""
    sowing = board([2, before, 0, 0, 0, 0, 0, 0, 0], [9] * 9).sow(1)
    assert sowing.captured == ()
    assert sowing.tuz is None
    assert sowing.after.holes[Side.WHITE][:2] == (1, before + 1)


def test_eighteen_stones_end_before_the_origin_and_nineteen_in_it() -> None:
    """WIKI: no hole is jumped over, on no lap (docs/rules/options.md, sowing)."""
    for stones, last in ((18, 3), (19, 4)):
        sowing = board([0, 0, 0, stones, 0, 0, 0, 0, 0], [9] * 9).sow(4)
        assert (sowing.last.side, sowing.last.hole) == (Side.WHITE, last)


@pytest.mark.parametrize("stones", [36, 37, 55, 110])
def test_big_holes_lose_no_stone(stones: int) -> None:
    """Several laps, also over both tuz (WIKI: one by one, none jumped over)."""
    position = board([stones] + [0] * 8, [0] * 8 + [2], tuz=(4, 5))
    sowing = position.sow(1)
    after = sowing.after
    assert len(sowing.drops) == sowing.lifted == stones
    assert sum(after.holes[0]) + sum(after.holes[1]) + sum(after.stores) == 162
    assert after.holes[Side.BLACK][3] == after.holes[Side.WHITE][4] == 0


def three(hole: int, *, tuz: tuple[int | None, int | None] = (None, None), others: int = 5) -> Position:
    """White's ninth hole ends in Black's `hole`, which holds two."""
    black = [others] * 9
    black[hole - 1] = 2
    if tuz[0] is not None:
        black[tuz[0] - 1] = 0
    white = [others] * 8 + [hole + 1]
    if tuz[1] is not None:
        white[tuz[1] - 1] = 0
    return board(white, black, tuz=tuz)


@pytest.mark.parametrize("hole", range(1, 9))
def test_three_make_a_tuz_and_go_to_the_store(hole: int) -> None:
    """WNG-TK §IV: two lie there, the last stone makes three, all three are taken."""
    position = three(hole)
    sowing = position.sow(9)
    assert sowing.tuz == hole
    assert sowing.after.tuz == (hole, None)
    assert sowing.after.stores[0] == position.stores[0] + 3
    assert sowing.after.holes[Side.BLACK][hole - 1] == 0


def test_the_ninth_hole_cannot_be_a_tuz() -> None:
    """WNG-TK §IV: the move is legal and the three stay."""
    sowing = three(9).sow(9)
    assert sowing.tuz is None
    assert sowing.taken == 0
    assert sowing.after.holes[Side.BLACK][8] == 3


def test_one_tuz_a_game() -> None:
    """WNG-TK §IV: a player declares a tuz only once, and cannot change it."""
    after = three(3, tuz=(6, None)).play(9)
    assert after.tuz == (6, None)
    assert after.holes[Side.BLACK][2] == 3


@pytest.mark.parametrize("number", range(1, 9))
def test_no_tuz_with_the_number_of_the_opponents(number: int) -> None:
    """WNG-TK §IV, WIKI: symmetrical holes cannot both be tuz; every other number can."""
    for hole in range(1, 9):
        made = three(hole, tuz=(None, number)).sow(9).tuz
        assert made == (None if hole == number else hole)


@pytest.mark.parametrize("number", range(1, 9))
def test_the_same_holds_for_black(number: int) -> None:
    """WNG-TK §IV, with the sides exchanged."""
    for hole in range(1, 9):
        position = three(hole, tuz=(None, number))
        black, white = position.holes
        tuz = (number, None)
        turned = board(white, black, (position.stores[1], position.stores[0]), tuz=tuz, mover=Side.BLACK)
        assert turned.sow(9).tuz == (None if hole == number else hole)


def test_a_tuz_is_not_made_on_the_own_side() -> None:
    """WNG-TK §IV: the socket must be the opponent's."""
    sowing = board([2, 2, 0, 0, 0, 0, 0, 0, 0], [9] * 9).sow(1)
    assert sowing.tuz is None
    assert sowing.after.holes[Side.WHITE][1] == 3


@pytest.mark.parametrize("mover", list(Side))
def test_stones_in_a_tuz_go_to_its_owner_whoever_sows(mover: Side) -> None:
    """WNG-TK §IV: all stones that get into the tuz are the owner's."""
    position = board([1, 0, 1, 1, 1, 1, 1, 1, 12], [0, 1, 1, 1, 1, 1, 1, 1, 12], (60, 64), tuz=(1, 2), mover=mover)
    after = position.play(9)
    assert after.holes[Side.BLACK][0] == 0
    assert after.holes[Side.WHITE][1] == 0
    gained = [after.stores[side] - position.stores[side] for side in Side]
    # Twelve stones from either ninth hole pass both tuz once.
    assert gained == [1, 1]


def test_a_last_stone_in_a_tuz_is_no_capture_and_no_new_tuz() -> None:
    """docs/rules/options.md, stones into a tuz."""
    position = board([5] * 8 + [2], [0] + [5] * 8, tuz=(1, None))
    sowing = position.sow(9)
    assert sowing.captured == ()
    assert sowing.last.tuz_owner is Side.WHITE
    assert sowing.after.stores[0] == position.stores[0] + 1


def test_nobody_sows_from_a_tuz() -> None:
    """WIKI: a player takes the stones of a hole that is not a tuz."""
    position = board([0] + [5] * 8, [5] * 9, tuz=(None, 1))
    assert 1 not in position.legal_moves()
    with pytest.raises(ValueError, match="it is a tuz"):
        position.play(1)


def test_eighty_two_end_the_game_and_the_rest_is_nobodys() -> None:
    """WNG-TK §V: the game is stopped and recorded as 1 (82) - 0 (60)."""
    position = board([5, 0, 0, 0, 0, 0, 0, 0, 2], [1, 9, 0, 0, 0, 0, 0, 0, 5], (80, 60))
    sowing = position.sow(9)
    assert sowing.outcome == Outcome(Side.WHITE, Termination.MAJORITY, (82, 60))
    assert sowing.outcome.result_text == "1 (82) - 0 (60)"
    assert sowing.after.legal_moves() == ()


def test_eighty_one_do_not_end_the_game() -> None:
    """WNG-TK §V: 82 and more."""
    assert board([0, 0, 0, 0, 0, 0, 0, 0, 3], [9] + [0] * 8, (81, 69)).outcome() is None


def test_eighty_one_each_is_a_draw() -> None:
    """WNG-TK §V, §IX: 0.5 (81) - 0.5 (81)."""
    outcome = board(EMPTY, EMPTY, (81, 81)).outcome()
    assert outcome == Outcome(None, Termination.EQUAL, (81, 81))
    assert outcome is not None
    assert outcome.result_text == "0.5 (81) - 0.5 (81)"


def test_no_stone_on_the_movers_side_ends_the_game() -> None:
    """WNG-TK §V, WIKI: the stones left belong to the side they lie on."""
    outcome = board(EMPTY, [0, 0, 3, 0, 0, 0, 0, 0, 4], (80, 75)).outcome()
    assert outcome == Outcome(Side.BLACK, Termination.NO_MOVE, (80, 82), (0, 7))


def test_no_move_can_be_a_draw() -> None:
    """WNG-TK §V: 81 for the player without stones is a draw."""
    outcome = board(EMPTY, [0, 0, 3, 0, 0, 0, 0, 0, 4], (81, 74)).outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.result_text) == (None, "0.5 (81) - 0.5 (81)")


def test_play_goes_on_for_who_has_stones_when_the_opponent_has_none() -> None:
    """docs/rules/options.md, no move: tested when that player is to move, not when they empty their own side."""
    position = board([0] * 8 + [1], [0, 5, 0, 0, 0, 0, 0, 0, 0], (78, 78))
    after = position.play(9)
    assert after.holes[Side.WHITE] == tuple(EMPTY)
    assert after.outcome() is None
    assert after.legal_moves() == (1, 2)


def test_black_wins_and_is_written_second() -> None:
    """WNG-TK §IX: 0 (60) - 1 (82)."""
    outcome = board([0] * 9, [0] * 9, (60, 102)).outcome()
    assert outcome is not None
    assert (outcome.result, outcome.result_text) == ("0-1", "0 (60) - 1 (102)")
