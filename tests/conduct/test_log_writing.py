"""Events are written as lines and read back equal."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.conduct import By, Event, Options, TimeControl
from korgool.conduct.claims import ClaimKind
from korgool.conduct.events import Claim, ClockFault, NextSet, Start
from korgool.conduct.fields import action_name
from korgool.conduct.log import judge
from korgool.conduct.reading import ACTIONS, read_event
from korgool.conduct.summary import summary
from korgool.conduct.writing import event_fields, write_event
from korgool.rules import MANGALA, TOGUZ_KORGOOL, Side
from tests.conduct.logs import random_log


def test_lines_are_as_the_page_has_them() -> None:
    assert event_fields(Event(12_500, By.BLACK, Claim(ClaimKind.FLAG))) == {
        "at": 12.5,
        "by": "black",
        "do": "claim",
        "reason": "flag",
    }
    fault = ClockFault(None, 1_001, Side.WHITE)
    assert write_event(Event(2_000, By.REFEREE, fault)) == (
        '{"at": 2, "by": "referee", "do": "clock_fault", "white": null, "black": 1.001, "request": "white"}'
    )
    assert action_name(NextSet) == "next_set"


def test_a_start_keeps_all_that_it_says() -> None:
    options = Options(True, "compare", 900_500, 3, True, (1, 2))
    rules = MANGALA.with_option("sweep", "owner").with_option("extra_turn_single", "no")
    event = Event(0, By.REFEREE, Start(rules, TimeControl(60_001, 5_000), False, "1S,5/5,1S 20 26 S 9", options))
    assert read_event(write_event(event)) == event
    plain = Event(0, By.REFEREE, Start())
    assert json.loads(write_event(plain)) == {"at": 0, "by": "referee", "do": "start", "game": "toguz"}
    assert read_event(write_event(plain)) == plain


def test_a_game_that_has_no_name_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="Toguz on five"):
        write_event(Event(0, By.REFEREE, Start(replace(TOGUZ_KORGOOL, title="Toguz on five", holes=5))))


@given(st.integers(0, 10**6))
def test_random_logs_are_read_back(seed: int) -> None:
    """Every event equal, and the whole log judged to the same end."""
    lines, state = [], None
    for _, event, after, _ in random_log(Random(seed), 30):
        line = write_event(event)
        if event.at >= 0:
            assert read_event(line) == event
        lines.append(line.encode())
        state = after
    assert state is not None
    *_, last = judge(lines)
    assert last.state == state
    assert summary(last.state) == summary(state)


def test_every_action_can_be_written() -> None:
    seen = set()
    for seed in range(300):
        seen |= {event_fields(event)["do"] for _, event, _, _ in random_log(Random(seed), 40)}
    assert seen == set(ACTIONS)
