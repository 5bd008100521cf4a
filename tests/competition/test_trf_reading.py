"""Report files as other programs write them, and files that are damaged."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from korgool.competition.errors import CompetitionError
from korgool.competition.model import ByeKind, Role, System
from korgool.competition.trf import TrfError, decode_trf, parse_report, read_trf, write_trf
from korgool.competition.trf.report_lines import PlayerLine, ReportLines
from tests.competition.conftest import play_event


def line(number: int, name: str, points: str, *cells: str, **columns: str) -> str:
    """A player line by hand, as FIDE's paper draws it: cells are the eight columns of a round."""
    head = f"001 {number:>4} {columns.get('sex', ''):1}{columns.get('title', ''):>3} {name:33} "
    head += f"{columns.get('rating', ''):>4} {columns.get('federation', ''):3} {columns.get('external', ''):>11} "
    head += f"{columns.get('born', ''):>10} {points:>4} {columns.get('rank', ''):>4}"
    return head + "".join("  " + cell for cell in cells)


HEADER = ["012 Open", "XXR 3"]
FOUR = [
    line(1, "Aman, A", "2.0", "   3 w 1", "   2 b 1"),
    line(2, "Bek, B", "1.0", "   4 b 1", "   1 w 0"),
    line(3, "Can, C", "0.5", "   1 b 0", "   4 w ="),
    line(4, "Dos, D", "0.5", "   2 w 0", "   3 b ="),
]


def text_of(*lines: str) -> str:
    return "".join(one + "\n" for one in lines)


def test_plain_file() -> None:
    imported = read_trf(text_of(*HEADER, *FOUR))
    assert imported.notes == ()
    assert imported.settings.rounds == 3
    assert imported.edition == "2016"
    assert imported.white_first
    assert [[(game.white, game.black) for game in one.games] for one in imported.rounds] == [
        [(1, 3), (4, 2)],
        [(2, 1), (3, 4)],
    ]
    result = imported.rounds[1].games[1].result
    assert result is not None
    assert (result.white, result.black, result.cause) == (1, 1, "unknown")


def test_columns_of_a_player() -> None:
    columns = {"sex": "w", "title": "WFM", "rating": "1987", "federation": "KGZ", "external": "13800123"}
    imported = read_trf(text_of("XXR 1", line(1, "Асанова, Айжан", "0", born="2003/05/31", rank="2", **columns)))
    entry = imported.players[0].entry
    assert (entry.family, entry.given, entry.sex, entry.born) == ("Асанова", "Айжан", "f", 2003)
    assert (entry.title, entry.rating, entry.federation, entry.external) == ("WFM", 1987, "KGZ", "13800123")


@pytest.mark.parametrize("born", ["2003", "2003/00/00", "2003.05.31", "2003-05-31", "31.05.2003", "31/05/2003"])
def test_dates_of_birth(born: str) -> None:
    assert read_trf(text_of("XXR 1", line(1, "A", "0", born=born))).players[0].entry.born == 2003


@pytest.mark.parametrize("born", ["", "0000/00/00", "85/03/12"])
def test_no_year_of_birth(born: str) -> None:
    assert read_trf(text_of("XXR 1", line(1, "A", "0", born=born))).players[0].entry.born == 0


def test_byes_as_programs_write_them() -> None:
    imported = read_trf(
        text_of(
            "XXR 3",
            line(1, "A", "1.5", "0000 - U", "       H", "        "),
            line(2, "B", "1,0", "       F", "0000 - Z"),
            line(3, "C", "0.5", "0000   H", "0000 - -"),
            line(4, "D", "1.0", "0000 - +", "       -", "       H"),
            "240 F   3    2",
            "XXZ 3",
        )
    )
    byes = [{bye.player: bye.kind for bye in one.byes} for one in imported.rounds]
    assert byes == [{1: ByeKind.ALLOCATED, 2: ByeKind.FULL, 3: ByeKind.HALF, 4: ByeKind.FULL}]
    coming = {
        player.id: {one.round: one.kind for one in player.absences if one.round > 1} for player in imported.players
    }
    assert coming == {
        1: {2: ByeKind.HALF},
        2: {2: ByeKind.ZERO, 3: ByeKind.FULL},
        3: {2: ByeKind.ZERO},
        4: {2: ByeKind.ZERO, 3: ByeKind.HALF},
    }


