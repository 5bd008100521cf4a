"""The clock: no time is made or lost, and never do two clocks run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.conduct import Clock, TimeControl
from korgool.rules import Side

controls = st.builds(TimeControl, st.integers(1, 10_000), st.integers(0, 2_000))
steps = st.lists(st.tuples(st.sampled_from(["press", "pause", "start white", "start black"]), st.integers(0, 3_000)))


@pytest.mark.parametrize(
    ("text", "initial", "increment"), [("10+5", 600_000, 5_000), ("30+0", 1_800_000, 0), ("60+0", 3_600_000, 0)]
)
def test_time_controls_are_read_and_written(text: str, initial: int, increment: int) -> None:
    control = TimeControl.parse(text)
    assert (control.initial_ms, control.increment_ms, str(control)) == (initial, increment, text)


@pytest.mark.parametrize(
    "text", ["", "none", "10", "0+5", "00+0", "-1+5", "10+5 ", "1000+0", "10+1000", "٣+٣", "1e3+0"]
)
def test_other_texts_are_no_time_control(text: str) -> None:
    with pytest.raises(ValueError, match=r"10\+5"):
        TimeControl.parse(text)


@given(st.text(max_size=12))
def test_any_text_is_a_time_control_or_a_clear_error(text: str) -> None:
    try:
        control = TimeControl.parse(text)
    except ValueError as error:
        assert "10+5" in str(error)
    else:
        assert TimeControl.parse(str(control)) == control


def test_time_without_a_stock_is_refused() -> None:
    with pytest.raises(ValueError, match="needs time"):
        TimeControl(0)
    with pytest.raises(ValueError, match="needs time"):
        TimeControl(1000, -1)


def test_a_clock_that_was_not_started_stands_still() -> None:
    clock = Clock.full(TimeControl.parse("10+5"))
    assert clock.running is None
    assert clock.remaining(Side.WHITE, 10**9) == clock.remaining(Side.BLACK, 10**9) == 600_000
    with pytest.raises(ValueError, match="stands still"):
        clock.press(0)


def test_a_turn_costs_its_time_and_earns_the_increment() -> None:
    clock = Clock.full(TimeControl.parse("10+5")).start(Side.WHITE, 1_000)
    assert clock.remaining(Side.WHITE, 4_000) == 597_000
    clock = clock.press(4_000)
    assert clock.running is Side.BLACK
    assert clock.stocks == (602_000, 600_000)
    assert clock.remaining(Side.BLACK, 5_000) == 599_000
    assert clock.remaining(Side.WHITE, 5_000) == 602_000


def test_sudden_death_earns_nothing() -> None:
    clock = Clock.full(TimeControl.parse("30+0")).start(Side.WHITE, 0).press(10).press(30)
    assert clock.stocks == (1_800_000 - 10, 1_800_000 - 20)


def test_an_extra_turn_keeps_the_same_time_running() -> None:
    clock = Clock.full(TimeControl.parse("10+5")).start(Side.WHITE, 0)
    assert clock.press(9_000) == clock.start(Side.WHITE, 4_000).press(9_000)


def test_the_flag_falls_at_zero_and_not_before() -> None:
    clock = Clock.full(TimeControl(1_000, 500)).start(Side.WHITE, 0).press(0)
    assert clock.flagged(999) is None
    assert clock.flagged(1_000) is Side.BLACK
    assert clock.remaining(Side.BLACK, 5_000) == 0


def test_a_fallen_flag_earns_no_increment_and_stops_the_clock() -> None:
    clock = Clock.full(TimeControl(1_000, 500)).start(Side.WHITE, 0).press(1_000)
    assert clock.running is None
    assert clock.stocks == (0, 1_000)
    assert clock.flagged(99_999) is Side.WHITE


def test_a_time_before_the_last_press_costs_nothing() -> None:
    clock = Clock.full(TimeControl(1_000)).start(Side.WHITE, 500)
    assert clock.remaining(Side.WHITE, 400) == 1_000
    assert clock.press(400).since == 500


@given(controls, steps)
def test_time_is_conserved_and_one_clock_runs(control: TimeControl, moves: list[tuple[str, int]]) -> None:
    now, elapsed_running, earned = 0, 0, 0
    clock = Clock.full(control)
    for what, passed in moves:
        before, now = clock, now + passed
        if before.running is not None:
            # What runs cannot run below zero: only the time that was there is spent.
            elapsed_running += min(passed, before.remaining(before.running, now - passed))
        if what == "press" and before.running is not None:
            fallen = before.remaining(before.running, now) == 0
            clock = before.press(now)
            earned += 0 if fallen else control.increment_ms
            assert clock.running == (None if fallen else before.running.other)
        elif what == "pause":
            clock = before.pause(now)
            assert clock.running is None
        elif what != "press":
            side = Side.WHITE if what == "start white" else Side.BLACK
            clock = before.start(side, now)
            assert clock.running is side
        total = sum(clock.remaining(side, now) for side in Side)
        assert total == 2 * control.initial_ms + earned - elapsed_running
        for side in Side:
            later = clock.remaining(side, now + 7)
            assert 0 <= later <= clock.remaining(side, now)
            if side != clock.running:
                assert later == clock.remaining(side, now)


@given(controls, st.integers(0, 20_000), st.integers(0, 20_000))
def test_pausing_and_going_on_is_as_good_as_never_having_paused(control: TimeControl, first: int, rest: int) -> None:
    running = Clock.full(control).start(Side.BLACK, 0)
    resumed = running.pause(first).start(Side.BLACK, first + 1_000_000)
    assert resumed.remaining(Side.BLACK, first + 1_000_000 + rest) == running.remaining(Side.BLACK, first + rest)


def test_a_clock_that_stands_still_has_no_time_of_starting() -> None:
    clock = Clock.full(TimeControl.parse("10+5"))
    assert (clock.running, clock.since) == (None, 0)
    assert clock.start(Side.WHITE, 700).since == 700
