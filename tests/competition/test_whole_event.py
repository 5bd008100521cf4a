"""An event of 64 players and 7 rounds through the command line, from the entry list to the papers on the table.

`KORGOOL_PAPERS=FOLDER` keeps the event and its papers there, to be looked at.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from korgool.competition import EventFile, Settings
from korgool.competition.trf import read_trf
from tests.competition.program import a_result, call, korgool, lines, refused
from tests.competition.third_engine import assert_confirmed
from tests.printing import reading

ROUNDS = 7
_FAMILIES = ("Асанов", "Исаева", "Төлөгөн уулу", "Ким", "Yılmaz", "Öztürk", "Нұрғалиев", "Әбдірова", "Smith", "Çelik",
             "Жумабаев", "Ибраимова", "Сейітов", "Kaya", "O'Neil", "Шарипова")  # fmt: skip
_GIVEN = ("Бек", "Айгуль", "Ali", "Гүлнар")
_TEAMS = ("Нарын", "Ош", "Алматы", "Ankara", "Талас", "Чүй", "Шымкент", "Баткен")


def entry_list(count: int) -> str:
    """A list as federations send it: German headings, semicolons, days of birth, and what nobody asked for."""
    rows = ["Nachname;Vorname;sex;Geburtstag;rating;Verband;Team;Titel;Schuhgröße"]
    for at in range(count):
        family, given = _FAMILIES[at % 16], _GIVEN[at // 16]
        born = f"{1 + at % 28:02}.{1 + at % 12:02}.{1970 + at % 40}"
        team = _TEAMS[at % 8]
        rows.append(
            f"{family};{given};{'mf'[at % 2]};{born};{2400 - 13 * at};KGZ;{team};{'MS' if at < 8 else ''};4{at % 10}"
        )
    return "\n".join(rows) + "\n"


MAPPING = [word for pair in ("Nachname=family", "Vorname=given", "Geburtstag=born", "Verband=federation", "Titel=title")
           for word in ("--map", pair)]  # fmt: skip


class Story:
    """The event as the test saw it: what it must have come to."""

    def __init__(self) -> None:
        self.half_points: Counter[int] = Counter()
        self.met: set[frozenset[int]] = set()
        self.byes: Counter[int] = Counter()
        self.whites: Counter[int] = Counter()

    def board(self, line: dict[str, Any]) -> None:
        pair = frozenset((line["white"], line["black"]))
        assert len(pair) == 2
        assert pair not in self.met, f"{line['white_name']} and {line['black_name']} meet again"
        self.met.add(pair)
        self.whites.update({line["white"]: 1, line["black"]: -1})

    def bye(self, line: dict[str, Any]) -> None:
        self.half_points[line["white"]] += round(2 * line["points"]["white"])
        if line["bye"] == "U":
            self.byes[line["white"]] += 1

    def result(self, line: dict[str, Any]) -> None:
        self.half_points[line["white"]] += round(2 * line["points"]["white"])
        self.half_points[line["black"]] += round(2 * line["points"]["black"])


def appoint(event: Path) -> None:
    for name, role in (
        ("Toktogulova, G.", "chief-referee"),
        ("Erkinov, B.", "deputy-chief-referee"),
        ("Sadykova, A.", "chief-secretary"),
        ("Isaev, T.", "referee"),
        ("Kim, V.", "secretary"),
    ):
        korgool("official", event, name, "--role", role, "--by", "Organising committee")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Story]:
    """The event, played to the end, and its story."""
    folder = tmp_path_factory.mktemp("event")
    kept = os.environ.get("KORGOOL_PAPERS")
    if kept:
        folder = Path(kept)
        folder.mkdir(exist_ok=True)
        (folder / "cup.korgool").unlink(missing_ok=True)
    event, story, chance = folder / "cup.korgool", Story(), random.Random(64)
    korgool("new", event, "--name", "Күзгү кубок · Autumn Cup", "--rounds", ROUNDS, "--place", "Чолпон-Ата",
            "--begins", "2026-09-07", "--ends", "2026-09-13", "--organiser", "Federation",
            "--team-best", 4)  # fmt: skip
    appoint(event)
    table = folder / "entries.csv"
    table.write_text(entry_list(63), encoding="utf-8")
    korgool("import", event, table, *MAPPING)
    assert len(lines("players", event)) == 63
    for number in range(1, ROUNDS + 1):
        if number == 2:  # a late entry makes them 64
            (late,) = lines("enter", event, "--name", "Late, Comer", "--sex", "m", "--rating", 2050, "--team", "Ош")
            assert late["since"] == 2
        if number == 4:
            korgool("withdraw", event, 40, "--reason", "illness", "--by", "Toktogulova, G.")
        paired = lines("pair", event, "--by", "Sadykova, A.")
        refused("pair", event)  # there is no next round while results are missing
        for line in paired:
            if line["bye"]:
                story.bye(line)
                continue
            story.board(line)
            (known,) = lines("result", event, number, line["board"], a_result(chance), "--by", "Isaev, T.")
            story.result(known)
        if number in (2, 3, 5):
            (warned,) = lines("warn", event, 7, "--reason", "talked during the game", "--by", "Isaev, T.")
            assert warned["warnings"] == {2: 1, 3: 2, 5: 3}[number]
        korgool("publish", event, "--by", "Sadykova, A.")
    story.half_points[7] -= 2
    return event, story


def test_everybody_has_what_the_results_gave(played: tuple[Path, Story]) -> None:
    event, story = played
    table = lines("standings", event)
    assert len(table) == 64
    assert {line["number"]: round(2 * line["points"]) for line in table} == {
        n: story.half_points[n] for n in range(1, 65)
    }
    assert max(story.byes.values()) == 1
    assert all(abs(balance) <= 2 for balance in story.whites.values())
    ranks = [(-line["points"], -line["progress"], -line["buchholz"]) for line in table]
    assert ranks == sorted(ranks)
    for line in table:
        assert {"rank", "number", "name", "points", "progress", "buchholz", "direct", "korgools"} <= line.keys()


def test_the_third_warning_took_a_point(played: tuple[Path, Story]) -> None:
    event, story = played
    (player,) = [line for line in lines("players", event) if line["number"] == 7]
    assert (player["warnings"], player["penalty"], player["status"]) == (3, 1.0, "plays")
    rows = {line["number"]: line for line in lines("crosstable", event)}
    scored = sum({"1": 2, "+": 2, "U": 2, "=": 1}.get(cell["mark"], 0) for cell in rows[7]["rounds"])
    assert story.half_points[7] == scored - 2


def test_the_withdrawn_and_the_late_have_their_rounds(played: tuple[Path, Story]) -> None:
    event, _ = played
    rows = {line["name"]: line for line in lines("crosstable", event)}
    late = [cell["mark"] for cell in rows["Late, Comer"]["rounds"]]
    assert late[0] == "Z"
    assert late[1:].count("Z") == 0
    gone = [line for line in lines("players", event) if line["status"] == "withdrawn"]
    assert [line["number"] for line in gone] == [40]
    marks = [cell["mark"] for cell in rows[gone[0]["name"]]["rounds"]]
    assert marks[3:] == ["Z"] * 4
    assert "Z" not in marks[:3]


def test_all_of_it_holds(played: tuple[Path, Story]) -> None:
    """Every round pairs again as it was published, every published table computes again."""
    event, _ = played
    (found,) = lines("check", event)
    counted = {name: found[name] for name in ("actions", "head")}
    assert found == {"ok": True, "rounds": ROUNDS, "faults": [], "remarks": [], **counted}
    done = call("pair", event)
    assert (done.exit_code, "all are paired" in done.stderr) == (1, True)


@pytest.mark.long
def test_a_third_engine_pairs_every_round_alike(played: tuple[Path, Story]) -> None:
    with EventFile.open(played[0]) as event:
        assert assert_confirmed(event.state, largest=64) == ROUNDS


def test_every_pairing_is_explained(played: tuple[Path, Story]) -> None:
    event, _ = played
    for number in (2, 5, 7):
        told = lines("explain", event, number)
        assert len(told) == len(lines("round", event, number))
        assert all(line["text"].endswith(".") for line in told)
        assert len({line["text"] for line in told}) > len(told) // 2
    above, below = (str(line["number"]) for line in lines("standings", event)[:2])
    (why,) = lines("standings", event, "--why", below, above)
    assert (why["above"], why["below"]) == (int(above), int(below))
    assert why["steps"][-1]["decides"]


def test_it_goes_out_and_comes_back(played: tuple[Path, Story], tmp_path: Path) -> None:
    event, _ = played
    data, trf = tmp_path / "all.json", tmp_path / "cup.trf"
    korgool("export", event, "--data", data, "--trf", trf, "--csv", tmp_path / "tables")
    again = tmp_path / "again.korgool"
    korgool("import", again, data)
    with EventFile.open(event) as one, EventFile.open(again) as other:
        assert one.state == other.state
        assert one.log() == other.log()
        assert read_trf(trf.read_bytes()).settings.rounds == ROUNDS
    third = tmp_path / "third.korgool"
    korgool("import", third, trf)
    assert lines("standings", third) == lines("standings", event)
    assert len((tmp_path / "tables" / "standings.csv").read_text(encoding="utf-8").splitlines()) == 65
    assert len((tmp_path / "tables" / "players.csv").read_text(encoding="utf-8").splitlines()) == 65


def test_any_past_state_comes_back(played: tuple[Path, Story]) -> None:
    event, _ = played
    log = lines("log", event)
    assert [line["at"] for line in log] == list(range(1, len(log) + 1))
    published = [line for line in log if line["action"]["do"] == "publish"]
    assert len(published) == ROUNDS
    third = published[2]
    then = lines("standings", event, "--at", third["at"])
    assert then == lines("standings", event, "--round", 3)
    assert {line["by"] for line in log} >= {"Organising committee", "Isaev, T.", "Sadykova, A.", "Toktogulova, G."}
    assert korgool("log", event, "--at", third["at"]).startswith("Күзгү кубок")


def words_of(pdf: bytes) -> tuple[int, str]:
    found = reading.pages(pdf)
    return len(found), " ".join(found)


@pytest.mark.parametrize(
    ("what", "options", "pages", "parts"),
    [
        ("start-list", ["--language", "ky"], (1, 3), ["Төлөгөн уулу", "Late, Comer", "2400"]),
        ("pairings", ["--round", "7"], (1, 2), ["Late, Comer", "32"]),
        ("result-slips", ["--round", "1", "--language", "ru"], (4, 32), ["Yılmaz", "Autumn Cup"]),
        ("standings", ["--language", "kk"], (1, 3), ["Late, Comer", "Нұрғалиев"]),
        ("cross-table", ["--language", "tr"], (1, 6), ["Öztürk", "Late, Comer"]),
        ("protocol", [], (2, 12), ["Toktogulova, G.", "talked during the game", "Late, Comer"]),
    ],
)  # fmt: skip
def test_papers(
    what: str, options: list[str], pages: tuple[int, int], parts: list[str], played: tuple[Path, Story]
) -> None:
    event, _ = played
    out = event.with_name(f"{what}.pdf")
    korgool("print", event, what, "-o", out, *options)
    count, text = words_of(out.read_bytes())
    assert pages[0] <= count <= pages[1], f"{count} pages"
    assert [part for part in parts if part not in text] == []
    if what == "standings":
        names = [line["name"] for line in lines("standings", event)]
        assert [name for name in names if name not in text] == []
        places = [text.index(name) for name in names[:8]]
        assert places == sorted(places), "the standings stand in their order"


def test_the_settings_are_those_that_were_given(played: tuple[Path, Story]) -> None:
    event, _ = played
    with EventFile.open(event) as file:
        assert file.state.event == Settings(
            name="Күзгү кубок · Autumn Cup", rounds=7, place="Чолпон-Ата", begins="2026-09-07", ends="2026-09-13",
            organiser="Federation", team_best=4,
        )  # fmt: skip
        assert file.state.over
    teams = lines("teams", event)
    assert len(teams) == 8
    assert all(len(line["counted"]) == 4 for line in teams)
