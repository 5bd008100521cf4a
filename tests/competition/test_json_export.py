"""Everything as JSON and back, tables as CSV, games as one record file."""

from __future__ import annotations

import csv
import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool import TOGUZ_KORGOOL, Game
from korgool.competition import (
    CompetitionError,
    Entry,
    EventFile,
    EventState,
    Personal,
    Settings,
    System,
    apply,
    commands,
    read_result,
)
from korgool.competition import actions as do
from korgool.competition.csv_export import TABLES, EventTable, csv_text, pairings, start_list
from korgool.competition.entry_lists.reading import read_entries
from korgool.competition.game_records import games
from korgool.competition.json_export import facts, read_json, restore, write_json
from korgool.notation import Record, parse_records, write_record, write_records
from tests.competition.conftest import play_event


def played(path: Path, **settings: Any) -> EventFile:
    """A small event with a bit of everything."""
    file = EventFile.create(path, Settings(name="Cup", rounds=3, place="Ош", **settings), by="arbiter")
    for at in range(5):
        entry = Entry(family=f"Player {at}", given="Аида", rating=2000 - at, team=f"Team {at % 2}", born=2000)
        commands.enter(file, entry, Personal(passport_number=f"N{at}") if at < 2 else None, by="secretary")
    commands.pair(file, by="arbiter", lot="7")
    for game in file.state.rounds[0].games:
        commands.record(file, 1, game.board, "1 (82) - 0 (60)", by="referee")
    commands.correct(file, 1, 1, "0 (30) - 1 (90)", by="arbiter", reason="colours mixed up")
    commands.warn(file, 2, by="referee", reason="talk")
    commands.publish(file, by="arbiter")
    commands.pair(file, by="arbiter")
    return file


def test_an_event_comes_back_equal(tmp_path: Path) -> None:
    with played(tmp_path / "cup.korgool") as file:
        data = write_json(file, personal=True)
        with restore(tmp_path / "again.korgool", read_json(data)) as again:
            assert again.state == file.state
            assert again.log() == file.log()
            assert again.broken_links() == ()
            assert [again.personal(id_) for id_ in again.state.players] == [
                file.personal(i) for i in file.state.players
            ]
            assert write_json(again, personal=True) == data
            assert data.startswith(b'{\n "'), "a member on a line of its own, for people and for comparisons"
        assert sorted(path.name for path in tmp_path.iterdir()) == ["again.korgool", "cup.korgool"]


def test_personal_data_leaves_only_when_it_is_asked_for(tmp_path: Path) -> None:
    with played(tmp_path / "cup.korgool") as file:
        assert b"N1" not in write_json(file)
        assert json.loads(write_json(file))["personal"] == {}
        assert json.loads(write_json(file, personal=True))["personal"]["2"] == {"passport_number": "N1"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda all_: all_.update(format="chess"), "this JSON is no event"),
        (lambda all_: all_.update(version=99), "newer version of korgool"),
        (lambda all_: all_.update(extra=1), "no event as JSON"),
        (lambda all_: all_["log"].pop(3), "line 4 of the log is numbered 5"),
        (lambda all_: all_["log"].pop(0), "line 1 of the log is numbered 2"),
        (lambda all_: all_["log"].clear(), "the log is empty"),
        (lambda all_: all_["log"][1].update(time="noon"), "line 2 of the log: 'noon' is no time"),
        (lambda all_: all_["log"][-1]["action"].update(do="dance"), "line 14 of the log cannot be read: do: one of"),
        (lambda all_: all_["log"][8]["action"].update(board=77), "line 9 of the log: round 1 has no board 77"),
        (lambda all_: all_["event"]["players"][0].update(number=9), "differs from what the log says: players"),
        (lambda all_: all_["event"]["settings"].update(name="Other"), "differs from what the log says: settings"),
        (lambda all_: all_["personal"].update({"99": {}}), "player '99', whom the event does not have"),
    ],
)
def test_what_does_not_fit_is_refused(change: Any, message: str, tmp_path: Path) -> None:
    with played(tmp_path / "cup.korgool") as file:
        everything = json.loads(write_json(file))
    change(everything)
    with pytest.raises(CompetitionError, match=message):
        read_json(json.dumps(everything).encode())


ANY_JSON = st.recursive(st.none() | st.integers() | st.text(), st.lists).map(lambda value: json.dumps(value).encode())


@given(st.binary(max_size=200) | ANY_JSON)
def test_any_bytes_are_answered(data: bytes) -> None:
    with pytest.raises(CompetitionError):
        read_json(data)