@pytest.mark.parametrize(
    ("own", "other", "points"),
    [
        ("   2 w +", "   1 b -", (2, 0)),
        ("   2 - +", "   1 - -", (2, 0)),
        ("   2   +", "   1 w -", (0, 2)),
        ("   2 w -", "   1 b -", (0, 0)),
        ("   2 b W", "   1 w L", (0, 2)),
        ("   2 b D", "   1 w D", (1, 1)),
        ("   2 w d", "   1 b =", (1, 1)),
        ("   2 w 0", "   1 b 0", (0, 0)),
        ("   2 B 1", "   1 W 0", (0, 2)),
    ],
)
def test_results(own: str, other: str, points: tuple[int, int]) -> None:
    imported = read_trf(text_of("XXR 1", line(1, "A", "", own), line(2, "B", "", other)))
    result = imported.rounds[0].games[0].result
    assert result is not None
    assert (result.white, result.black) == points
    assert result.played is (own[7] not in "+-")


def test_colour_missing_on_one_line() -> None:
    imported = read_trf(text_of("XXR 1", line(1, "A", "", "   2 - +"), line(2, "B", "", "   1 w -")))
    assert (imported.rounds[0].games[0].white, imported.rounds[0].games[0].black) == (2, 1)


def test_nothing_but_players() -> None:
    imported = read_trf(text_of(*FOUR))
    assert imported.settings.name == "Tournament"
    assert imported.settings.rounds == 2
    assert any("number of rounds" in note for note in imported.notes)


def test_rulers_and_foreign_records_are_passed_over() -> None:
    ruler = "".join(str(count % 10) for count in range(1, 130))
    imported = read_trf(
        text_of(
            "012 Open", "062 4 (3)", "112", "132" + " " * 88 + "26/01/02", ruler, "DDD SSSS sTTT NNNN",
            "### a comment", "XXR 3", *FOUR, "DAT 0001 EMAIL somebody", "RUS    1     X", "",
        )
    )  # fmt: skip
    assert len(imported.players) == 4


def test_gaps_in_numbers_close() -> None:
    imported = read_trf(text_of("XXR 2", line(7, "A", "1", "  12 w 1"), line(12, "B", "0", "   7 b 0")))
    assert [player.number for player in imported.players] == [1, 2]
    assert any("gaps" in note for note in imported.notes)


@pytest.mark.parametrize(("first", "white"), [("w", True), ("b", False)])
def test_lot_is_seen_in_the_first_round(first: str, white: bool) -> None:
    other = "b" if first == "w" else "w"
    lines = [
        line(1, "A", "0.5", "0000 - H"),
        line(2, "B", "0", f"   4 {first} 0"),
        line(3, "C", "1", "0000 - U"),
        line(4, "D", "1", f"   2 {other} 1"),
    ]
    assert read_trf(text_of("XXR 3", *lines)).white_first is white
    assert read_trf(text_of("XXR 3", "152 B", *lines)).white_first is False
    assert read_trf(text_of("XXR 3", "XXC rank white1", *lines)).white_first is True


@pytest.mark.parametrize(
    ("records", "worth"),
    [
        (["162  W 1.0    D 0.5    L 0.0    P 0.5"], 1),
        (["162  W 2.0    D 1.0    P 1.0"], 1),
        (["XXS W=1.0", "XXS D=0.5", "XXS PAB=0.0"], 0),
        (["BBU  0.5"], 1),
        ([], 2),
    ],
)
def test_worth_of_a_bye(records: list[str], worth: int) -> None:
    assert read_trf(text_of("XXR 3", *records, *FOUR)).settings.bye_points == worth


def test_worth_of_a_bye_is_seen_in_the_totals() -> None:
    lines = [line(1, "A", "0.5", "0000 - U"), line(2, "B", "1.0", "   3 w 1"), line(3, "C", "0.0", "   2 b 0")]
    imported = read_trf(text_of("XXR 3", *lines))
    assert imported.settings.bye_points == 1
    assert imported.notes[1:] == ()


def test_wrong_total_is_told() -> None:
    imported = read_trf(text_of(*HEADER, FOUR[0].replace(" 2.0", " 1.5"), *FOUR[1:]))
    assert imported.notes == ("line 3, column 81: player 1 has 1.5 points there, the rounds give 2; the rounds count",)


