"""Reports letter for letter: the records of players, teams and penalties, and what is told as missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from korgool.competition import actions as do
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Absence, Bye, ByeKind, Entry, PairedGame, Settings, System, Team, TeamMatch
from korgool.competition.result import read_result
from korgool.competition.round_history import team_history
from korgool.competition.standings import cross_table, standings
from korgool.competition.trf import decode_trf, left_out, read_trf, write_trf
from tests.competition.test_explanations import GIVEN, HALF, ZERO, a_round
from tests.competition.test_standings import small

Boards = tuple[int, int, tuple[tuple[int, int, str], ...]]


def a_team_round(state: EventState, *matches: Boards, byes: tuple[Bye, ...] = ()) -> EventState:
    """Another round of teams: home, away, and the boards with their results."""
    number = len(state.rounds) + 1
    games: list[PairedGame] = []
    met: list[TeamMatch] = []
    results: list[str] = []
    for table, (home, away, boards) in enumerate(matches, 1):
        first = len(games) + 1
        games += [PairedGame(first + at, white, black) for at, (white, black, _) in enumerate(boards)]
        results += [result for _, _, result in boards]
        met.append(TeamMatch(table, home, away, tuple(range(first, len(games) + 1))))
    state = apply(state, do.Pair(number, tuple(games), byes, tuple(met), "test"))
    for board, result in enumerate(results, 1):
        if result:
            state = apply(state, do.EnterResult(number, board, read_result(result)))
    return state


def five_teams() -> EventState:
    settings = Settings(name="Cup", rounds=3, system=System.TEAM_SWISS, boards=2, bye_points=1)
    state = apply(EventState(), do.Open(settings))
    for name in ("West", "East", "North", "South", "Mid"):
        for board in (1, 2):
            state = apply(state, do.Enter(Entry(family=f"{name}{board}", team=name, board=board)))
    return apply(state, do.Seed((1, 2, 3, 4, 5), False))


@pytest.fixture(scope="module")
def teams() -> EventState:
    """Five teams of two, three rounds with every kind of forfeit and bye."""
    state = a_team_round(
        five_teams(),
        (1, 2, ((1, 3, "1 (82) - 0 (60)"), (4, 2, "0.5 (81) - 0.5 (81)"))),
        (3, 4, ((5, 0, "+ - -"), (0, 6, "- - +"))),
        byes=(Bye(5, GIVEN),),
    )
    state = a_team_round(
        state,
        (4, 1, ((7, 1, "- - +"), (2, 8, "+ - -"))),
        (2, 3, ((0, 5, "- - -"), (6, 4, "- - +"))),
        byes=(Bye(5, HALF),),
    )
    return a_team_round(
        state,
        (1, 2, ((1, 3, "0-1"), (4, 2, "1-0"))),
        (5, 3, ((9, 5, "1-0"), (6, 10, "+ - -"))),
        byes=(Bye(4, ByeKind.FULL),),
    )


def records(text: str, *codes: str) -> list[str]:
    return [line for line in text.splitlines() if line[:3] in codes]


def test_the_records_of_teams(teams: EventState) -> None:
    text = write_trf(teams)
    assert records(text, "310", "320", "330", "240") == [
        "310   1 West                                             4.0    3.5   1     1    2",
        "310   2 East                                             4.0    3.5   2     3    4",
        "310   3 North                                            3.0    3.0   3     5    6",
        "310   4 South                                            2.0    2.0   5     7    8",
        "310   5 Mid                                              3.0    3.0   4     9   10",
        "240 H   2    5",
        "240 F   3    4",
        "320  1.0  1.0   5   0   0",
        "330 +-   1   3   4",
        "330 -+   2   4   1",
        "330 +-   2   2   3",
    ]
    assert [(line[4:8], line[80:84], line[85:89], line[89:]) for line in records(text, "001")][:6] == [
        ("   1", " 2.0", "   1", "     3 w 1     7 b +     3 w 0"),
        ("   2", " 1.5", "   2", "     4 b =     8 w +     4 b 0"),
        ("   3", " 1.0", "   3", "     1 b 0  0000 - Z     1 b 1"),
        ("   4", " 2.5", "   4", "     2 w =     6 b +     2 w 1"),
        ("   5", " 1.0", "   5", "  0000 - +  0000 - -     9 b 0"),
        ("   6", " 2.0", "   6", "  0000 - +     4 w -    10 w +"),
    ]
    old = write_trf(teams, edition="2016")
    assert records(old, "013") == [
        f"013 {name:32}{2 * at - 1:>4} {2 * at:>4}"
        for at, name in enumerate(("West", "East", "North", "South", "Mid"), 1)
    ]
    assert records(old, "XXR", "XXC", "BBU") == ["XXR 3", "XXC black1", "BBU  0.5"]
    assert records(write_trf(teams, rounds=0), "310", "320", "330")[1:2] == [
        "310   2 East                                             0.0    0.0   1     3    4"
    ]
    assert left_out(teams, edition="2016") == (
        "who met whom as a team, and byes of teams", "the order of tie-breaks PS, BH, DE, KL",
        "stones and causes of 5 games",
    )  # fmt: skip
    assert left_out(teams, rounds=1) == (
        "stones and causes of 2 games", "the tie-breaks KL, which have no code of FIDE",
    )  # fmt: skip


def test_teams_are_read_back_with_our_notes_and_without(teams: EventState) -> None:
    text = write_trf(teams)
    assert read_trf(text).state.rounds == teams.rounds
    bare = read_trf("".join(line + "\n" for line in text.splitlines() if not line.startswith("###")))
    met = [[(one.home, one.away, len(one.boards)) for one in round_.matches] for round_ in bare.rounds]
    assert met == [[(3, 4, 2), (1, 2, 2)], [(4, 1, 2), (2, 3, 1)], [(1, 2, 2), (5, 3, 2)]]
    assert [one.byes for one in bare.rounds] == [one.byes for one in teams.rounds]
    assert [[(game.white, game.black) for game in one.games] for one in bare.rounds] == [
        [(5, 0), (6, 0), (1, 3), (4, 2)], [(7, 1), (2, 8), (6, 4)], [(1, 3), (4, 2), (9, 5), (6, 10)],
    ]  # fmt: skip
    assert bare.settings.bye_points == 1


def test_a_team_that_another_program_renamed() -> None:
    state = apply(EventState(), do.Open(Settings(name="Cup", rounds=1, system=System.TEAM_SWISS, boards=1)))
    for name in "AB":
        state = apply(state, do.Enter(Entry(family=name)))
    for at, name in enumerate(("West", "L" * 40), 1):
        state = apply(state, do.SetTeam(Team(0, 0, name, captain="Captain", players=(at,))))
    text = write_trf(apply(state, do.Seed((1, 2), True)))
    assert [team.name for team in read_trf(text).teams] == ["West", "L" * 40]
    renamed = read_trf(text.replace("310   1 West", "310   1 Best")).teams
    assert [(team.name, team.captain) for team in renamed] == [("Best", "Captain"), ("L" * 40, "Captain")]


def test_points_and_charts_of_teams(teams: EventState) -> None:
    """C.07 12 and 13; two meetings of one pair stand side by side."""
    charts = cross_table(teams)
    assert [[cell.text for cell in row.cells] for row in charts] == [
        ["2w1.5", "4b2", "2w0"], ["1b0.5", "3w1", "1b2"], ["4w2", "2b0", "5b1"], ["U", "H", "3w1"], ["3b0", "1w0", "F"],
    ]  # fmt: skip
    assert [dict(row.against) for row in charts[:2]] == [{2: "1.5 0", 4: "2"}, {1: "0.5 2", 3: "1"}]
    codes = ("SSSC", "BC", "MPVGP", "KL")
    found = {row.competitor: (row.points, row.values) for row in standings(teams, tiebreaks=codes)}
    assert found == {
        1: (4, (8.5, 5.0, 3.5, 0.0)), 2: (4, (9.0, 6.0, 3.5, 60.0)), 3: (3, (7.0, 5.0, 3.0, 0.0)),
        4: (2, (5.0, 3.0, 2.0, 0.0)), 5: (3, (7.5, 4.0, 3.0, 0.0)),
    }  # fmt: skip
    first = team_history(teams)
    assert [(one.own, one.other) for one in first[1]] == [(163, 141), (None, None), (None, None)]
    assert [(one.own, one.other) for one in first[2]][:1] == [(141, 163)]
    assert [(one.points, one.game_points, one.board) for one in first[5]] == [(1, 2, 0), (1, 2, 0), (1, 2, 2)]
    running = a_team_round(five_teams(), (1, 2, ((1, 3, "1-0"), (4, 2, ""))))
    assert [cell.text for row in cross_table(running) for cell in row.cells] == ["2w*", "1b*", "Z", "Z", "Z"]


def punished() -> EventState:
    state = small("1-2 1-0 | 3-4 0.5-0.5", federation="KGZ", begins="2026-05-01", ends="2026-05-09", place="Osh")
    for player, half_points in ((1, 1), (2, 45), (3, -2), (4, 19)):
        state = apply(state, do.Penalise(player, half_points), reason="conduct")
    return a_round(state, (2, 1, "- - +"), p3=HALF, p4=ByeKind.FULL)


def test_penalties_in_fields_of_nine_and_a_half_points() -> None:
    state = apply(punished(), do.Penalise(1, 4), reason="later")
    assert records(write_trf(state), "299") == [
        "299          -9.5    1    2    2    4",
        "299          -3.5    1    2",
        "299          -0.5    1    1",
        "299           1.0    1    3",
        "299          -2.0    2    1",
    ]
    assert records(write_trf(state, rounds=1), "299") == records(write_trf(state), "299")[:4]
    assert records(write_trf(state, rounds=0), "299") == []
    assert [line[80:] for line in records(write_trf(state), "001")] == [
        " 2.0    2     2 w 1     2 b +", " 0.0    4     1 b 0     1 w -", " 1.0    1     4 w =  0000 - H",
        " 1.5    3     3 b =  0000 - F",
    ]  # fmt: skip
    told = left_out(state, edition="2016")
    assert told[0] == "points taken off from players 1 (2.5), 2 (22.5), 3 (-1), 4 (9.5)"
    assert left_out(state, edition="2016", rounds=1)[0] == (
        "points taken off from players 1 (0.5), 2 (22.5), 3 (-1), 4 (9.5)"
    )
    bare = "".join(line + "\n" for line in write_trf(state).splitlines() if not line.startswith("###"))
    assert [one.penalty for one in read_trf(bare).players] == [5, 45, -2, 19]


def test_the_header_and_byes_of_rounds_to_come() -> None:
    state = replace(punished(), officials={})
    assert write_trf(state).splitlines()[:12] == [
        "012 Cup", "022 Osh", "032 KGZ", "042 2026/05/01", "052 2026/05/09", "062 4", "072 0",
        "092 Individual: Swiss-System", "122 60+0", "142 3", "152 W", "192 FIDE_DUTCH",
    ]  # fmt: skip
    timed = apply(state, do.Change(replace(state.event, control="45+15")))
    assert records(write_trf(timed), "122", "222", "162") == ["122 45+15", "222 2700+15"]
    going = apply(apply(state, do.Withdraw(4)), do.Miss(2, Absence(3, HALF)))
    assert records(write_trf(going), "240") == ["240 H   3    2", "240 Z   3    4"]
    assert records(write_trf(going, rounds=1), "240") == ["240 F   2    4", "240 H   2    3", "240 H   3    2"]
    assert [line[109:] for line in records(write_trf(going, edition="2016"), "001")] == [
        "", "  0000 - H", "", "  0000 - Z",
    ]  # fmt: skip
    assert records(write_trf(going, edition="2016"), "240") == []
    for rounds in (-1, 3):
        with pytest.raises(CompetitionError, match=f"2 rounds are paired, {rounds} cannot be written"):
            write_trf(state, rounds=rounds)
    with pytest.raises(CompetitionError, match="nobody is entered, there is nothing to report"):
        write_trf(apply(EventState(), do.Open(Settings(name="Cup"))))


def test_what_is_longer_than_its_columns() -> None:
    fits = Entry(family="F" * 33, title="WGM", federation="KGZ", external="1" * 11)
    for more, cut in (
        ({}, False), ({"family": "F" * 34}, True), ({"title": "WGMX"}, True), ({"federation": "KGZX"}, True),
        ({"external": "1" * 12}, True),
    ):  # fmt: skip
        state = small(entries=(fits, replace(fits, family="G", external=""), Entry(family="C"), Entry(family="D")))
        state = apply(state, do.Amend(1, replace(fits, **more)))  # type: ignore[arg-type]
        told = [one for one in left_out(state) if one.endswith("of players 1")]
        assert bool(told) is cut, more
        assert read_trf(write_trf(state)).players[0].entry == state.players[1].entry
    warned = apply(apply(state, do.GiveWarning(2), reason="talk"), do.GiveWarning(4), reason="talk")
    assert "warnings of players 2, 4" in left_out(warned)
    kept = apply(state, do.Change(replace(state.event, forbid=("team", "federation"), tiebreaks=("BH",))))
    assert left_out(kept)[0] == "that players of one team or federation are kept apart"
    played = apply(small("1-2 1-0 | 3-4 + - -"), do.Attach(1, 1, ("1. 1 1\n",)))
    assert left_out(played, edition="2016")[-2:] == (
        "stones and causes of 1 games", "game records of 1 boards, which are in no comment line either",
    )  # fmt: skip


def test_encodings_by_the_letters_that_stand_together() -> None:
    """Of the letters outside ASCII more than half stand in runs of three or more in a Cyrillic text."""
    assert decode_trf(b"\xff\xfe" + "Ким".encode("utf-16-le")) == ("Ким", "utf-16")
    assert decode_trf("012 Cup, the very long name\n".encode("utf-16-be"))[1] == "utf-16-be"
    for data, encoding in (
        (b"\xca\xe8\xec", "cp1251"),
        (b"\xca\xe8", "cp1252"),
        (b"\xca\xe8\xec \xe9 \xe9 \xe9", "cp1252"),
        (b"\xca\xe8\xec \xe9 \xe9", "cp1251"),
        (b"M\x81ller", "latin-1"),
    ):
        assert decode_trf(data)[1] == encoding, data


def test_absent_after_leaving_is_no_bye() -> None:
    state = a_round(small(), (1, 2, "1-0"), (3, 4, "1-0"))
    state = a_round(apply(state, do.Withdraw(4)), (1, 3, "1-0"), p2=ZERO)
    imported = read_trf(write_trf(state))
    assert [[(one.round, one.kind) for one in player.absences] for player in imported.players] == [
        [],
        [(2, ZERO)],
        [],
        [],
    ]
    assert imported.players[3].until == 1


def test_who_left_after_the_rounds_of_a_report_has_left_in_it() -> None:
    state = a_round(small(), (1, 2, "1-0"), (3, 4, "1-0"))
    state = a_round(apply(state, do.Withdraw(4)), (1, 3, "1-0"), p2=ZERO)
    assert [read_trf(write_trf(state, rounds=count)).players[3].until for count in (1, 2)] == [1, 1]
    assert read_trf(write_trf(a_round(small(), (1, 2, "1-0"), (3, 4, "1-0")))).players[3].until is None


def test_clubs_of_an_individual_event_have_a_record_in_trf16_alone() -> None:
    teams = (("A", "West"), ("B", ""), ("C", "West"))
    state = small(entries=tuple(Entry(family=name, team=team) for name, team in teams))
    assert [line[:3] for line in write_trf(state, edition="2016").splitlines()].count("013") == 1
    assert records(write_trf(state), "013", "310") == []


def test_a_bye_of_the_first_round_stands_on_the_line_before_anybody_plays() -> None:
    state = apply(small(), do.Miss(2, Absence(1, HALF)))
    assert [line[89:].strip() for line in records(write_trf(state, edition="2016"), "001")] == ["", "0000 - H", "", ""]


def test_numbers_of_teams_have_two_digits() -> None:
    state = apply(EventState(), do.Open(Settings(name="Cup", rounds=3, system=System.TEAM_SWISS, boards=1)))
    for number in range(1, 12):
        state = apply(state, do.Enter(Entry(family=f"P{number}", team=f"Team {number}", board=1)))
    state = apply(state, do.Seed(tuple(range(1, 12)), False))
    played = tuple((one, one + 1, ((one, one + 1, "1-0"),)) for one in (1, 3, 5, 7))
    state = a_team_round(state, *played, (9, 10, ((9, 10, "+ - -"),)), byes=(Bye(11, GIVEN),))
    plain = "\n".join(line for line in write_trf(state).splitlines() if not line.startswith("###"))
    (again,) = read_trf(plain).rounds
    assert again.byes == (Bye(11, GIVEN),)
    assert {frozenset((one.home, one.away)) for one in again.matches} == {
        frozenset((home, away)) for home, away in ((1, 2), (3, 4), (5, 6), (7, 8), (9, 10))
    }


def test_who_came_after_the_last_round_comes_late_in_the_report_too() -> None:
    state = apply(small("1-2 1-0 | 3-4 1-0"), do.Enter(Entry(family="E")))
    assert state.players[5].since == 2
    read = read_trf(write_trf(state)).state
    assert (read.players[5].since, read.players[5].number) == (2, 5)


def test_two_of_one_name_who_met_each_other_are_two() -> None:
    state = apply(EventState(), do.Open(Settings(name="Cup", rounds=3)))
    for _ in range(2):
        state = apply(state, do.Enter(Entry(family="A"), True))
    state = a_round(apply(state, do.Seed((1, 2), True)), (1, 2, "1-0"))
    read = read_trf(write_trf(state)).state
    assert [player.entry.family for player in read.players.values()] == ["A", "A"]


def test_the_special_board_is_read_back(teams: EventState) -> None:
    state = apply(teams, do.Choose(1, 3))
    read = read_trf(write_trf(state)).state
    assert [game.board for game in read.rounds[0].games if game.special] == [3]
