"""One event, many groups: one start list and one log, and each group as an event of its own."""

from __future__ import annotations

import json
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from korgool.competition import CompetitionError, Entry, EventFile, Settings, commands, group_commands
from korgool.competition import actions as do
from korgool.competition.across_groups import medals
from korgool.competition.json_export import read_json, restore, write_json
from korgool.competition.log.undo import touched
from korgool.competition.model import Absence, ByeKind, Personal
from korgool.competition.result import Result
from korgool.competition.storage.hash_chain import link
from korgool.competition.storage.salvage import salvage
from korgool.competition.storage.transfer import transfer
from tests.competition.program import a_result, call, korgool, lines, refused, usage
from tests.printing.reading import pages

NAMES = ("Men", "Women", "Mangala")
GAMES = {"Men": "toguz", "Women": "toguz", "Mangala": "mangala"}
WON = Result(2, 0, (82, 60))


def parted(path: Path, *names: str) -> EventFile:
    """An event with groups in which nobody is entered."""
    file = EventFile.create(path, Settings(name="Cup", rounds=1), by="A")
    for name in names or NAMES:
        group_commands.add_group(file, name, Settings(name=name, game=GAMES.get(name, "toguz"), rounds=1), by="A")
    return file


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """Three groups; two players in the first, two in the second, one of each in the third too."""
    path = tmp_path / "cup.korgool"
    with parted(path) as file:
        for name, groups in (("Asan", (2,)), ("Bek", (2, 4)), ("Chynar", (3, 4)), ("Dina", (3,))):
            entry = Entry(family=name, rating=1500, born=2010, federation="KGZ" if name < "D" else "KAZ")
            group_commands.enter_groups(file, entry, Personal(doctor=name), groups, by="A")
    return path


def named(path: Path, group: str) -> EventFile:
    file = EventFile.open(path)
    file.turn_to(file.state.group_named(group))
    return file


@pytest.mark.parametrize("seed", range(2))
def test_three_groups_are_what_three_single_events_are(tmp_path: Path, seed: int) -> None:
    """Players, pairings, results, TRF and check, with the groups' work interleaved by chance."""
    together, chance = tmp_path / "cup.korgool", random.Random(seed)
    korgool("new", together, "--name", "Cup", "--place", "Naryn")
    single = {name: tmp_path / f"{name}.korgool" for name in NAMES}
    for name, path in single.items():
        system = "round-robin" if (name, seed) == ("Men", 1) else "swiss"
        regulations = (
            "--game",
            GAMES[name],
            "--rounds",
            7 if seed else 3,
            "--system",
            system,
            "--tiebreaks",
            "BH,SB,DE",
        )
        korgool("group", together, "add", name, *regulations)
        korgool("new", path, "--name", f"Cup, {name}", "--place", "Naryn", *regulations)
    entering = [(name, f"{name} {at}", 1500 + chance.randint(0, 9) * 50) for name in NAMES for at in range(8)]
    chance.shuffle(entering)
    for name, who, rating in entering:
        words = ("--name", who, "--rating", rating, "--federation", who[:1] * 3)
        korgool("enter", together, "--group", name, *words)
        korgool("enter", single[name], *words)
    turns = [name for name in NAMES for _ in range(3)]
    chance.shuffle(turns)
    for at, name in enumerate(turns):
        number = turns[: at + 1].count(name)
        lot = ("--lot", "a draw") if number == 1 else ()
        boards = lines("pair", together, "--group", name, *lot)
        assert boards == lines("pair", single[name], *lot)
        for line in (one for one in boards if one["board"]):
            mangala = chance.choice(("1 (30) - 0 (18)", "0 (20) - 1 (28)"))
            text = a_result(chance) if GAMES[name] == "toguz" else mangala
            korgool("result", together, number, line["board"], text, "--group", name)
            korgool("result", single[name], number, line["board"], text)
    for name, path in single.items():
        for word, *others in (("standings",), ("crosstable",), ("round", 2), ("prizes",)):
            assert lines(word, together, *others, "--group", name) == lines(word, path, *others), word
        assert korgool("export", together, "--trf", "-", "--group", name) == korgool("export", path, "--trf", "-")
        (whole,), (alone,) = lines("check", together, "--group", name), lines("check", path)
        assert (whole["ok"], whole["rounds"], whole["faults"]) == (alone["ok"], 3, alone["faults"])
    (all_,) = lines("check", together)
    assert (all_["ok"], all_["rounds"], [one["group"] for one in all_["groups"]]) == (True, 9, list(NAMES))


