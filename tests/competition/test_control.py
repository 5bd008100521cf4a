"""The clocks of an event as its regulations write them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool.competition.errors import CompetitionError
from korgool.competition.time_control import read_control
from korgool.conduct.control import ControlKind, TimeControl
from tests.competition.program import korgool, lines, usage

MINUTES = st.integers(1, 999).map(lambda minutes: minutes * 60_000)
SECONDS = st.integers(0, 600).map(lambda seconds: seconds * 1000)
SECTIONS = st.tuples(st.integers(1, 99), st.integers(0, 9)) | st.just((0, 0))
CONTROLS = (
    st.builds(lambda stock, more, at: TimeControl(stock, more, moves=at[0], periods=at[1]), MINUTES, SECONDS, SECTIONS)
    | st.builds(
        lambda stock, kind, delay, at: TimeControl(stock, 0, kind, delay, at[1], at[0]),
        MINUTES,
        st.sampled_from([ControlKind.BRONSTEIN, ControlKind.DELAY]),
        SECONDS.filter(bool),
        SECTIONS,
    )
    | st.builds(
        lambda stock, length, periods, each: TimeControl(stock, 0, ControlKind.BYOYOMI, length, periods, each),
        MINUTES | st.just(0),
        SECONDS.filter(bool),
        st.integers(1, 99),
        st.sampled_from([0, 2, 5, 25]),
    )
)


@settings(max_examples=300, deadline=None)
@given(control=CONTROLS)
def test_every_clock_is_read_as_it_is_written(control: TimeControl) -> None:
    assert read_control(str(control)) == control


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=30) | st.text("0123456789+x/. delaybronsteinbyoyomimoves", max_size=40))
def test_any_other_text_is_refused_with_a_message(text: str) -> None:
    try:
        read_control(text)
    except CompetitionError as error:
        assert str(error)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("60", "minutes\\+seconds"),
        ("0+0", "a clock needs time"),
        ("15+5 delay 5", "no increment"),
        ("10+5 byoyomi 3x30", "no increment"),
        ("10+0 byoyomi 0x30", "needs periods"),
        ("10+0 byoyomi 3x30 40 moves", "stand behind it"),
        ("hourglass", "minutes\\+seconds"),
    ],
)
def test_what_is_no_clock(text: str, reason: str) -> None:
    with pytest.raises(CompetitionError, match=reason):
        read_control(text)


@pytest.mark.parametrize("control", ["0.5+0", "15+0 bronstein 5", "10+0 byoyomi 3x30", "90+30 40 moves"])
def test_an_event_with_any_clock(tmp_path: Path, control: str) -> None:
    cup, report, back = tmp_path / "cup.korgool", tmp_path / "cup.trf", tmp_path / "back.korgool"
    korgool("new", cup, "--name", "Cup", "--rounds", 1, "--control", control)
    for name in ("Kim", "Li"):
        korgool("enter", cup, "--name", name)
    korgool("pair", cup)
    korgool("export", cup, "--trf", report)
    korgool("import", back, report)
    assert lines("show", back)[0]["control"] == control
    korgool("print", cup, "protocol", "-o", tmp_path / "protocol.pdf")
    assert "minutes+seconds" in usage("change", cup, "--control", "an hour")
