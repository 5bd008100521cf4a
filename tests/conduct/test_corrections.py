"""Faulty clocks and games without one (WNG-TK §VII)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.conduct import Clock, RulingKind, TimeControl
from korgool.conduct.correction import correct
from korgool.conduct.summary import ruling_fields
from korgool.rules import VARIANTS, Side
from tests.conduct.table import Table, refused, ruled

HOUR = {"kind": "sudden", "base": 3600}


def played() -> Table:
    """White has used 10 minutes and Black 20; White's clock runs."""
    table = Table(control=HOUR)
    table.turn(600, 7)
    table.turn(1800, 1)
    assert table.clocks == (3000, 2400)
    return table


def test_evidence_for_one_dial_corrects_that_dial() -> None:
    """A dial that had lost too much is put right; nothing was taken from anybody."""
    table = played()
    ruling = ruled(table.white(1800, "clock_fault", white=3100, black=None), RulingKind.CLOCK_CORRECTED, "§VII")
    assert ruling.arguments["made_good_ms"] == 0
    assert table.clocks == (3100, 2400)
    assert ruling.changes == {"clock": {"white": 3_100_000, "black": 2_400_000}}
    assert ruling_fields(ruling)["changes"] == {"clock": {"white": 3100, "black": 2400}}, "seconds in JSON"


def test_minutes_taken_from_one_are_made_good_to_the_other() -> None:
    table = played()
    ruling = ruled(table.black(1800, "clock_fault", white=2700, black=None), RulingKind.CLOCK_CORRECTED, "§VII")
    assert ruling.arguments["made_good_ms"] == 300_000
    assert table.clocks == (2700, 2700)


def test_the_same_for_the_other_side() -> None:
    table = played()
    table.white(1800, "clock_fault", white=None, black=2300.5)
    assert table.clocks == (3099.5, 2300.5)


def test_without_evidence_the_total_is_divided() -> None:
    table = played()
    ruling = ruled(table.white(1800, "clock_fault", white=None, black=None), RulingKind.CLOCK_DIVIDED, "§VII")
    assert ruling.arguments["each_ms"] == 2_700_000
    assert table.clocks == (2700, 2700)


def test_two_known_times_are_set() -> None:
    table = played()
    ruled(table.white(1800, "clock_fault", white=2000.125, black=1000), RulingKind.CLOCK_SET, "§VII")
    assert table.clocks == (2000.125, 1000)
    assert table.white(1801, "move", hole=2) is None
    assert table.clocks == (1999.125, 1000), "the new clock runs for the same side"


def test_a_clock_is_replaced_on_request_only() -> None:
    table = played()
    ruled(table.referee(1800, "clock_fault", white=1, black=1), RulingKind.CLOCK_NOT_REQUESTED, "§VII")
    assert table.clocks == (3000, 2400)
    ruled(table.referee(1800, "clock_fault", white=1, black=1, request="black"), RulingKind.CLOCK_SET, "§VII")


def test_a_request_after_the_flag_comes_too_late() -> None:
    table = Table(control={"kind": "sudden", "base": 10})
    ruled(table.white(10, "clock_fault", white=10, black=10), RulingKind.CLOCK_AFTER_FLAG, "§VII")
    assert table.clocks == (0, 10)


def test_a_request_just_before_the_flag_is_heard() -> None:
    table = Table(control={"kind": "sudden", "base": 10})
    ruled(table.white(9.999, "clock_fault", white=10, black=10), RulingKind.CLOCK_SET, "§VII")


@given(st.integers(1, 10**7), st.integers(1, 10**7), st.integers(0, 10**6), st.data())
def test_corrections_conserve_time_as_written(white: int, black: int, now: int, data: st.DataObject) -> None:
    clock = Clock.full(TimeControl(1)).with_stocks((white + now, black), 0).start(Side.WHITE, 0)
    total = white + black
    divided, made_good = correct(clock, (None, None), now)
    assert made_good == 0
    assert divided.remaining(Side.WHITE, now) == divided.remaining(Side.BLACK, now)
    assert 0 <= 2 * divided.remaining(Side.WHITE, now) - total <= 1
    known = data.draw(st.integers(0, 10**7))
    one, made_good = correct(clock, (known, None), now)
    assert one.remaining(Side.WHITE, now) == known
    assert made_good == max(0, white - known)
    assert one.remaining(Side.BLACK, now) == black + made_good
    assert one.running is Side.WHITE


