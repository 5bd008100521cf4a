"""Records of report files column by column: what each holds, and the place that a damaged one is told with."""

from __future__ import annotations

import pytest

from korgool.competition.errors import CompetitionError
from korgool.competition.model import ByeKind, Penalty, Role, System
from korgool.competition.trf import TrfError, parse_report, read_trf
from korgool.competition.trf.report_lines import OtherLine, PlayerLine, RoundColumns, read_points
from korgool.competition.trf_columns import abnormal_record, cell_text, list_record, points_field, scoring_record
from tests.competition.test_trf_reading import FOUR, HEADER, line, put, text_of

RANKED = line(1, "A", "0.0", rank="1")


def refusal(*lines: str) -> TrfError:
    with pytest.raises(TrfError) as caught:
        read_trf(text_of(*lines))
    return caught.value


@pytest.mark.parametrize("column", [4, 9, 14, 48, 53, 57, 69, 80, 85, 90, 91, 96, 98, 100, 101, 106, 108])
def test_columns_that_are_blank(column: int) -> None:
    error = refusal(*HEADER, put(FOUR[0], column, "x"), *FOUR[1:])
    assert (error.line, error.column) == (3, column)
    assert "'x' stands" in str(error)
    assert "a blank belongs there" in str(error)


@pytest.mark.parametrize(("more", "column"), [("x", 90), (" x", 91)])
def test_nothing_stands_behind_a_rank_without_rounds(more: str, column: int) -> None:
    assert refusal("XXR 1", RANKED + more).column == column
    assert read_trf(text_of("XXR 1", RANKED)).players[0].entry.name == "A"


@pytest.mark.parametrize(
    ("first", "last", "new"),
    [(5, 8, "1x"), (49, 52, "x9"), (81, 84, "x"), (86, 89, "٣"), (92, 95, "x"), (102, 105, "1.5")],
)
def test_a_number_fills_its_columns_and_no_others(first: int, last: int, new: str) -> None:
    right = put(FOUR[0], first, new.rjust(last - first + 1))
    assert refusal(*HEADER, right, *FOUR[1:]).column == first
    left = put(FOUR[0], first, new.ljust(last - first + 1))
    assert refusal(*HEADER, left, *FOUR[1:]).column == first


def test_the_shortest_player_line_ends_with_the_first_letter_of_the_name() -> None:
    assert read_trf("001    1      A\n").players[0].entry.family == "A"
    assert (refusal("001    1     A").column, refusal("001    1").column) == (15, 9)


def test_a_line_has_its_longest_and_a_file_its_most_lines() -> None:
    assert parse_report("132" + "x" * 3997).lines[0].text == "132" + "x" * 3997
    with pytest.raises(TrfError, match="line 1, column 4001: a line has at most 4000 columns"):
        parse_report("132" + "x" * 3998)
    assert len(parse_report("### " + "x" * 9000).lines) == 1, "our comments may be longer"
    assert len(parse_report("132\n" * 50_000).lines) == 50_000
    with pytest.raises(TrfError, match="line 50001: a report file has at most 50000 lines"):
        parse_report("132\n" * 50_001)


def test_points_are_halves() -> None:
    read = {"4.5": 9, "4,5": 9, "4": 8, "-1.0": -2, "-0.5": -1, " 10.0 ": 20, "999": 1998, "0": 0, "-0": 0}
    assert {text: read_points(text) for text in read} == read
    for text in ("1000", "4.3", "4.55", "x", "", "-", "+1", "٣", "4.٥", "1e1", ".5"):
        assert read_points(text) is None, text
    assert [points_field(one) for one in (9, 20, -1, -19, 0, 1)] == [" 4.5", "10.0", "-0.5", "-9.5", " 0.0", " 0.5"]


def test_records_that_the_pairing_engine_reads() -> None:
    assert cell_text(12, True, "1") + cell_text(3, False, "=") == "    12 w 1     3 b ="
    assert cell_text(0, None, "U") == "  0000 - U"
    assert list_record("240 H   3", (1, 12)) == "240 H   3    1   12"
    assert scoring_record(1) == "162  W 1.0    D 0.5    L 0.0    A 0.0    P 0.5"
    assert abnormal_record(-3, 2, (4,)) == "299          -1.5    2    4"