def test_an_event_without_groups_is_written_as_before(tmp_path: Path) -> None:
    """Not one byte of a line tells that there are groups now."""
    path = tmp_path / "cup.korgool"
    with EventFile.create(path, Settings(name="Cup", rounds=3), by="A") as file:
        commands.enter_all(file, [(Entry(family=name), None) for name in "ABCD"], by="A")
        commands.pair(file, by="A")
        texts = [line.action for line in file.lines()]
        assert (file.state.group, dict(file.state.groups), file.state.title) == (1, {}, "")
    assert not any('"group"' in text for text in texts)
    assert "this event has no groups" in refused("round", path, 1, "--group", "Women")


def test_the_first_group_is_what_the_event_was(tmp_path: Path) -> None:
    path = tmp_path / "cup.korgool"
    korgool("new", path, "--name", "Cup", "--rounds", 3)
    korgool("enter", path, "--name", "Asan, A")
    korgool("group", path, "add", "Women", "--rounds", 5, "--admits", "women")
    assert [(one["id"], one["name"]) for one in lines("group", path, "list")] == [(1, "Cup"), (2, "Women")]
    korgool("group", path, "rename", "Cup", "--rename", "Men")
    assert "there is a group Men" in refused("group", path, "add", "men")
    assert lines("players", path, "--group", "men")[0]["name"] == "Asan, A"
    assert lines("show", path, "--group", "Women")[0]["name"] == "Cup, Women"
    korgool("group", path, "rename", "Women", "--rename", "Girls")
    assert lines("show", path, "--group", "Girls")[0]["name"] == "Cup, Girls"
    korgool("group", path, "remove", "Girls", "--reason", "nobody came")
    assert [one["name"] for one in lines("group", path, "list")] == ["Cup"]
    assert lines("players", path)[0]["number"] == 1


def test_one_start_list(cup: Path) -> None:
    found = {one["name"]: [place["group"] for place in one["in"]] for one in lines("players", cup)}
    assert found == {"Asan": ["Men"], "Bek": ["Men", "Mangala"], "Chynar": ["Women", "Mangala"], "Dina": ["Women"]}
    with named(cup, "Mangala") as file:
        players = file.state.players.values()
        assert [(one.id, one.number, one.name) for one in players] == [(2, 1, "Bek"), (3, 2, "Chynar")]
        assert sorted(one.name for one in file.state.elsewhere.values()) == ["Asan", "Dina"]
        assert file.personal(2) == Personal(doctor="Bek")
        file.do(do.Amend(2, Entry(family="Bekov", rating=1900, federation="KGZ", born=2010)), by="A")
        file.turn_to(file.state.group_named("Men"))
        here = file.state.players[2].entry
        assert (here.name, here.rating) == ("Bekov", 1500)  # who they are is one, a rating is of a game
        with pytest.raises(CompetitionError, match="in this group already"):
            file.do(do.Join(2), by="A")
        with pytest.raises(CompetitionError, match="already, in another group"):
            file.do(do.Enter(Entry(family="Dina", born=2010)), by="A")
        commands.enter_all(file, [(Entry(family="Dina", born=2010, rating=1700), None)], by="A")
        assert file.state.players[4].entry.rating == 1700