def test_penalties() -> None:
    imported = read_trf(text_of("142 3", *FOUR, "299          -1.5    1    2    4", "299          -9.5         1"))
    lost = {player.id: [(one.round, one.half_points) for one in player.penalties] for player in imported.players}
    assert lost == {1: [(0, 19)], 2: [(1, 3)], 3: [], 4: [(1, 3)]}


def test_header() -> None:
    imported = read_trf(
        text_of(
            "012 Кубок Бишкека", "022 Бишкек", "032 KGZ", "042 2026/01/10", "052 2026.01.14", "092 Round Robin",
            "102 IA Asanov, Asan (13800001)", "112 Bekov, Bek", "112 Bekov, Bek", "112 Canov, Can", "122 45+15", *FOUR,
            "142 3",
        )
    )  # fmt: skip
    event = imported.settings
    assert (event.name, event.place, event.federation) == ("Кубок Бишкека", "Бишкек", "KGZ")
    assert (event.begins, event.ends, event.edition) == ("2026-01-10", "2026-01-14", "2023")
    assert (event.system, event.control, event.rounds) == (System.ROUND_ROBIN, "45+15", 3)
    roles = [(one.name, one.role) for one in imported.officials]
    assert roles[0] == ("IA Asanov, Asan (13800001)", Role.CHIEF_REFEREE)
    assert roles[1:] == [("Bekov, Bek", Role.DEPUTY), ("Canov, Can", Role.REFEREE)]


@pytest.mark.parametrize(
    ("record", "control"),
    [
        ("222 2700+15", "45+15"),
        ("222 5400", "90+0"),
        ("222 60000+600", "1000+600"),
        ("222 90", ""),
        ("222 0+15", ""),
        ("222 60060", ""),
        ("222 600+601", ""),
        ("122 45 + 15", "45+15"),
    ],
)
def test_a_time_control_in_seconds_or_in_words(record: str, control: str) -> None:
    """A stock of whole minutes up to a thousand, with an increment up to ten minutes; any other is left to its note."""
    assert read_trf(text_of("XXR 3", record, *FOUR)).settings.control == control


def test_teams_of_an_individual_event() -> None:
    squads = ["013 Ala-Too                            1    3", "013 Ош                                 2    4"]
    imported = read_trf(text_of("092 Individual: Swiss-System", "XXR 3", *FOUR, *squads))
    assert [player.entry.team for player in imported.players] == ["Ala-Too", "Ош", "Ala-Too", "Ош"]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_line_ends(ends: str) -> None:
    text = ends.join((*HEADER, *FOUR))
    assert read_trf(text).rounds == read_trf(text_of(*HEADER, *FOUR)).rounds


CYRILLIC = text_of("012 Чемпионат", "XXR 1", line(1, "Ёлкина, Анна", "0"), line(2, "Жукова, Щука", "0"))
LATIN = text_of("012 Coupe", "XXR 1", line(1, "Müller, José", "0"), line(2, "Ångström, Zoë", "0"))
TURKISH = text_of("012 Kupa", "XXR 1", line(1, "Öztürk, Işıl", "0"), line(2, "André, Léa", "0"))
ICELANDIC = text_of("012 Bikar", "XXR 1", line(1, "Þórðarson, Sigurður", "0"), line(2, "Ýr, Una", "0"))
SHORT = text_of("012 Cup", "XXR 1", line(1, "Ким, Ада", "0"), line(2, "Пак, Ира", "0"))


@pytest.mark.parametrize(
    ("text", "written", "read"),
    [
        (SHORT, "cp1251", "cp1251"),
        (CYRILLIC, "utf-8", "utf-8"),
        (CYRILLIC, "utf-8-sig", "utf-8"),
        (CYRILLIC, "cp1251", "cp1251"),
        (LATIN, "latin-1", "cp1252"),
        (LATIN, "utf-8", "utf-8"),
        (TURKISH, "cp1254", "cp1254"),
        (ICELANDIC, "cp1252", "cp1252"),
    ],
)
def test_encodings(text: str, written: str, read: str) -> None:
    imported = read_trf(text.encode(written))
    assert imported.encoding == read
    assert imported.players == read_trf(text).players
    assert decode_trf(text.encode(written))[0] == text