def test_a_line_is_written_in_its_columns() -> None:
    cells = (RoundColumns(12, "w", "1"), RoundColumns(0, "-", "H"), RoundColumns(0, " ", " "))
    whole = PlayerLine(1, 7, "women", "WGMX", "N" * 40, 1900, "KGZX", "1" * 12, "2001/05/311", 9, 3, cells[:1])
    assert whole.text == (f"001    7 wWGM {'N' * 33} 1900 KGZ 11111111111 2001/05/31  4.5    3" + "    12 w 1")
    assert PlayerLine(1, 7, name="A", cells=cells).text.endswith("  0000 - H")
    assert PlayerLine(1, 7, name="A").text == "001    7      A"
    open_board = PlayerLine(1, 7, name="A", cells=(RoundColumns(2, "b", " "),))
    assert open_board.text.endswith("     2 b  "), "a result to come keeps its column"
    assert [one.empty for one in (*cells, RoundColumns(0, " ", "H"), RoundColumns(2, " ", " "))] == [
        False, False, True, False, False,
    ]  # fmt: skip
    other = OtherLine(1, "012", " Cup  ")
    assert (other.text, other.value) == ("012 Cup  ", "Cup")


# Byes and penalties.

FINE = "299          -1.5    1    2    4"


@pytest.mark.parametrize(
    ("column", "told", "words"),
    [
        *((column, column, "a blank belongs here") for column in (4, 6, 7, 12, 18, 19)),
        (13, 14, "points are written like -1.0, not 'x-1.5'"),
        (17, 14, "not '-1.x'"),
        (20, 20, "the round is a number, not 'x 1'"),
        (22, 20, "the round is a number, not 'x'"),
        (23, 24, "a number of a player belongs in 4 columns here"),
        (24, 24, "a number of a player belongs in 4 columns here"),
        (28, 29, "a number of a player belongs in 4 columns here"),
        (32, 29, "a number of a player belongs in 4 columns here"),
    ],
)
def test_a_penalty_out_of_its_columns(column: int, told: int, words: str) -> None:
    error = refusal("142 3", *FOUR, put(FINE, column, "x"))
    assert (error.line, error.column) == (6, told)
    assert words in str(error)


def test_a_penalty_counts_from_its_round_and_no_later_than_the_last() -> None:
    lost = [(4, "0", 3), (1, "2.0", 2), (2, "-9.5", 9), (3, "", 1)]
    records = [f"299         {points:>5}  {at:>3} {number:>4}" for number, points, at in lost]
    found = [player.penalties for player in read_trf(text_of("142 3", *FOUR, *records)).players]
    assert found == [(Penalty(2, -4, "record 299"),), (Penalty(2, 19, "record 299"),), (), ()]


def test_the_lists_of_byes() -> None:
    players = read_trf(text_of("142 4", *FOUR, "240 H   3    1    4", "240     4    2", "240 f   4    3    0")).players
    assert [{one.round: one.kind.value for one in player.absences} for player in players] == [
        {3: "H"}, {4: "Z"}, {4: "F"}, {3: "H"},
    ]  # fmt: skip
    for record, column, words in (
        ("240 H   0    1", 7, "the event has 4 rounds, there is no round 0"),
        ("240 H   5    1", 7, "there is no round 5"),
        ("240 H   x    1", 7, "the round is a number, not 'x'"),
        ("240 H   3    1x   2", 16, "columns are shifted"),
        ("240 H   3   x1    2", 11, "columns are shifted"),
        ("240 H   3x   1    2", 11, "columns are shifted"),
        ("240 H   3    1    9", 16, "there is no player 9"),
        ("240 H   1    1", 11, "player 1 gets a bye in round 1 and is paired there (line 2)"),
    ):
        error = refusal("142 4", *FOUR, record)
        assert (error.line, error.column) == (6, column), record
        assert words in str(error), record


def test_a_bye_on_the_line_and_in_a_record() -> None:
    free = [line(1, "A", "0.5", "0000 - H"), line(2, "B", "1.0", "   3 w 1"), line(3, "C", "0.0", "   2 b 0")]
    assert read_trf(text_of("142 1", *free, "240 H   1    1")).players[0].absences[0].kind is ByeKind.HALF
    error = refusal("142 1", *free, "240 F   1    1")
    assert (error.column, "player 1 has H in round 1, this record says F" in str(error)) == (5, True)
    given = [line(1, "A", "1.0", "0000 - U"), *free[1:]]
    assert refusal("142 1", *given, "240 H   1    1").column == 11


