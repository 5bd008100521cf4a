"""What readers of records once got wrong: results of bare games, offers before the ply, blank comments and lines."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.notation import Record, parse_records, read_records, write_record
from korgool.notation.segments import LONGEST, read_lines
from korgool.rules import GAMES


def one(text: str) -> Record:
    (record,) = parse_records(text)
    return record


@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2"])
def test_a_result_after_a_bare_game_is_its_end(result: str) -> None:
    record = one(f"796817 {result}\n")
    assert (record.result, record.header, record.warnings, record.error) == (result, result, (), None)


def test_a_bare_game_without_its_result_is_not_called_cut_off_either() -> None:
    assert [record.warnings for record in parse_records("796817\n796817 *\n")] == [(), ()]


def test_a_result_that_the_board_contradicts_is_told() -> None:
    (warning,) = one("95857232999 0-1\n").warnings
    assert warning == "the result after the moves says 0-1, but the board ended 1 (82) - 0 (10)"


def test_real_games_on_a_line_with_their_results_give_no_warning(shared: Path) -> None:
    with (shared / "data" / "games_online.jsonl").open(encoding="utf-8") as file:
        games = [json.loads(line) for line in file]
    records = parse_records("".join(f"{game['moves']} {game['result']}\n" for game in games))
    assert len(records) == len(games)
    assert [record.warnings for record in records if record.warnings] == []


@pytest.mark.parametrize("text", ["2.= 66", "2. = 66", "2. =66", "2.=66", "2. {asks} = 66", "2. 66=", "2. 66 ="])
def test_an_offer_between_the_number_and_the_ply_is_of_that_ply(text: str) -> None:
    """WNG-TK §X: the player to move offers."""
    record = one(f"1. 76(10) 76(10) {text} *\n".replace("66", "22"))
    assert (record.error, record.moves, record.offers) == (None, (7, 7, 2), (3,))
    assert "2. 22=" in write_record(Record(record.start, record.moves, offers=record.offers))


def test_an_offer_after_blacks_number_is_blacks() -> None:
    record = one("1. 76(10) {then} 1... = 76(10) 2. 22 *\n")
    assert (record.error, record.offers) == (None, (2,))


def test_an_offer_after_a_ply_is_of_that_ply() -> None:
    record = one("1. = 76(10) = 76(10) = 2. 22 *\n")
    assert (record.error, record.offers) == (None, (1, 2))


def test_an_offer_of_which_the_ply_is_missing_is_nobodys() -> None:
    record = one("1. 76(10) 76(10) 2. = 1/2-1/2\n")
    assert (record.error, record.offers, record.comments) == (None, (), ((2, "="),))


@pytest.mark.parametrize("blank", ["{}", "{ }", "{\n}", "{\n\n \n}"])
def test_a_blank_comment_is_kept(blank: str) -> None:
    record = one(f"1. 76(10) {blank} 1... 76(10) {{}} {{good}} 2. 22 *\n")
    assert (record.error, record.comments) == (None, ((1, ""), (2, ""), (2, "good")))
    assert one(write_record(record)) == record


@pytest.mark.parametrize("fen", ["startpos", "Startpos", "STARTPOS", " startpos "])
@pytest.mark.parametrize("variant", [None, "Mangala", "bestemshe"])
def test_the_usual_start_by_its_name(fen: str, variant: str | None) -> None:
    tag = "" if variant is None else f'[Variant "{variant}"]\n'
    record = one(f'{tag}[FEN "{fen}"]\n\n1. 1 *\n')
    assert record.error is None
    assert record.start == GAMES[(variant or "toguz").lower()].start()
    assert "FEN" not in write_record(record)


@pytest.mark.parametrize("blank", ["\n", "\r\n", "  \t\n", "\r", "\u3000\n"])
def test_blank_lines_count_and_cost_nothing_else(blank: str) -> None:
    """No object is made of them: ten megabytes of blank lines once took as long as a thousand games."""
    text = blank * 1000 + "7\n" + blank * 500 + "77\n" + blank * 10
    for stream in (io.BytesIO(text.encode()), io.StringIO(text, newline="")):
        assert [(line.number, line.text) for line in read_lines(stream)] == [(1001, "7"), (1502, "77")]
    assert [record.line for record in parse_records(text)] == [1001, 1502]


def test_a_blank_line_too_long_to_be_one_is_told() -> None:
    (record,) = read_records(io.BytesIO(b" " * (LONGEST + 2)))
    assert record.error is not None
    assert "longer than" in record.error.reason


@given(st.lists(st.sampled_from(["", " ", "7", "1. 7 *", '[White "A"]', "{", "}", "nonsense"]), max_size=12))
def test_one_blank_line_parts_games_as_well_as_many(lines: list[str]) -> None:
    few = "\n".join(lines)
    many = "\n".join("\n\n\n" if not line.strip() else line for line in lines)
    assert [record.moves for record in parse_records(few)] == [record.moves for record in parse_records(many)]


def test_a_line_that_is_not_read_opens_no_comment() -> None:
    records = list(parse_records('% a brace {\n[White "A"]\n\n1. 76(10) *\n\n[White "B"]\n\n1. 98 *\n'))
    assert [(record.tags.get("White"), record.moves) for record in records] == [("A", (7,)), ("B", (9,))]


def test_long_words_are_cut_in_messages() -> None:
    error = one(f"1. 76(10) {'b' * 30}\n").error
    assert error is not None
    assert f"'{'b' * 24}…'" in error.reason


def test_where_a_game_ends_follows_from_its_moves() -> None:
    record = one("1. 76(10) *\n")
    assert record.end == record.position
    assert replace(record, end=None) == record
