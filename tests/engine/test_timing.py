"""Time management: no flag ever falls, under every clock, and the time is used."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.engine.levels import think_seconds
from korgool.engine.timing import RESERVE, SHORTEST, Allotment, TimeLeft, allot, turns_ahead
from korgool.rules import GAMES, TOGUZ_KORGOOL, Rules

ANY = st.floats() | st.integers(-5, 4000).map(float)
SOME = st.floats(0, 4000)


def flag(left: TimeLeft) -> float:
    """Seconds in this turn after which the flag is down, at least."""
    period = left.period / max(1, left.period_moves) if left.periods > 0 else 0.0
    return left.stock + period + (0.0 if left.given_back else left.delay)


@given(
    ANY, ANY, ANY, st.booleans(), st.integers(-3, 60), ANY, st.integers(-2, 9), st.integers(-2, 9), st.integers(-2, 90)
)
def test_any_numbers_give_times(
    stock: float,
    increment: float,
    delay: float,
    given_back: bool,
    moves: int,
    period: float,
    periods: int,
    period_moves: int,
    turns: int,
) -> None:
    left = TimeLeft(stock, increment, delay, given_back, moves, period, periods, period_moves)
    time = allot(left, turns)
    assert math.isfinite(time.most)
    assert SHORTEST <= time.aim <= time.most


@given(
    SOME, SOME, SOME, st.booleans(), st.integers(0, 60), SOME, st.integers(0, 9), st.integers(1, 9), st.integers(1, 90)
)
def test_the_flag_stays_up(
    stock: float,
    increment: float,
    delay: float,
    given_back: bool,
    moves: int,
    period: float,
    periods: int,
    period_moves: int,
    turns: int,
) -> None:
    left = TimeLeft(stock, increment, delay, given_back, moves, period, periods, period_moves)
    assert allot(left, turns).most <= max(SHORTEST, flag(left) - RESERVE)


@given(SOME, SOME)
def test_more_on_the_clock_never_means_less_thought(stock: float, increment: float) -> None:
    small, large = TimeLeft(stock, increment), TimeLeft(stock + 1, increment)
    assert allot(small).aim <= allot(large).aim + 1e-9
    assert allot(small).most <= allot(large).most + 1e-9


CLOCKS = {
    "an hour": TimeLeft(3600),
    "a quarter": TimeLeft(900),
    "ten and five": TimeLeft(600, increment=5),
    "increment alone": TimeLeft(1, increment=2),
    "bronstein": TimeLeft(60, delay=3, given_back=True),
    "delay": TimeLeft(60, delay=3),
    "40 moves in time": TimeLeft(300, moves=40),
    "byo-yomi": TimeLeft(60, period=5, periods=1),
    "byo-yomi from the start": TimeLeft(0, period=2, periods=3),
    "a second": TimeLeft(1),
    "nothing": TimeLeft(0),
}


def spent(clock: TimeLeft, seconds: float) -> TimeLeft:
    """The clock after a turn of so many seconds; the flag must have stayed up."""
    free = clock.delay
    stock = clock.stock
    if clock.period and seconds > stock:
        assert seconds <= stock + clock.period
        return replace(clock, stock=0.0)
    used = seconds if clock.given_back else max(0.0, seconds - free)
    assert used < stock
    back = min(seconds, free) if clock.given_back else 0.0
    return replace(clock, stock=stock - used + back + clock.increment)


@pytest.mark.parametrize("name", [name for name in CLOCKS if name != "nothing"])
@pytest.mark.parametrize("turns", [40, 80])
@pytest.mark.parametrize("always", ["aim", "most"])
def test_whole_games_are_played_in_time(name: str, turns: int, always: str) -> None:
    """Also when every single move takes the most that it may, and 20 ms beside, as a slow machine needs."""
    clock, control = CLOCKS[name], CLOCKS[name]
    stones, used = 162.0, 0.0
    for _ in range(turns):
        time = allot(clock, 5 + math.ceil(stones * 45 / 162))
        seconds = getattr(time, always)
        if seconds > SHORTEST or clock.stock + clock.period + clock.delay > 0.03:
            used += seconds
            clock = spent(clock, seconds + (0.02 if seconds > SHORTEST else 0))
        if control.moves:
            clock = replace(clock, moves=clock.moves - 1)
            if clock.moves == 0:
                clock = replace(clock, stock=clock.stock + control.stock, moves=control.moves)
        stones *= 0.96
    stock = control.stock * max(1, turns // control.moves if control.moves else 1)
    assert used > 0.35 * stock


def test_usual_clocks() -> None:
    quarter = allot(TimeLeft(900), 50)
    assert 8 < quarter.aim < 20
    assert quarter.most <= 80
    assert allot(TimeLeft(0, increment=10)) == Allotment(SHORTEST, SHORTEST)
    assert allot(TimeLeft(0, delay=5)).most == pytest.approx(4.95)
    assert allot(TimeLeft(0.03)).most == SHORTEST
    assert allot(TimeLeft(10, moves=1)).most == pytest.approx(9.95)
    assert think_seconds(0.02) == SHORTEST


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_turns_ahead_fall_with_the_stones(rules: Rules) -> None:
    position, random = rules.start(), Random(3)
    before = turns_ahead(position)
    assert before > 12
    while position.outcome() is None:
        position = position.play(random.choice(position.legal_moves()))
        assert 5 <= turns_ahead(position) <= before
        before = turns_ahead(position)
    assert turns_ahead(TOGUZ_KORGOOL.start()) == 50
