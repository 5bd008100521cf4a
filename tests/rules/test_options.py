"""The rules record: every named choice can be read, switched by text, and changes what it names."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool import GAMES, MANGALA, MANGALA_CASTLE, TOGUZ_KORGOOL, Outcome, Position, Side, Termination
from tests.rules.positions import board


def test_games_are_known_by_their_command_line_names() -> None:
    totals = {name: rules.total for name, rules in GAMES.items()}
    assert totals.items() >= {"toguz": 162, "mangala": 48, "castle": 48, "bestemshe": 50}.items()
    assert next(iter(GAMES)) == "toguz"


def test_records_compare_by_their_choices() -> None:
    assert replace(MANGALA, sweep="owner") == MANGALA.with_option("sweep", "owner") != MANGALA
    assert pickle.loads(pickle.dumps(MANGALA)) == MANGALA


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_every_option_can_be_set_to_what_it_is(rules: object) -> None:
    for record in GAMES.values():
        for name, value in record.options().items():
            text = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
            assert record.with_option(name, text) == record


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("colour", "red", "no rule is called 'colour'; there are goal"),
        ("name", "x", "no rule is called 'name'"),
        ("tuz", "maybe", "yes or no"),
        ("sweep", "all", "owner, emptied, nobody"),
        ("goal", "-1", "whole number from 0 .off. to 162"),
        ("goal", "163", "to 162"),
        ("goal", "²", "whole number"),
        ("recurrence", "1e3", "to 999"),
        ("threefold", "", "whole number"),
    ],
)
def test_what_an_option_cannot_be_is_said(name: str, text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        TOGUZ_KORGOOL.with_option(name, text)


@given(st.text(max_size=12), st.text(max_size=12))
def test_any_text_is_an_option_or_refused(name: str, text: str) -> None:
    try:
        TOGUZ_KORGOOL.with_option(name, text)
    except ValueError as refusal:
        assert str(refusal)
    else:
        assert name in TOGUZ_KORGOOL.options()


def test_goal() -> None:
    position = board([9] * 9, [0, 3, 0, 0, 0, 0, 0, 0, 0], (78, 0))
    assert position.outcome() is None
    early = replace(position, rules=TOGUZ_KORGOOL.with_option("goal", "70")).outcome()
    assert early == Outcome(Side.WHITE, Termination.MAJORITY, (78, 0))
    late = replace(board([0] * 9, [0] * 9, (100, 62)), rules=TOGUZ_KORGOOL.with_option("goal", "0")).outcome()
    assert late == Outcome(Side.WHITE, Termination.NO_MOVE, (100, 62))


def test_a_goal_above_half_leaves_stones_to_play_for() -> None:
    """Equal stores end the game only when nothing is left on the board."""
    rules = TOGUZ_KORGOOL.with_option("goal", "30")
    row = (52, 0, 0, 0, 0, 0, 0, 0, 0)
    assert Position(rules, (row, row), (29, 29)).outcome() is None


def test_tuz_off() -> None:
    position = board([5] * 8 + [2], [2] + [5] * 8)
    assert position.sow(9).tuz == 1
    assert replace(position, rules=TOGUZ_KORGOOL.with_option("tuz", "no")).sow(9).tuz is None


def test_tuz_in_the_last_hole() -> None:
    position = board([5] * 8 + [10], [5] * 8 + [2])
    assert position.sow(9).tuz is None
    assert replace(position, rules=TOGUZ_KORGOOL.with_option("tuz_last_hole", "yes")).sow(9).tuz == 9


def test_tuz_with_the_same_number() -> None:
    position = board([0] + [5] * 7 + [2], [2] + [5] * 8, tuz=(None, 1))
    assert position.sow(9).tuz is None
    assert replace(position, rules=TOGUZ_KORGOOL.with_option("tuz_same_number", "yes")).sow(9).tuz == 1


def test_extra_turn_off() -> None:
    rules = MANGALA.with_option("extra_turn", "no")
    assert rules.start().play(3).to_move is Side.BLACK


def test_empty_capture_off() -> None:
    position = board([0, 1, 0, 0, 0, 5], [4] * 6, rules=MANGALA)
    assert position.sow(2).taken == 5
    assert replace(position, rules=MANGALA.with_option("empty_capture", "no")).sow(2).taken == 0


def test_store_sown_on_for_the_castle_game() -> None:
    after = MANGALA_CASTLE.with_option("store_sown", "yes").start().play(6)
    assert after.stores == (1, 0)


@pytest.mark.parametrize(("ending", "over"), [("no_move", False), ("side_empty", True)], ids=["no_move", "side_empty"])
def test_ending(ending: str, over: bool) -> None:
    rules = TOGUZ_KORGOOL.with_option("ending", ending)
    position = Position(rules, ((0,) * 8 + (6,), (0,) * 9), (78, 78))
    assert (position.outcome() is not None) is over


@pytest.mark.parametrize(("sweep", "swept"), [("owner", (0, 7)), ("emptied", (7, 0)), ("nobody", (0, 0))])
def test_sweep(sweep: str, swept: tuple[int, int]) -> None:
    rules = MANGALA.with_option("sweep", sweep)
    outcome = Position(rules, ((0,) * 6, (0, 3, 0, 4, 0, 0)), (20, 21)).outcome()
    assert outcome is not None
    assert outcome.swept == swept
    assert outcome.stores == (20 + swept[0], 21 + swept[1])
