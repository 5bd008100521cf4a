"""What teachers paste: numbers as `1)`, moves as `7-6`, a tuz as `36*`, and the result in words."""

from __future__ import annotations

import io
import random
import re

import pytest

from korgool import GAMES, MANGALA, TOGUZ_KORGOOL, Game, Record
from korgool.notation import Variation, format_movetext, parse_records, read_headers, write_record
from korgool.notation.moves import format_move
from korgool.notation.result_words import LONGEST, result_in_words

WHITE = [
    "White wins",
    "WHITE WON!",
    "White's victory",
    "1-0 White wins",
    "White wins 1-0",
    "Black resigns",
    "Black resigned.",
    "Black lost on time",
    "Winner: White",
    "Result 1 - 0",
    "Result: 1-0",
    "победа белых",
    "Победа за белыми",
    "Белые выиграли",
    "Выиграли белые",
    "Белые победили",
    "Чёрные сдались",
    "черные сдались",
    "Результат: 1:0",
    "Итог 1 – 0",
    "Ак утту",
    "Ак жеңди",
    "Ак женди",
    "Актар жеңди",
    "Кара багынды",
    "Кара утулду",
    "Баштоочу жеңди",
    "Жыйынтык: 1-0",
    "Ақ ұтты",
    "Ақ жеңді",
    "Ақтың жеңісі",
    "Бастаушы жеңді",
    "Қара ұтылды",
    "Нәтиже: 1-0",
    "Beyaz kazandı",
    "BEYAZ KAZANDI",
    "Beyazın galibiyeti",
    "Beyaz'ın galibiyeti",
    "Kazanan: beyaz",
    "Siyah terk etti",
    "Siyah kaybetti",
    "Sonuç: 1-0",
    "White wins 82:60",
    "Победа белых 82-60",
]
DRAWN = [
    "Draw",
    "Drawn",
    "The game is drawn",
    "Draw agreed",
    "A draw by repetition",
    "Result ½-½",
    "Ничья",
    "Партия закончилась вничью",
    "Ничья 81:81",
    "Тең",
    "Тең чыгуу",
    "Тең ойын",
    "Тең түсті",
    "Berabere",
    "Oyun berabere bitti",
    "Beraberlik",
]
NONE = [
    "White",
    "wins",
    "White wins 0-1",
    "White wins the lottery",
    "White beats Black",
    "Draw, then White wins",
    "1-0",
    "76 54",
    "f1e2 d2e1",
    "36*",
    "x",
    "White: 82",
    "White wins 1-0 0-1",
    "Result",
    "Result 82:60",
    "победа",
    "Белые",
    "Ничья белых",
    "¼-¼ White wins",
]


def only(text: str) -> Record:
    (record,) = parse_records(text)
    return record


@pytest.mark.parametrize(("lines", "result"), [(WHITE, "1-0"), (DRAWN, "1/2-1/2")])
def test_results_in_words(lines: list[str], result: str) -> None:
    for line in lines:
        found = result_in_words(line)
        assert found is not None, line
        assert found[0] == result, line
        record = only(f"1. 76(10) 55(10)\n{line}\n")
        assert (record.error, record.moves, record.result) == (None, (7, 5), result), line


def test_other_lines_are_no_results() -> None:
    for line in NONE:
        assert result_in_words(line) is None, line
    assert result_in_words("White wins" + " " * LONGEST) is None


def test_stores_in_words_belong_to_their_sides() -> None:
    assert result_in_words("Победа чёрных 90:60") == ("0-1", (60, 90))
    assert result_in_words("Победа чёрных 60:90") == ("0-1", (60, 90))
    assert result_in_words("White wins 1 (82) - 0 (60)") == ("1-0", (82, 60))
    assert only("1. 76(10) 55(10)\nWhite wins 99:10\n").warnings


def test_a_result_in_words_ends_a_game_and_belongs_to_it() -> None:
    text = (
        "1. 76(10)\nWhite wins\n1. 54\n\nпобеда белых\n\n75\nBlack wins\n79 1-0\nWhite wins\n"
        '76 55\nНичья\n[White "A"]\n[Result "победа белых"]\n\n1. 76\nWhite wins\n1-0\n[White "B"]\n\n1. 54 0-1\n'
    )
    records = parse_records(text)
    assert [record.error for record in records] == [None] * 7
    assert [record.moves for record in records] == [(7,), (5,), (7, 5), (7, 9), (7, 5), (7,), (5,)]
    assert [record.result for record in records] == ["1-0", "1-0", "0-1", "1-0", "1/2-1/2", "1-0", "0-1"]
    assert [one.line for one in read_headers(io.BytesIO(text.encode()))] == [record.line for record in records]