def test_who_is_not_paired_next_misses_that_round_alone() -> None:
    """Record XXZ names them; in the last round there is nothing to miss."""
    for rounds, missed in ((3, {3: ByeKind.ZERO}), (2, {})):
        imported = read_trf(text_of(f"XXR {rounds}", *FOUR, "XXZ 1, 4/2"))
        found = [{one.round: one.kind for one in player.absences} for player in imported.players]
        assert found == [missed, missed, {}, missed]
    kept = read_trf(text_of("XXR 3", *FOUR, "240 F   3    1", "XXZ 1")).players[0]
    assert [one.kind for one in kept.absences] == [ByeKind.FULL]
    assert "there is no player 'x'" in str(refusal("XXR 3", *FOUR, "XXZ x"))


@pytest.mark.parametrize("code", ["250", "XXA", "260", "XXP"])
def test_records_that_are_not_kept_are_told(code: str) -> None:
    notes = read_trf(text_of(*HEADER, *FOUR, f"{code} 1 2", f"{code} 3 4")).notes
    what = "accelerated rounds" if code in ("250", "XXA") else "single forbidden pairs"
    assert [note for note in notes if what in note] == [f"line 7: {what} are not kept"]


# The header.


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026/1/5", "2026-01-05"),
        ("5.1.2026", "2026-01-05"),
        ("14-01-2026", "2026-01-14"),
        ("2026.11.30", "2026-11-30"),
    ],
)
def test_days(text: str, day: str) -> None:
    assert read_trf(text_of(*HEADER, f"042 {text}", *FOUR)).settings.begins == day


@pytest.mark.parametrize(
    ("records", "system"),
    [
        (["192 FIDE_DUTCH"], System.SWISS),
        (["192 FIDE_ROUNDROBIN"], System.ROUND_ROBIN),
        (["192 FIDE_DOUBLEROUNDROBIN"], System.DOUBLE_ROUND_ROBIN),
        (["192 CUSTOM_KNOCKOUT", "092 Individual: Round-Robin"], System.KNOCKOUT),
        (["092 Play-off"], System.KNOCKOUT),
        (["092 Berger"], System.ROUND_ROBIN),
        (["192 ", "092 Double Berger"], System.DOUBLE_ROUND_ROBIN),
        (["092 Team: Swiss-System"], System.SWISS),
        (["092 Personal-team Swiss"], System.SWISS),
        ([], System.SWISS),
    ],
)
def test_the_system_by_its_code_or_words(records: list[str], system: System) -> None:
    assert read_trf(text_of(*HEADER, *records, *FOUR)).settings.system is system


@pytest.mark.parametrize(
    ("record", "column", "words"),
    [
        ("BBW x", 5, "points are written like 0.5, not 'x'"),
        ("XXS W=x", 5, "points are written like 0.5, not 'x'"),
        ("162  D x.x", 7, "points are written like 0.5, not 'x.x'"),
        ("162  W 1.0    D 0.5    L x.0", 25, "points are written like 0.5"),
        ("BBL 0.5", 5, "in another way"),
        ("BBD 1.0", 5, "in another way"),
        ("XXS WW=0.0", 5, "in another way"),
        ("BBU 1.5", 5, "a pairing-allocated bye is worth 1, a half or 0"),
        ("BBU -0.5", 5, "a pairing-allocated bye is worth 1, a half or 0"),
        ("142 0", 5, "1 to 99, not '0'"),
        ("142 100", 5, "1 to 99, not '100'"),
        ("152 x", 5, "the initial colour is W or B, not 'x'"),
    ],
)
def test_a_damaged_header(record: str, column: int, words: str) -> None:
    error = refusal(*FOUR, record)
    assert (error.line, error.column) == (5, column)
    assert words in str(error)


