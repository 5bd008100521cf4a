"""Reports for other programs: the pairing engine in C++ (bbpPairings) opens them, and what they lack is told.

The engine itself is no part of the tests. What is held here is what its reader asks for: the fields of each record, the
codes of systems that it knows in all its versions, and totals that are those of the rounds.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from korgool.competition import actions as do
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Absence, ByeKind, Entry, Role, Settings, System
from korgool.competition.pairing import GacruxProcess
from korgool.competition.trf import left_out, read_trf, write_trf
from tests.competition.conftest import Factory, play_event
from tests.competition.program import begin, call, korgool, lines
from tests.competition.third_engine import assert_confirmed

CODES = ("FIDE_DUTCH", "FIDE_DUTCH_BAKU", "FIDE_BURSTEIN", "FIDE_BURSTEIN_BAKU")
REFUSED = ("013", "310", "299")
WORTH = {"1": 2, "=": 1, "0": 0, "+": 2, "-": 0, "F": 2, "H": 1, "Z": 0}


def open_strictly(text: str) -> dict[str, str]:
    """Read a report as the engine in C++ does, whose faults are assertions here; the header records by code."""
    found: dict[str, str] = {}
    bye = 2
    for line in text.splitlines():
        code = line[:3]
        assert code not in REFUSED, line
        if code == "162":
            assert len(line) >= 10
            for place in range(5, len(line), 9):
                assert re.fullmatch(r"[WDLAP] *\d+\.\d", line[place : place + 5]), line
                if line[place] == "P":
                    bye = round(2 * float(line[place + 1 : place + 5]))
        if code == "152":
            assert line in ("152 W", "152 B")
        if code == "192":
            assert line[4:] in CODES
        if code == "142":
            assert line[4:].isdecimal()
        if code == "240":
            assert re.fullmatch(r"240 [FHZ] [ \d]{3}(?: [ \d]{4})+", line), line
        found.setdefault(code, line)
    for line in text.splitlines():
        if line.startswith("001"):
            cells = [line[place : place + 8] for place in range(91, len(line), 10)]
            total = 0
            for cell in cells:
                held = re.fullmatch(r"([ \d]{4}) ([wb-]) ([1=0+\-FHUZ])", cell)
                assert held, line
                assert (held[1] == "0000") is (held[2] == "-") is (held[3] in "FHUZ"), line
                total += bye if held[3] == "U" else WORTH[held[3]]
            assert float(line[80:84]) == total / 2, line
    return found


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("bye_points", [2, 1, 0])
def test_the_strict_reader_opens_the_report(event: Factory, number: int, bye_points: int) -> None:
    state = event(9 + number, 4, number, bye_points=bye_points, forfeits=0.1, late=1, withdrawals=1)
    for rounds in range(5):
        header = open_strictly(write_trf(state, rounds=rounds))
        assert header["192"] == "192 FIDE_DUTCH"
        assert header.get("162", "") == {2: "", 1: "162  P 0.5", 0: "162  P 0.0"}[bye_points]


def test_the_bye_is_read_back_without_our_notes(event: Factory) -> None:
    """Another program keeps the numbered records and drops our comments."""
    for bye_points in (2, 1, 0):
        text = write_trf(event(7, 3, 5, bye_points=bye_points))
        bare = "".join(line + "\n" for line in text.splitlines() if not line.startswith("###"))
        imported = read_trf(bare)
        assert imported.settings.bye_points == bye_points
        assert imported.settings.system is System.SWISS


def rich_event() -> EventState:
    """An event with everything that a report has no place for."""
    state = play_event(8, 3, 4, forbid=("team",), tiebreaks=("PS", "BH", "KL"))
    long = Entry(family="A" * 30, given="B" * 30, title="Master of sports")
    for action, reason in (
        (do.Penalise(3, 1), "conduct"),
        (do.GiveWarning(5), "late"),
        (do.Change(replace(state.event, rounds=6)), ""),
        (do.Miss(2, Absence(5, ByeKind.HALF)), ""),
        (do.Miss(6, Absence(5, ByeKind.ZERO)), ""),
        (do.Amend(8, long), ""),
    ):
        state = apply(state, action, reason=reason)
    return state


def test_trf16_says_what_it_has_no_place_for() -> None:
    state = rich_event()
    numbers = {id_: state.players[id_].number for id_ in state.players}
    told = left_out(state, edition="2016")
    assert told[:3] == (
        f"points taken off from players {numbers[3]} (0.5)",
        f"byes of round 5 for players {', '.join(map(str, sorted((numbers[2], numbers[6]))))}",
        "the order of tie-breaks PS, BH, KL",
    )
    text = " ".join(told)
    assert f"warnings of players {numbers[5]}" in text
    assert "that players of one team are kept apart" in text
    assert re.search(rf"longer than its columns, of players (\d, )*{numbers[8]}", text)
    assert not any(line.startswith("299") for line in write_trf(state, edition="2016").splitlines())


def test_trf26_lacks_less() -> None:
    state = rich_event()
    told = " ".join(left_out(state))
    assert "points taken off" not in told
    assert "byes of round" not in told
    assert "the tie-breaks KL, which have no code of FIDE" in told
    assert any(line.startswith("299") for line in write_trf(state).splitlines())
    plain = apply(apply(EventState(), do.Open(Settings(name="Cup", tiebreaks=("PS",)))), do.Enter(Entry(family="A")))
    assert left_out(plain) == ()


def test_what_is_left_out_comes_back_from_our_notes() -> None:
    state = rich_event()
    again = read_trf(write_trf(state, edition="2016", reasons=True)).state
    assert [one.penalties for one in again.players.values()] == [one.penalties for one in state.players.values()]
    assert [one.warnings for one in again.players.values()] == [one.warnings for one in state.players.values()]
    assert again.players[8].entry == state.players[8].entry


@pytest.mark.parametrize("edition", ["2016", "2026"])
def test_a_report_leaves_the_house_without_reasons(edition: Literal["2016", "2026"]) -> None:
    """That somebody was warned remains, and what it cost; what was written about them stays with the organiser."""
    state = play_event(6, 2, 4, absences=0)
    for reason in ("was drunk", "shouted at a child", "pushed the table"):
        state = apply(state, do.GiveWarning(2), reason=reason)
    state = apply(state, do.Penalise(3, 1), reason="stole a stone")
    state = apply(state, do.Appoint("Petrov", Role.DEPUTY))
    state = apply(state, do.Dismiss(1), reason="took money")
    secret = ("drunk", "shouted", "pushed", "stole", "money")
    report = write_trf(state, edition=edition)
    assert [word for word in secret if word in report] == []
    assert any("the reasons for warnings" in phrase for phrase in left_out(state, edition=edition))
    back = read_trf(report).state
    assert [(len(one.warnings), one.penalty) for one in back.players.values()] == [
        (len(one.warnings), one.penalty) for one in state.players.values()
    ]
    assert back.officials[1].excluded
    whole = write_trf(state, edition=edition, reasons=True)
    assert [word for word in secret if word in whole] == list(secret)
    assert not any("the reasons for warnings" in one for one in left_out(state, edition=edition, reasons=True))
    assert read_trf(whole).state.players == state.players


def test_export_says_it(tmp_path: Path) -> None:
    event, out = tmp_path / "cup.korgool", tmp_path / "cup.trf"
    begin(event, 6, 3)
    korgool("pair", event)
    for board in (1, 2, 3):
        korgool("result", event, 1, board, "1 (82) - 0 (60)")
    korgool("penalise", event, 3, "--reason", "conduct")
    done = call("export", event, "--trf", out, "--edition", "2016")
    assert f"warning: {out}: TRF16 has no place for points taken off from players 3 (1)" in done.stderr
    assert call("export", event, "--trf", out).stderr == ""
    done = call("export", event, "--trf", out, "--edition", "2016", "--json")
    assert done.stderr == ""
    assert "points taken off from players 3 (1)" in json.loads(done.stdout)["left_out"]
    (found,) = lines("export", event, "--trf", out)
    assert found["left_out"] == [
        "stones and causes of 3 games",
        "the reasons for warnings, penalties and dismissals, which are in no comment line either",
        "the tie-breaks KL, which have no code of FIDE",
    ]
    assert "conduct" not in out.read_text()
    (found,) = lines("export", event, "--trf", out, "--reasons")
    assert found["left_out"] == ["stones and causes of 3 games", "the tie-breaks KL, which have no code of FIDE"]
    assert "conduct" in out.read_text()
    assert "--reasons belongs to --trf" in call("export", event, "--csv", "x", "--reasons").stderr


def test_teams_have_no_matches_in_trf16(event: Factory) -> None:
    state = event(16, 3, 2, teams=4, engine=True, system=System.TEAM_SWISS, boards=4)
    assert "who met whom as a team, and byes of teams" in left_out(state, edition="2016")
    assert "who met whom as a team, and byes of teams" not in left_out(state)


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("bye_points", [2, 1])
def test_another_engine_pairs_the_next_round_from_the_report_alone(number: int, bye_points: int) -> None:
    """gacrux gets the exported file as it is, and pairs what the event pairs."""
    state = play_event(9 + number, 4, number, engine=True, bye_points=bye_points, forfeits=0.1, absences=0.1)
    assert assert_confirmed(state) == 4
    for rounds in range(4):
        pairs = GacruxProcess().pair(write_trf(state, rounds=rounds), rounds + 1, len(state.players))
        ids = {one.number: id_ for id_, one in state.players.items()}
        held = state.rounds[rounds]
        assert [(ids[white], ids[black]) for white, black in pairs if black] == [
            (game.white, game.black) for game in held.games
        ]
        alone = {ids[white] for white, black in pairs if not black}
        assert alone == {bye.player for bye in held.byes if bye.kind is ByeKind.ALLOCATED}
