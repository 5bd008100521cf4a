"""The book's file: what is written is read, and what was done to it is noticed."""

from __future__ import annotations

import json
from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool.engine.openings import BookError, OpeningBook, shipped
from korgool.engine.openings.book import MOST_BYTES, Known, _digest
from korgool.engine.openings.build import BookPlan, build
from korgool.rules import BESTEMSHE, GAMES, MANGALA, MANGALA_CASTLE, TOGUZ_KORGOOL, Game, Position, Side

BOOK = build(BookPlan("toguz", nodes=300, seed=3), 60)
TEXT = BOOK.text()
ANALYSED = ("toguz", "castle", "bestemshe")
MADE = {"nodes": 1, "seed": 1, "every": 0, "weight": 1.0}


def start_of(tenths: int = 0) -> tuple[int, int, tuple[Known, ...]]:
    return 0, 0, tuple(Known(hole, tenths, 0) for hole in range(1, 10))


def test_what_is_written_is_read() -> None:
    again = OpeningBook.parse(TEXT, TOGUZ_KORGOOL)
    assert again.text() == TEXT
    assert len(again) == 60
    assert list(again.boards()) == list(BOOK.boards())


@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(TEXT) - 1), st.integers(0, 6))
def test_one_altered_bit_is_noticed(at: int, bit: int) -> None:
    altered = TEXT[:at] + chr(ord(TEXT[at]) ^ 1 << bit) + TEXT[at + 1 :]
    try:
        book = OpeningBook.parse(altered, TOGUZ_KORGOOL, "my.book")
    except BookError as error:
        assert "my.book" in str(error)
    else:
        assert book.text() == TEXT  # white space between the parts of the first line says nothing


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(TEXT) - 2))
def test_a_book_cut_short_is_refused(length: int) -> None:
    with pytest.raises(BookError, match="the book"):
        OpeningBook.parse(TEXT[:length], TOGUZ_KORGOOL)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_refused_in_words(text: str) -> None:
    head = TEXT.partition("\n")[0]
    for altered in (text, f"{head}\n{text}", text + TEXT, TEXT.replace("| ", "| " + text + " ", 1)):
        if altered != TEXT and " ".join(altered.split()) != " ".join(TEXT.split()):
            with pytest.raises(BookError, match="the book"):
                OpeningBook.parse(altered, TOGUZ_KORGOOL)


def test_other_rules_or_too_much_is_refused() -> None:
    for rules in (
        MANGALA,
        BESTEMSHE,
        TOGUZ_KORGOOL.with_option("tuz", "no"),
        TOGUZ_KORGOOL.with_option("sweep", "nobody"),
    ):
        with pytest.raises(BookError, match="other options"):
            OpeningBook.parse(TEXT, rules)
    with pytest.raises(BookError, match="at most"):
        OpeningBook.parse(TEXT + " " * MOST_BYTES, TOGUZ_KORGOOL)
    with pytest.raises(BookError, match="does not begin"):
        OpeningBook.parse("[" * 5000, TOGUZ_KORGOOL)


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ([(1, 4, ())], "ply 1"),
        ([start_of(), (2, 4, ())], "ply 2"),
        ([start_of(), (0, 0, start_of()[2])], "ply 0"),
        ([start_of(), (-1, 4, ())], "ply -1"),
        ([start_of(), (1, 0, ())], "no hole"),
        ([(0, 0, start_of()[2][1:])], "moves"),
        ([start_of(), (1, 1, start_of()[2]), (1, 1, start_of()[2])], "twice"),
    ],
)
def test_entries_that_do_not_follow_are_refused(entries: list[tuple[int, int, tuple[Known, ...]]], reason: str) -> None:
    """Also with a right checksum, as a program that makes books may write them."""
    with pytest.raises(ValueError, match=reason):
        OpeningBook(TOGUZ_KORGOOL, MADE, entries)


def test_a_right_checksum_over_rubbish_is_refused() -> None:
    """The reader says what is wrong in a file that is whole."""
    for line in ("0 0", "0 | 1 2", "0 0 | 1 2 x", "", "0 0 | . . . . . . . . .", "0 0 | 99999 1 1 1 1 1 1 1 1"):
        head = {**json.loads(TEXT.partition("\n")[0]), "positions": 1}
        del head["sha256"]
        text = json.dumps({**head, "sha256": _digest(head, [line])}) + "\n" + line + "\n"
        with pytest.raises(BookError, match="cannot be read"):
            OpeningBook.parse(text, TOGUZ_KORGOOL)


def test_a_position_is_found_whoever_moves_and_whatever_its_number() -> None:
    start = TOGUZ_KORGOOL.start()
    turned = Position(TOGUZ_KORGOOL, start.holes, to_move=Side.BLACK, fullmove=7)
    assert BOOK.moves(start) == BOOK.moves(turned) != ()
    over = Position.parse("9/8,1S 79 82 S 70", TOGUZ_KORGOOL)
    for position in (over, MANGALA.start(), MANGALA_CASTLE.start(), BESTEMSHE.start()):
        assert BOOK.moves(position) == ()


def test_moves_come_best_first_with_their_effort() -> None:
    for board, moves in BOOK.boards():
        assert {move.move for move in moves} == set(board.legal_moves())
        values = [move.evaluation for move in moves]
        assert values == sorted(values, reverse=True)
        for move in moves:
            assert move.nodes == (move.positions * 300 or 300 // len(moves))
            assert not move.exact


@pytest.mark.parametrize("name", ANALYSED)
def test_the_shipped_book_replays_from_the_start_and_agrees_with_itself(name: str) -> None:
    rules = GAMES[name]
    book = shipped(rules)
    assert book is not None
    assert len(book) >= 500
    way: list[int] = []
    for (board, moves), (ply, move, _) in zip(book.boards(), book.entries, strict=True):
        if ply:
            way[ply - 1 :] = [move]
        assert Game(rules, way).position == board
        for one in moves:
            after = board.play(one.move)
            if one.positions:
                # What stands behind the move in the book is what the move is worth.
                best = book.moves(after)[0].evaluation
                assert one.evaluation == (best if after.to_move is board.to_move else -best)
    assert sum(one.positions for one in book.moves(rules.start())) >= len(book) - 1


def test_the_shipped_books_are_small() -> None:
    folder = resources.files("korgool.engine.openings")
    sizes = {name: len(folder.joinpath(f"{name}.book").read_bytes()) for name in ANALYSED}
    assert sum(sizes.values()) <= 150_000, sizes


def test_goal_and_repetition_do_not_matter() -> None:
    assert shipped(TOGUZ_KORGOOL.with_option("goal", "0").with_option("threefold", "0")) is not None
    assert shipped(TOGUZ_KORGOOL.with_option("tuz_same_number", "yes")) is None
    assert shipped(MANGALA) is None