def test_other_points_that_are_the_same_shares() -> None:
    for records, worth in (
        (["XXS WW=2.0", "XXS WD=1.0", "XXS WL=0.0", "XXS PAB=2.0"], 2),
        (["BBW 2.0", "BBD 1.0", "BBL 0.0", "BBU 1.0"], 1),
        (["162  W 2.0    D 1.0    L 0.0    P 0.0"], 0),
        (["BBW 3.0", "BBD 1.5", "BBU 3.0"], 2),
    ):
        assert read_trf(text_of(*HEADER, *records, *FOUR)).settings.bye_points == worth
    assert "is worth 1, a half" in str(refusal(*FOUR, "BBW 3.0", "BBD 1.5", "BBU 1.0"))


def test_what_is_not_taken_over_is_told_with_its_line() -> None:
    imported = read_trf(text_of("012 Cup", "122 fast", "202 BH/C1,XX,SB", "212 DE", "142 99", *FOUR, "299"))
    assert imported.settings.rounds == 99
    assert imported.settings.tiebreaks == ("BH/C1", "SB")
    assert imported.notes[:2] == (
        "line 3: this program does not have the tie-breaks XX; the others are BH/C1, SB",
        "line 2: the time control fast is not taken over, the usual one is set",
    )
    unknown = read_trf(text_of("142 9", "212 PTS,BH:GP", *FOUR))
    assert unknown.settings.tiebreaks == ("PS", "BH", "DE", "KL")
    assert unknown.notes == ("line 2: this program does not have the tie-breaks BH:GP; the usual ones are set",)
    assert read_trf(text_of("142 9", "212 PTS,sb,de", *FOUR)).settings.tiebreaks == ("SB", "DE")
    assert read_trf(text_of("XXR 3", "122", "222", *FOUR)).notes == ()
    assert read_trf(text_of("XXR 3", "122 1 + 999", *FOUR)).settings.control == "1+999"


def test_more_rounds_than_an_event_can_have() -> None:
    free = [line(1, "A", "", *["0000 - U"] * 100), line(2, "B", "")]
    error = refusal(*free)
    assert (error.line, error.column) == (1, 0)
    assert "an event has 1 to 99 rounds, not 100" in str(error)


def test_the_first_of_each_office() -> None:
    records = ("102 Chief", "102 Other", "102", "112 Second", "112 Chief", "112 Third")
    found = read_trf(text_of(*HEADER, *records, *FOUR)).officials
    assert [(one.id, one.name, one.role) for one in found] == [
        (1, "Chief", Role.CHIEF_REFEREE), (2, "Other", Role.REFEREE), (3, "Second", Role.DEPUTY),
        (4, "Third", Role.REFEREE),
    ]  # fmt: skip


@pytest.mark.parametrize(("text", "white"), [("W", True), ("b", False), ("white", True)])
def test_the_lot_of_trf26(text: str, white: bool) -> None:
    assert read_trf(text_of("142 3", f"152 {text}", *FOUR)).white_first is white


@pytest.mark.parametrize(("text", "white"), [("rank white1", True), ("black1", False), ("rank", True)])
def test_the_lot_of_trf16(text: str, white: bool) -> None:
    assert read_trf(text_of(*HEADER, f"XXC {text}", *FOUR)).white_first is white


# Teams.


def squad(number: object, name: str, *players: object) -> str:
    return f"310 {number!s:>3} {name:32} {'':5} {'':6} {'':6} {'':6} {'':3} " + "".join(
        f" {one!s:>4}" for one in players
    )


def team_file(*records: str, cells: tuple[str, ...] = ("   3 w 1", "   4 b =", "   1 b 0", "   2 w =")) -> list[str]:
    """Two teams of two; A and B play C and D."""
    lines = [line(number, name, "", cell) for number, name, cell in zip((1, 2, 3, 4), "ABCD", cells, strict=True)]
    return ["092 Team: Swiss-System", "142 2", *lines, *records]


WEST, EAST = squad(1, "West", 1, 2), squad(2, "East", 3, 4)


def test_matches_of_teams() -> None:
    imported = read_trf(text_of(*team_file(squad(2, "East", 4, 3), squad(1, "West", 1, 2))))
    assert imported.settings.boards == 2
    assert [(team.id, team.number, team.name, team.players) for team in imported.teams] == [
        (1, 1, "West", (1, 2)), (2, 2, "East", (4, 3)),
    ]  # fmt: skip
    (one,) = imported.rounds
    (match,) = one.matches
    assert (match.table, match.home, match.away, match.boards) == (1, 1, 2, (1, 2))
    assert [(game.board, game.white, game.black) for game in one.games] == [(1, 1, 3), (2, 4, 2)]


