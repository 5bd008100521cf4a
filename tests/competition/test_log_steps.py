"""What actions leave behind: rounds taken back, teams, doubts, names, settings, tables, and pages of SQLite."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from korgool.competition import actions as do
from korgool.competition.eligibility import missing_officials, same_person
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.log.undo import touched
from korgool.competition.model import (
    Absence,
    Bye,
    ByeKind,
    Entry,
    EventWarning,
    PairedGame,
    Penalty,
    Role,
    Settings,
    System,
    Team,
    edition_in_force,
)
from korgool.competition.pairing_doubts import pairing_notes
from korgool.competition.people_index import name_key
from korgool.competition.result import read_result
from korgool.competition.standings import cross_table, standings, table, team_totals, wall_chart, why
from korgool.competition.storage.sqlite_pages import rows
from korgool.competition.time_control import read_control
from korgool.conduct.control import ControlKind, TimeControl
from tests.competition.test_explanations import FIVE, GIVEN, HALF, ZERO, a_round
from tests.competition.test_standings import small, value


def test_a_round_that_is_paired_again_counts_what_came_since_as_before_it() -> None:
    state = a_round(small(), (1, 2, "1-0"), (3, 4, "1-0"))
    state = apply(state, do.Penalise(1, 1), reason="in round 1")
    state = apply(state, do.Pair(2, (PairedGame(1, 1, 3), PairedGame(2, 4, 2)), engine="test"))
    for action in (do.Enter(Entry(family="E")), do.Penalise(2, 3), do.GiveWarning(3), do.Withdraw(4)):
        state = apply(state, action, reason="in round 2")
    kept = apply(state, do.Unpair(2), reason="mistake").players
    assert (kept[5].since, kept[4].until, kept[2].penalties[0].round, kept[3].warnings[0].round) == (3, 2, 2, 2)
    again = apply(state, do.Unpair(2, rewinds=True), reason="mistake")
    assert len(again.rounds) == 1
    players = again.players
    assert (players[1].since, players[5].since, players[4].until, players[1].until) == (1, 2, 1, None)
    assert players[1].penalties == (Penalty(1, 1, "in round 1"),)
    assert players[2].penalties == (Penalty(1, 3, "in round 2"),)
    assert players[3].warnings == (EventWarning(1, "in round 2"),)


def test_players_of_a_team_stand_by_board_and_teams_get_the_next_number() -> None:
    state = apply(EventState(), do.Open(Settings(name="Cup", system=System.TEAM_SWISS, boards=2)))
    for family, team, board in (("A", "West", 0), ("B", " west ", 3), ("C", "West", 1), ("D", "East", 0), ("E", "", 0)):
        state = apply(state, do.Enter(Entry(family=family, team=team, board=board)))
    assert [(team.id, team.number, team.name, team.players) for team in state.teams.values()] == [
        (1, 1, "West", (3, 2, 1)), (2, 2, "East", (4,)),
    ]  # fmt: skip
    state = apply(state, do.SetTeam(Team(0, 0, "North", players=(5,))))
    assert (state.teams[3].number, state.teams[3].players) == (3, (5,))
    moved = apply(state, do.Amend(1, Entry(family="A", team="East", board=1)))
    assert [team.players for team in moved.teams.values()] == [(3, 2), (1, 4), (5,)]
    assert apply(state, do.Amend(2, Entry(family="B", team="WEST", board=3))).teams == state.teams
    renamed = apply(state, do.SetTeam(Team(2, 9, "South", players=(4,))))
    assert (renamed.teams[2].number, renamed.teams[2].name) == (2, "South")
    assert state.team(2) == state.team("ea") == state.team("EAST") == state.team("2") == state.teams[2]
    for reference, words in (
        ("x", "there is no team 'x'"), (9, "there is no team '9'"), ("", "there is no team ''"),
    ):  # fmt: skip
        with pytest.raises(CompetitionError, match=words):
            state.team(reference)
    twice = apply(state, do.SetTeam(Team(0, 0, "Eastern")))
    assert twice.team("East").id == 2, "the whole name goes before the beginning of another"
    with pytest.raises(CompetitionError, match="'Eas' may be any of 2 East, 4 Eastern; give the number"):
        twice.team("Eas")


def test_settings_name_tiebreaks_that_there_are() -> None:
    state = small()
    for codes in (("XX",), ("BH", "BH"), ("TBR",)):
        with pytest.raises(CompetitionError):
            apply(state, do.Change(replace(state.event, tiebreaks=codes)))
        with pytest.raises(CompetitionError):
            apply(EventState(), do.Open(Settings(name="Cup", rounds=3, tiebreaks=codes)))
    paired = small("1-2 1-0 | 3-4 1-0", "1-3 1-0 | 2-4 1-0")
    with pytest.raises(CompetitionError, match="2 rounds are paired, 1 would be too few"):
        apply(paired, do.Change(replace(paired.event, rounds=1)))


def test_a_round_by_hand_seats_everybody_once() -> None:
    state = a_round(small(entries=FIVE), (1, 2, "1-0"), (3, 4, "1-0"), p5=GIVEN)
    with pytest.raises(CompetitionError, match="E is not paired"):
        apply(state, do.Repair((PairedGame(1, 1, 2), PairedGame(2, 3, 4)), (), (), 1), reason="x")
    with pytest.raises(CompetitionError, match="E is paired 2 times"):
        apply(
            state,
            do.Repair((PairedGame(1, 1, 2), PairedGame(2, 3, 5)), (Bye(5, GIVEN), Bye(4, ZERO)), (), 1),
            reason="x",
        )
    after = apply(state, do.Repair((PairedGame(1, 4, 3), PairedGame(2, 1, 2)), (Bye(5, GIVEN),), (), 1), reason="x")
    assert [(game.white, game.black, game.result and game.result.white) for game in after.rounds[0].games] == [
        (4, 3, 0), (1, 2, 2),
    ]  # fmt: skip
    assert after.rounds[0].manual
    assert touched(state, after) == {("round", 1, 0), ("board", 1, 1), ("board", 1, 2)}


def test_what_an_action_touches() -> None:
    state = small("1-2 1-0 | 3-4")
    changes: dict[do.AnyAction, tuple[str, int, int]] = {
        do.Withdraw(1): ("player", 1, 0), do.EnterResult(1, 2, read_result("1-0")): ("board", 1, 2),
        do.Appoint("Judge", Role.REFEREE): ("official", 1, 0), do.Lend(1, 1, "Coach"): ("form", 1, 0),
        do.SetTeam(Team(0, 0, "West")): ("team", 1, 0),
        do.Change(replace(state.event, place="Osh")): ("settings", 0, 0),
    }  # fmt: skip
    for action, part in changes.items():
        assert touched(state, apply(state, action)) == {part}
        assert touched(apply(state, action), state) == {part}
    assert touched(state, replace(state, lot="x")) == {("numbers", 0, 0)}
    assert touched(state, replace(state, rounds=())) == {("round", 1, 0), ("board", 1, 1), ("board", 1, 2)}
    assert touched(state, state) == frozenset()


def test_doubts_about_a_round_by_hand() -> None:
    """Rematches, the third game in a row of one colour, a second bye, and pairs that were to be kept apart."""
    entries = tuple(Entry(family=name, team="West" if name in "AB" else "", federation="KGZ") for name in "ABCDE")
    state = small(entries=entries, forbid=("team",))
    state = a_round(state, (1, 3, "1-0"), (2, 4, "1-0"), p5=GIVEN)
    assert pairing_notes(state, 1) == ()
    state = a_round(state, (1, 2, "1-0"), (3, 4, "1-0"), p5=GIVEN)
    assert pairing_notes(state, 2) == (
        "round 2, board 1: both players are of the team West",
        "round 2: E had a bye in round 1 already",
    )
    state = a_round(state, (1, 4, "1-0"), (3, 2, "1-0"), p5=HALF)
    assert pairing_notes(state, 3) == (
        "round 3, board 1: A has White 3 times in a row",
        "round 3, board 1: D has Black 3 times in a row",
    )
    again = apply(state, do.Change(replace(state.event, rounds=4)))
    again = a_round(again, (4, 1, "1-0"), (2, 3, "1-0"), p5=GIVEN)
    assert pairing_notes(again, 4) == (
        "round 4, board 1: D and A met in round 3",
        "round 4, board 2: B and C met in round 3",
        "round 4: E had a bye in round 1 already",
    )


def test_who_is_one_person() -> None:
    one = Entry(family="Ким", given="Ада", born=2001, sex="f", federation="KGZ")
    assert same_person(one, Entry(family="КИМ", given=" Ада"))
    for other in (replace(one, born=2002), replace(one, sex="m"), replace(one, federation="KAZ")):
        assert not same_person(one, other)
    for other in (replace(one, born=0), replace(one, sex=""), replace(one, federation="")):
        assert same_person(one, other)
    assert same_person(replace(one, external="1"), Entry(family="Other", external="1"))
    assert not same_person(replace(one, external="1"), replace(one, external="2"))
    assert same_person(replace(one, external="1"), one)
    assert name_key("Ёлкин,  Ан") == name_key("елкин ан")


def test_offices_of_a_large_event() -> None:
    state = small(entries=tuple(Entry(family=f"P{at}") for at in range(7)))
    for name in ("A", "B"):
        state = apply(state, do.Appoint(name, Role.REFEREE))
    assert missing_officials(state) == ("an event has at least 3 officials, 2 named",)
    state = apply(state, do.Appoint("C", Role.CHIEF_REFEREE))
    assert missing_officials(state) == ()
    assert missing_officials(apply(state, do.Enter(Entry(family="P8")))) == tuple(
        f"more than 7 take part and there is no {office}"
        for office in ("deputy chief referee", "chief secretary", "secretary")
    )


def test_a_knockout_and_an_exclusion_are_explained() -> None:
    state = small("1-2 1-0 | 3-4 0-1", "1-4 1-0", system=System.KNOCKOUT)
    assert why(state, 2, 1).text == "A stands above B. Rounds survived: 2 against 0."
    assert why(state, 4, 2).text == "D stands above B. Rounds survived: 1 against 0."
    told = why(state, 2, 3, tiebreaks=("TPN",))
    assert told.text == (
        "B stands above C. Both survived as many rounds: 0. Both have as many points: 0. "
        "Pairing number (TPN): 2 against 3, the lower is the better."
    )
    assert [step.decides for step in told.steps] == [False, False, False, True]
    gone = why(apply(state, do.Exclude(1), reason="cheating"), 1, 2)
    assert [(step.key, step.decides) for step in gone.steps] == [("above", False), ("excluded", True)]


def test_tables_after_any_number_of_rounds() -> None:
    state = small("1-2 1-0 | 3-4 1-0", "1-3 1-0 | 2-4 1-0")
    for rounds, counted in ((0, 0), (-1, 0), (1, 1), (2, 2), (3, 2), (None, 2)):
        assert table(state, rounds=rounds).rounds == counted
        assert [len(row.cells) for row in wall_chart(state, rounds=rounds)] == [counted] * 4
    assert [(row.rank, row.points) for row in standings(state, rounds=0)] == [(1, 0)] * 4
    assert [row.points for row in standings(state, rounds=1)] == [2, 2, 0, 0]
    teams = tuple(Entry(family=name, team=team) for name, team in zip("ABCD", "YXXY", strict=True))
    level = small("1-2 0.5-0.5 | 3-4 0.5-0.5", entries=teams, tiebreaks=())
    assert [(one.rank, one.team) for one in team_totals(level)] == [(1, "X"), (1, "Y")]
    assert [row.against for row in cross_table(level)][:2] == [{2: "="}, {1: "="}]


def test_rounds_that_were_elected_and_points_of_a_standard() -> None:
    """C.07 7.6 and 7.7: forfeit losses and asked byes are not elected; a round counts 1, a half or nothing."""
    state = a_round(small(entries=FIVE), (1, 2, "1-0"), (3, 4, "+ - -"), p5=GIVEN)
    state = a_round(state, (1, 3, "0.5-0.5"), (5, 4, "0-0 time"), p2=HALF)
    assert [value(state, "REP", id_) for id_ in (1, 2, 3, 4, 5)] == [2, 1, 2, 1, 2]
    assert [value(state, "STD", id_) for id_ in (1, 2, 3, 4, 5)] == [1.5, 0.5, 1.5, 0.5, 1.5]
    assert [value(state, "WON", id_) for id_ in (1, 2, 3, 4, 5)] == [1, 0, 0, 0, 0]
    assert [value(state, "WIN", id_) for id_ in (1, 2, 3, 4, 5)] == [1, 0, 1, 0, 1]
    robin = small("1-2 - - + | 3-4 1-0", "4-1 - - + | 2-3 - - -", system=System.ROUND_ROBIN)
    assert [value(robin, "WON", id_) for id_ in (1, 2, 3, 4)] == [1, 1, 1, 0]
    assert [value(robin, "BPG", id_) for id_ in (1, 2, 3, 4)] == [1, 1, 0, 1]
    assert [value(robin, "BWG", id_) for id_ in (1, 2, 3, 4)] == [1, 1, 0, 0]


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("60+0", TimeControl(3_600_000, 0)),
        ("0.5+0.25", TimeControl(30_000, 250)),
        ("15+10 40 moves x2", TimeControl(900_000, 10_000, periods=2, moves=40)),
        ("15+0 delay 5.5", TimeControl(900_000, 0, ControlKind.DELAY, 5500)),
        ("15+0 bronstein 5 30 moves", TimeControl(900_000, 0, ControlKind.BRONSTEIN, 5000, 0, 30)),
        ("5+0 byoyomi 3x30/5", TimeControl(300_000, 0, ControlKind.BYOYOMI, 30_000, 3, 5)),
    ],
)
def test_controls_in_thousandths(text: str, control: TimeControl) -> None:
    assert read_control(text) == control
    with pytest.raises(CompetitionError, match="no increment"):
        read_control("15+1 delay 5")


def test_the_edition_of_a_day() -> None:
    """In force from 1 March 2026."""
    days = {"2026-02-28": "2023", "2026-03-01": "2026", "1999-12-31": "2023", "": "2026", "2025": "2026"}
    assert {day: edition_in_force(day) for day in days} == days


@pytest.mark.parametrize("size", [512, 1024, 4096, 65536])
def test_values_of_every_width_are_read_from_a_page(size: int, tmp_path: Path) -> None:
    """Against SQLite itself: whole numbers of all its widths and signs, texts, nothing, and row ids of 9 bytes."""
    bounds = [1 << bits for bits in (0, 1, 6, 7, 8, 14, 15, 16, 21, 23, 24, 31, 32, 42, 47, 48, 56, 62)]
    numbers = sorted({sign * (bound + more) for bound in bounds for more in (-1, 0, 1) for sign in (1, -1)})
    ids = [*range(1, 6), 127, 128, 16383, 16384, (1 << 56) - 1, 1 << 56, (1 << 63) - 1]
    held = {
        id_: (None, number, f"ү{number}", "x" * at) for at, (id_, number) in enumerate(zip(ids, numbers, strict=False))
    }
    held |= {1000 + at: (None, number, "", "ö" * at) for at, number in enumerate(numbers)}
    file = tmp_path / "rows.sqlite"
    with closing(sqlite3.connect(file)) as database:
        database.execute(f"PRAGMA page_size = {size}")
        database.execute("CREATE TABLE held (id INTEGER PRIMARY KEY, number INTEGER, one TEXT, other TEXT)")
        database.executemany("INSERT INTO held VALUES (?, ?, ?, ?)", [(id_, *one[1:]) for id_, one in held.items()])
        database.commit()
    data = file.read_bytes()
    assert int.from_bytes(data[16:18], "big") in (size, 1 if size == 65536 else size)
    assert {row: values for row, values in rows(data) if len(values) == 4} == held
    unknown = data[:16] + b"\0\0" + data[18:]
    assert (dict(rows(unknown)) == dict(rows(data))) is (size == 4096), "pages are 4096 bytes where the header is lost"


def test_rows_that_are_no_rows_of_an_event_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "rows.sqlite"
    with closing(sqlite3.connect(file)) as database:
        wide = ", ".join(f"c{at} INTEGER" for at in range(16))
        database.execute(f"CREATE TABLE fits ({wide})")
        database.execute(f"CREATE TABLE wide ({wide}, last INTEGER)")
        database.execute("CREATE TABLE mixed (value)")
        database.execute(f"INSERT INTO fits VALUES ({', '.join('7' * 16)})")
        database.execute(f"INSERT INTO wide VALUES ({', '.join('8' * 17)})")
        database.executemany("INSERT INTO mixed VALUES (?)", [(1.5,), (b"bytes",), ("text",)])
        database.commit()
    found = [values for _, values in rows(file.read_bytes())]
    assert (7,) * 16 in found
    assert (8,) * 17 not in found
    assert [values for values in found if len(values) == 1] == [("text",)]


def test_absences_before_and_after() -> None:
    state = small("1-2 1-0 | 3-4 1-0")
    state = apply(state, do.Miss(1, Absence(3, HALF)))
    state = apply(state, do.Miss(1, Absence(2, ByeKind.FULL)))
    state = apply(state, do.Miss(1, Absence(3, ZERO)))
    assert state.players[1].absences == (Absence(2, ByeKind.FULL), Absence(3, ZERO))
    assert apply(state, do.Attend(1, 2)).players[1].absences == (Absence(3, ZERO),)
    late = apply(state, do.Enter(Entry(family="Late"))).players[5]
    assert [late.bye(number) for number in (0, 1, 2, 3)] == [ZERO, ZERO, None, None]
    left = apply(state, do.Withdraw(2)).players[2]
    assert [left.plays(number) for number in (1, 2)] == [True, False]


def test_ids_of_what_was_taken_back_are_spent() -> None:
    """A player and the team that the entry made; an entry into a team that there is spends no team."""
    state = apply(EventState(), do.Open(Settings(name="Cup", system=System.TEAM_SWISS, boards=1)))
    state = apply(state, do.Enter(Entry(family="A", team="West")))
    for team, next_team in (("East", 3), ("West", 3), ("", 3)):
        state = apply(state, do.Enter(Entry(family="Wrong", team=team)))
        state = apply(state, do.Undo(state.actions), reason="slip")
        assert state.fresh_id("teams") == next_team, team
    assert (state.fresh_id("players"), len(state.players), len(state.teams)) == (5, 1, 1)
    amended = apply(apply(state, do.Amend(1, Entry(family="A", team="North"))), do.Undo(state.actions + 1), reason="x")
    assert (amended.fresh_id("teams"), amended.fresh_id("players")) == (4, 5)
    for action, kind, spent in (
        (do.SetTeam(Team(0, 0, "South")), "teams", 4), (do.SetTeam(Team(1, 0, "South")), "teams", 3),
        (do.Appoint("Judge", Role.REFEREE), "officials", 2),
    ):  # fmt: skip
        after = apply(apply(state, action), do.Undo(state.actions + 1), reason="x")
        assert after.fresh_id(kind) == spent, action  # type: ignore[arg-type]


def test_bounds_of_records_and_of_forgotten_players() -> None:
    state = small("1-2 1-0 | 3-4 1-0", game="mangala", sets=3)
    longest = ("a", "b" * 200_000, "c")
    assert apply(state, do.Attach(1, 1, longest)).rounds[0].games[0].records == longest
    with pytest.raises(CompetitionError, match="a game record has at most 200000 characters"):
        apply(state, do.Attach(1, 1, ("a", "b" * 200_001)))
    with pytest.raises(CompetitionError, match="4 records for 3 games"):
        apply(state, do.Attach(1, 1, ("a",) * 4))
    assert apply(state, do.Forget((1, 4)), reason="asked").players == state.players
    for id_ in (0, -1, 5):
        with pytest.raises(CompetitionError, match=f"there is no player with the id {id_}"):
            apply(state, do.Forget((1, id_)), reason="asked")
