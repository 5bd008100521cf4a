"""What an arbiter who has only the manual tries: results in other words, namesakes, reports of other programs."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from korgool.competition.errors import CompetitionError
from korgool.competition.result import read_result
from korgool.rules import MANGALA, TOGUZ_KORGOOL, Rules
from tests.competition.program import begin, call, korgool, lines, refused, usage

REPORT = """\
012 Open
042 {begins}
062 4
092 Individual: Swiss-System
001    1 m    Wang, Li                          2000 CHN                         1.0    1     3 w 1
001    2 m    Wang, Li                          1900 CHN                         0.0    3     4 b 0
001    3 m    Wang, Li                          1800 CHN                         0.0    4     1 b 0
001    4 m    Kim, V                            1700 KAZ                         1.0    2     2 w 1
XXR 3
"""


@pytest.mark.parametrize(
    ("text", "stores", "rules"),
    [
        ("1 (70) - 0 (60) no_move", (70, 60), TOGUZ_KORGOOL),
        ("0 (60) - 1 (75) no move", (60, 75), TOGUZ_KORGOOL),
        ("1 (100) - 0 (62) no-move", (100, 62), TOGUZ_KORGOOL),
        ("0.5 (81) - 0.5 (70) no move", (81, 70), TOGUZ_KORGOOL),
        ("1 (20) - 0 (20) no move", (20, 20), MANGALA),
    ],
)
def test_who_has_no_move_may_leave_stones_unswept(text: str, stores: tuple[int, int], rules: Rules) -> None:
    result = read_result(text)
    assert (result.cause, result.stores) == ("no_move", stores)
    result.check(rules)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1 (60) - 0 (81) no move", "with the 21 stones left the winner has 81, not 82"),
        ("1 (60) - 0 (82) no move", "the loser has 82"),
        ("1 (90) - 0 (80) no move", "170 stones together"),
        ("0.5 (80) - 0.5 (70) no move", "a draw at 81 each"),
        ("0 (60) - 0 (70) no move", "both players lose only"),
        ("1 (60) - 0 (70) both flags", "only the fuller kazan can win"),
        ("0 (60) - 0 (70) flags", "two fallen flags are a draw"),
        ("1-0-", "is no result"),
        ("1 - 0 _", "is no result"),
    ],
)
def test_a_cause_in_words_is_held_against_the_stores(text: str, reason: str) -> None:
    with pytest.raises(CompetitionError, match=reason):
        read_result(text).check(TOGUZ_KORGOOL)


def test_the_words_of_a_replay_are_causes_too() -> None:
    """`korgool replay` says `majority`, `equal` and `side_empty` of what the board ends."""
    assert read_result("1 (82) - 0 (60) majority") == read_result("1 (82) - 0 (60)")
    assert read_result("0.5 (81) - 0.5 (81) equal") == read_result("0.5 (81) - 0.5 (81)")
    assert read_result("1 (30) - 0 (18) side_empty") == read_result("1 (30) - 0 (18)")


def test_two_people_of_one_name(tmp_path: Path) -> None:
    cup = tmp_path / "cup.korgool"
    korgool("new", cup, "--name", "Cup", "--rounds", 3)
    korgool("enter", cup, "--name", "Wang, Li", "--external", "1")
    assert "is entered already" in refused("enter", cup, "--name", "wang li")
    korgool("enter", cup, "--name", "Wang, Li", "--namesake")
    assert "is entered already" in refused("enter", cup, "--name", "Other", "--external", "1", "--namesake")
    assert [one["name"] for one in lines("players", cup)] == ["Wang, Li", "Wang, Li"]
    korgool("change", cup, "--place", "Naryn")
    korgool("amend", cup, 2, "--rating", 1900)
    korgool("enter", cup, "--name", "Wang, Bo")
    assert "is entered already" in refused("amend", cup, 3, "--name", "Wang, Li")
    assert "hold" in korgool("check", cup)


@pytest.mark.parametrize("name", ["report.trf", "report.txt", "report"])
@pytest.mark.parametrize("head", ["", "XXR 3\n", "### by another program\n", "\ufeff"])
def test_namesakes_of_a_report_are_two_people(tmp_path: Path, name: str, head: str) -> None:
    report, cup, back = tmp_path / name, tmp_path / "cup.korgool", tmp_path / "back.trf"
    report.write_bytes((head + REPORT.format(begins="2026/05/01")).encode())
    korgool("import", cup, report)
    assert [one["name"] for one in lines("players", cup)] == ["Wang, Li"] * 3 + ["Kim, V"]
    again = tmp_path / "again.korgool"
    korgool("export", cup, "--trf", back)
    korgool("import", again, back)
    assert lines("standings", again) == lines("standings", cup)
    korgool("pair", cup)
    assert "hold" in korgool("check", cup)


def test_a_report_without_games_does_not_tell_namesakes_apart(tmp_path: Path) -> None:
    report, cup = tmp_path / "report.trf", tmp_path / "cup.korgool"
    rows = [row[:89].rstrip() for row in REPORT.format(begins="2026/05/01").splitlines()]
    report.write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert "Wang, Li is entered already, with number 1" in refused("import", cup, report)
    assert not cup.exists()


@pytest.mark.parametrize(
    ("begins", "edition"),
    [("2024/01/15", "2023"), ("15.01.2024", "2023"), ("2026/03/01", "2026"), ("28/02/2026", "2023"), ("soon", "2026")],
)
def test_the_edition_of_a_report(tmp_path: Path, begins: str, edition: str) -> None:
    """By its first day, or as it is chosen: on importing, and later."""
    report = tmp_path / "report.trf"
    report.write_text(REPORT.format(begins=begins), encoding="utf-8")
    usual, chosen, into = (tmp_path / f"{name}.korgool" for name in ("usual", "chosen", "into"))
    other = "2026" if edition == "2023" else "2023"
    korgool("import", usual, report)
    korgool("import", chosen, report, "--edition", other)
    korgool("new", into, "--name", "Cup", "--edition", "2023")
    korgool("import", into, report, "--edition", "2026")
    assert [lines("show", one)[0]["edition"] for one in (usual, chosen, into)] == [edition, other, "2026"]
    (tmp_path / "list.csv").write_text("family\nKim\n", encoding="utf-8")
    assert "--edition is for a TRF" in usage("import", into, tmp_path / "list.csv", "--edition", "2026")


@pytest.mark.parametrize(
    ("words", "edition"),
    [
        ([], "2026"),
        (["--begins", "2025-10-01"], "2023"),
        (["--begins", "2026-03-01"], "2026"),
        (["--begins", "2025-10-01", "--edition", "2026"], "2026"),
    ],
)
def test_the_edition_of_a_new_event(tmp_path: Path, words: list[str], edition: str) -> None:
    assert lines("new", tmp_path / "cup.korgool", "--name", "Cup", *words)[0]["edition"] == edition


def test_a_forged_table_is_told_in_words(tmp_path: Path) -> None:
    cup = tmp_path / "cup.korgool"
    begin(cup, 4, 3)
    for line in lines("pair", cup, "--lot", "1"):
        korgool("result", cup, 1, line["board"], "1 (82) - 0 (60)")
    korgool("publish", cup)
    connection = sqlite3.connect(cup)
    connection.execute("UPDATE log SET action = replace(action, '60.0', '61.0') WHERE action LIKE '%publish%'")
    connection.commit()
    connection.close()
    done = call("check", cup)
    assert done.exit_code == 1
    told = done.stdout + done.stderr
    assert "computed place 3 with 0 points (PS 0 BH 1 DE 0 KL 60)" in told
    assert "KL 61" in told
    assert "Row(" not in told
    assert "Player" in told


def test_one_player_is_told_as_one(tmp_path: Path) -> None:
    cup = tmp_path / "cup.korgool"
    korgool("new", cup, "--name", "Cup", "--rounds", 1)
    assert "no players: too few" in refused("pair", cup)
    korgool("enter", cup, "--name", "Kim")
    assert "1 player: too few" in refused("pair", cup)


@pytest.mark.parametrize(
    "words",
    [["standings"], ["standings", "--why", "1", "2"], ["teams"], ["crosstable"], ["round"], ["explain"]],
    ids=" ".join,
)
def test_a_round_that_is_not_paired(tmp_path: Path, words: list[str]) -> None:
    cup = tmp_path / "cup.korgool"
    begin(cup, 4, 3)
    asked = ["2"] if words[0] in ("round", "explain") else ["--round", "2"]
    assert "round 2 is not paired, no round is" in refused(words[0], cup, *asked, *words[1:])
    korgool("pair", cup)
    assert "round 2 is not paired, rounds 1 to 1 are" in refused(words[0], cup, *asked, *words[1:])
    assert "1 round and" in korgool("check", cup)
