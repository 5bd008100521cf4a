"""What the numbered records of a report say counts: tables without our comment lines, byes of teams, totals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from korgool.competition import actions as do
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Absence, Bye, ByeKind, Entry, Settings, System
from korgool.competition.pairing import pair_swiss, seed
from korgool.competition.report_import import take_into
from korgool.competition.round_history import team_history
from korgool.competition.standings import standings
from korgool.competition.standings.figures import table
from korgool.competition.storage.event_file import EventFile
from korgool.competition.trf import TrfError, read_trf, write_trf
from tests.competition.conftest import play_event
from tests.competition.test_trf_reading import FOUR, HEADER, line, text_of
from tests.competition.test_trf_records import EAST, WEST, squad, team_file
from tests.competition.test_trf_writing import a_team_round, five_teams

OF_PLAYERS = ("BH-C1", "SB", "PS", "DE", "WIN", "ARO", "BH-M1")
OF_TEAMS = ("BH-C1", "MPVGP", "EDE", "BC", "EMMSB", "SSSC")


def bare(text: str) -> str:
    """A report without our comment lines, as another program would write it again."""
    return "".join(one + "\n" for one in text.splitlines() if not one.startswith("###"))


def tables(state: EventState) -> list[Any]:
    """The standings by pairing number, with points on boards where there are any."""
    figures = table(state).lines
    return [
        (row.rank, figures[row.competitor].number, row.points, figures[row.competitor].game_points, row.values)
        for row in standings(state)
    ]


def assert_the_same_without_our_lines(state: EventState) -> None:
    """Compare the tables of an event with those of its report, after each round."""
    for count in range(len(state.rounds) + 1):
        imported = read_trf(bare(write_trf(state, rounds=count)))
        assert imported.notes == ()
        if count == len(imported.rounds):  # nothing shows a round in which nobody was there to play
            so_far = replace(state, rounds=state.rounds[:count])
            assert [row[1:4] for row in tables(imported.state)] == [row[1:4] for row in tables(so_far)]
    imported = read_trf(bare(write_trf(state)))
    assert tables(imported.state) == tables(state)
    assert imported.settings.tiebreaks == tuple(
        {"MPVGP": "MPvGP"}.get(code, code.replace("-", "/")) for code in state.event.tiebreaks
    )


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    number=st.integers(0, 10**6),
    of_teams=st.booleans(),
    competitors=st.integers(3, 7),
    boards=st.integers(1, 5),
    bye_points=st.integers(0, 2),
    absences=st.sampled_from([0.0, 0.15, 0.3]),
    forfeits=st.sampled_from([0.0, 0.2, 1.0]),
    penalties=st.integers(0, 3),
)
def test_without_our_comment_lines_a_report_gives_the_same_tables(
    number: int, of_teams: bool, competitors: int, boards: int, bye_points: int, absences: float, forfeits: float,
    penalties: int,
) -> None:  # fmt: skip
    shape: dict[str, Any] = {"late": 1, "withdrawals": 1, "tiebreaks": OF_PLAYERS}
    rounds = 3
    if of_teams:
        rounds = competitors - 1 + competitors % 2
        shape = {"engine": True, "system": System.TEAM_ROUND_ROBIN, "teams": competitors, "boards": boards}
        shape["tiebreaks"] = OF_TEAMS
    state = play_event(
        competitors * (boards if of_teams else 2), rounds, number, bye_points=bye_points, absences=absences,
        forfeits=forfeits, penalties=penalties, **shape,
    )  # fmt: skip
    assert_the_same_without_our_lines(state)


@pytest.mark.parametrize("bye_points", [0, 1, 2])
def test_a_swiss_event_of_teams_without_our_comment_lines(bye_points: int) -> None:
    state = play_event(
        36, 4, 3 + bye_points, engine=True, teams=9, system=System.TEAM_SWISS, boards=4, bye_points=bye_points,
        absences=0.1, penalties=2, tiebreaks=OF_TEAMS,
    )  # fmt: skip
    assert any(bye.kind is ByeKind.ALLOCATED for one in state.rounds for bye in one.byes)
    assert_the_same_without_our_lines(state)


# The bye of a team.

THREE = (*team_file(WEST, EAST, squad(3, "South", 5)), line(5, "E", "", "0000 - -"))


@pytest.mark.parametrize(
    ("records", "match", "board"),
    [
        (["320  1.0  1.0   3"], 1, 2),
        (["320  1    1.0   3 \t "], 1, 2),  # the manner of FIDE's own sample
        (["320  2    2.0   3"], 2, 4),
        (["320  0.0  0.0   3"], 0, 0),
        (["362 TW 2     TD 1     TL 0 ", "320  1.0  1.0   3"], 1, 2),
        (["362 TW 1.0   TD 0.5   TL 0.0", "320  1.0  2.0   3"], 2, 4),
        (["362 TW 3.0   TD 1.5   TL 0.0   P 1.5", "320            3"], 1, 2),
        (["162  W 1.0    D 0.5    P 0.5", "320            3"], 1, 2),
    ],
)
def test_the_bye_of_a_team_is_worth_what_the_file_says(records: list[str], match: int, board: int) -> None:
    imported = read_trf(text_of(*THREE, *records))
    team = next(team for team in imported.state.teams.values() if team.name == "South")
    (met,) = team_history(imported.state)[team.id]
    assert (met.bye, met.points, met.game_points) == (ByeKind.ALLOCATED, match, board)
    assert imported.notes == ()


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ("320  1.5  1.0   3", "a pairing-allocated bye is worth a win, a draw or nothing"),
        ("320  3.0  1.0   3", "a pairing-allocated bye is worth a win, a draw or nothing"),
        ("320  x    1.0   3", "points are written like 1.5, not 'x'"),
        ("362 TW 3     TD 1     TL 0", "a match is worth 2, 1 and 0 in this program"),
        ("362 TW 2     TD 1     TL 1", "a match is worth 2, 1 and 0 in this program"),
    ],
)
def test_a_bye_that_cannot_be_kept(record: str, words: str) -> None:
    with pytest.raises(TrfError) as caught:
        read_trf(text_of(*THREE, record))
    assert words in str(caught.value)
    assert caught.value.line == 11


def test_other_board_points_of_a_bye_are_told() -> None:
    assert read_trf(text_of(*THREE, "320  1.0  1.5   3")).notes == (
        "line 11, column 10: a bye gives 1.5 board points there, here 1, as much as on every board",
    )


def test_numbers_of_teams_may_have_gaps() -> None:
    file = (*team_file(squad(2, "West", 1, 2), squad(7, "East", 3, 4), squad(9, "South", 5)), THREE[-1])
    imported = read_trf(text_of(*file, "320  1.0  1.0   9"))
    names = {team.id: team.name for team in imported.teams}
    assert {names[bye.player] for bye in imported.rounds[0].byes} == {"South"}


# Totals.


def with_totals(match: str, board: str, which: str) -> str:
    """A file whose record says these totals of the team West, which has 3 points on 2 boards."""
    total = {
        "310": f"310   1 {'West':32} {'W':5} {'':6} {match:>6} {board:>6} {1:>3}     1    2",
        "801": f"801  1 {'W':5} {match:>4} {board:>4}   2 w 1=1  123   ",
        "802": f"802   1 {'W':5} {match:>6} {board:>6}    2 w  1.5 ",
    }[which]
    west = total if which == "310" else WEST
    return text_of(*team_file(west, EAST, *([] if which == "310" else [total])))


@pytest.mark.parametrize("which", ["310", "801", "802"])
def test_totals_of_teams_are_compared(which: str) -> None:
    """West wins one board and draws the other: 2 match points, 1.5 board points."""
    columns = {"310": (55, 62), "801": (14, 19), "802": (15, 22)}[which]
    row = 7 if which == "310" else 9
    assert read_trf(with_totals("2", "1.5", which)).notes == ()
    assert read_trf(with_totals("2.0", "1.5", which)).notes == ()
    assert read_trf(with_totals("", "", which)).notes == ()
    assert read_trf(with_totals("3", "1.5", which)).notes == (
        f"line {row}, column {columns[0]}: team 1 has 3 match points there, the rounds give 2; the rounds count",
    )
    both = read_trf(with_totals("1.5", "4.0", which)).notes
    assert [note.split(": ")[1].split(",")[0] for note in both] == [
        "team 1 has 1.5 match points there", "team 1 has 4 board points there",
    ]  # fmt: skip


def test_totals_of_variable_length_are_found() -> None:
    wide = "801   1       3    2.5   2 w 1=1  123"
    assert [note.split(":")[0] for note in read_trf(text_of(*team_file(WEST, EAST, wide))).notes] == [
        "line 9, column 14", "line 9, column 19",
    ]  # fmt: skip


def test_totals_of_players_are_compared_in_team_events_too() -> None:
    lines = team_file(WEST, EAST)
    lines[2] = line(1, "A", "2.0", "   3 w 1")
    assert read_trf(text_of(*lines)).notes == (
        "line 3, column 81: player 1 has 2 points there, the rounds give 1; the rounds count",
    )


def test_totals_are_compared_beside_penalties() -> None:
    fine = "299          -1.0    1    1"
    for total, told in (("2.0", 0), ("1.0", 0), ("1.5", 1)):  # some deduct the penalty in the total, some do not
        changed = (FOUR[0].replace(" 2.0", f" {total}"), *FOUR[1:])
        assert len(read_trf(text_of(*HEADER, *changed, fine)).notes) == told


def test_penalties_of_teams_are_read_back() -> None:
    state = play_event(8, 3, 4, engine=True, teams=4, system=System.TEAM_ROUND_ROBIN, boards=2, absences=0)
    fined = next(iter(state.teams.values()))
    for id_, half_points in ((fined.players[1], 3), (fined.players[0], 1)):
        state = apply(state, do.Penalise(id_, half_points), reason="noise")
    text = write_trf(state)
    assert [one for one in text.splitlines() if one.startswith("299")] == [
        f"299          -1.5    3 {fined.number:>4}", f"299          -0.5    3 {fined.number:>4}",
    ]  # fmt: skip
    assert {id_: one.penalty for id_, one in read_trf(text).state.players.items() if one.penalty} == {
        fined.players[0]: 1, fined.players[1]: 3,
    }  # fmt: skip
    back = read_trf(bare(text))
    assert back.notes == ()
    assert [row[1:4] for row in tables(back.state)] == [row[1:4] for row in tables(state)]
    odd = read_trf(bare(text) + "299 + 2.0   2.5   001    1\n")
    assert odd.notes[0].endswith("match points and results of teams by record 299 are not kept")


# A bye that is given before the pairing.


@pytest.mark.parametrize(("worth", "kind"), [("1.0", ByeKind.FULL), ("0.5", ByeKind.HALF), ("0.0", ByeKind.ZERO)])
@pytest.mark.parametrize("rounds", [["142 5"], []])
def test_a_bye_of_the_coming_round_is_given_and_the_round_is_not_played(
    worth: str, kind: ByeKind, rounds: list[str]
) -> None:
    cells = ("   2 w 1", "   1 b 0", "   4 w 1", "   3 b 0", "0000 - H")
    lines = [line(at, name, "", cell) for at, (name, cell) in enumerate(zip("ABCDE", cells, strict=True), 1)]
    lines[4] += "  0000 - U"
    lines[3] += "  0000 - H"
    imported = read_trf(text_of(*rounds, f"162  P {worth}", *lines))
    assert len(imported.rounds) == 1
    state = imported.state
    assert state.players[5].absences[-1] == Absence(2, kind)
    assert state.players[4].absences == (Absence(2, ByeKind.HALF),)
    assert any("line 7, column 102" in note or "line 6, column 102" in note for note in imported.notes)
    paired = pair_swiss(apply(state, do.Change(replace(state.event, rounds=5))), 2)
    assert {id_ for game in paired.games for id_ in (game.white, game.black)} | {bye.player for bye in paired.byes} == {
        1,
        2,
        3,
        4,
        5,
    }
    assert [bye.kind for bye in paired.byes if bye.player == 5] == [kind]


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize(("letter", "worth"), [("F", 1.0), ("H", 0.5), ("Z", 0.0), ("U", 1.0)])
def test_a_coming_bye_leaves_the_bye_before_its_worth(letter: str, worth: float, counted: bool) -> None:
    total = f"{1 + worth * counted:.1f}"
    lines = [line(1, "A", "1.0", "   2 w 1"), line(2, "B", "0.0", "   1 b 0"),
             line(3, "C", total, "0000 - U", f"0000 - {letter}")]  # fmt: skip
    imported = read_trf(text_of("XXR 3", *lines))
    assert {row[1]: row[2] for row in tables(imported.state)} == {1: 2, 2: 0, 3: 2}
    assert not any("the rounds count" in note for note in imported.notes)
    editions: tuple[Literal["2026", "2016"], ...] = ("2026", "2016")
    for edition in editions:
        again = read_trf(bare(write_trf(imported.state, edition=edition)))
        assert {row[1]: row[2] for row in tables(again.state)} == {1: 2, 2: 0, 3: 2}
        assert again.state.players[3].absences == imported.state.players[3].absences


def test_a_bye_before_the_first_round() -> None:
    lines = [line(1, "A", "1.0", "0000 - U"), *(line(at, name, "0.0") for at, name in ((2, "B"), (3, "C")))]
    imported = read_trf(text_of("142 3", *lines))
    assert imported.rounds == ()
    assert imported.players[0].absences == (Absence(1, ByeKind.FULL),)
    assert len(imported.notes) == 1, "the total with the bye is right"


def test_a_round_in_which_all_but_one_are_away_was_played() -> None:
    cells = ("0000 - U", "0000 - Z", "0000 - Z")
    lines = [line(at, name, "", cell) for at, (name, cell) in enumerate(zip("ABC", cells, strict=True), 1)]
    assert len(read_trf(text_of("142 3", *lines)).rounds) == 1


def test_a_round_of_forfeited_matches_was_played() -> None:
    cells = ("0000 - +", "0000 - +", "0000 - -", "0000 - -")
    (one,) = read_trf(text_of(*team_file(WEST, EAST, "330 +-   1   1   2", cells=cells))).rounds
    assert [game.result is not None and game.result.text for game in one.games] == ["+ - -", "+ - -"]


def test_a_bye_and_a_record_of_it_agree() -> None:
    lines = [line(1, "A", "", "0000 - U"), line(2, "B", ""), line(3, "C", "")]
    assert read_trf(text_of("142 3", *lines, "240 F   1    1")).players[0].absences == (Absence(1, ByeKind.FULL),)


def test_a_changed_record_counts_more_than_our_comment_line() -> None:
    state = apply(EventState(), do.Open(Settings(name="Cup", rounds=3, bye_points=1, tiebreaks=("BH", "KL"))))
    for name in "ABC":
        state = apply(state, do.Enter(Entry(family=name)))
    text = write_trf(apply(state, seed(state, "lot")))
    assert read_trf(text).settings.tiebreaks == ("BH", "KL")
    changed = read_trf(text.replace("162  P 0.5", "162  P 0.0").replace("202 BH", "202 SB,BH/C1")).settings
    assert (changed.bye_points, changed.tiebreaks) == (0, ("SB", "BH/C1"))


def test_a_report_taken_into_an_event_brings_what_its_rounds_rest_on(tmp_path: Path) -> None:
    """Also where the report says what is usual and the event was begun with something else."""
    report = text_of("142 7", "162  P 1.0", *(one + "  0000 - U" if one is FOUR[3] else one for one in FOUR))
    with EventFile.create(tmp_path / "cup.korgool", Settings(name="Cup", rounds=3, bye_points=1), by="test") as file:
        state = take_into(file, read_trf(report), by="test", reason="taken over")
    assert (state.event.rounds, state.event.bye_points, state.event.name) == (7, 2, "Cup")


# Who sat where.


def test_boards_out_of_order_and_empty_ones_are_read_back() -> None:
    """West plays its second player on the first board, East leaves the first board empty."""
    state = five_teams()
    state = a_team_round(
        state,
        (1, 2, ((2, 3, "1-0"), (4, 1, "0.5-0.5"))),
        (3, 4, ((5, 0, "+ - -"), (8, 6, "1-0"))),
        byes=(Bye(5, ByeKind.ALLOCATED),),
    )
    text = write_trf(state)
    assert [one for one in text.splitlines() if one.startswith("300")] == [
        "300   1   1   2    2    1", "300   1   4   3    0    8",
    ]  # fmt: skip
    back = read_trf(bare(text))
    assert back.notes == ()
    (one,) = back.rounds
    assert [(game.white, game.black) for game in one.games] == [(2, 3), (4, 1), (5, 0), (8, 6)]
    codes = ("BC", "TBR", "BBE")
    assert [row.values for row in standings(back.state, tiebreaks=codes)] == [
        row.values for row in standings(state, tiebreaks=codes)
    ]
    without = read_trf(bare(text).replace("300   1   1   2    2    1\n", "")).rounds[0]
    assert [(game.white, game.black) for game in without.games][:2] == [(4, 1), (2, 3)], "nothing else tells"


@pytest.mark.parametrize(
    ("record", "column", "words"),
    [
        ("300   1   9   2    1    2", 9, "there is no team '9'"),
        ("300       1   2    1    2", 5, "names its round and its team"),
        ("300   1   1   2    x    2", 17, "there is no player 'x'"),
        ("300   1   1   2    0   99", 22, "there is no player '99'"),
    ],
)
def test_a_damaged_order(record: str, column: int, words: str) -> None:
    with pytest.raises(TrfError) as caught:
        read_trf(text_of(*team_file(WEST, EAST), record))
    assert (caught.value.line, caught.value.column) == (9, column)
    assert words in str(caught.value)