@pytest.mark.parametrize(("elapsed", "minutes"), [(0, 60), (600, 55), (3600, 30), (4200, 25), (4201, 25), (90_000, 25)])
def test_a_clock_that_comes_later_is_set_equally(elapsed: int, minutes: int) -> None:
    """Half of the time gone is charged to each, and 25 minutes are the least."""
    table = Table(control=HOUR, clocks=False, at=100)
    ruling = ruled(table.referee(100 + elapsed, "set_clock"), RulingKind.CLOCK_INSTALLED, "§VII")
    assert ruling.arguments == {"each_ms": minutes * 60_000, "elapsed_ms": elapsed * 1000}
    assert table.clocks == (minutes * 60, minutes * 60)
    assert table.state.clock is not None
    assert table.state.clock.running is Side.WHITE


@pytest.mark.parametrize("control", [HOUR, {"kind": "sudden", "base": 900}])
def test_the_least_time_of_toguz_korgool(control: dict[str, Any]) -> None:
    table = Table(control=control, clocks=False)
    ruling = ruled(table.referee(10**6, "set_clock"), RulingKind.CLOCK_INSTALLED, "§VII")
    assert ruling.arguments["each_ms"] == VARIANTS["toguz"].least_clock_ms == 25 * 60_000


@pytest.mark.parametrize("game", [name for name in VARIANTS if name != "toguz"])
def test_the_least_time_belongs_to_toguz_korgool_alone(game: str) -> None:
    """WNG-M §II: a quarter of an hour each, of which half the time gone is taken, whatever remains."""
    table = Table(game=game, control={"kind": "sudden", "base": 900}, clocks=False)
    ruled(table.referee(600, "set_clock"), RulingKind.CLOCK_INSTALLED, "§VII")
    assert table.clocks == (600, 600)
    table = Table(game=game, control={"kind": "sudden", "base": 900}, clocks=False)
    ruled(table.referee(1799, "set_clock"), RulingKind.CLOCK_INSTALLED, "§VII")
    assert table.clocks == (0.5, 0.5)


def test_no_clock_is_set_when_the_time_of_both_is_used_up() -> None:
    table = Table(game="mangala", clocks=False)
    refused(table.referee(1800, "set_clock"), "used up")
    table = Table(game="mangala", control={"kind": "byoyomi", "base": 900, "delay": 10}, clocks=False)
    ruled(table.referee(1800, "set_clock"), RulingKind.CLOCK_INSTALLED, "§VII")
    assert table.clocks == (10, 10)


def test_a_game_without_a_clock_is_played_and_gets_one() -> None:
    table = Table(clocks=False)
    assert table.end["clock"] == {"white": None, "black": None}
    assert table.white(1, "move", hole=7) is None
    assert table.white(2, "offer") is None
    assert table.black(3, "move", hole=1) is None, "nothing has to be pressed"
    for do in ("pause", "resume", "flag"):
        refused(table.referee(4, do), "no clock")
    refused(table.white(4, "clock_fault"), "no clock")
    assert table.white(5, "move", hole=2) is None
    assert table.white(5, "press") is None
    table.black(6, "set_clock")
    assert table.state.clock is not None
    assert table.state.clock.running is Side.BLACK
    refused(table.black(7, "set_clock"), "has a clock")


def test_a_game_with_a_clock_gets_no_other() -> None:
    refused(Table().referee(5, "set_clock"), "clock_fault")


def test_no_clock_comes_into_a_game_that_is_over() -> None:
    table = Table(clocks=False, position="8,1S/8,1S 81 79 S 30")
    table.white(1, "move", hole=9)
    refused(table.referee(2, "set_clock"), "over")
    assert table.end["result_text"] == "1 (83) - 0 (79)"