def test_a_file_in_the_way_stays(tmp_path: Path) -> None:
    with played(tmp_path / "cup.korgool") as file:
        found = read_json(write_json(file))
    (tmp_path / "there").write_text("mine")
    with pytest.raises(CompetitionError, match="exists already"):
        restore(tmp_path / "there", found)
    with pytest.raises(CompetitionError, match="cannot be written"):
        restore(tmp_path / "nowhere" / "x", found)
    assert (tmp_path / "there").read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    "settings", [{"late": 1}, {"system": System.TEAM_ROUND_ROBIN, "engine": True, "teams": 4, "boards": 3}]
)
def test_facts_are_all_there_is(settings: dict[str, Any]) -> None:
    state = play_event(12, 3, 5, **settings)
    found = facts(state)
    assert json.loads(json.dumps(found)) == found
    assert [one["id"] for one in found["players"]] == list(state.players)
    assert len(found["rounds"]) == 3
    assert len(found["teams"]) == len(state.teams)


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_tables_as_csv() -> None:
    state = play_event(9, 4, 11, teams=3, withdrawals=1, penalties=2)

    def table(name: str, number: int | None = None) -> list[list[str]]:
        return rows(csv_text(TABLES[name](state, number)))

    start = table("players")
    assert start[0][:3] == ["number", "family", "given"]
    assert [int(row[0]) for row in start[1:]] == list(range(1, 10))
    boards = table("pairings")
    assert len(boards) == 1 + sum(len(one.games) + len(one.byes) for one in state.rounds)
    assert table("pairings", 2)[1:] == [row for row in boards if row[0] == "2"]
    for game, row in zip(state.rounds[0].games, boards[1:], strict=False):
        assert game.result is not None
        assert row[2] == str(state.players[game.white].number)
        assert read_result(row[6], cause=game.result.cause) == game.result
    found = table("standings")
    assert found[0] == ["rank", "number", "name", "points", "PS", "BH", "DE", "KL"]
    points = [float(row[3]) for row in found[1:]]
    assert points == sorted(points, reverse=True)
    assert table("crosstable", 3)[0] == ["rank", "number", "name", "round 1", "round 2", "round 3", "points"]
    assert len(table("teams")) == 4
    with pytest.raises(CompetitionError):
        pairings(state, 9)


def test_a_start_list_reads_back() -> None:
    state = play_event(12, 1, 3, teams=4)
    other = apply(EventState(), do.Open(Settings(name="Other")))
    found = read_entries(csv_text(start_list(state)).encode(), other)
    assert found.faults == ()
    by_number = sorted(state.players.values(), key=lambda one: one.number)
    assert [entry for _, entry, _ in found.entries] == [one.entry for one in by_number]


def test_spreadsheets_do_not_compute_names() -> None:
    told = {
        "=1+1": "'=1+1", "= 1+1": "'= 1+1", "@home": "'@home", "@ home": "'@ home", "+7 555": "'+7 555",
        "-1+cmd|' /C x'!A0": "'-1+cmd|' /C x'!A0", "-A": "'-A", "- A1": "'- A1", "\t=1": "'\t=1", "+A": "'+A",
        "+ - -": "+ - -", "- - +": "- - +", "- - -": "- - -", "-": "-", "+": "+", "-0.5": "-0.5",
        'A "B", C': 'A "B", C',
    }  # fmt: skip
    table = EventTable("t", ("name", "points"), tuple((text, -0.5) for text in told))
    assert rows(csv_text(table))[1:] == [[text, "-0.5"] for text in told.values()]


def a_game(seed: int) -> Game:
    chance = random.Random(seed)
    game = Game(TOGUZ_KORGOOL)
    while game.outcome() is None:
        game.sow(chance.choice(game.position.legal_moves()))
    return game


def test_the_games_of_an_event_are_one_record_file(tmp_path: Path) -> None:
    with played(tmp_path / "cup.korgool") as file:
        game = a_game(3)
        outcome = game.outcome()
        assert outcome is not None
        commands.record(file, 2, 1, outcome.result_text, by="referee")
        commands.attach(file, 2, 1, [write_record(Record.of(game, White="?", Event="Else"))], by="secretary")
        commands.record(file, 2, 2, "1 (40) - 0 (30) resignation", by="referee")
        commands.attach(file, 2, 2, ["796817"], by="secretary")
        with pytest.raises(CompetitionError, match="cannot be sown"):
            commands.attach(file, 2, 2, ["71717"], by="secretary")
        state = file.state
    text = "".join(write_records(games(state)))
    first, second = parse_records(text)
    assert (first.error, second.error) == (None, None)
    assert first.moves == tuple(game.moves)
    names = [state.players[id_].entry.name for id_ in (state.rounds[1].games[0].white, state.rounds[1].games[0].black)]
    assert [first.tags[name] for name in ("Event", "Site", "Round", "Board", "White", "Black")] == [
        "Cup", "Ош", "2", "1", *names,
    ]  # fmt: skip
    assert (second.result, second.tags["Termination"]) == ("1-0", "resignation")
    assert list(games(state, 1)) == []


def test_the_sets_of_a_match_are_numbered(tmp_path: Path) -> None:
    with EventFile.create(tmp_path / "m", Settings(name="M", game="bestemshe", sets=2, rounds=1), by="a") as file:
        commands.enter_all(file, [(Entry(family="A"), None), (Entry(family="B\nC"), None)], by="a")
        commands.pair(file, by="a", lot="1")
        commands.attach(file, 1, 1, ["12", "31"], by="a")
        found = list(games(file.state))
    assert [record.tags["Set"] for record in found] == ["1", "2"]
    assert {record.tags["White"] for record in found} <= {"A", "B C"}
    assert len(list(write_records(found))) == 2


def test_results_are_logged_as_given(tmp_path: Path) -> None:
    """The JSON of a log line is the action itself."""
    with played(tmp_path / "cup.korgool") as file:
        everything = json.loads(write_json(file))
        logged = [line for line in everything["log"] if line["action"]["do"] == "result"]
        (corrected,) = [line for line in everything["log"] if line["action"]["do"] == "correct"]
        assert do.EnterResult(1, 1, read_result("1 (82) - 0 (60)")) in [line.action for line in file.log()]
    assert logged[0]["action"]["result"] == {"white": 2, "black": 0, "stores": [82, 60]}
    assert corrected["by"] == "arbiter"
    assert everything["details"][str(corrected["at"])]["reason"][1] == "colours mixed up"
