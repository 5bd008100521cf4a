"""Results as they are written, and results that contradict their own ending."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.competition.errors import CompetitionError
from korgool.competition.result import Result, SetResult, points_text, read_result
from korgool.rules import BESTEMSHE, MANGALA, TOGUZ_KORGOOL


@pytest.mark.parametrize(
    ("text", "points", "stores"),
    [
        ("1 (82) - 0 (60)", (2, 0), (82, 60)),
        ("0 (60) - 1 (82)", (0, 2), (60, 82)),
        ("0.5 (81) - 0.5 (81)", (1, 1), (81, 81)),
        ("0,5 (81) – 0,5 (81)", (1, 1), (81, 81)),
        (" 1(100)-0(62) ", (2, 0), (100, 62)),
        ("½-½", (1, 1), None),
        ("1/2-1/2", (1, 1), None),
        ("1-0", (2, 0), None),
    ],
)
def test_the_examples_of_the_rules_are_read(text: str, points: tuple[int, int], stores: object) -> None:
    """WNG-TK §IX gives the first three."""
    result = read_result(text)
    assert (result.white, result.black) == points
    assert result.stores == stores
    result.check(TOGUZ_KORGOOL)


@pytest.mark.parametrize(
    "text", ["1 (82) - 0 (60)", "0 (60) - 1 (82)", "0.5 (81) - 0.5 (81)", "+ - -", "- - -", "1 - 0"]
)
def test_a_result_is_written_as_it_was_read(text: str) -> None:
    assert read_result(text).text == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1 (100) - 0 (63)", "163 stones together"),
        ("1 (75) - 0 (60)", "at least 82 stones, not 75"),
        ("1 (60) - 0 (82)", "loser has 82"),
        ("0.5 (80) - 0.5 (80)", "81 each"),
        ("0.5 (90) - 0.5 (72)", "has won"),
        ("0.5 (90) - 0.5 (60) agreement", "has won"),
        ("0 (70) - 0 (70) resignation", "both players lose only"),
        ("1 - 1", "gives"),
        ("1 (70) - 0 (60) agreement", "is a draw"),
        ("0.5 (70) - 0.5 (60) resignation", "has lost"),
    ],
)
def test_a_result_that_contradicts_its_ending_is_refused(text: str, reason: str) -> None:
    with pytest.raises(CompetitionError, match=reason):
        read_result(text).check(TOGUZ_KORGOOL)


@pytest.mark.parametrize(
    "text",
    [
        "1 (70) - 0 (60) resignation",
        "1 (70) - 0 (60) time",
        "1 (40) - 0 (70) flag",
        "0.5 (70) - 0.5 (60) agreement",
        "0.5 (20) - 0.5 (60) repetition",
        "0.5 (70) - 0.5 (60) both flags",
        "0 - 0 time",
        "- - -",
        "1 (81) - 0 (80) time",
    ],
)
def test_a_stopped_game_needs_only_its_cause(text: str) -> None:
    read_result(text).check(TOGUZ_KORGOOL)


def test_other_games_have_their_own_majority() -> None:
    read_result("1 (26) - 0 (10)").check(BESTEMSHE)
    with pytest.raises(CompetitionError, match="at least 26"):
        read_result("1 (25) - 0 (20)").check(BESTEMSHE)
    read_result("0.5 (24) - 0.5 (24)").check(MANGALA)


def test_a_match_is_won_by_its_sets() -> None:
    result = read_result("1 (30) - 0 (18); 0 (20) - 1 (28); 1 (25) - 0 (23)")
    assert (result.white, result.black, result.stores) == (2, 0, (75, 69))
    result.check(MANGALA, sets=3)
    with pytest.raises(CompetitionError, match="3 sets are given, a match of this event has 2"):
        result.check(MANGALA, sets=2)
    with pytest.raises(CompetitionError, match=r"set 2: .*49 stones"):
        read_result("1 (30) - 0 (18); 0 (20) - 1 (29)").check(MANGALA, sets=3)
    assert result.sets[1] == SetResult(0, 2, (20, 28))


@pytest.mark.parametrize(
    "text", ["", "1", "1-2", "2-0", "1 (82) - 0", "won", "1 (x) - 0 (60)", "+ - +", ";", "1 - 0 because"]
)
def test_what_is_no_result_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(CompetitionError):
        read_result(text)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        result = read_result(text)
    except CompetitionError:
        return
    assert isinstance(result, Result)


@given(st.text(alphabet="01/2½.,5 ()-+=;8timeagrd", max_size=40))
def test_nearly_results_are_read_or_refused(text: str) -> None:
    try:
        result = read_result(text)
        result.check(TOGUZ_KORGOOL)
    except CompetitionError:
        return
    assert read_result(result.text).white == result.white or result.sets or result.cause in ("forfeit", "time")


def test_half_points_are_written_as_decimals() -> None:
    assert [points_text(points) for points in (-3, -1, 0, 1, 2, 13)] == ["-1.5", "-0.5", "0", "0.5", "1", "6.5"]


def test_two_causes_of_one_end_are_refused() -> None:
    assert read_result("1-0 resignation", cause="resignation") == read_result("1-0 resignation")
    with pytest.raises(CompetitionError, match="names another cause than time"):
        read_result("1-0 resignation", cause="time")
    with pytest.raises(CompetitionError, match="is a forfeit, not time"):
        read_result("+ - -", cause="time")
