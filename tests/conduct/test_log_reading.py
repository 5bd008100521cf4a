"""Bad input: every line that is no event is refused with a reason, and the game stays as it was."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from korgool.conduct import By, ControlKind, Refusal, TimeControl
from korgool.conduct.claims import ClaimKind
from korgool.conduct.events import Claim, ClockFault, Move, Sign, Start, Warn
from korgool.conduct.fields import LONGEST_LINE, EventError
from korgool.conduct.log import judge
from korgool.conduct.reading import read_event
from korgool.conduct.state import GameState
from korgool.rules import MANGALA, Side
from tests.conduct.table import Table, refused

# From Python 3.14 on the reader of JSON goes as deep as the stack of the process, and meets the end of the line before.
TOO_DEEP = "nested too deeply" if sys.version_info < (3, 14) else "not JSON"

PRESS = {"at": 1, "by": "white", "do": "press"}


def read(**fields: Any) -> Any:
    return read_event(json.dumps({**PRESS, **fields})).action


def test_fields_of_the_format() -> None:
    assert read(do="move", hole=7) == Move(7)
    assert read(do="move", hole=99) == Move(99)
    assert read(do="claim", reason="73") == Claim(ClaimKind.RECURRENCE)
    assert read(do="claim", reason=73) == Claim(ClaimKind.RECURRENCE)
    assert read(do="warn", player="black", reason="record") == Warn(Side.BLACK, "record")
    assert read(do="sign", result_text="1-0") == read(do="sign", result="1-0") == Sign("1-0")
    assert read(do="clock_fault", white=1.5, black=None) == ClockFault(1500, None)
    control = {"kind": "byoyomi", "base": 0, "increment": None, "delay": 30, "periods": 5, "moves": 0}
    assert read(do="start", control=None) == Start(clocks=False)
    assert read(do="start", control=None, clocks=True) == Start()
    start = read(do="start", game="mangala", control=control)
    assert start == Start(MANGALA, TimeControl(0, 0, ControlKind.BYOYOMI, 30_000, 5, 0))
    control = {"kind": "byoyomi", "base": 5, "increment": 30}
    assert read(do="start", control=control).control == TimeControl(5_000, 0, ControlKind.BYOYOMI, 30_000, 1)
    assert read(do="start", rules={"sweep": "owner"}, game="mangala").rules.sweep == "owner"
    assert read(do="start", rules={"tuz_takes": False, "goal": 25}).rules.goal == 25


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("0", 0),
        ("1.5", 1500),
        ("0.001", 1),
        ("1e3", 1_000_000),
        ("0.30000000000000004", 300),
        ("12345.6789", 12_345_679),
    ],
)
def test_times_are_whole_milliseconds(text: str, at: int) -> None:
    assert read_event(f'{{"at": {text}, "by": "white", "do": "press"}}').at == at


def test_who_does_it() -> None:
    assert [read_event(json.dumps({**PRESS, "by": by})).by for by in By] == list(By)
    assert By.REFEREE.side is None


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("", "not JSON"),
        ("rubbish", "not JSON"),
        ("[]", "a list"),
        ("null", "null"),
        ("7", "a number"),
        ("true", "true"),
        ("false", "false"),
        ('"press"', "a text"),
        ("{}", "lacks 'at', 'by', 'do'"),
        ('{"at": 1, "by": "white"}', "lacks 'do'"),
        ('{"at": 1, "by": "white", "do": "dance"}', "'dance'"),
        ('{"at": 1, "by": "arbiter", "do": "press"}', "'arbiter'"),
        ('{"at": 1, "by": ["white"], "do": "press"}', "a list"),
        ('{"at": 1, "by": "white", "do": "press", "why": 1}', "no field 'why'"),
        ('{"at": 1, "by": "white", "do": "press", "at": 2}', "'at' stands twice"),
        ('{"at": "1", "by": "white", "do": "press"}', "'at' must be seconds"),
        ('{"at": null, "by": "white", "do": "press"}', "'at' must be seconds"),
        ('{"at": true, "by": "white", "do": "press"}', "'at' must be seconds"),
        ('{"at": -1, "by": "white", "do": "press"}', "'at' must be seconds"),
        ('{"at": NaN, "by": "white", "do": "press"}', "NaN is no number"),
        ('{"at": Infinity, "by": "white", "do": "press"}', "Infinity is no number"),
        ('{"at": -Infinity, "by": "white", "do": "press"}', "-Infinity is no number"),
        ('{"at": 1e999, "by": "white", "do": "press"}', "'at' must be seconds"),
        ('{"at": 1e99999999999999999999, "by": "white", "do": "press"}', "too large"),
        ('{"at": 1' + "0" * 5000 + ', "by": "white", "do": "press"}', "too large"),
        ('{"at": 1, "by": "white", "do": "move"}', "lacks 'hole'"),
        ('{"at": 1, "by": "white", "do": "move", "hole": null}', "'hole'"),
        ('{"at": 1, "by": "white", "do": "move", "hole": 7.0}', "'hole'"),
        ('{"at": 1, "by": "white", "do": "move", "hole": "7"}', "'hole'"),
        ('{"at": 1, "by": "white", "do": "move", "hole": true}', "'hole'"),
        ('{"at": 1, "by": "white", "do": "move", "hole": -3}', "'hole'"),
        ('{"at": 1, "by": "white", "do": "move", "hole": 100}', "from 0 to 99"),
        ('{"at": 1, "by": "white", "do": "move", "hole": 7.' + "7" * 50 + "}", "not 7." + "7" * 38 + "\n"),
        ('{"at": 1, "by": "white", "do": "move", "hole": 7, "hole": 8}', "twice"),
        ('{"at": 1, "by": "white", "do": "claim", "reason": "luck"}', "'luck'"),
        ('{"at": 1, "by": "white", "do": "claim"}', "lacks 'reason'"),
        ('{"at": 1, "by": "referee", "do": "warn", "reason": "record"}', "lacks 'player'"),
        ('{"at": 1, "by": "referee", "do": "warn", "player": null, "reason": "record"}', "'player'"),
        ('{"at": 1, "by": "referee", "do": "warn", "player": "white", "reason": "beard"}', "'beard'"),
        ('{"at": 1, "by": "referee", "do": "flag", "player": "referee"}', "'referee'"),
        ('{"at": 1, "by": "referee", "do": "restore"}', "lacks 'position'"),
        ('{"at": 1, "by": "referee", "do": "restore", "position": null}', "'position'"),
        ('{"at": 1, "by": "white", "do": "clock_fault", "white": -5}', "'white'"),
        ('{"at": 1, "by": "white", "do": "sign", "result": 1}', "'result'"),
        ('{"at": 1, "by": "white", "do": "sign", "result": "\\u0000"}', "printable"),
        ('{"at": 1, "by": "white", "do": "sign", "result": "1-0", "result_text": "1-0"}', "one is enough"),
        ('{"at": 1, "by": "referee", "do": "lots"}', "lacks 'seed'"),
        ('{"at": 1, "by": "referee", "do": "lots", "seed": null}', "'seed'"),
        ('{"at": 1, "by": "referee", "do": "lots", "seed": 1, "players": ["a"]}', "two names"),
        ('{"at": 1, "by": "referee", "do": "start", "game": "chess"}', "'chess'"),
        ('{"at": 1, "by": "referee", "do": "start", "control": 60}', "'control' must be an object"),
        ('{"at": 1, "by": "referee", "do": "start", "control": {}}', "lacks 'base'"),
        ('{"at": 1, "by": "referee", "do": "start", "control": {"base": null}}', "'base'"),
        ('{"at": 1, "by": "referee", "do": "start", "control": {"base": 0}}', "needs time"),
        ('{"at": 1, "by": "referee", "do": "start", "control": {"base": 60, "speed": 1}}', "'speed'"),
        ('{"at": 1, "by": "referee", "do": "start", "control": {"kind": "hourglass", "base": 60}}', "'hourglass'"),
        (
            '{"at": 1, "by": "referee", "do": "start", "control": {"kind": "sudden", "base": 60, "increment": 5}}',
            "fischer",
        ),
        ('{"at": 1, "by": "referee", "do": "start", "control": {"kind": "byoyomi", "base": 60}}', "periods"),
        (
            '{"at": 1, "by": "referee", "do": "start", "control": {"kind": "delay", "base": 1, "increment": 1,'
            ' "delay": 2}}',
            "'delay'",
        ),
        ('{"at": 1, "by": "referee", "do": "start", "rules": {"colour": "red"}}', "colour"),
        ('{"at": 1, "by": "referee", "do": "start", "rules": {"goal": []}}', "'goal'"),
        ('{"at": 1, "by": "referee", "do": "start", "both_flags": "win"}', "'both_flags'"),
        ('{"at": 1, "by": "referee", "do": "start", "online": "yes"}', "'online'"),
        ('{"at": 1, "by": "referee", "do": "start", "sets": 0}', "'sets'"),
        ('{"at": 1, "by": "referee", "do": "start", "warnings": {"red": 1}}', "'red'"),
        ("[" * 60_000, TOO_DEEP),
        ('{"at":' * 10_000, TOO_DEEP),
        ("x" * (LONGEST_LINE + 1), "longer than"),
        ("\x00", "not JSON"),
    ],
    ids=lambda value: value[:50],
)
def test_what_is_no_event(line: str, word: str) -> None:
    with pytest.raises(EventError) as caught:
        read_event(line)
    assert word in f"{caught.value}\n"
    assert len(str(caught.value)) < 400


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(EventError, match="byte 10"):
        read_event(b'{"by": "w\xff"}')


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
names = st.sampled_from(["at", "by", "do", "hole", "player", "reason", "clause", "control", "position", "game", "seed"])
words = st.sampled_from(["white", "black", "referee", "start", "move", "press", "claim", "warn", "restore", "lots"])


@given(st.binary(max_size=80) | st.text(max_size=80))
@example(b"\xef\xbb\xbf{}")
def test_anything_is_read_or_refused(line: str | bytes) -> None:
    try:
        read_event(line)
    except EventError as error:
        assert str(error)


@given(st.dictionaries(names, words | json_values))
def test_any_object_is_read_or_refused(fields: dict[str, Any]) -> None:
    try:
        read_event(json.dumps(fields))
    except EventError as error:
        assert str(error)


@given(st.lists(st.dictionaries(names, words | json_values).map(json.dumps) | st.text(max_size=30), max_size=6))
def test_a_log_of_anything_is_answered(lines: list[str]) -> None:
    start = b'{"at": 0, "by": "referee", "do": "start"}'
    raw = [start, *(line.replace("\n", " ").encode("utf-8", "surrogatepass") for line in lines)]
    judged = list(judge(raw))
    assert len(judged) == 1 + sum(bool(line.strip(b" \t\r\n")) for line in raw[1:])


def test_time_does_not_go_back() -> None:
    table = Table(at=5)
    refused(table.white(4.999, "move", hole=7), "time goes back", "4.999", "5.000")
    assert table.white(5, "move", hole=7) is None, "the same time is no time back"
    refused(table.white(4, "press"), "time goes back")


def test_a_refused_line_costs_no_time() -> None:
    table = Table()
    refused(table.black(500, "press"), "no move")
    assert table.white(1, "move", hole=7) is None


def test_lines_are_counted_and_empty_ones_passed_over() -> None:
    start = b'\xef\xbb\xbf{"at": 0, "by": "referee", "do": "start"}\r\n'
    judged = list(judge([start, b"\n", b"  \r\n", b"what\n", b'{"at": 1, "by": "white", "do": "resign"}']))
    assert [entry.line for entry in judged] == [1, 4, 5]
    assert isinstance(judged[1].answer, Refusal)
    assert judged[1].state == judged[0].state != GameState()
    assert judged[2].state.ending is not None


def test_only_players_do_what_players_do() -> None:
    for do, more in (
        ("move", {"hole": 1}),
        ("offer", {}),
        ("accept", {}),
        ("decline", {}),
        ("resign", {}),
    ):
        refused(Table().referee(1, do, **more), "a player does")