@pytest.mark.parametrize(
    ("records", "row", "column", "words"),
    [
        ((WEST, squad(1, "East", 3, 4)), 8, 5, "team 1 stands in the file already"),
        ((WEST, squad(0, "East", 3, 4)), 8, 5, "the number of a team is 1 to 999, not '0'"),
        ((WEST, squad("x", "East", 3, 4)), 8, 5, "the number of a team is 1 to 999, not 'x'"),
        ((WEST, squad(2, "", 3, 4)), 8, 9, "the name of the team is missing"),
        ((WEST, squad(2, "East", 3, 9)), 8, 79, "team East: there is no player '9'"),
        ((WEST, squad(2, "East", "x", 4)), 8, 74, "team East: there is no player 'x'"),
        ((WEST, squad(2, "East", 3, 1)), 8, 79, "player 1 is in a team of line 7 too"),
        ((squad(1, "West", 1, 2, 3), squad(2, "East", 4)), 3, 0, "round 1: two players of team West meet"),
        ((WEST, squad(2, "East", 3)), 6, 0, "D is in no team"),
        ((WEST, EAST, "330 +-       1   2"), 9, 8, "a forfeited match names its round and two teams"),
        ((WEST, EAST, "330 +-   1   1"), 9, 8, "a forfeited match names its round and two teams"),
        ((WEST, EAST, "330 +-   x   1   2"), 9, 8, "'x' is no number"),
        ((WEST, EAST, "330 +-   1   9   2"), 9, 12, "there is no team '9'"),
        ((WEST, EAST, "330 +-   1   1   x"), 9, 16, "there is no team 'x'"),
        ((WEST, EAST, "320  1.0  1.0   9"), 9, 15, "there is no team '9'"),
        ((WEST, EAST, "320  1.0  1.0   0   9"), 9, 19, "there is no team '9'"),
        ((WEST, EAST, "240 X   1    1"), 9, 5, "a bye is F, H or Z and names its round"),
        ((WEST, EAST, "240 H   x    1"), 9, 5, "a bye is F, H or Z and names its round"),
        ((WEST, EAST, "240 H   2    1    9"), 9, 16, "there is no team '9'"),
        ((), 1, 0, "this is a team event, but no record 310 or 013 names the teams"),
    ],
)
def test_a_damaged_team(records: tuple[str, ...], row: int, column: int, words: str) -> None:
    system = ["192 FIDE_TEAM_ROUNDROBIN"] if not records else []
    error = refusal(*team_file(*records), *system)
    assert words in str(error)
    assert (error.line, error.column) == (row, column)


def test_a_match_that_nobody_played_and_byes_of_teams() -> None:
    cells = ("   3 w 1", "   4 b =", "   1 b 0", "   2 w =")
    more = [line(5, "E", "", "0000 - +"), line(6, "F", "", "0000 - -"), line(7, "G", "", "0000 - U")]
    records = (WEST, EAST, squad(3, "North", 5), squad(4, "South", 6), squad(5, "Mid", 7))
    file = [*team_file(cells=cells), *more, *records, "330 +-   1   3   4", "320  1.0  1.0   5"]
    (one,) = read_trf(text_of(*file)).rounds
    assert [(match.table, match.home, match.away, match.boards) for match in one.matches] == [
        (1, 3, 4, one.matches[0].boards), (2, 1, 2, one.matches[1].boards),
    ]  # fmt: skip
    assert [(bye.player, bye.kind) for bye in one.byes] == [(5, ByeKind.ALLOCATED)]
    assert {(game.white, game.black) for game in one.games} >= {(1, 3), (4, 2), (5, 0)}


def test_teams_of_a_file_without_their_records_stay_entries() -> None:
    squads = [f"013 {'West':32}   1    2", f"013 {'East':32}   3    4"]
    imported = read_trf(text_of(*team_file(*squads)))
    assert imported.settings.system is System.TEAM_SWISS
    assert [(team.number, team.name, team.players) for team in imported.teams] == [
        (1, "West", (1, 2)),
        (2, "East", (3, 4)),
    ]
    with pytest.raises(CompetitionError, match="a team match has 1 to 20 boards, not 21"):
        read_trf(text_of(*team_file(*squads, f"352 {'W' * 21}")))
