"""Planned times of rounds: read, checked, kept in the log, and said in words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from korgool.app.words.event_texts import planned_time, zone_text
from korgool.competition import CompetitionError
from korgool.competition.codec import from_json, to_json
from korgool.competition.model import Settings
from korgool.competition.timetable import PlannedRound, read_timetable
from tests.competition.program import call, korgool

CUP = Settings(name="Cup", timetable=read_timetable("2 2026-09-14T14:30\n1: 2026-09-14 10:00;"), zone="Asia/Bishkek")


def test_a_timetable_is_read_and_kept() -> None:
    assert CUP.timetable == (PlannedRound(1, "2026-09-14T10:00"), PlannedRound(2, "2026-09-14T14:30"))
    assert from_json(to_json(CUP), Settings) == CUP
    assert "timetable" not in to_json(Settings(name="Cup"))  # logs of all versions keep their texts
    assert read_timetable("none") == read_timetable(" ; ") == ()


@pytest.mark.parametrize(
    ("text", "zone", "said"),
    [
        ("2026-09-14 10:00", "", "is written 2026-09-14 10:00, not '2026-09-14 10:00'"),
        ("1 10:00", "", "not '1 10:00'"),
        ("1 2026-13-14 10:00", "", "not '2026-13-14 10:00'"),
        ("1 2026-09-14 25:00", "", "not '2026-09-14 25:00'"),
        ("0 2026-09-14 10:00", "", "1 to 99 rounds"),
        ("1 2026-09-14 10:00; 1 2026-09-14 11:00", "", "round 1 is planned before round 1"),
        ("1 2026-09-14 10:00; 2 2026-09-13 11:00", "", "round 2 is planned before round 1"),
        ("none", "Bishkek; DROP", "a time zone has a name such as Asia/Bishkek"),
        ("none", "../../etc/passwd", "a time zone has a name"),
    ],
)
def test_what_is_no_timetable(text: str, zone: str, said: str) -> None:
    with pytest.raises(CompetitionError, match=said):
        replace(CUP, timetable=read_timetable(text), zone=zone)


def test_times_are_those_of_the_place() -> None:
    assert planned_time(CUP, 1, "en") == "14 September 2026, 10:00 (UTC+6)"
    assert planned_time(CUP, 2, "ru") == "14 сентября 2026, 14:30 (UTC+6)"
    assert planned_time(CUP, 3, "en") == ""
    assert planned_time(replace(CUP, zone=""), 1, "tr") == "14 Eylül 2026, 10:00"
    moment = CUP.timetable[0].time
    assert zone_text("Asia/Kolkata", moment) == "UTC+5:30"
    assert zone_text("Mars/Olympus", moment) == "Mars/Olympus"


def test_the_command_line_has_it(tmp_path: Path) -> None:
    path = tmp_path / "cup.korgool"
    times = "1 2026-09-14 10:00; 2 2026-09-14 14:30"
    korgool("new", path, "--name", "Cup", "--timetable", times, "--zone", "Asia/Bishkek")
    shown = korgool("change", path, "--timetable", "none", "--json")
    assert '"timetable": []' in shown or '"timetable":[]' in shown
    assert "'--timetable': the time of a round is written" in call("change", path, "--timetable", "x").output
