"""Record forms from what the referee saw: warnings, draw offers, the time used."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from korgool.app.printing import RecordForm, form_pdf
from korgool.app.printing.form_pages import form_data
from korgool.conduct.log import judge
from korgool.conduct.state import GameState
from tests.printing.reading import pages

Invoke = Callable[..., Result]

START = {"at": 0, "by": "referee", "do": "start"}


def log(*events: dict[str, Any]) -> bytes:
    return "\n".join(json.dumps(event) for event in events).encode()


def judged(*events: dict[str, Any]) -> GameState:
    state = GameState()
    for one in judge(log(*events).splitlines()):
        assert one.event is not None
        state = one.state
    return state


PLAYED = (
    {**START, "control": {"base": 3600, "increment": 10, "kind": "fischer"}},
    {"at": 5, "by": "white", "do": "arrive"},
    {"at": 100, "by": "white", "do": "move", "hole": 7},
    {"at": 101, "by": "white", "do": "offer"},
    {"at": 102, "by": "white", "do": "press"},
    {"at": 300, "by": "black", "do": "move", "hole": 5},
    {"at": 302, "by": "black", "do": "press"},
    {"at": 310, "by": "referee", "do": "warn", "player": "black", "reason": "conversation"},
    {"at": 402, "by": "white", "do": "resign"},
)


def test_the_form_of_a_game_has_what_the_referee_saw() -> None:
    form = RecordForm.of_state(judged(*PLAYED), {"White": "Үсөнбаев, Нурлан", "Round": "3"})
    assert form.warnings == (0, 1)
    assert form.time_used == ("0:03:22", "0:03:20")
    assert form.white.name == "Үсөнбаев, Нурлан"
    assert form.control == "60+10"
    page = form_data(form, "en", "a4")["pages"][0]
    assert page["offers"] == [1, 0]
    assert page["result"] == "0 (10) - 1 (10)"
    (text,) = pages(form_pdf(form, language="ky"))
    assert "0:03:22" in text
    assert "0:03:20" in text


def test_a_tag_goes_before_the_clock() -> None:
    form = RecordForm.of_state(judged(*PLAYED), {"WhiteTime": "0:05:00", "TimeControl": "60 мин"})
    assert form.time_used == ("0:05:00", "")
    assert form.control == "60 мин"


@pytest.mark.parametrize("kind", ["delay", "byoyomi"])
def test_a_clock_that_does_not_tell_the_time_used_leaves_it_empty(kind: str) -> None:
    control = {"base": 60, "delay": 5, "kind": kind} | ({"periods": 2} if kind == "byoyomi" else {})
    form = RecordForm.of_state(judged({**START, "control": control}, *PLAYED[2:3]))
    assert form.time_used == ("", "")


def test_both_players_may_lose() -> None:
    state = judged(START, {"at": 1831, "by": "referee", "do": "claim", "reason": "no_show"})
    assert state.ending is not None
    assert state.ending.both_lost
    form = RecordForm.of_state(state)
    page = form_data(form, "en", "a4")["pages"][0]
    assert page["result"] == "0 - 0"
    assert page["points"] == ["0", "0"]
    assert page["blocks"][0][0]["void"]


def test_a_game_that_has_not_begun_has_no_form() -> None:
    with pytest.raises(ValueError, match="has not begun"):
        RecordForm.of_state(GameState())


def test_the_command_prints_a_log(invoke: Invoke, tmp_path: Path) -> None:
    source, out = tmp_path / "game.jsonl", tmp_path / "game.pdf"
    source.write_bytes(log(*PLAYED))
    done = invoke("sheet", "--log", str(source), "-o", str(out), "--tag", "White=Öz", "--tag", "Round=3")
    assert (done.exit_code, done.stderr) == (0, "")
    (text,) = pages(out.read_bytes())
    assert "Öz" in text
    assert "0:03:22" in text


def test_the_command_prints_every_set_with_its_sides(invoke: Invoke, tmp_path: Path) -> None:
    source, out = tmp_path / "match.jsonl", tmp_path / "match.pdf"
    start = {**START, "game": "mangala", "sets": 2}
    source.write_bytes(
        log(
            start,
            {"at": 10, "by": "white", "do": "resign"},
            {"at": 20, "by": "referee", "do": "next_set"},
            {"at": 30, "by": "black", "do": "resign"},
        )
    )
    done = invoke("sheet", "--log", str(source), "-o", str(out), "--tag", "White=Anna", "--tag", "Black=Ümit")
    assert (done.exit_code, done.stderr) == (0, "")
    first, second = pages(out.read_bytes())
    assert first.index("Anna") < first.index("Ümit")
    assert second.index("Ümit") < second.index("Anna")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "has not begun"),
        (b"nonsense\n", "line 1"),
        (log(START, {"at": 1, "by": "white", "do": "dance"}), "line 2"),
        (log(START, START), "line 2"),
    ],
)
def test_a_bad_log_is_refused_with_its_line(content: bytes, message: str, invoke: Invoke, tmp_path: Path) -> None:
    source, out = tmp_path / "game.jsonl", tmp_path / "game.pdf"
    source.write_bytes(content)
    done = invoke("sheet", "--log", str(source), "-o", str(out))
    assert done.exit_code == 1
    assert message in done.stderr
    assert "game.jsonl" in done.stderr
    assert not out.exists()


def test_a_log_needs_a_file(invoke: Invoke, tmp_path: Path) -> None:
    done = invoke("sheet", "--log", "-o", str(tmp_path / "x.pdf"))
    assert done.exit_code != 0
    assert "--from-log needs the file" in done.stderr
