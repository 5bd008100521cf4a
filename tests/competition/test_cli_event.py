"""`korgool event`: every command does what it says, in text and in JSON."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from korgool.app.cli.event import SUMMARIES
from korgool.app.printing import EVENT_PAPERS
from korgool.competition import EventFile
from tests.competition.program import begin, call, korgool, lines, play_round, refused, usage


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """An event of seven players and three rounds, not begun."""
    path = tmp_path / "cup.korgool"
    begin(path, 7, 3)
    return path


@pytest.mark.parametrize("name", SUMMARIES)
def test_every_command_explains_itself_with_an_example(name: str) -> None:
    text = korgool(name, "--help")
    assert f"korgool event {name}" in text.split("Example", 1)[1]
    assert text.split("\n", 1)[0].split()[:5] == ["Usage:", "korgool", "event", name, "[OPTIONS]"]
    first = {"follow": "ADDRESS", "stand-by": "URL", "take-over": "DIR"}.get(name, "FILE")
    assert text.split("\n", 1)[0].split()[5].startswith(first)
    assert "--json" in text


def test_the_help_of_print_names_every_paper() -> None:
    words = "".join(korgool("print", "--help").split())
    assert [name for name in EVENT_PAPERS if name not in words] == []


def test_new_takes_the_whole_regulations(tmp_path: Path) -> None:
    path = tmp_path / "mangala.korgool"
    (made,) = lines(
        "new", path, "--name", "Women's Cup", "--game", "mangala", "--rule", "sweep=owner", "--rounds", 5,
        "--system", "swiss", "--sets", 5, "--set-points", "--control", "15+0", "--sex", "women", "--team-best", 3,
        "--tiebreaks", "BH-C1, SB",
        "--edition", 2023, "--resigned-korgools", "none", "--penalised-progress", "--bye-points", "0.5", "--forbid",
        "team,federation", "--personal", "born,doctor", "--prizes", 6, "--place", "Bishkek", "--begins", "2026-09-01",
    )  # fmt: skip
    with EventFile.open(path) as file:
        event = file.state.event
    assert (event.game, event.rule, event.sets, event.set_points, event.sex) == (
        "mangala", (("sweep", "owner"),), 5, True, "women",
    )  # fmt: skip
    assert (event.tiebreaks, event.edition, event.bye_points) == (("BH-C1", "SB"), "2023", 1)
    assert (event.forbid, event.personal, event.penalised_progress) == (
        ("team", "federation"),
        ("born", "doctor"),
        True,
    )
    assert made["tiebreaks"] == ["BH-C1", "SB"]
    assert (made["players"], made["paired"], made["bye_points"]) == (0, 0, 0.5)
    assert lines("show", path) == [made]
    (changed,) = lines("change", path, "--rounds", 7, "--forbid", "none", "--plain-progress", "--reason", "more came")
    assert (changed["rounds"], changed["forbid"], changed["penalised_progress"]) == (7, [], False)
    assert lines("log", path)[-1]["reason"] == "more came"
    assert "no tie-break 'XX'" in call("change", path, "--tiebreaks", "PS,XX").stderr


def test_advice_about_the_number_of_rounds(tmp_path: Path) -> None:
    path = tmp_path / "cup.korgool"
    begin(path, 40, 3)
    done = call("show", path)
    assert "for 40 competitors 6 to 8 rounds are usual, the event has 3" in done.stderr
    for rounds, usual in ((5, False), (6, True), (8, True), (9, False)):
        call("change", path, "--rounds", rounds, "--reason", "r")
        assert (f"the event has {rounds}" in call("show", path).stderr) is not usual
    small = tmp_path / "small.korgool"
    begin(small, 4, 7)
    assert "4 players can play 3 rounds at most" in refused("pair", small)
    made = korgool("new", tmp_path / "one.korgool", "--name", "One", "--rounds", 1)
    assert "swiss, 1 round\n" in made
    assert " 1 line, head " in made


def test_a_player_is_entered_and_amended(cup: Path) -> None:
    (made,) = lines(
        "enter", cup, "--name", "Asanova, Aida Bekovna", "--sex", "f", "--rating", 2100, "--federation", "KGZ",
        "--born", "31.05.2001", "--title", "MS", "--club", "Ala-Too", "--team", "Naryn", "--external", "77",
        "--group", "U30", "--group", "B",
    )  # fmt: skip
    assert (made["number"], made["name"], made["born"]) == (8, "Asanova, Aida Bekovna", 2001)
    assert made["groups"] == ["U30", "B"]
    (changed,) = lines("amend", cup, "Asanova", "--rating", 2150, "--name", "Asanova, Aida", "--reason", "new list")
    assert (changed["rating"], changed["name"], changed["federation"]) == (2150, "Asanova, Aida", "KGZ")
    with EventFile.open(cup) as file:
        assert file.state.player("asan").entry.patronymic == ""
    assert "is entered already, with number 8" in refused("enter", cup, "--name", "ASANOVA,  aida")
    assert "Name what is to be changed" in usage("amend", cup, 8)


def test_personal_data_is_asked_for_shown_and_removed(cup: Path) -> None:
    assert "does not ask for passport" in refused("enter", cup, "--name", "A, B", "--passport", "AN 1")
    korgool("change", cup, "--personal", "born,passport,coaches,doctor")
    done = call(
        "enter", cup, "--name", "Asanov, Bek", "--passport", "AN 123456", "--coach", "Isaev, T.", "--born", "2001-05-31"
    )
    assert "the organiser asks for doctor too" in done.stderr
    korgool("amend", cup, "Asanov", "--doctor", "Dr. Kim, 1 September")
    (line,) = lines("personal", cup, 8)
    assert line == {
        "number": 8, "name": "Asanov, Bek", "lacking": [],
        "personal": {"born": "2001-05-31", "passport_series": "AN", "passport_number": "123456",
                     "coaches": ["Isaev, T."], "doctor": "Dr. Kim, 1 September"},
    }  # fmt: skip
    for words in (["log", cup], ["players", cup], ["export", cup, "--json"], ["export", cup, "--trf", "-"]):
        assert "123456" not in korgool(*words)
    assert "123456" in korgool("export", cup, "--json", "--personal")
    assert len(lines("personal", cup, "--all")) == 8
    assert lines("personal", cup, "--all", "--remove", "--by", "Secretary", "--reason", "over") == [{"removed": 1}]
    logged = lines("log", cup)[-1]
    assert (logged["by"], logged["reason"]) == ("Secretary", "over")
    assert logged["text"].startswith("personal data removed: 8 ")
    assert b"123456" not in cup.read_bytes(), "what is removed is overwritten"
    assert lines("personal", cup, 8)[0]["personal"] is None
    assert "Name a player" in usage("personal", cup)


def test_players_come_and_go(cup: Path) -> None:
    play_round(cup, random.Random(1))
    assert "withdrawn after round 1" in korgool("withdraw", cup, "Player 3", "--reason", "illness")
    assert "has left the event already" in refused("withdraw", cup, 3)
    (back,) = lines("readmit", cup, 3)
    assert back["status"] == "plays"
    (away,) = lines("miss", cup, 2, 2, "--bye", "half", "--reason", "train")
    assert away["absences"] == [{"round": 2, "bye": "H"}]
    korgool("miss", cup, 5, 2, "--bye", "zero")
    korgool("miss", cup, 5, 2, "--comes")
    paired = lines("pair", cup)
    assert [(line["white"], line["bye"], line["points"]) for line in paired if line["bye"]] == [
        (2, "H", {"white": 0.5})
    ]
    assert "round 2 is paired already" in refused("miss", cup, 1, 2)
    (late,) = lines("enter", cup, "--name", "Late, Comer")
    assert (late["number"], late["since"]) == (8, 3)


def test_warnings_penalties_and_exclusion(cup: Path) -> None:
    play_round(cup, random.Random(2))
    assert "Missing option '--reason'" in usage("warn", cup, 1)
    told = [call("warn", cup, 1, "--reason", f"talk {n}") for n in range(1, 5)]
    assert [done.exit_code for done in told] == [0] * 4
    assert "third warning, a point is taken" in told[2].stderr
    assert "is excluded" in told[3].stderr
    assert "is excluded already" in refused("warn", cup, 1, "--reason", "again")
    (line,) = lines("penalise", cup, 2, "--points", 0.5, "--reason", "lost a form")
    assert line["penalty"] == 0.5
    (line,) = lines("penalise", cup, 2, "--points", -0.5, "--reason", "found it")
    assert line["penalty"] == 0.0
    assert "no number of points" in usage("penalise", cup, 2, "--points", 0.3, "--reason", "x")
    (line,) = lines("exclude", cup, 3, "--reason", "used a telephone")
    assert line["status"] == "excluded"
    assert [one["number"] for one in lines("players", cup) if one["status"] == "excluded"] == [1, 3]
    ranks = [one["number"] for one in lines("standings", cup)]
    assert set(ranks[-2:]) == {1, 3}


def test_officials(cup: Path) -> None:
    done = call("official", cup)
    assert "at least 3 officials, 0 named" in done.stderr
    (made,) = lines(
        "official", cup, "Toktogulova, G.", "--role", "chief-referee", "--category", "IA", "--by", "Organiser"
    )
    assert (made["id"], made["role"], made["category"]) == (1, "chief-referee", "IA")
    assert "is chief referee already" in refused("official", cup, "Kim, V.", "--role", "chief-referee")
    assert "give the reason" in refused("official", cup, "Toktogulova, G.", "--dismiss")
    (gone,) = lines("official", cup, "toktogulova, g.", "--dismiss", "--reason", "ruled for her club")
    assert gone["excluded"] == "ruled for her club"
    assert "was excluded from the referees" in refused("official", cup, "Toktogulova, G.", "--role", "referee")
    assert lines("log", cup)[-1]["reason"] == "ruled for her club"
    assert "Give --role" in usage("official", cup, "Kim, V.")


def test_record_forms_are_lent_and_come_back(cup: Path) -> None:
    korgool("pair", cup)
    (form,) = lines("form", cup, "--lend", 1, 2, "--to", "Coach Isaev")
    assert form == {"form": 1, "round": 1, "board": 2, "borrower": "Coach Isaev", "state": "lent"}
    assert lines("check", cup)[0]["remarks"][-1] == "form 1 is still with Coach Isaev"
    korgool("form", cup, "--lost", 1)
    assert [line["state"] for line in lines("form", cup)] == ["lost"]
    assert "no form with the number 9" in refused("form", cup, "--returned", 9)
    assert "no board 9" in refused("form", cup, "--lend", 1, 9, "--to", "x")
    assert "belong together" in usage("form", cup, "--lend", 1, 2)


def test_teams(tmp_path: Path) -> None:
    path = tmp_path / "teams.korgool"
    korgool("new", path, "--name", "Teams", "--rounds", 3, "--system", "team-round-robin", "--boards", 2)
    for name in "ABCD":
        for board in (1, 2, 3):
            korgool("enter", path, "--name", f"{name}{board}", "--team", f"Team {name}", "--board", board)
    (team,) = lines("team", path, "Team A", "--captain", "Osmonov", "--player", 3, "--player", 1, "--player", 2)
    assert [one["name"] for one in team["players"]] == ["A3", "A1", "A2"]
    assert (team["captain"], team["may_start"]) == ("Osmonov", True)
    for number in (4, 5):
        korgool("miss", path, number, 1, "--bye", "zero")
    assert [line["may_start"] for line in lines("team", path)] == [True, False, True, True]
    paired = [line for line in lines("pair", path) if line["board"]]
    mine = [line for line in paired if "Team B" in (line["home"], line["away"])]
    assert [line["result_text"] for line in mine] in (["+ - -", "- - +"], ["- - +", "+ - -"])
    for line in lines("round", path):
        if line["result"] is None:
            korgool("result", path, 1, line["board"], "1 (82) - 0 (60)")
    table = lines("teams", path)
    assert {line["name"] for line in table} == {"Team A", "Team B", "Team C", "Team D"}
    assert table == lines("standings", path)
    assert len(lines("standings", path, "--players")) == 12


def test_what_is_no_paper(cup: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.pdf"
    assert "there is no paper 'ticket'; there are start-list" in usage("print", cup, "ticket", "-o", out)
    assert not out.exists()
    assert "Missing option '-o'" in usage("print", cup, "standings")


def test_check_says_what_was_changed(cup: Path) -> None:
    play_round(cup, random.Random(6))
    korgool("publish", cup)
    assert lines("check", cup)[0]["ok"]
    _meddle(cup, """UPDATE log SET action = replace(action, '"stores":[', '"stores":[ ') WHERE at > 8""")
    found = json.loads(call("check", cup, "--json").stdout)
    assert not found["ok"]
    assert all("was changed after it was written" in fault for fault in found["faults"])
    assert call("check", cup).exit_code == 1


def _meddle(path: Path, statement: str) -> None:
    import sqlite3

    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()


def test_past_states(cup: Path) -> None:
    korgool("pair", cup)
    at = lines("log", cup)[-1]["at"]
    before = lines("round", cup)
    korgool("result", cup, 1, 1, "1 (82) - 0 (60)")
    assert lines("round", cup, "--at", at) == before
    assert json.loads(korgool("log", cup, "--at", 8, "--json"))["rounds"] == []
    assert "its log has 11 lines, there is no line 99" in refused("round", cup, "--at", 99)
    assert lines("players", cup, "--at", 3) == [line | {"number": line["id"]} for line in lines("players", cup)[:2]]
