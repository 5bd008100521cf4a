"""Mistakes seen in other programs, each of which would fail here (docs/rules/options.md, known wrong elsewhere)."""

from __future__ import annotations

from korgool import Outcome, Side, Termination
from tests.rules.positions import board


def test_not_over_when_only_the_opponents_row_is_empty() -> None:
    """Ending when either row is empty."""
    position = board([0, 0, 0, 0, 0, 0, 0, 5, 6], [0] * 9, (76, 75))
    assert position.outcome() is None
    assert position.legal_moves() == (8, 9)


def test_not_over_when_the_mover_empties_his_own_row() -> None:
    """Ending when either row is empty, on the other side."""
    after = board([0] * 8 + [1], [4, 3, 0, 0, 0, 0, 0, 0, 0], (77, 77)).play(9)
    assert after.holes[Side.WHITE] == (0,) * 9
    assert after.outcome() is None


def test_the_leftover_belongs_to_its_side() -> None:
    """Giving the leftover to nobody."""
    outcome = board([0] * 9, [1, 0, 0, 0, 0, 0, 0, 0, 9], (81, 71)).outcome()
    assert outcome == Outcome(None, Termination.NO_MOVE, (81, 81), (0, 10))


def test_no_tuz_in_hole_nine_for_either_side() -> None:
    """A tuz in hole 9."""
    white = board([5] * 8 + [10], [5] * 8 + [2])
    assert white.sow(9).tuz is None
    black = board([5] * 8 + [2], [5] * 8 + [10], mover=Side.BLACK)
    assert black.sow(9).tuz is None


def test_same_number_is_refused_to_both_sides() -> None:
    """Comparing index 9..17 with 0..8, so that one side is never refused."""
    white = board([5, 5, 5, 0, 5, 5, 5, 5, 5], [5, 5, 5, 2, 5, 5, 5, 5, 5], tuz=(None, 4))
    assert white.sow(9).last.hole == 4
    assert white.sow(9).tuz is None
    black = board([5, 5, 5, 2, 5, 5, 5, 5, 5], [5, 5, 5, 0, 5, 5, 5, 5, 5], tuz=(4, None), mover=Side.BLACK)
    assert black.sow(9).last.hole == 4
    assert black.sow(9).tuz is None


def test_the_number_compared_is_the_tuz_not_the_origin() -> None:
    """Comparing the opponent's tuz with the hole the move started from."""
    from_its_own_number = board([0] * 7 + [0, 5], [5, 5, 5, 2, 5, 5, 5, 5, 5], tuz=(None, 8))
    assert from_its_own_number.sow(9).tuz == 4
    origin_equals_tuz = board([5] * 7 + [3, 0], [2, 5, 5, 5, 5, 5, 5, 0, 5], tuz=(8, None), mover=Side.WHITE)
    assert origin_equals_tuz.sow(8).tuz is None  # White owns one already
    black = board([5, 5, 5, 5, 5, 5, 5, 5, 2], [5, 0, 5, 5, 5, 5, 5, 5, 3], tuz=(2, None), mover=Side.BLACK)
    assert black.sow(9).tuz is None  # two in hole 2 are five
    made = board([5, 2, 5, 5, 5, 5, 5, 5, 5], [5, 5, 0, 5, 5, 5, 5, 5, 3], tuz=(3, None), mover=Side.BLACK)
    assert made.sow(9).tuz == 2


def test_a_hole_of_36_or_more_loses_nothing() -> None:
    """Losing stones when a hole of 36 or more is sown."""
    for stones in range(36, 120):
        position = board([0, 0, 0, 0, stones, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0, 0], tuz=(1, 2))
        after = position.play(5)
        assert sum(map(sum, after.holes)) + sum(after.stores) == 162
        laps = [drop for drop in position.sow(5).drops if drop.tuz_owner is not None]
        assert len(laps) == sum((step + 4) % 18 in (9, 1) for step in range(stones))


def test_82_by_the_opponents_stone_in_ones_tuz_ends_the_game() -> None:
    """Missing 82 when the stone came from the opponent."""
    position = board(
        [9, 0, 0, 0, 0, 0, 0, 0, 9], [0, 4, 0, 0, 0, 0, 3, 0, 3], (81, 53), tuz=(8, None), mover=Side.BLACK
    )
    sowing = position.sow(7)
    assert sowing.mover is Side.BLACK
    assert sowing.outcome == Outcome(Side.WHITE, Termination.MAJORITY, (82, 53))
