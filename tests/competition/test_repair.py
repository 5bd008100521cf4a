"""Rounds changed by hand with results standing: swaps, colours, new boards, and rounds long past."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.competition.program import begin, call, korgool, lines, refused, usage

WHY = ("--reason", "as they really sat")


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """Nine players; round 1: boards 1-5 2-6 3-7 4-8 in some colours, 9 is free; board 1 has a result."""
    path = tmp_path / "cup.korgool"
    begin(path, 9, 3)
    korgool("pair", path, "--lot", "1")
    korgool("repair", path, "1-5", "6-2", "3-7", "8-4", "--bye", 9, *WHY)
    korgool("result", path, 1, 1, "82-60")
    return path


def board(path: Path, number: int, at: int) -> tuple[int, int, str | None]:
    line = lines("round", path, number)[at - 1]
    return line["white"], line["black"], line["result_text"]


def change(path: Path, *words: object) -> str:
    done = call("repair", path, *words, *WHY)
    assert done.exit_code == 0, done.output
    return done.stderr


def test_one_result_locks_no_other_board(cup: Path) -> None:
    assert "paired by hand" in change(cup, "--swap", 3, 8)
    assert [board(cup, 1, at) for at in (1, 3, 4)] == [(1, 5, "1 (82) - 0 (60)"), (8, 7, None), (3, 4, None)]
    change(cup, "--colours", 2)
    assert board(cup, 1, 2) == (2, 6, None)
    change(cup, "--swap", 9, 7)
    assert [line["white"] for line in lines("round", cup) if line["bye"]] == [7]
    assert lines("check", cup)[0]["ok"]


def test_colours_with_a_result_leave_each_his_own(cup: Path) -> None:
    change(cup, "--colours", 1)
    assert board(cup, 1, 1) == (5, 1, "0 (60) - 1 (82)")
    change(cup, "--swap", 1, 5)
    assert board(cup, 1, 1) == (1, 5, "1 (82) - 0 (60)")


def test_a_result_stays_at_its_board_when_players_are_swapped(cup: Path) -> None:
    change(cup, "--swap", 1, 6)
    assert board(cup, 1, 1) == (6, 5, "1 (82) - 0 (60)")
    assert board(cup, 1, 2) == (1, 2, None)


def test_a_whole_round_keeps_the_results_of_those_who_meet(cup: Path) -> None:
    change(cup, "3-4", "5-1", "7-8", "6-2", "--bye", 9)
    assert [board(cup, 1, at) for at in (1, 2, 4)] == [(3, 4, None), (5, 1, "0 (60) - 1 (82)"), (6, 2, None)]
    told = refused("repair", cup, "1-4", "5-3", "7-8", "6-2", "--bye", 9, *WHY)
    assert "board 2 has the result 0 (60) - 1 (82), and its players would not meet any more" in told


def test_who_came_late_meets_who_was_free(cup: Path) -> None:
    korgool("enter", cup, "--name", "Late", "--rating", 1000)
    change(cup, "--seat", "9-10")
    assert board(cup, 1, 5) == (9, 10, None)
    assert not any(line["bye"] for line in lines("round", cup))
    assert "is paired 2 times" in refused("repair", cup, "--seat", "1-10", *WHY)
    for at in (2, 3, 4, 5):
        korgool("result", cup, 1, at, "82-60")
    korgool("pair", cup)
    assert lines("check", cup)[0]["ok"]


def test_who_came_back_need_not_be_seated_in_a_round_that_is_under_way(cup: Path) -> None:
    for at in (2, 3, 4):
        korgool("result", cup, 1, at, "82-60")
    korgool("withdraw", cup, 4)
    korgool("pair", cup)
    korgool("readmit", cup, 4)
    first = lines("round", cup)[0]
    change(cup, "--colours", 1)
    assert board(cup, 2, 1) == (first["black"], first["white"], None)


def test_a_past_round_as_they_really_sat(cup: Path) -> None:
    for at, text in ((2, "=82-60"[1:]), (3, "60-90"), (4, "=")):
        korgool("result", cup, 1, at, text)
    korgool("pair", cup)
    before = {line["number"]: line["points"] for line in lines("standings", cup, "--round", 1)}
    change(cup, "--colours", 3, "--round", 1)
    assert board(cup, 1, 3) == (7, 3, "1 (90) - 0 (60)")
    assert {line["number"]: line["points"] for line in lines("standings", cup, "--round", 1)} == before
    change(cup, "--swap", 2, 8, "--round", 1)
    assert [board(cup, 1, at) for at in (2, 4)] == [(6, 8, "1 (82) - 0 (60)"), (2, 4, "0.5 - 0.5")]
    told = refused("repair", cup, "1-5", "6-8", "2-7", "3-4", "--bye", 9, "--round", 1, *WHY)
    assert "its players would not meet any more" in told
    assert "round 1 paired by hand" in korgool("log", cup)
    (found,) = lines("check", cup)
    assert found["ok"]
    assert "round 1 was paired by hand" in found["remarks"]
    last = lines("log", cup)[-1]["at"]
    korgool("undo", cup, last, "--reason", "they sat as it was")
    assert [board(cup, 1, at)[:2] for at in (2, 4)] == [(6, 2), (8, 4)]


def test_usage(cup: Path) -> None:
    for words in ((), ("--swap", 1, 2, "--colours", 1), ("--colours", 1, "1-2"), ("--seat", "1-2", "--round", 1)):
        assert usage("repair", cup, *words, *WHY)
    assert "round 1 has no board 9" in refused("repair", cup, "--colours", 9, *WHY)
    assert "round 2 is not paired" in refused("repair", cup, "--colours", 1, "--round", 2, *WHY)
