"""Quotas of lag: the figures that the protocol promises, and what a turn makes of a quota."""

from __future__ import annotations

import pytest

from korgool.conduct import TimeControl
from korgool.conduct.control import ControlKind
from korgool.live import AcceptTakeback, AskTakeback, MakeMove
from korgool.live.decisions import FIRST_MOVE_MS
from korgool.live.journal import Moved
from korgool.live.lag import NO_LAG, lag_rule
from korgool.live.terms import read_clock, slow_control

from .play import BLACK, WHITE, begun, played, terms


@pytest.mark.parametrize(
    ("control", "most", "gain"),
    [
        (read_clock("10+5"), 7_000, 1_000),
        (read_clock("3+0"), 7_000, 1_000),
        (read_clock("1+3"), 7_000, 1_000),
        (TimeControl(179_999), 3_000, 500),
        (read_clock("2+1"), 3_000, 500),
        (read_clock("1+0"), 3_000, 500),
        (TimeControl(20_000, 1_000), 3_000, 500),
        (TimeControl(20_000, 0, ControlKind.DELAY, 1_000), 3_000, 500),
        (TimeControl(20_000, 0, ControlKind.BYOYOMI, 1_000, 1), 3_000, 500),
        (TimeControl(59_999), 1_000, 200),
        (read_clock("0+0 byoyomi 3x30"), 7_000, 1_000),
        (None, 0, 0),
    ],
    ids=str,
)
def test_the_quota_goes_by_the_time_for_forty_turns(control: TimeControl | None, most: int, gain: int) -> None:
    rule = lag_rule(control)
    assert (rule.most_ms, rule.gain_ms) == (most, gain)


def test_where_turns_have_days_no_lag_is_given_back() -> None:
    assert terms(control=slow_control(14)).lag_rule == NO_LAG


def test_a_turn_draws_on_the_quota_and_fills_it_up() -> None:
    board = begun()
    assert board.game.quotas == (7_000, 7_000)
    assert board.say(MakeMove(WHITE, 1, board.game.version), 9_000, lags=(2_500, 0)) is None
    assert board.game.quotas == (7_000 - 2_500 + 1_000, 7_000)
    played(board, 9)
    assert board.game.quotas == (5_500, 7_000), "a full quota stays full"
    assert board.say(MakeMove(WHITE, 2, board.game.version), 9_000, lags=(8_000, 0)) is None
    assert board.game.quotas[WHITE] == 1_000, "no more than there was"
    board.check()


def test_what_is_given_back_is_no_more_than_the_turn_took_since_a_take_back() -> None:
    board = played(begun(), 1, 9)
    assert board.say(AskTakeback(BLACK), 20_000) is None
    assert board.say(AcceptTakeback(WHITE)) is None
    assert board.game.game.now == board.now
    assert board.say(MakeMove(BLACK, 8, board.game.version), 100, lags=(0, 5_000)) is None
    last = board.journal[-1][1]
    assert isinstance(last, Moved)
    assert last.lag_ms == 100
    board.check()


def test_a_first_move_in_time_by_the_lag_that_was_measured_is_made() -> None:
    board = begun()
    board.wait(FIRST_MOVE_MS + 2_999, lags=(3_000, 0))
    assert not board.game.over
    assert board.say(MakeMove(WHITE, 1, board.game.version), lags=(3_000, 0)) is None
    assert board.game.plies == 1
    board.check()
    board = begun()
    board.wait(FIRST_MOVE_MS + 6_999, lags=(60_000, 60_000))
    assert not board.game.over
    board.wait(1, lags=(60_000, 60_000))
    assert board.game.aborted, "the quota is the most"
    board = begun()
    board.wait(FIRST_MOVE_MS, lags=(0, 3_000))
    assert board.game.aborted, "White is to move"
