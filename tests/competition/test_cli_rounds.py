"""`korgool event`: rounds, results, tables and what leaves the event."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from korgool.competition import EventFile
from korgool.competition.model import ByeKind
from tests.competition.program import begin, call, korgool, lines, play_round, refused, usage


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """An event of seven players and three rounds, not begun."""
    path = tmp_path / "cup.korgool"
    begin(path, 7, 3)
    return path


def test_pairing_results_and_corrections(cup: Path) -> None:
    paired = lines("pair", cup, "--lot", "seven", "--by", "Sadykova")
    assert [line["board"] for line in paired] == [1, 2, 3, None]
    assert [(line["white"] or 0) + (line["black"] or 0) for line in paired[:3]] == [5, 7, 9]
    assert (paired[3]["bye"], paired[3]["white_name"], paired[3]["points"]) == ("U", "Player 7", {"white": 1.0})
    (known,) = lines("result", cup, 1, 1, "1 (82) - 0 (60)")
    assert (known["result"], known["result_text"], known["cause"]) == ("1-0", "1 (82) - 0 (60)", "board")
    assert known["stores"] == {"white": 82, "black": 60}
    assert "has the result 1 (82) - 0 (60) already" in refused("result", cup, 1, 1, "0 (60) - 1 (82)")
    assert "needs --reason" in usage("result", cup, 1, 1, "0 (60) - 1 (82)", "--correct")
    korgool("result", cup, 1, 1, "0 (60) - 1 (82)", "--correct", "--reason", "colours mixed up", "--by", "Isaev")
    korgool("result", cup, 1, 2, "- - +")
    korgool("result", cup, 1, 3, "0.5 (70) - 0.5 (66)", "--cause", "agreement")
    texts = [line["result_text"] for line in lines("round", cup)]
    assert texts == ["0 (60) - 1 (82)", "- - +", "0.5 (70) - 0.5 (66)", None]
    held = [line["text"] for line in lines("log", cup, "--board", "1", "1")]
    assert held == ["round 1, board 1: 1 (82) - 0 (60)", "round 1, board 1 corrected: 0 (60) - 1 (82)"]
    assert lines("log", cup, "--board", "1", "1")[1]["reason"] == "colours mixed up"
    korgool("result", cup, 1, 3, "*", "--correct", "--reason", "still playing")
    assert "lacks the results of boards 3" in refused("pair", cup)
    assert "round 1 lacks the results of boards 3" in korgool("show", cup)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["-+"], "- - +"),
        (["+-", "--by", "Isaev"], "+ - -"),
        (["--"], "- - -"),
        (["--", "--by", "Isaev"], "- - -"),
        (["--", "--"], "- - -"),
        (["--", "-+"], "- - +"),
        (["--", "82-60"], "1 (82) - 0 (60)"),
    ],
)
def test_forfeits_in_short_are_results_and_no_options(cup: Path, words: list[str], text: str) -> None:
    korgool("pair", cup, "--lot", "seven")
    korgool("result", cup, 1, 1, *words)
    assert lines("round", cup)[0]["result_text"] == text


def test_the_text_of_a_round_is_a_table(cup: Path) -> None:
    korgool("pair", cup, "--lot", "seven")
    korgool("result", cup, 1, 1, "1-0", "--cause", "resignation")
    head, names, first, *_, bye = korgool("round", cup, 1).splitlines()
    assert head == "Round 1"
    assert names.split() == ["board", "no.", "White", "no.", "Black", "result"]
    assert first.split()[-4:] == ["1", "-", "0", "resignation"]
    assert bye.split() == ["7", "Player", "7", "bye", "(1)"]


def test_standings_have_the_fields_of_the_interface(cup: Path) -> None:
    chance = random.Random(7)
    for _ in range(3):
        play_round(cup, chance)
    table = lines("standings", cup)
    assert [set(line) for line in table] == [
        {"rank", "number", "name", "points", "progress", "buchholz", "direct", "korgools", "tiebreaks"}
    ] * 7
    assert all(isinstance(line["points"], float) and 2 * line["points"] == int(2 * line["points"]) for line in table)
    other = lines("standings", cup, "--tiebreaks", "SB,bh-c1")
    assert list(other[0]["tiebreaks"]) == ["SB", "BH-C1"]
    assert {line["number"]: line["progress"] for line in other} == {line["number"]: line["progress"] for line in table}
    women = lines("standings", cup, "--group", "women")
    assert [line["name"] for line in women] == [line["name"] for line in table if int(line["name"][-1]) % 2]
    first = lines("standings", cup, "--round", 1)
    assert first != table
    text = korgool("standings", cup).splitlines()
    assert text[0].split() == ["rank", "no.", "name", "points", "PS", "BH", "DE", "KL"]
    assert text[1].split()[-5] == f"{table[0]['points']:g}"
    assert korgool("standings", cup, "--why", 1, 2).splitlines()[0].endswith(".")
    assert "nobody belongs to the group 'veterans'" in refused("standings", cup, "--group", "veterans")


def test_rounds_are_taken_back_and_repaired(cup: Path) -> None:
    korgool("pair", cup, "--lot", "a")
    assert "Missing option '--reason'" in usage("unpair", cup, 1)
    assert lines("unpair", cup, 1, "--reason", "forgot one") == [{"unpaired": 1, "paired": 0}]
    before = lines("pair", cup, "--lot", "a")
    done = call("repair", cup, "--swap", 1, 2, "--reason", "ground floor", "--json")
    assert done.exit_code == 0
    assert "round 1 is now paired by hand" in done.stderr
    after = [json.loads(line) for line in done.stdout.splitlines()]
    seats = {line["board"]: {line["white"], line["black"]} for line in after}
    was = {line["board"]: {line["white"], line["black"]} for line in before}
    put = {1: 2, 2: 1}
    assert seats == {board: {put.get(number, number) for number in pair} for board, pair in was.items()}
    assert call("repair", cup, "1-4", "6-2", "3-5", "--bye", 7, "--reason", "as on the wall").exit_code == 0
    assert [(line["white"], line["black"]) for line in lines("round", cup)] == [(1, 4), (6, 2), (3, 5), (7, None)]
    assert "Player 5 is paired 2 times" in refused("repair", cup, "1-4", "5-2", "3-5", "--bye", 7, "--reason", "x")
    assert "Player 7 is not paired" in refused("repair", cup, "1-4", "6-2", "3-5", "--reason", "x")
    assert "is no pairing such as 5-12" in usage("repair", cup, "1+4", "--reason", "x")
    for board in (1, 2, 3):
        korgool("result", cup, 1, board, "1 (90) - 0 (50)")
    assert "has a result on board 1" in refused("unpair", cup, 1, "--reason", "x")
    korgool("pair", cup)
    done = call("repair", cup, "4-1", "2-6", "5-3", "--bye", 7, "--reason", "to see the warnings")
    assert "Player 4 and Player 1 met in round 1" in done.stderr
    assert "had a bye in round 1 already" in done.stderr
    (found,) = lines("check", cup)
    assert found["ok"]
    assert {"round 1 was paired by hand", "round 2 was paired by hand"} <= set(found["remarks"])


def test_a_round_paired_again_has_the_latecomer_and_not_who_left(cup: Path) -> None:
    play_round(cup, random.Random(2))
    korgool("pair", cup)
    korgool("enter", cup, "--name", "Late", "--rating", 1500)
    korgool("withdraw", cup, "Player 5")
    korgool("exclude", cup, "Player 6", "--reason", "telephone")
    korgool("penalise", cup, "Player 2", "--points", 3, "--reason", "late")
    korgool("unpair", cup, 2, "--reason", "paired before the doors were closed")
    paired = lines("pair", cup)
    seated = {line[f"{side}_name"] for line in paired for side in ("white", "black")} - {None}
    assert seated == {"Player 1", "Player 2", "Player 3", "Player 4", "Player 7", "Late"}
    last = next(line for line in paired if "Player 2" in (line["white_name"], line["black_name"]))
    assert last["board"] == 3  # nobody has fewer points
    for line in paired:
        korgool("result", cup, 2, line["board"], "1 (82) - 0 (60)")
    (found,) = lines("check", cup)
    assert found["ok"]


def test_a_bye_that_was_asked_for_stays_in_a_repaired_round(cup: Path) -> None:
    korgool("miss", cup, 7, 1, "--bye", "half")
    korgool("pair", cup, "--lot", "a")
    korgool("repair", cup, "1-4", "6-2", "3-5", "--reason", "as on the wall")
    with EventFile.open(cup) as file:
        assert [bye.kind for bye in file.state.rounds[0].byes] == [ByeKind.HALF]


def test_records_are_attached_shown_and_exported(cup: Path, tmp_path: Path) -> None:
    korgool("pair", cup)
    record = tmp_path / "game.txt"
    record.write_text("796817")
    (board,) = lines("attach", cup, 1, 1, record)
    assert board["records"] == 1
    korgool("special", cup, 1, 1)
    assert lines("round", cup)[0]["special"] is True
    korgool("special", cup, 1, 1, "--no")
    out = tmp_path / "games.pgn"
    assert lines("export", cup, "--records", out) == [{"records": str(out), "games": 1}]
    assert '[White "Player' in out.read_text(encoding="utf-8")
    (board,) = lines("attach", cup, 1, 1, "--remove")
    assert board["records"] == 0
    record.write_text("780")
    assert f"{record}: line 1, ply 3" in refused("attach", cup, 1, 1, record)
    record.write_text("")
    assert "there is no game in it" in refused("attach", cup, 1, 1, record)
    assert "cannot be read" in refused("attach", cup, 1, 1, tmp_path / "none")


REFEREES_LOG = """\
{"at": 0, "by": "referee", "do": "start", "game": "toguz", "control": {"kind": "sudden", "base": 3600}}
{"at": 1, "by": "white", "do": "arrive"}
{"at": 1, "by": "black", "do": "arrive"}
{"at": 2, "by": "white", "do": "move", "hole": 7}
{"at": 3, "by": "white", "do": "press"}
{"at": 4, "by": "referee", "do": "warn", "player": "black", "reason": "conversation"}
{"at": 5, "by": "white", "do": "resign"}
"""


def test_the_referees_log_gives_result_and_warnings(cup: Path, tmp_path: Path) -> None:
    (paired, *_) = lines("pair", cup)
    log = tmp_path / "game.jsonl"
    log.write_text(REFEREES_LOG)
    (board,) = lines("result", cup, 1, 1, "--log", log)
    assert (board["result"], board["cause"], board["stores"]) == ("0-1", "resignation", {"white": 10, "black": 0})
    warned = [line["number"] for line in lines("players", cup) if line["warnings"]]
    assert warned == [paired["black"]]
    log.write_text(REFEREES_LOG.replace('"resign"', '"dance"'))
    assert f"{log}: line 7 of the referee's log" in refused("result", cup, 1, 2, "--log", log)
    log.write_text("".join(REFEREES_LOG.splitlines(keepends=True)[:-1]))
    assert "is not over" in refused("result", cup, 1, 2, "--log", log)
    assert [line["result"] for line in lines("round", cup)][1:3] == [None, None]


def test_ratings_are_carried_from_event_to_event(cup: Path, tmp_path: Path) -> None:
    for _ in range(2):
        play_round(cup, random.Random(4))
    for system in ("elo", "glicko2"):
        first = lines("rate", cup, "--system", system)
        assert len(first) == 7
        held = tmp_path / f"{system}.jsonl"
        held.write_text("".join(json.dumps(line) + "\n" for line in first), encoding="utf-8")
        again = lines("rate", cup, "--system", system, "--before", held)
        assert {line["key"] for line in again} == {line["key"] for line in first}
        assert again != first
        twice = {line["key"]: line["rating"] for line in lines("rate", cup, cup, "--system", system)}
        assert {line["key"]: line["rating"] for line in again} == pytest.approx(twice, abs=0.05)
    changes = lines("rate", cup, "--changes")
    assert [one["number"] for one in changes] == list(range(1, 8))
    after = {line["name"]: line["rating"] for line in lines("rate", cup)}
    assert {one["name"]: one["after"] for one in changes} == after
    assert "--changes belongs to --method elo" in usage("rate", cup, "--changes", "--system", "glicko2")
    held.write_text('{"key": "x", "rating": -5}\n')
    assert "line 1: these are no figures of a rating" in refused("rate", cup, "--before", held)
    held.write_text("nonsense\n")
    assert "line 1" in refused("rate", cup, "--before", held)


def test_export_names_what_it_writes_and_spares_the_event(cup: Path, tmp_path: Path) -> None:
    play_round(cup, random.Random(5))
    assert "Say what to write" in usage("export", cup)
    assert "that is the event itself" in usage("export", cup, "--trf", cup)
    assert "that is the event itself" in usage("print", cup, "standings", "-o", cup)
    assert "--table needs --csv" in usage("export", cup, "--table", "standings", "--json")
    assert korgool("export", cup, "--trf", "-").splitlines()[0].startswith("012 Cup")
    assert korgool("export", cup, "--csv", "-", "--table", "standings").startswith(
        "rank,number,name,points,PS,BH,DE,KL"
    )
    assert json.loads(korgool("export", cup, "--json"))["format"] == "korgool event"
    assert "cannot be written" in refused("export", cup, "--trf", tmp_path / "none" / "x.trf")
    assert "go into a folder" in refused("export", cup, "--csv", "-")
    assert "round 9 is not paired" in refused("export", cup, "--csv", tmp_path / "x", "--round", 9)
    assert not (tmp_path / "x").exists()
