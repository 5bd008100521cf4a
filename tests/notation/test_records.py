"""Game records: the four dialects, their headers, results and endings."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest

from korgool import (
    BESTEMSHE,
    GAMES,
    MANGALA,
    MANGALA_CASTLE,
    TOGUZ_KORGOOL,
    Game,
    Outcome,
    Position,
    Rules,
    Side,
    Termination,
)
from korgool.notation import Record, RecordError, parse_records, read_records, write_record
from korgool.notation.terminations import parse_result, parse_termination, rules_of_variant

TGK = """[White "?"]
[Black "?"]
[Result "*"]
[Date "2011.10.21"]
[Event "?"]
[Round "1"]
[Site "?"]

1. 65 65
2. 99 89
3. 23 45x
*
"""
MOVES = (6, 6, 9, 8, 2, 4)


def only(text: str, rules: Rules | None = None) -> Record:
    (record,) = parse_records(text, rules)
    return record


def test_the_tgk_file_of_the_interfaces() -> None:
    record = only(TGK)
    assert (record.moves, record.dialect, record.result, record.error) == (MOVES, "tgk", "*", None)
    assert record.tags == {"Date": "2011.10.21", "Round": "1"}
    assert record.position.tuz == (None, 5)
    assert write_record(record, "tgk") == TGK + "\n"


def test_the_coordinates_of_the_interfaces() -> None:
    line = "f1e2 d2e1 i1a2 b2i1 b1g2 f2e1"
    record = only(line + "\n")
    assert (record.moves, record.dialect) == (MOVES, "coordinates")
    assert write_record(record, "coordinates") == line + "\n"


def test_the_running_text_of_the_interfaces() -> None:
    text = "1. 76(10) 55(10) 2. 33 77X"
    record = only(text)
    assert (record.moves, record.error) == ((7, 5, 3, 7), None)
    assert record.position.tuz == (None, 7)
    assert write_record(record).rstrip().endswith(text + " *")


def test_the_same_game_in_every_dialect_of_one_file() -> None:
    game = Game(moves=MOVES)
    record = Record.of(game, White="Family, Given")
    text = "".join(write_record(record, dialect) for dialect in ("pgn", "bare", "tgk", "coordinates", "bare", "pgn"))
    found = parse_records(text)
    assert [one.dialect for one in found] == ["pgn", "bare", "tgk", "coordinates", "bare", "pgn"]
    assert [one.index for one in found] == [0, 1, 2, 3, 4, 5]
    assert {one.moves for one in found} == {MOVES}
    assert found[-1] == record
    lines = text.split("\n")
    assert all(lines[one.line - 1].strip() for one in found)


def test_a_game_in_pgn_style_as_it_is_written() -> None:
    game = Game(moves=[7, 5, 3])
    game.conclude(Side.BLACK, Termination.RESIGNATION)
    record = Record.of(
        game, comments=[(1, "bold"), (3, "and  lost")], offers=[2], White='A "B" \\', Time="10:00", Odd="x"
    )
    text = write_record(record)
    assert text == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "A \\"B\\" \\\\"]\n[Black "?"]\n'
        '[Result "0-1"]\n[Time "10:00"]\n[Variant "Toguz korgool"]\n[Termination "resignation"]\n[Odd "x"]\n\n'
        "1. 76(10) {bold} 1... 55(10)= 2. 33 {and lost} 0-1\n\n"
    )
    assert only(text) == record


def test_without_tags_numbers_lines_or_marks() -> None:
    for text in (
        "1. 65 65 2. 99 89 3. 23 45X",
        "65(10) 65(10) 99 89 23 45",
        "6 6 9 8 2 4",
        "1.65 65\n2.99 89\n3.23 45",
        "1. 65\n65 2. 99\n89 3. 23\n4 *",
        "669824",
        "669824 *",
        "F1E2 D2E1 I1A2 B2I1 B1G2 F2E1 *",
        '[Event "E"]\n1. f1e2 d2e1 2. i1a2 b2i1 3. b1g2 f2e1 *',
        "\ufeff669824",
        "% a remark\n; another\n{a third}\n669824",
        "1. 65 65 2. 99 89\n% 3. 77 11\n3. 23 45X",
    ):
        found = parse_records(text)
        assert [record.moves for record in found] == [MOVES], text
        assert found[0].error is None


def test_the_tag_for_a_set_up_start_is_not_kept_beside_the_start() -> None:
    record = only('[FEN "8,1S/8,1S 79 81 S 30"]\n[SetUp "1"]\n\n1. 91 *')
    assert "SetUp" not in record.tags
    assert record.start == Position.parse("8,1S/8,1S 79 81 S 30")


def test_line_ends_and_byte_order_marks_of_all_machines() -> None:
    for end in ("\n", "\r\n", "\r"):
        data = "\ufeff" + (TGK + "\n" + TGK).replace("\n", end)
        for stream in (io.BytesIO(data.encode()), io.StringIO(data, newline="")):
            found = list(read_records(stream))
            assert [record.moves for record in found] == [MOVES, MOVES]
            assert [record.line for record in found] == [1, 14]


def test_a_path_or_a_stream(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("669824\n7\n")
    for source in (path, str(path)):
        assert [record.moves for record in read_records(source)] == [MOVES, (7,)]
    with path.open() as stream:
        assert len(list(read_records(stream))) == 2
    with pytest.raises(FileNotFoundError):
        next(read_records(tmp_path / "nothing"))


def test_tgk_with_its_optional_parts() -> None:
    text = '\ufeff[Count "2"]\n[Comment "club"]\n\n' + TGK.replace("2011.10.21", "2011") + "\n" + TGK
    first, second = parse_records(text)
    assert (first.dialect, first.tags["Comment"], first.tags["Date"]) == ("tgk", "club", "2011")
    assert second.moves == MOVES
    assert parse_records(write_record(first, "tgk"))[0] == first


def test_what_makes_a_file_tgk() -> None:
    """Its seven tags and one numbered pair a line; then a tuz must be marked, and else need not be."""
    unmarked = TGK.replace("45x", "45")
    for text in (
        unmarked.replace("[Site", '[Variant "Toguz korgool"]\n[Site'),
        unmarked.replace("65 65\n", "65(10) 65\n"),
        unmarked.replace("\n2.", " 2."),
        unmarked.replace("45\n*", "45 *"),
        unmarked.replace("99 89", "99 {well} 89"),
    ):
        record = only(text)
        assert (record.dialect, record.moves, record.error) == ("pgn", MOVES, None)
    for text in (TGK.replace("x", "X"), TGK.replace("x", "х"), TGK.replace("\n*", "\n\n*"), TGK[:-2]):
        record = only(text)
        assert (record.dialect, record.moves, record.error) == ("tgk", MOVES, None)


def test_tgk_dates_are_a_year_or_a_day() -> None:
    for date, written in (
        ("2011.??.??", "2011"),
        ("2011.10.??", "2011"),
        ("????.??.??", "?"),
        ("2011.10.21", "2011.10.21"),
    ):
        text = write_record(Record.of(Game(), Date=date), "tgk")
        assert f'[Date "{written}"]' in text


def test_a_tuz_in_tgk_must_carry_its_x() -> None:
    error = only(TGK.replace("45x", "45")).error
    assert error is not None
    assert (error.line, error.ply) == (11, 6)
    assert "must be marked: 45x" in error.reason


@pytest.mark.parametrize("name", list(GAMES))
def test_the_variant_tag_selects_the_rules(name: str) -> None:
    rules = GAMES[name]
    for variant in (rules.title, rules.title.upper(), rules.title.lower().replace(" ", "-")):
        assert only(f'[Variant "{variant}"]\n\n1. 1 *', TOGUZ_KORGOOL).start == rules.start()
    assert only("1\n", rules).start == rules.start()
    assert only("1. 1", rules).start == rules.start()
    assert only('[White "A"]\n\n1. 1 *', rules).start == rules.start()


def test_names_of_the_games_as_people_write_them() -> None:
    for text in ("Togyzkumalak", "togyzqumalaq", "TOGUZ KORGOOL", "Тогуз коргоол", "Тоғызқұмалақ"):
        assert rules_of_variant(text) is TOGUZ_KORGOOL
    assert rules_of_variant("Standard") is None
    with pytest.raises(ValueError, match="the variant 'Oware' is not known; there are Toguz korgool, Mangala"):
        rules_of_variant("Oware")


def test_options_of_the_caller_and_of_the_record() -> None:
    owner = MANGALA.with_option("sweep", "owner")
    text = '[Variant "Mangala"]\n\n1. 36 *'
    assert only(text, owner).start.rules == owner
    assert only(text, MANGALA_CASTLE).start.rules == MANGALA
    record = Record.of(Game(owner.with_option("goal", "25"), [3]))
    written = write_record(record)
    assert '[Rules "goal=25, sweep=owner"]' in written
    assert only(written) == only(written, MANGALA) == record
    assert only(write_record(Record.of(Game(MANGALA, [3]))), owner).start.rules == owner
    with pytest.raises(ValueError, match="cannot name the game 'Chess'"):
        write_record(Record.of(Game(Rules("chess", "Chess", holes=8, stones=2))))


def test_options_for_whatever_game_a_record_is_of() -> None:
    text = '[Variant "Mangala"]\n\n1. 36 *\n\n[Variant "Bestemshe"]\n\n1. 1 *\n\n7\n'
    found = list(read_records(io.StringIO(text), adapt=lambda rules: rules.with_option("threefold", "5")))
    assert [record.start.rules.name for record in found] == ["mangala", "bestemshe", "toguz"]
    assert {record.start.rules.threefold for record in found} == {5}


def test_a_set_up_start() -> None:
    fen = "13S,2S,12S,3S,2S,1S,1,12S,12S/12S,2S,13S,13S,t,3S,12S,12S,1S 22 15 S 4"
    record = only(f'[FEN "{fen}"]\n\n4. 1 1 5. 2 *')
    assert record.error is None
    assert str(record.start) == fen
    again = write_record(record)
    assert f'[FEN "{fen}"]' in again
    assert only(again) == record
    for dialect in ("tgk", "coordinates", "bare"):
        with pytest.raises(ValueError, match=f"the {dialect} dialect cannot carry a set-up start"):
            write_record(record, dialect)
    assert only('[FEN "5S,5S,5S,5S,5S/5S,5S,5S,5S,5S 0 0 S 1"]\n\n1. 1 *').start == BESTEMSHE.start()
    assert only('[FEN "5S,5S,5S,5S,5S/5S,5S,5S,5S,4S 0 0 S 1"]\n\n1. 1 *').error is not None
    (lenient,) = parse_records('[FEN "5S,5S,5S,5S,5S/5S,5S,5S,5S,4S 0 0 S 1"]\n\n1. 1 *', lenient=True)
    assert lenient.error is None


def test_what_the_small_dialects_cannot_carry() -> None:
    empty = Record.of(Game())
    for dialect in ("coordinates", "bare"):
        with pytest.raises(ValueError, match="cannot carry a game without moves"):
            write_record(empty, dialect)
    assert only(write_record(empty)) == empty
    assert only(write_record(empty, "tgk")).moves == ()
    with pytest.raises(ValueError, match="there is no dialect 'sgf'; there are pgn, tgk, coordinates, bare"):
        write_record(empty, "sgf")
    with pytest.raises(ValueError, match=r"a record with an error cannot be written \(line 1, ply 2"):
        write_record(only("70"), "bare")
    with pytest.raises(ValueError, match="holds a closing brace"):
        write_record(Record.of(Game(), comments=[(0, "a}b")]))
    with pytest.raises(ValueError, match="holds a line break"):
        write_record(Record.of(Game(), White="a\nb"))
    with pytest.raises(ValueError, match="cannot be the name of a tag"):
        write_record(Record(TOGUZ_KORGOOL.start(), tags={"a b": "c"}))
    with pytest.raises(ValueError, match="the tag Result follows from the game"):
        Record.of(Game(), Result="1-0")
    with pytest.raises(ValueError, match="names another"):
        Record.of(Game(), offers=[1])
    with pytest.raises(ValueError, match="is not a result"):
        Record(TOGUZ_KORGOOL.start(), result="2-0")


FINISHED = "95857232999"
"""White wins 82 to 10 after 11 plies (`shortest_games.txt`)."""


@pytest.mark.parametrize("said", ["0-1", "1/2-1/2", "0 (10) - 1 (82)"])
def test_the_board_overrules_the_header(said: str) -> None:
    record = only(f'[Result "{said}"]\n\n{" ".join(FINISHED)}')
    outcome = record.outcome()
    assert outcome is not None
    assert (record.result, outcome.result_text, outcome.termination) == ("1-0", "1 (82) - 0 (10)", Termination.MAJORITY)
    assert record.error is None
    assert record.header == parse_result(said)[0]
    assert "but the board ended 1 (82) - 0 (10)" in record.warnings[0]


def test_results_that_agree_raise_no_warning() -> None:
    for tags, end in (
        ("1-0", "1-0"),
        ("*", "1-0"),
        ("1-0", ""),
        ("*", "*"),
        ("?", ""),
        ("1 (82) - 0 (10)", "1 (82) – 0 (10)"),
    ):
        record = only(f'[Result "{tags}"]\n\n{" ".join(FINISHED)} {end}')
        assert (record.result, record.warnings, record.error) == ("1-0", (), None)


def test_contradictions_are_told() -> None:
    assert "0-1, but the Result tag says 1-0" in only('[Result "1-0"]\n\n1. 76 0-1').warnings[0]
    assert only('[Result "1-0"]\n\n1. 76 0-1').result == "1-0"
    assert "stores of 82 and 60" in only(f"{' '.join(FINISHED)} 1 (82) - 0 (60)").warnings[0]
    assert "no stones" in only(f"{' '.join(FINISHED)} 1-0 {{zero}}").warnings[0]


@pytest.mark.parametrize(
    ("words", "termination"),
    [
        ("resignation", Termination.RESIGNATION),
        ("White resigned", Termination.RESIGNATION),
        ("time", Termination.TIME),
        ("Time forfeit", Termination.TIME),
        ("agreement", Termination.AGREEMENT),
        ("draw by mutual agreement", Termination.AGREEMENT),
        ("forfeit", Termination.FORFEIT),
        ("no-show", Termination.FORFEIT),
        ("repetition", Termination.REPETITION),
        ("Normal", Termination.UNKNOWN),
        ("", Termination.UNKNOWN),
        ("majority", Termination.UNKNOWN),
    ],
)
def test_the_reason_of_a_game_that_the_board_did_not_end(words: str, termination: Termination) -> None:
    record = only(f'[Result "0-1"]\n[Termination "{words}"]\n\n1. 76 0-1')
    assert record.outcome() == Outcome(Side.BLACK, termination, (10, 0))
    assert record.game().outcome() == record.outcome()
    assert record.error is None
    assert only(f'[Result "*"]\n[Termination "{words}"]\n\n1. 76 *').outcome() is None


def test_ours_and_only_ours_are_read_as_written() -> None:
    assert [parse_termination(reason) for reason in Termination] == list(Termination)


def test_zero_marks_a_game_that_ended_for_want_of_stones() -> None:
    record = Record.of(Game(Position.parse("8,1S/10S,7,1S 70 80 S 1"), [9]))
    outcome = record.outcome()
    assert outcome is not None
    assert (outcome.termination, outcome.stores) == (Termination.NO_MOVE, (82, 80))
    text = write_record(record)
    assert text.rstrip().endswith("1. 91(72) 1-0 {zero}")
    assert only(text) == record
    assert only(text).warnings == ()
    assert only(text.replace("1-0 {zero}", "1-0\n\n{zero}")) == record
    side_empty = Record.of(Game(Position.parse("5,1S/6 20 27 N 1", MANGALA)))
    assert side_empty.result == "0-1"
    assert "zero" not in write_record(side_empty)


def test_equality_is_of_what_is_said() -> None:
    one, other = parse_records("7\n7\n")
    assert one == other
    assert (one.line, one.index, other.line, other.index) == (1, 0, 2, 1)
    assert replace(one, moves=(8,)) != other
    assert RecordError(1, "a", 2) == RecordError(1, "a", 2) != RecordError(1, "a", 3)
    assert str(RecordError(7, "why", 12)) == "line 12, ply 7: why"


def test_results_in_all_their_spellings() -> None:
    for text, result in (
        ("1-0", "1-0"),
        ("0 (60) - 1 (82)", "0-1"),
        ("0.5 (81) - 0.5 (81)", "1/2-1/2"),
        ("½-½", "1/2-1/2"),
        ("1/2-1/2", "1/2-1/2"),
        ("*", "*"),
    ):
        assert parse_result(text)[0] == result
    for bad in ("1-1", "0-0", "2-0", "1-0-0", "won", "1/2-0"):
        with pytest.raises(ValueError, match="is not a result"):
            parse_result(bad)