def test_who_may_enter_a_group(tmp_path: Path) -> None:
    path = tmp_path / "cup.korgool"
    korgool("new", path, "--name", "Cup")
    korgool("group", path, "add", "Boys U12", "--sex", "m", "--from-year", 2014, "--to-year", 2016)
    korgool("group", path, "add", "Open")
    enter = ("enter", path, "--name", "Asan, A", "--group", "Open", "--group", "Boys U12")
    assert "born in 2013, and only those born in 2014 or later" in refused(*enter, "--sex", "m", "--born", 2013)
    assert "born in 2017, and only those born in 2016 or earlier" in refused(*enter, "--sex", "m", "--born", 2017)
    assert "the year of birth is not stated" in refused(*enter, "--sex", "m")
    assert "women cannot play among men" in refused(*enter, "--sex", "f", "--born", 2014)
    assert lines("players", path) == []  # and not in the other group either
    korgool(*enter, "--sex", "m", "--born", 2014)
    years = ("--from-year", 2016, "--to-year", 2014)
    assert "nobody is born from 2016 to 2014" in usage("group", path, "add", "X", *years)


NEED_A_GROUP: tuple[tuple[str, ...], ...] = (
    ("standings",), ("crosstable",), ("teams",), ("prizes",), ("pair",), ("round", "1"), ("explain", "1"),
    ("result", "1", "1", "1-0"), ("results", "1", "-"), ("attach", "1", "1", "x.pgn"), ("special", "1", "1"),
    ("form", "--lend", "1", "1", "--borrower", "A"), ("withdraw", "Bek"), ("readmit", "Bek"), ("miss", "Bek", "2"),
    ("warn", "Bek", "--reason", "r"), ("penalise", "Bek", "--reason", "r"), ("exclude", "Bek", "--reason", "r"),
    ("reinstate", "Bek", "--reason", "r"), ("amend", "Bek", "--rating", "1"), ("personal", "Bek"), ("photo", "Bek"),
    ("change", "--rounds", "3"), ("team",), ("unpair", "1", "--reason", "r"), ("repair", "1-2", "--reason", "r"),
    ("publish",), ("enter", "--name", "New"), ("export", "--trf", "-"), ("print", "start-list", "-o", "-"),
)  # fmt: skip


@pytest.mark.parametrize("words", NEED_A_GROUP, ids=lambda words: words[0])
def test_a_group_must_be_named_and_exist(cup: Path, words: tuple[str, ...]) -> None:
    before = lines("log", cup)
    told = refused(words[0], cup, *words[1:])
    assert "name one with --group: Men, Women, Mangala" in told, told
    told = refused(words[0], cup, *words[1:], "--group", "Juniors")
    assert "there is no group 'Juniors'; there are Men, Women, Mangala" in told, told
    assert lines("log", cup) == before


BAD_NAMES = (
    ("", "a group needs a name"), (" ", "a group needs a name"), ("a\x07b", "control characters"),
    ("a/b", "holds none of"), ("..", "holds none of"), ("a?b", "holds none of"), ("x" * 500, "at most 60 letters"),
    ("WOMEN ", "there is a group"), ("women", "there is a group"), ("a\nb", "control characters"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "why"), BAD_NAMES)
def test_bad_names_are_refused(cup: Path, name: str, why: str) -> None:
    assert why in refused("group", cup, "add", name, "--rounds", 3)
    if name.strip().casefold() != "women":
        assert why in refused("group", cup, "rename", "Women", "--rename", name)
    assert [one["name"] for one in lines("group", cup, "list")] == list(NAMES)


