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


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1 (82) - 0 (80) no move", ""),
        ("1 (41) - 0 (80) no move", ""),
        ("1 (40) - 0 (81) no move", "with the 41 stones left the winner has 81, not 82"),
        ("0 (81) - 1 (40) no move", "with the 41 stones left the winner has 81, not 82"),
        ("0 (80) - 1 (41) no move", ""),
        ("1 (30) - 0 (82) no move", "the loser has 82 stones of 162, which wins"),
        ("0 (82) - 1 (30) no move", "the loser has 82 stones of 162, which wins"),
        ("0.5 (81) - 0.5 (50) no move", ""),
        ("0.5 (50) - 0.5 (81) no move", ""),
        ("0.5 (80) - 0.5 (80) no move", "it is a draw at 81 each, after the sweep"),
        ("0.5 (82) - 0.5 (70) no move", "it is a draw at 81 each, after the sweep"),
        ("1 (82) - 0 (81) no move", "163 stones together"),
        ("1 (82) - 0 (80)", ""),
        ("1 (81) - 0 (80)", "at least 82 stones, not 81"),
        ("0 (80) - 1 (81)", "at least 82 stones, not 81"),
        ("1 (70) - 0 (81) resignation", ""),
        ("1 (70) - 0 (82) resignation", "the loser has 82 stones of 162, which wins"),
        ("0.5 (81) - 0.5 (80) agreement", ""),
        ("0.5 (82) - 0.5 (70) agreement", "has won, it is no draw"),
        ("0 (70) - 0 (90) time", ""),
        ("0 (70) - 1 (80) repetition", "repetition is a draw, it has no winner"),
        ("0.5 (70) - 0.5 (60)", "a draw on the board is 81 each"),
        ("1 (162) - 0 (0)", ""),
    ],
)
def test_the_stones_that_an_ending_allows(text: str, reason: str) -> None:
    """Half of the stones wins nothing and one more does; without a move the rest goes to one side (WNG-TK §V)."""
    result = read_result(text)
    if not reason:
        result.check(TOGUZ_KORGOOL)
        return
    with pytest.raises(CompetitionError, match=reason):
        result.check(TOGUZ_KORGOOL)


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (Result(2, 0, (82, 60), "forfeit"), "a forfeited game has no stones in the kazans"),
        (Result(1, 1, None, "forfeit"), "a forfeit is no draw"),
        (Result(0, 0, None, "forfeit"), ""),
        (Result(0, 2, None, "forfeit"), ""),
        (Result(2, 1), "a game gives"),
        (Result(0, 1), "a game gives"),
        (Result(0, 0), "both players lose only by a forfeit or by time"),
        (Result(0, 0, None, "time"), ""),
        (Result(2, 0, (-1, 60), "resignation"), "the kazans hold 59 stones together"),
        (Result(2, 0, (60, -1), "resignation"), "the kazans hold 59 stones together"),
    ],
)
def test_points_that_a_game_can_give(result: Result, reason: str) -> None:
    if not reason:
        result.check(TOGUZ_KORGOOL)
        return
    with pytest.raises(CompetitionError, match=reason):
        result.check(TOGUZ_KORGOOL)


def test_the_stores_of_a_match_hold_the_stones_of_all_its_sets() -> None:
    Result(2, 0, (100, 44)).check(MANGALA, sets=3)
    with pytest.raises(CompetitionError, match="145 stones together, the game has 144"):
        Result(2, 0, (100, 45)).check(MANGALA, sets=3)
    with pytest.raises(CompetitionError, match="49 stones together, the game has 48"):
        Result(2, 0, (30, 19)).check(MANGALA)


def test_a_result_seen_from_the_other_side() -> None:
    one = Result(2, 0, (82, 60))
    assert one.mirrored == Result(0, 2, (60, 82))
    assert Result(2, 0, None, "forfeit").mirrored == Result(0, 2, None, "forfeit")
    match = read_result("1 (30) - 0 (18); - - +; 1 (25) - 0 (23)")
    assert match.mirrored == Result(
        0, 2, None, "board", (SetResult(0, 2, (18, 30)), SetResult(2, 0, None, "forfeit"), SetResult(0, 2, (23, 25)))
    )
    assert match.mirrored.mirrored == match
    assert (match.text, match.full_text) == ("1 - 0", "1 - 0 [2:1]")
    assert (match.set_score, one.set_score, one.full_text) == ((4, 2), None, one.text)
    assert read_result("0.5 (24) - 0.5 (24); 1 (30) - 0 (18)").full_text == "1 (54) - 0 (42) [1.5:0.5]"
    assert read_result("0 - 1").text == "0 - 1"


def test_the_cause_that_a_text_leaves_open() -> None:
    causes = {
        "1-0": "unknown", "1 (82) - 0 (60)": "board", "0-0": "forfeit", "0-0 time": "time", "0-1 no show": "forfeit",
        "1-0 RESIGNED": "resignation", "½-½ agreed": "agreement", "1-0 side_empty": "unknown", "+ - -": "forfeit",
        "1 (82) - 0 (60); 1 (82) - 0 (60)": "board", "+ - -; + - -": "forfeit", "+ - -; 1 - 0": "board",
    }  # fmt: skip
    assert {text: read_result(text).cause for text in causes} == causes
    assert read_result("1-0", cause="time").cause == "time"
    assert read_result("1-0; 0-1", cause="time").cause == "time"
    assert [one.cause for one in read_result("1-0; 0-1 time").sets] == ["board", "time"]
    points = {
        "- - -": (0, 0),
        "- - +": (0, 2),
        "+ : -": (2, 0),
        "0-0": (0, 0),
        "= - =": (1, 1),
        "0-1; 0-1; 1-0": (0, 2),
    }
    assert {text: (read_result(text).white, read_result(text).black) for text in points} == points
    with pytest.raises(CompetitionError, match="both players cannot win"):
        read_result("+ - +")
    with pytest.raises(CompetitionError, match="holds no set"):
        read_result(" ; ")


def test_two_fallen_flags_are_a_draw_or_the_fuller_store_wins() -> None:
    """WNG-TK §V and §VII."""
    for text in ("1 (70) - 0 (60) both flags", "0 (60) - 1 (70) flags", "0.5 (70) - 0.5 (60) flags", "1-0 flags"):
        assert read_result(text).cause == "time"
    for text in (
        "1 (60) - 0 (70) both flags",
        "0 (70) - 1 (60) flags",
        "0 (60) - 1 (60) flags",
        "1 (60) - 0 (60) flags",
    ):
        with pytest.raises(CompetitionError, match="only the fuller kazan can win"):
            read_result(text)
    with pytest.raises(CompetitionError, match="nobody loses"):
        read_result("0 - 0 both flags")


def test_numbers_of_stones() -> None:
    assert read_result("1 (9999) - 0 (0001)").stores == (9999, 1)
    for text in ("1 (10000) - 0 (1)", "1 (1) - 0 (10000)"):
        with pytest.raises(CompetitionError, match="too many stones"):
            read_result(text)
    for text in ("1 (82) - 0", "1 - 0 (60)"):
        with pytest.raises(CompetitionError, match="the stones of one player only"):
            read_result(text)