def test_columns_filled_by_bytes() -> None:
    """Some programs fill up by bytes of UTF-8, so that the rest of the line stands further left in letters."""
    plain = line(1, "@", "1.0", "   2 w 1", rating="1900")
    name = "Айтматов, Чыңгыз"
    moved = plain.replace("@" + " " * 32, name + " " * (33 - len(name.encode())))
    imported = read_trf(text_of("XXR 1", moved, line(2, "B", "0.0", "   1 b 0")).encode())
    assert imported.players[0].entry.name == name
    assert imported.players[0].entry.rating == 1900


def put(text: str, column: int, new: str) -> str:
    return text[: column - 1] + new + text[column - 1 + len(new) :]


BAD: list[tuple[str, Callable[[list[str]], list[str]], int, int, str]] = [
    ("shifted right", lambda file: [*file[:2], file[2][:20] + " " + file[2][20:], *file[3:]], 3, 81, "shifted"),
    ("shifted left", lambda file: [*file[:2], file[2][:40] + file[2][41:], *file[3:]], 3, 96, "shifted"),
    ("shifted line", lambda file: [*file[:2], " " + file[2], *file[3:]], 3, 2, "shifted"),
    ("number", lambda file: [*file[:2], put(file[2], 5, "  1x"), *file[3:]], 3, 5, "number"),
    ("no number", lambda file: [*file[:2], put(file[2], 5, "    "), *file[3:]], 3, 5, "missing"),
    ("no name", lambda file: [*file[:2], put(file[2], 15, " " * 33), *file[3:]], 3, 15, "name"),
    ("short", lambda file: [*file[:2], "001    1", *file[3:]], 3, 9, "ends"),
    ("sex", lambda file: [*file[:2], put(file[2], 10, "q"), *file[3:]], 3, 10, "sex"),
    ("rating", lambda file: [*file[:2], put(file[2], 49, "19a0"), *file[3:]], 3, 49, "rating"),
    ("points", lambda file: [*file[:2], put(file[2], 81, " 2.3"), *file[3:]], 3, 81, "halves"),
    ("rank", lambda file: [*file[:2], put(file[2], 86, "   x"), *file[3:]], 3, 86, "rank"),
    ("born", lambda file: [*file[:2], put(file[2], 70, "May 1     "), *file[3:]], 3, 70, "birth"),
    ("doubled", lambda file: [*file, file[2]], 7, 5, "stands in line 3 already"),
    ("colour", lambda file: [*file[:2], put(file[2], 97, "x"), *file[3:]], 3, 97, "colour"),
    ("result", lambda file: [*file[:2], put(file[2], 99, "2"), *file[3:]], 3, 99, "result"),
    ("unknown opponent", lambda file: [*file[:2], put(file[2], 92, "   9"), *file[3:]], 3, 92, "no such player"),
    ("himself", lambda file: [*file[:2], put(file[2], 92, "   1"), *file[3:]], 3, 92, "themselves"),
    ("one-sided", lambda file: [*file[:2], put(file[2], 92, "   2"), *file[3:]], 3, 92, "who has 4"),
    ("disagree", lambda file: [*file[:2], put(file[2], 99, "="), *file[3:]], 3, 99, "two sides"),
    ("both white", lambda file: [*file[:2], put(file[2], 97, "b"), *file[3:]], 3, 97, "both have Black"),
    ("bye with opponent", lambda file: [*file[:2], put(file[2], 99, "H"), *file[3:]], 3, 99, "bye"),
    ("no opponent", lambda file: [*file[:2], put(file[2], 92, "0000 - 1"), *file[3:]], 3, 92, "without an opponent"),
    ("rounds", lambda file: ["012 x", "XXR ten", *file[2:]], 2, 5, "1 to 99"),
    ("scoring", lambda file: [*file, "162  W 3.0    D 1.0    L 0.0"], 7, 5, "another way"),
    ("scoring text", lambda file: [*file, "162  W x.0"], 7, 7, "0.5"),
    ("colour lot", lambda file: [*file, "152 green"], 7, 5, "W or B"),
    ("bye list", lambda file: [*file, "240 H   3    9"], 7, 11, "no player 9"),
    ("bye and game", lambda file: [*file, "240 H   2    1"], 7, 11, "paired"),
    ("bye kind", lambda file: [*file, "240 X   3    1"], 7, 5, "F, H or Z"),
    ("bye round", lambda file: [*file, "240 H   4    1"], 7, 7, "no round 4"),
    ("absent", lambda file: [*file, "XXZ 1 12"], 7, 5, "no player"),
    ("penalty", lambda file: [*file, "299          -x.0    1    2"], 7, 14, "-1.0"),
    ("penalty shifted", lambda file: [*file, "299         -1.5    1    2"], 7, 14, "shifted"),
    ("abnormal", lambda file: [*file, "299 W         2.0    1    2"], 7, 5, "not kept"),
    ("note", lambda file: [*file, '### korgool event {"name": 3}'], 7, 19, "damaged"),
    ("note text", lambda file: [*file, "### korgool player {"], 7, 20, "damaged"),
    ("nothing", lambda file: ["012 x"], 1, 0, "no tournament report"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "row", "column", "words"), [one[1:] for one in BAD], ids=[one[0] for one in BAD])
