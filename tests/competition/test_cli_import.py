"""`korgool event import`: reports of other programs, and whole events, become event files."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from korgool.competition import EventFile
from tests.competition.program import begin, call, korgool, lines, play_round, refused


@pytest.mark.parametrize("name", ["tec_swiss_2024", "tec_swiss_2026"])
def test_a_report_becomes_an_event_and_comes_back(name: str, shared: Path, tmp_path: Path) -> None:
    event, out, again = tmp_path / "cup.korgool", tmp_path / "out.trf", tmp_path / "again.korgool"
    (report,) = lines("import", event, shared / "data" / f"{name}.trf")
    assert (report["entered"], report["rounds"]) == (16, 5)
    korgool("export", event, "--trf", out)
    korgool("import", again, out)
    assert lines("standings", event) == lines("standings", again)
    assert lines("crosstable", event) == lines("crosstable", again)
    (found,) = lines("check", event)
    assert found["ok"]
    assert "round 5 was taken over from a report and is not paired again" in found["remarks"]


def test_a_report_goes_into_an_event_without_players(shared: Path, tmp_path: Path) -> None:
    """What was said when the event was begun stays, where a report cannot know it."""
    event, source = tmp_path / "cup.korgool", shared / "data" / "tec_swiss_2024.trf"
    korgool("new", event, "--name", "Mine", "--rounds", 9, "--game", "mangala", "--resigned-korgools", "none")
    korgool("import", event, source)
    with EventFile.open(event) as file:
        kept = file.state.event
        assert (kept.name, kept.game, kept.resigned_korgools, kept.rounds) == ("Mine", "mangala", "none", 5)
        before = file.state.actions
    assert "the event has players already" in refused("import", event, source)
    with EventFile.open(event) as file:
        assert file.state.actions == before


def test_an_event_goes_on_where_the_report_ends(tmp_path: Path) -> None:
    event, out, other = tmp_path / "cup.korgool", tmp_path / "out.trf", tmp_path / "other.korgool"
    begin(event, 10, 4)
    korgool("export", event, "--trf", out)
    korgool("import", other, out)
    assert [line["name"] for line in lines("players", other)] == [f"Player {n}" for n in range(1, 11)]
    chance = random.Random(3)
    for _ in range(2):
        play_round(event, chance)
    korgool("export", event, "--trf", out)
    other.unlink()
    korgool("import", other, out)
    rounds = []
    for path in (event, other):
        boards = lines("pair", path)
        rounds.append([(line["white_name"], line["black_name"]) for line in boards])
        assert lines("check", path)[0]["ok"]
    assert rounds[0] == rounds[1]


def test_a_whole_event_does_not_replace_another(tmp_path: Path) -> None:
    event, data = tmp_path / "cup.korgool", tmp_path / "all.json"
    begin(event, 4, 3)
    korgool("export", event, "--data", data)
    assert "exists already" in refused("import", event, data)
    data.write_text("{}")
    assert f"{data}: this JSON is no event" in refused("import", tmp_path / "new.korgool", data)
    data.write_bytes(b"\x00\xff")
    assert f"{data}: " in refused("import", tmp_path / "new.korgool", data)
    assert not (tmp_path / "new.korgool").exists()


def test_a_list_says_how_it_was_read(tmp_path: Path) -> None:
    event, table = tmp_path / "cup.korgool", tmp_path / "list.csv"
    korgool("new", event, "--name", "Cup")
    table.write_bytes("Фамилия;Размер\nЖумабаев;44\n".encode("cp1251"))
    text = korgool("import", event, table, "--dry-run")
    assert (
        text
        == 'read as cp1251, cells parted by ";": Фамилия = family\nignored: Размер\n0 entered, 1 good lines, 0 bad\n'
    )
    (report,) = lines("import", event, table, "--encoding", "cp1251", "--delimiter", ";")
    assert (report["entered"], report["columns"]) == (1, {"Фамилия": "family"})
    table.write_text("Name\tSize\nB, C\t1\n")
    (report,) = lines("import", event, table, "--delimiter", "tab", "--map", "Size=board")
    assert report["columns"] == {"Name": "name", "Size": "board"}
    done = call("import", event, table, "--map", "Colour=club")
    assert (done.exit_code, "there is no column 'Colour'" in done.stderr) == (1, True)


def test_a_cell_that_is_too_long_is_told_as_such(tmp_path: Path) -> None:
    table = tmp_path / "players.csv"
    table.write_text(f"Name;Sex\n{'A' * 200_000};m\n", encoding="utf-8")
    korgool("new", tmp_path / "cup.korgool", "--name", "Cup", "--rounds", 3)
    told = call("import", tmp_path / "cup.korgool", table)
    assert told.exit_code == 1
    assert "line 2: a cell has more than 131,072 characters" in told.stderr
    assert "1 bad line, nobody was entered" in told.stderr
