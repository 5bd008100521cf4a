"""`korgool referee`: the log of a game on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from korgool.languages import LANGUAGES
from tests.cli.conftest import Invoke, Program

START = {"at": 0, "by": "referee", "do": "start", "game": "toguz", "control": {"kind": "sudden", "base": 60}}
GAME = [
    START,
    {"at": 1, "by": "white", "do": "arrive"},
    {"at": 2.5, "by": "white", "do": "move", "hole": 7},
    {"at": 3, "by": "white", "do": "press"},
    {"at": 4, "by": "black", "do": "offer"},
    {"at": 63, "by": "white", "do": "claim", "reason": "flag"},
    {"at": 64, "by": "white", "do": "sign", "result": "1 (10) - 0 (0)"},
    {"at": 65, "by": "black", "do": "sign"},
]


def text_of(lines: list[Any]) -> str:
    return "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_text(text_of(GAME), encoding="utf-8")
    return path


def answers(output: str) -> list[Any]:
    return [json.loads(line) for line in output.splitlines()]


@pytest.mark.parametrize("flags", [(), ("--json",)])
def test_every_line_is_answered_and_the_last_is_the_result(invoke: Invoke, log: Path, flags: tuple[str, ...]) -> None:
    result = invoke("referee", str(log), *flags)
    assert result.exit_code == 0
    assert result.stderr == ""
    *lines, last = answers(result.stdout)
    assert lines[:4] == [{"ruling": None}] * 4
    assert len(lines) == len(GAME)
    offer, flag, first, second = (line["ruling"] for line in lines[4:])
    assert (offer["kind"], offer["clause"], offer["granted"]) == ("offer_untimely", "WNG-TK §X", False)
    assert (flag["kind"], flag["granted"]) == ("time", True)
    assert flag["changes"]["result_text"] == "1 (10) - 0 (0)"
    assert flag["sentence"]
    assert first is None
    assert second["kind"] == "signed"
    assert last == {
        "result": "1-0",
        "result_text": "1 (10) - 0 (0)",
        "termination": "time",
        "stores": {"white": 10, "black": 0},
        "clock": {"white": 57.0, "black": 0.0},
        "warnings": {"white": 0, "black": 0},
        "clause": flag["clause"],
    }


def test_as_a_process_from_a_pipe(program: Program) -> None:
    done = program("referee", "-", "--json", text=text_of(GAME))
    assert done.returncode == 0
    assert answers(done.stdout)[-1]["result"] == "1-0"


def test_a_log_that_stops_early_has_no_result(invoke: Invoke) -> None:
    result = invoke("referee", "-", "--json", text=text_of(GAME[:4]))
    assert result.exit_code == 0
    assert answers(result.stdout)[-1] == {
        "result": "*",
        "result_text": None,
        "termination": None,
        "stores": {"white": 10, "black": 0},
        "clock": {"white": 57.0, "black": 60.0},
        "warnings": {"white": 0, "black": 0},
        "clause": None,
    }


def test_an_empty_log(invoke: Invoke) -> None:
    result = invoke("referee", "-", "--json", text="")
    assert result.exit_code == 0
    (last,) = answers(result.stdout)
    assert (last["result"], last["clock"]) == ("*", {"white": None, "black": None})


BAD = {
    "unknown field": {"at": 5, "by": "black", "do": "press", "why": 1},
    "unknown event": {"at": 5, "by": "black", "do": "dance"},
    "wrong side": {"at": 5, "by": "white", "do": "move", "hole": 1},
    "time back": {"at": 2, "by": "black", "do": "move", "hole": 1},
    "no move": {"at": 5, "by": "black", "do": "press"},
    "no hole": {"at": 5, "by": "black", "do": "move", "hole": 99},
    "second start": {**START, "at": 5},
    "no JSON": "{",
    "twice": '{"at": 5, "at": 5, "by": "black", "do": "resign"}',
    "nan": '{"at": NaN, "by": "black", "do": "resign"}',
    "huge": '{"at": 1e400, "by": "black", "do": "resign"}',
    "nul": "\0",
    "surrogate": '{"at": 5, "by": "\\ud800", "do": "resign"}',
    "long": '{"at": 5, "by": "black", "do": "resign", "x": "' + "x" * 10_000_000 + '"}',
    "deep": "[" * 65_000,
}


@pytest.mark.parametrize("bad", BAD.values(), ids=list(BAD))
def test_a_bad_line_is_refused_and_the_others_follow(invoke: Invoke, bad: Any) -> None:
    whole = answers(invoke("referee", "-", "--json", text=text_of(GAME)).stdout)
    result = invoke("referee", "-", "--json", text=text_of([*GAME[:4], bad, *GAME[4:]]))
    assert result.exit_code == 1
    found = answers(result.stdout)
    answer = found.pop(4)
    assert answer["ruling"] is None
    assert answer["error"]["line"] == 5
    assert answer["error"]["reason"]
    assert found == whole, "the game stands as before"
    assert "line 5: " in result.stderr
    assert len(result.stderr) < 600


def test_many_bad_lines_are_counted(invoke: Invoke) -> None:
    result = invoke("referee", "-", text="x\n" * 50)
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 11
    assert "40 more lines" in result.stderr


def test_no_file_and_a_folder(invoke: Invoke, tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        result = invoke("referee", str(path))
        assert result.exit_code == 1
        assert str(path) in result.stderr


def test_not_utf8(invoke: Invoke) -> None:
    result = invoke("referee", "-", text=text_of(GAME[:1]).encode() + b"\xff\xfe\n")
    assert result.exit_code == 1
    assert "UTF-8" in result.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_in_every_language(invoke: Invoke, log: Path, language: str) -> None:
    english = answers(invoke("referee", str(log), "--language", "en").stdout)
    found = answers(invoke("referee", str(log), "--language", language).stdout)
    for one, other in zip(english, found, strict=True):
        if one.get("ruling"):
            assert (one["ruling"]["sentence"] == other["ruling"]["sentence"]) is (language == "en")
            assert one["ruling"]["clause"] == other["ruling"]["clause"]


def test_options_of_the_event(invoke: Invoke) -> None:
    late = [START, {"at": 0, "by": "white", "do": "arrive"}, {"at": 20, "by": "black", "do": "arrive"}]
    found = answers(invoke("referee", "-", "--late", "19.5", text=text_of(late)).stdout)
    assert found[-1]["termination"] == "forfeit"
    late[-1]["at"] = 19
    assert answers(invoke("referee", "-", "--late", "19.5", text=text_of(late)).stdout)[-1]["termination"] is None
    online = [*GAME[:4], {"at": 100, "by": "black", "do": "move", "hole": 1}]
    found = answers(invoke("referee", "-", "--online", text=text_of(online)).stdout)
    assert found[-1]["termination"] == "time"
    both = [
        START,
        {"at": 61, "by": "white", "do": "move", "hole": 7},
        {"at": 61, "by": "white", "do": "press"},
        {"at": 121, "by": "referee", "do": "flag", "player": "white"},
    ]
    assert answers(invoke("referee", "-", text=text_of(both)).stdout)[-1]["result"] == "1/2-1/2"
    found = answers(invoke("referee", "-", "--both-flags", "compare", text=text_of(both)).stdout)
    assert found[-1]["result"] == "1-0"


def test_rules_of_the_command_line(invoke: Invoke) -> None:
    """`--game` serves a start that names none, `--rule` the game that it names."""
    start = {"at": 0, "by": "referee", "do": "start"}
    found = answers(invoke("referee", "-", "--game", "mangala", text=text_of([start])).stdout)
    assert found[-1]["clock"] == {"white": 900.0, "black": 900.0}
    assert invoke("referee", "-", "--rule", "goal=oops", text="").exit_code == 2


def test_the_state_after_every_line(invoke: Invoke, log: Path) -> None:
    found = answers(invoke("referee", str(log), "--state").stdout)
    assert found[2]["state"]["turn"] == "white"
    assert found[2]["state"]["pressed"] is False
    assert found[3]["state"]["running"] == "black"
    assert found[3]["state"]["clock"] == {"white": 57.0, "black": 60.0}


def test_help_names_the_format(invoke: Invoke) -> None:
    result = invoke("referee", "--help")
    assert result.exit_code == 0
    assert "referee -" in result.stdout
    assert "referee" in invoke("--help").stdout


def test_people_read_sentences(log: Path) -> None:
    """On a terminal, which a test has to imitate: the plain form is a function of the same answers."""
    from korgool.app.cli.referee import _result, _sentence
    from korgool.conduct.log import judge
    from korgool.conduct.summary import summary

    judged = list(judge(log.read_bytes().splitlines()))
    lines = [_sentence(one, "en") for one in judged]
    assert lines[3] == "     3.000  white    press\n"
    assert "(WNG-TK §X)" in lines[4]
    last = _result(summary(judged[-1].state), judged[-1].state)
    assert "1 (10) - 0 (0), time (WNG-TK §V, §VII)" in last
    assert "White 57.000 s, Black 0.000 s" in last
    (bad,) = judge([b"?"])
    assert "refused: the line is not JSON" in _sentence(bad, "en")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(st.binary(max_size=300))
def test_any_file_is_answered(invoke: Invoke, content: bytes) -> None:
    result = invoke("referee", "-", text=content)
    assert result.exit_code in (0, 1)
    found = answers(result.stdout)
    assert found[-1]["result"] == "*"
    assert (result.exit_code == 1) == any("error" in line for line in found)