def forged(path: Path, action: dict[str, Any]) -> None:
    """Write a line with a fitting hash, as another program might."""
    with sqlite3.connect(path) as connection:
        at, chain = connection.execute("SELECT at, chain FROM log ORDER BY at DESC LIMIT 1").fetchone()
        text = json.dumps(action, separators=(",", ":"))
        row = (at + 1, "2026-11-29T10:00:00Z", "A", "", text, link(chain, "2026-11-29T10:00:00Z", "A", "", text))
        connection.execute("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)", row)


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ({"do": "withdraw", "player": 1, "group": 9}, "cannot stand there: there is no group with the id 9"),
        ({"do": "withdraw", "player": 1}, "cannot stand there: there is no group with the id 1"),
        ({"do": "withdraw", "player": 1, "group": "Men"}, "group: the id of a group after the first is needed"),
        ({"do": "withdraw", "player": 1, "group": 1}, "group: the id of a group after the first is needed"),
        ({"do": "withdraw", "player": 1, "group": True}, "group: the id of a group after the first is needed"),
        ({"do": "undo", "line": 3, "group": 2}, "'undo' is of the whole event and of no group"),
        ({"do": "join", "player": 77, "group": 2}, "cannot stand there: there is no player with the id 77"),
        ({"do": "name-group", "of": 9, "name": "X"}, "cannot stand there: there is no group with the id 9"),
        ({"do": "in", "group": 2, "action": {"do": "undo", "line": 2}}, "is needed, not 'in'"),
    ],
)
def test_lines_that_cannot_stand_are_refused_with_their_place(cup: Path, action: dict[str, Any], why: str) -> None:
    forged(cup, action)
    told = refused("standings", cup, "--group", "Men")
    assert why in told
    assert "line 11 of the log" in told


def test_undo_is_judged_in_the_group_and_where_the_person_plays(cup: Path) -> None:
    korgool("pair", cup, "--group", "Men", "--lot", "x")
    korgool("result", cup, 1, 1, "1 (82) - 0 (60)", "--group", "Men")
    korgool("pair", cup, "--group", "Mangala", "--lot", "x")
    log = {(one["action"]["do"], one["group"]): one["at"] for one in lines("log", cup)}
    (told,) = lines("undo", cup, log["result", "Men"], "--reason", "another board")
    assert "no result" in told["now"][0]
    entered = next(one["at"] for one in lines("log", cup) if one["text"] == "entered: Chynar")
    assert "rest on line" in refused("undo", cup, entered, "--reason", "r")  # she is paired in another group
    assert "rest on line" in refused("group", cup, "remove", "Women", "--reason", "r")
    dina = next(one["at"] for one in lines("log", cup) if one["text"] == "entered: Dina")
    korgool("undo", cup, dina, "--reason", "does not come")
    assert [one["name"] for one in lines("players", cup, "--group", "Women")] == ["Chynar"]
    korgool("enter", cup, "--name", "Eldar", "--group", "Men")
    assert lines("players", cup, "--group", "Men")[-1]["id"] == 5  # an id is not used again, in no group


def test_a_group_waits_for_no_other_one(cup: Path) -> None:
    """An action in one group changes nothing in the others, of which not a part is looked at."""
    with named(cup, "Men") as men, named(cup, "Women") as women:
        before = women.state
        commands.pair(men, by="A", lot="x")
        men.do(do.EnterResult(1, 1, WON), by="A")
        after = women.refresh()
        assert after.actions == men.state.actions
        assert touched(before, after) == frozenset()
        assert after.players is before.players
        assert after.rounds is before.rounds


def test_several_groups_in_one_transaction(cup: Path) -> None:
    with named(cup, "Men") as file:
        mangala = file.state.group_named("Mangala")
        there = [do.InGroup(mangala, do.Present(1, (2,))), do.Present(1, (2,))]
        state = file.do(*there, by="A")  # type: ignore[arg-type]
        assert state.present[1] == file.turn_to(mangala).present[1] == {2}
        lines_before = file.state.actions
        refused_one = do.InGroup(mangala, do.Miss(1, Absence(1, ByeKind.ZERO)))  # who is not in it
        with pytest.raises(CompetitionError, match="no player with the id 1"):
            file.do(do.Present(1, (3,)), refused_one, by="A")  # type: ignore[arg-type]
        assert file.state.actions == lines_before
        assert file.state.present[1] == {2}