@pytest.mark.parametrize("text", ["1. 76 1-0\nBlack wins", "1. 76\nWhite wins\n0-1", "75 1-0\nBlack wins"])
def test_two_results_that_differ_are_refused(text: str) -> None:
    (record,) = parse_records(text)
    assert record.error is not None
    assert "second result" in record.error.reason


def test_a_headers_only_list_cuts_after_words_too() -> None:
    text = '[White "A"]\n\n1. 76\nWhite wins\n1. 54\n\n[White "B"]\n\n1. 76 *\n'
    assert len(list(read_headers(io.BytesIO(text.encode())))) == len(parse_records(text)) == 3


@pytest.mark.parametrize("seed", range(40))
def test_games_in_the_forms_that_teachers_use_are_the_same_games(seed: int) -> None:
    chance = random.Random(f"teacher {seed}")
    rules = GAMES[chance.choice(tuple(GAMES))]
    game = Game(rules)
    while len(game.moves) < 60 and game.position.legal_moves():
        game.play(chance.choice(game.position.legal_moves()))
    plies = len(game.moves)
    ply = chance.randint(1, plies)
    beside = [Variation(ply, (chance.choice(game.positions[ply - 1].legal_moves()),))]
    record = Record.of(game, comments=[(chance.randint(0, plies), "1) 7-5 so")], variations=beside)
    text = write_record(record)
    head, moves = text.split("\n\n", 1)
    hyphen = chance.choice("-–—")
    moves = re.sub(r"(?<= )(\d+)(\.+)(?= )|^1\.", lambda found: f"{found[1] or 1}){(found[2] or '.')[1:]}", moves)
    for position, hole in zip(game.positions, game.moves, strict=False):
        sowing = position.sow(hole)
        plain = format_move(sowing)
        if plain[:2] not in ("10",) or rules is TOGUZ_KORGOOL:
            moves = moves.replace(f" {plain} ", f" {plain[0]}{hyphen}{plain[1:].replace('X', '*')} ", 1)
    assert only(f"{head}\n\n{moves}") == record
    assert only(f"{head}\n\n{moves.replace(' ', chr(10))}") == record


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("1) 76(10) 55(10) 2) 33", (7, 5, 3)),
        ("1)76(10) 55(10)\n2)33", (7, 5, 3)),
        ("1) 7-6(10) 5-5(10)\n2) 3-3", (7, 5, 3)),
        ("1. 76 (1. 5) 1)... 55", (7, 5)),
        ("1) 76 ( 1) 54 1)... 65) 1)... 55 2) 33", (7, 5, 3)),
        ("1) 7 ( 1) 5 5) 5 2) 33", (7, 5, 3)),
        ("1. 99 98", None),
        ("1) 76 1) 55", None),
        ("1) 76) 55", None),
        ("7- 55", None),
        ("1. 7-5", None),
        ("1. 76* 55", None),
        ("1. 45X*", None),
    ],
)
def test_numbers_and_moves(text: str, moves: tuple[int, ...] | None) -> None:
    (record,) = parse_records(text)
    assert (record.moves if record.error is None else None) == moves


def test_the_move_that_looks_like_a_score() -> None:
    """Hole 1 with ten stones ends in the other side's hole 1: `1-1` is a move, `1-0` stays a result."""
    game = Game(TOGUZ_KORGOOL)
    while True:
        legal = game.position.legal_moves()
        ends = {hole: format_move(game.position.sow(hole), store=False) for hole in legal}
        found = next((hole for hole, text in ends.items() if text == "11"), None)
        game.play(found or next(hole for hole in reversed(legal)))
        if found:
            break
        assert len(game.moves) < 200
    text = format_movetext(game, numbered=False).rsplit(" ", 1)[0] + " 1-1"
    assert only(text).moves == game.moves
    assert only("75 1-0").result == "1-0"
    assert parse_records("1-0", MANGALA)[0].result == "1-0"


def test_hostile_lines_cost_little() -> None:
    line = "White " * 16
    assert result_in_words(line) is None
    assert result_in_words("- " * 50) is None
    assert parse_records("1)" * 200_000) == []
    assert parse_records("1) 76" * 100_000)[0].error is not None
