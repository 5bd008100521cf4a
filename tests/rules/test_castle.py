"""Mangala with the castle rule (WNG-M §IV)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from korgool import MANGALA_CASTLE, Outcome, Position, Side, Termination
from tests.rules.positions import board


def castle(
    white: list[int],
    black: list[int],
    stores: tuple[int, int] | None = None,
    tuz: tuple[int | None, int | None] = (None, None),
    mover: Side = Side.WHITE,
) -> Position:
    return board(white, black, stores, rules=MANGALA_CASTLE, tuz=tuz, mover=mover)


def test_stores_are_not_sown_and_give_no_extra_turn() -> None:
    """WNG-M §IV: the rule of putting stones into the storage does not apply."""
    after = MANGALA_CASTLE.start().play(6)
    assert after.holes == ((4, 4, 4, 4, 4, 1), (5, 5, 5, 4, 4, 4))
    assert after.stores == (0, 0)
    single = castle([4, 0, 0, 0, 0, 1], [4] * 6).sow(6)
    assert (single.last.side, single.last.hole) == (Side.BLACK, 1)
    assert single.after.to_move is Side.BLACK


def test_even_capture_stays() -> None:
    """WNG-M §IV: main rule 2 applies."""
    assert castle([1, 0, 0, 0, 0, 2], [3, 4, 4, 4, 4, 4]).sow(6).captured == ((Side.BLACK, 1, 4),)


def test_no_capture_from_an_empty_own_hole() -> None:
    """WNG-M §IV: main rule 3 does not apply."""
    assert castle([0, 1, 0, 0, 0, 5], [4] * 6).sow(2).captured == ()


@pytest.mark.parametrize("hole", range(1, 6))
def test_three_make_a_castle(hole: int) -> None:
    """WNG-M §IV: the pit is captured, its three are taken (docs/rules/options.md)."""
    black = [4] * 6
    black[hole - 1] = 2
    sowing = castle([1, 0, 0, 0, 0, hole + 1], black).sow(6)
    assert (sowing.tuz, sowing.taken) == (hole, 3)
    assert sowing.after.tuz == (hole, None)


def test_no_castle_on_the_sixth_pit() -> None:
    """WNG-M §IV."""
    sowing = castle([1, 0, 0, 0, 0, 7], [4, 4, 4, 4, 4, 2]).sow(6)
    assert sowing.tuz is None
    assert sowing.after.holes[Side.BLACK][5] == 3


def test_one_castle_a_set() -> None:
    """WNG-M §IV: each player can build a castle only once."""
    sowing = castle([1, 0, 0, 0, 0, 2], [2, 4, 0, 4, 4, 4], tuz=(3, None)).sow(6)
    assert sowing.after.tuz == (3, None)
    assert sowing.after.holes[Side.BLACK][0] == 3


def test_castles_may_have_the_same_number() -> None:
    """docs/rules/options.md: no same-number ban, which is an option."""
    position = castle([0, 1, 1, 1, 1, 2], [2, 4, 4, 4, 4, 4], tuz=(None, 1))
    assert position.sow(6).tuz == 1
    banned = replace(position, rules=MANGALA_CASTLE.with_option("tuz_same_number", "no"))
    assert banned.sow(6).tuz is None


def test_the_three_may_stay_by_option() -> None:
    """docs/rules/options.md: the three may stay, as stones of their side; later ones do not."""
    position = castle([4, 0, 0, 0, 0, 2], [2, 4, 4, 4, 4, 4])
    position = replace(position, rules=MANGALA_CASTLE.with_option("tuz_takes", "no"))
    made = position.sow(6)
    assert (made.tuz, made.taken, made.after.holes[Side.BLACK][0]) == (1, 0, 3)
    assert Position.parse(str(made.after), made.after.rules) == made.after
    sown = made.after.sow(1)
    # The first of the three falls back into the castle and so to its owner.
    assert sown.after.holes[Side.BLACK][:3] == (0, 5, 5)
    assert sown.after.stores[0] == made.after.stores[0] + 1


@pytest.mark.parametrize("mover", list(Side))
def test_stones_in_a_castle_are_its_owners_whoever_sows(mover: Side) -> None:
    """WNG-M §IV: sown there by its owner or by the opponent."""
    position = castle([0, 1, 1, 1, 1, 8], [0, 1, 1, 1, 1, 8], (10, 14), tuz=(1, None), mover=mover)
    assert position.play(6).stores[0] >= 11


@pytest.mark.parametrize("mover", list(Side))
def test_the_set_ends_when_either_side_is_empty_and_each_keeps_his_own(mover: Side) -> None:
    """WNG-M §IV: the player with stones left puts them into their own store."""
    outcome = castle([0] * 6, [0, 3, 0, 2, 0, 0], (21, 22), mover=mover).outcome()
    assert outcome == Outcome(Side.BLACK, Termination.SIDE_EMPTY, (21, 27), (0, 5))


def test_emptying_the_own_side_ends_the_set_at_once() -> None:
    """WNG-M §IV: no stone left in front of any one of the players."""
    sowing = castle([0, 0, 0, 0, 0, 1], [2, 3, 0, 2, 0, 0], (20, 20), tuz=(5, None)).sow(6)
    assert sowing.outcome == Outcome(Side.BLACK, Termination.SIDE_EMPTY, (20, 28), (0, 8))