def test_bad_lines_are_named(change: Callable[[list[str]], list[str]], row: int, column: int, words: str) -> None:
    with pytest.raises(TrfError) as caught:
        read_trf(text_of(*change([*HEADER, *FOUR])))
    error = caught.value
    assert error.line == row, error
    assert error.column == column, error
    assert str(error).startswith(f"line {row}, column {column}: " if column else f"line {row}: ")
    assert any(word in str(error) for word in words.split("|")), error


def test_missing_result_before_the_last_round() -> None:
    lines = [line(1, "A", "0", "   2 w  ", "   2 b 1"), line(2, "B", "0", "   1 b  ", "   1 w 0")]
    with pytest.raises(TrfError, match="round 1 lacks results"):
        read_trf(text_of("XXR 2", *lines))


def test_player_entered_twice() -> None:
    with pytest.raises(CompetitionError, match="entered already"):
        read_trf(text_of("XXR 1", line(1, "Aman, A", "0"), line(2, "Aman, A", "0")))


WHOLE = write_trf(play_event(9, 4, 5, late=1, withdrawals=1, penalties=2))
LINES = WHOLE.split("\n")


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    where=st.floats(0, 1, exclude_max=True),
    what=st.sampled_from(["insert", "delete", "replace", "line", "cut"]),
    new=st.text(min_size=1, max_size=6) | st.sampled_from(list(' 0123456789wb-=+HFUZ{}",')),
    again=st.integers(0, 40),
)
def test_damage_is_told_or_harmless(where: float, what: str, new: str, again: int) -> None:
    at = int(where * len(WHOLE))
    changed = {
        "insert": WHOLE[:at] + new + WHOLE[at:],
        "delete": WHOLE[:at] + WHOLE[at + 1 + again % 5 :],
        "replace": WHOLE[:at] + new + WHOLE[at + len(new) :],
        "line": "\n".join(LINES[: again % len(LINES)] + LINES[again % len(LINES) + 1 :]),
        "cut": WHOLE[:at],
    }[what]
    try:
        imported = read_trf(changed)
    except CompetitionError:
        return
    write_trf(imported.state)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace")))
@example(b"\xef\xbb\xbf")
@example(b"001    1      A\n")
@example("001    ١      A\n".encode())
def test_any_bytes(data: bytes) -> None:
    for whole in (data, b"001    1      " + data):
        try:
            read_trf(whole)
        except CompetitionError:
            continue


CELLS = st.tuples(st.integers(0, 9999), st.sampled_from("wb"), st.sampled_from("1=0+-WDL")).map(
    lambda cell: (cell[0], cell[1] if cell[0] else "-", cell[2])
)
LETTERS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp")), min_size=1, max_size=33)


@settings(max_examples=80, deadline=None)
@given(
    st.builds(
        PlayerLine,
        line=st.just(1),
        number=st.integers(1, 9999),
        sex=st.sampled_from(["", "m", "w"]),
        title=st.sampled_from(["", "g", "WGM", "КМС"]),
        name=LETTERS,
        rating=st.integers(0, 9999),
        federation=st.sampled_from(["", "KGZ", "123"]),
        external=st.integers(0, 10**11 - 1).map(str),
        born=st.sampled_from(["", "2001/05/31", "1999"]),
        points=st.none() | st.integers(-19, 199),
        rank=st.none() | st.integers(0, 9999),
    ),
    st.lists(CELLS, max_size=20),
)
def test_any_line_comes_back(plain: PlayerLine, cells: list[tuple[int, str, str]]) -> None:
    from dataclasses import replace

    from korgool.competition.trf.report_lines import RoundColumns

    whole = replace(plain, cells=tuple(RoundColumns(*cell) for cell in cells))
    assert parse_report(ReportLines((whole,)).text).players == (whole,)
