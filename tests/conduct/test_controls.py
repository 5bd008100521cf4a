"""Every time control: what a turn costs, what it earns, and when the flag falls."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.conduct import Clock, ControlKind, TimeControl
from korgool.conduct.control import HOUR, QUARTER
from korgool.conduct.control_text import read_control
from korgool.rules import Side

W, B = Side.WHITE, Side.BLACK


def running(control: TimeControl) -> Clock:
    return Clock.full(control).start(W, 0)


def test_usual_times() -> None:
    """WNG-TK §XI: an hour each; WNG-M §II: a quarter of an hour each."""
    assert (HOUR.initial_ms, QUARTER.initial_ms) == (3_600_000, 900_000)
    assert HOUR.kind is QUARTER.kind is ControlKind.SUDDEN


def test_bronstein_gives_back_what_was_used_up_to_the_delay() -> None:
    control = TimeControl(10_000, kind=ControlKind.BRONSTEIN, delay_ms=3_000)
    clock = running(control)
    assert clock.remaining(W, 2_000) == 8_000
    assert clock.press(2_000).stocks == (10_000, 10_000)
    assert clock.press(5_000).stocks == (8_000, 10_000)
    assert clock.press(10_000).running is None, "the flag falls before anything is given back"


def test_delay_spares_the_stock_at_first() -> None:
    control = TimeControl(10_000, kind=ControlKind.DELAY, delay_ms=3_000)
    clock = running(control)
    assert clock.remaining(W, 3_000) == 10_000
    assert clock.remaining(W, 3_001) == 9_999
    assert clock.falls_at() == 13_000
    assert clock.flagged(12_999) is None
    assert clock.flagged(13_000) is W
    assert clock.press(5_000).stocks == (8_000, 10_000)


@pytest.mark.parametrize("kind", [ControlKind.BRONSTEIN, ControlKind.DELAY])
def test_a_pause_gives_no_second_delay(kind: ControlKind) -> None:
    clock = running(TimeControl(10_000, kind=kind, delay_ms=3_000)).pause(2_000).start(W, 50_000)
    assert clock.press(54_000).stocks == (7_000, 10_000), "6 seconds were used, 3 are free"
    assert clock.press(54_000).used == (0, 0)


def test_byoyomi_makes_a_period_full_again() -> None:
    control = TimeControl(10_000, kind=ControlKind.BYOYOMI, delay_ms=5_000, periods=3)
    clock = running(control)
    assert (clock.shown(W, 0), clock.periods_left(W, 0)) == (10_000, 3)
    assert (clock.shown(W, 12_000), clock.periods_left(W, 12_000)) == (3_000, 3)
    assert clock.flagged(24_999) is None
    assert clock.flagged(25_000) is W
    clock = clock.press(12_000).press(12_000)
    assert (clock.shown(W, 12_000), clock.periods_left(W, 12_000)) == (5_000, 3)
    clock = clock.press(18_000).press(18_000)
    assert (clock.shown(W, 18_000), clock.periods_left(W, 18_000)) == (5_000, 2), "6 seconds cost a period"
    clock = clock.press(22_999).press(22_999)
    assert clock.periods_left(W, 22_999) == 2
    assert clock.shown(B, 22_999) == 10_000


def test_byoyomi_with_several_moves_a_period() -> None:
    control = TimeControl(1_000, kind=ControlKind.BYOYOMI, delay_ms=10_000, periods=1, moves=2)
    clock = running(control).press(3_000).press(3_000)
    assert clock.shown(W, 3_000) == 8_000, "the period has to last for two turns"
    clock = clock.press(6_000).press(6_000)
    assert clock.shown(W, 6_000) == 10_000
    assert clock.flagged(16_000) is W


def test_a_period_lost_begins_the_count_of_moves_again() -> None:
    control = TimeControl(1_000, kind=ControlKind.BYOYOMI, delay_ms=10_000, periods=2, moves=2)
    clock = running(control).press(3_000).press(3_000)
    clock = clock.press(13_000).press(13_000)
    assert (clock.shown(W, 13_000), clock.periods_left(W, 13_000)) == (8_000, 1)


def test_a_referee_may_set_a_dial_after_the_last_period() -> None:
    control = TimeControl(1_000, kind=ControlKind.BYOYOMI, delay_ms=10_000, periods=2)
    set_to = running(control).restocked(W, 3_000, 60_000)
    assert (set_to.shown(W, 60_000), set_to.periods_left(W, 60_000)) == (3_000, 1)


def test_moves_in_time_give_the_stock_once_more() -> None:
    clock = running(TimeControl(10_000, kind=ControlKind.SUDDEN, moves=2))
    clock = clock.press(1_000).press(1_000)
    assert clock.stocks == (9_000, 10_000)
    clock = clock.press(2_000).press(2_000)
    assert clock.stocks == (18_000, 20_000)
    clock = clock.press(2_000).press(2_000).press(2_000).press(2_000)
    assert clock.stocks == (28_000, 30_000)


def test_moves_in_time_end_with_the_last_section() -> None:
    clock = running(TimeControl(10_000, kind=ControlKind.SUDDEN, moves=1, periods=2))
    for _ in range(3):
        clock = clock.press(0).press(0)
    assert clock.stocks == (20_000, 20_000)


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"increment_ms": 1, "kind": ControlKind.SUDDEN}, "increment"),
        ({"delay_ms": 1}, "delay"),
        ({"kind": ControlKind.BYOYOMI}, "periods"),
        ({"kind": ControlKind.BYOYOMI, "periods": 2}, "length"),
        ({"periods": 2}, "periods"),
        ({"moves": -1}, "moves"),
        ({"periods": 10**9, "moves": 1}, "periods"),
        ({"increment_ms": 10**12}, "increment"),
    ],
)
def test_contradictions_are_refused(settings: dict[str, int], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        TimeControl(1_000, **settings)  # type: ignore[arg-type]


def test_a_table_clock_goes_on_after_an_unseen_flag() -> None:
    """WNG-TK §VII: somebody has to call it."""
    clock = running(TimeControl(1_000, 500)).hand_over(1_500)
    assert clock.running is B
    assert clock.stocks == (0, 1_000), "a fallen flag earns nothing"
    assert clock.flags(2_500) == (True, True)
    assert clock.hand_over(2_000).hand_over(2_000).stocks[W] == 0


kinds = st.sampled_from(list(ControlKind))


@st.composite
def controls(draw: st.DrawFn) -> TimeControl:
    kind = draw(kinds)
    moves = draw(st.integers(0, 3))
    return TimeControl(
        draw(st.integers(1, 9_000)),
        draw(st.integers(0, 3_000)) if kind is ControlKind.FISCHER else 0,
        kind,
        draw(st.integers(1, 3_000)) if kind not in (ControlKind.FISCHER, ControlKind.SUDDEN) else 0,
        draw(st.integers(1, 4)) if kind is ControlKind.BYOYOMI or moves else 0,
        moves,
    )


@given(controls(), st.lists(st.tuples(st.sampled_from(["press", "pause", "go"]), st.integers(0, 4_000)), max_size=30))
def test_no_control_makes_time_but_by_its_rule(control: TimeControl, acts: list[tuple[str, int]]) -> None:
    """Between presses time only falls, by no more than what passed, and only on the side that runs."""
    clock, now, side = Clock.full(control).start(W, 0), 0, W
    for what, passed in acts:
        for each in Side:
            before, after = clock.remaining(each, now), clock.remaining(each, now + passed)
            assert 0 <= after <= before
            assert before - after <= (passed if each is clock.running else 0)
            assert 0 <= clock.shown(each, now) <= clock.remaining(each, now)
        falls = clock.falls_at()
        now += passed
        if falls is not None:
            assert (clock.remaining(side, now) == 0) == (now >= falls)
        if what == "press" and clock.running is not None:
            waiting = clock.remaining(side.other, now)
            pressed = clock.hand_over(now)
            given_now = pressed.remaining(side, now) - clock.remaining(side, now)
            most = control.increment_ms + control.delay_ms + control.initial_ms
            assert 0 <= given_now <= most
            assert pressed.remaining(side.other, now) == waiting
            assert pressed.running is side.other
            clock, side = pressed, side.other
        elif what == "pause":
            clock = clock.pause(now)
            assert clock.running is None
        elif what == "go":
            clock = clock.start(side, now)


@given(controls(), st.integers(0, 20_000), st.integers(0, 9_000), st.booleans())
def test_a_dial_that_is_set_shows_what_it_was_set_to(control: TimeControl, now: int, shown: int, white: bool) -> None:
    side = W if white else B
    clock = Clock.full(control).start(W, 0)
    set_to = clock.restocked(side, shown, now)
    if not control.overtime_ms or (shown and clock.remaining(side, now)):
        assert set_to.shown(side, now) == shown
    assert set_to.remaining(side.other, now) == clock.remaining(side.other, now)
    assert set_to.running is W


thousandths = st.integers(0, 9_999_999).map(lambda number: f"{number / 1000:.7g}")


@given(
    st.integers(1, 9_999_999).map(lambda number: f"{number / 1000:.7g}"),
    thousandths,
    st.sampled_from(
        ["", " delay {}", " bronstein {}", " byoyomi 3x{}", " byoyomi 2x{}/5", " 40 moves", " 40 moves x2"]
    ),
)
def test_every_control_is_written_as_it_can_be_read_again(stock: str, number: str, form: str) -> None:
    text = f"{stock}+0{form.format(number)}" if "{}" in form else f"{stock}+{number}{form}"
    if "byoyomi" in form and number == "0":
        with pytest.raises(ValueError, match="periods"):
            read_control(text)
    else:
        assert str(read_control(text)) == text.removesuffix(" delay 0").removesuffix(" bronstein 0")


def test_a_delay_of_nothing_is_none() -> None:
    for kind in ("delay", "bronstein"):
        assert read_control(f"5+0 {kind} 0") == TimeControl(300_000)