def test_the_event_travels_whole(cup: Path, tmp_path: Path) -> None:
    korgool("pair", cup, "--group", "Women", "--lot", "x")
    korgool("official", cup, "Toktogulova, G.", "--role", "chief-referee")
    with EventFile.open(cup) as file:
        found = read_json(write_json(file, personal=True))
        (tmp_path / "copy.korgool").touch()
        with EventFile.begin(tmp_path / "copy.korgool") as copy:
            transfer(file, copy)
            assert copy.lines() == file.lines()
            assert copy.turn_to(3) == file.turn_to(3)
    with restore(tmp_path / "json.korgool", found) as again, EventFile.open(cup) as file:
        assert [again.turn_to(id_) for id_ in (2, 3, 4)] == [file.turn_to(id_) for id_ in (2, 3, 4)]
        assert again.personal(3) == Personal(doctor="Chynar")
        assert [one.name for one in again.state.officials.values()] == ["Toktogulova, G."]
    saved = salvage(cup, tmp_path / "saved.korgool")
    assert (saved.damage, saved.personal) == ("", 4)
    with EventFile.open(tmp_path / "saved.korgool") as again:
        assert sorted(one.name for one in again.turn_to(4).players.values()) == ["Bek", "Chynar"]


def test_names_go_from_every_group(cup: Path) -> None:
    korgool("personal", cup, "Bek", "--remove", "--names", "--reason", "asked for it", "--group", "Mangala")
    with EventFile.open(cup) as file:
        for group, number in (("Men", 2), ("Mangala", 1)):
            state = file.turn_to(file.state.group_named(group))
            assert state.players[2].name == f"№ {number}"
        assert file.turn_to(3).elsewhere[2].entry.removed
    assert b"Bek" not in cup.read_bytes()
    assert lines("check", cup)[0]["ok"]


def test_an_earlier_moment_of_a_group(cup: Path) -> None:
    korgool("pair", cup, "--group", "Women", "--lot", "x")
    with named(cup, "Women") as file:
        assert len(file.state.rounds) == 1
        assert len(file.state_at(file.state.actions - 1).rounds) == 0
        assert [one.name for one in file.state_at(8).players.values()] == ["Chynar"]


def test_medals_over_all_groups(cup: Path) -> None:
    with EventFile.open(cup) as file:
        for group in ("Men", "Women", "Mangala"):
            state = file.turn_to(file.state.group_named(group))
            commands.change(file, Settings(**{**_members(state.event), "rounds": 1}), by="A")
            commands.pair(file, by="A", lot="x")
            if group != "Mangala":
                file.do(do.EnterResult(1, 1, WON), by="A")
        states = [file.turn_to(id_) for id_ in (2, 3, 4)]
        winner = states[1].players[states[1].rounds[0].games[0].white].entry.federation
    kgz, kaz = sorted(medals(states), key=lambda one: one.federation, reverse=True)
    assert (kgz.gold + kgz.silver, kaz.gold + kaz.silver) == (3, 1)  # and mangala is not over
    assert (kaz.gold == 1) is (winner == "KAZ")
    assert kgz.players == 5
    done = call("medals", cup, "--json")
    assert [json.loads(line)["federation"] for line in done.stdout.splitlines()] == ["KGZ", "KAZ"]
    assert "without medals yet: Mangala" in done.stderr


def _members(settings: Settings) -> dict[str, Any]:
    return {name: getattr(settings, name) for name in Settings.__slots__}


def test_papers_of_one_group_and_of_all(cup: Path, tmp_path: Path) -> None:
    pytest.importorskip("typst")
    korgool("print", cup, "start-list", "-o", tmp_path / "one.pdf", "--group", "Women")
    made = lines("print", cup, "start-list", "-o", tmp_path / "papers", "--all-groups")
    assert [one["group"] for one in made] == list(NAMES)
    assert sorted(path.name for path in (tmp_path / "papers").iterdir()) == sorted(
        f"{name} - start-list.pdf" for name in NAMES
    )
    assert (tmp_path / "papers" / "Women - start-list.pdf").read_bytes() == (tmp_path / "one.pdf").read_bytes()
    korgool("print", cup, "start-list", "-o", tmp_path / "all.pdf", "--all-groups")
    assert len(pages((tmp_path / "all.pdf").read_bytes())) == len(NAMES)
    assert "is for an event of several groups" in usage(
        "print", _single(tmp_path), "start-list", "-o", tmp_path / "x", "--all-groups"
    )


def _single(tmp_path: Path) -> Path:
    path = tmp_path / "single.korgool"
    korgool("new", path, "--name", "One")
    return path
