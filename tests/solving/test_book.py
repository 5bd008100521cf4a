"""The book: what it says is true, and what was done to its file is noticed."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool.engine.solving import Book, BookError, MangalaTable, Solver, shipped_book
from korgool.engine.solving.book import MOST_BYTES
from korgool.engine.solving.search import Searcher
from korgool.rules import MANGALA, MANGALA_CASTLE, Position, Rules, Side

from .positions import played

BOOK_PLIES, BOOK_STONES = 11, 34
"""As far as the page says that the book reaches."""
OWNER = MANGALA.with_option("sweep", "owner")


def small_book(rules: Rules = MANGALA) -> Book:
    table = MangalaTable(rules, 6)
    table.grow(6)
    positions = [table.position_at(at) for at in range(0, 18_000, 37)]
    return Book(rules, {table.key(position): table.value(position) for position in positions})


BOOK = small_book()
TEXT = BOOK.text()


def test_what_is_written_is_read() -> None:
    again = Book.parse(TEXT, MANGALA)
    assert again.text() == TEXT
    assert len(again) == len(BOOK) > 300
    table = MangalaTable(MANGALA, 6)
    table.grow(6)
    found = 0
    for at in range(0, 18_000, 74):
        position = table.position_at(at)
        found += 1
        assert again.value(position) == table.value(position)
    assert found > 200
    assert again.value(MANGALA.start()) is None


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(TEXT) - 1), st.integers(0, 7))
def test_one_altered_bit_is_noticed(at: int, bit: int) -> None:
    altered = TEXT[:at] + chr(ord(TEXT[at]) ^ 1 << bit) + TEXT[at + 1 :]
    try:
        book = Book.parse(altered, MANGALA, "my.book")
    except BookError as error:
        assert "my.book" in str(error)
    else:
        # White space between the parts of the first line or between lines says nothing.
        assert book.text() == TEXT


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(TEXT) - 2))
def test_a_book_cut_short_is_refused(length: int) -> None:
    with pytest.raises(BookError, match="the book"):
        Book.parse(TEXT[:length], MANGALA)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_refused_in_words(text: str) -> None:
    with pytest.raises(BookError, match="the book"):
        Book.parse(text, MANGALA)
    head, _, _ = TEXT.partition("\n")
    with pytest.raises(BookError, match="the book"):
        Book.parse(head + "\n" + text, MANGALA)


def test_another_game_or_too_much_is_refused() -> None:
    for rules in (OWNER, MANGALA.with_option("extra_turn", "no"), MANGALA.with_option("empty_capture", "no")):
        with pytest.raises(BookError, match="other options"):
            Book.parse(TEXT, rules)
    with pytest.raises(BookError, match="at most"):
        Book.parse(TEXT + "x" * MOST_BYTES, MANGALA)
    head = json.loads(TEXT.partition("\n")[0])
    assert head["options"]["sweep"] == "emptied"
    assert Book.parse(TEXT, MANGALA.with_option("goal", "25")).rules.goal == 25, "a goal is played over"


@pytest.mark.parametrize("rules", [MANGALA, OWNER], ids=["emptied", "owner"])
def test_the_shipped_book_answers_the_start(rules: Rules) -> None:
    book = shipped_book(rules)
    assert book is not None
    assert len(book.text()) < MOST_BYTES
    solution = Solver(rules, memory=16 << 20).solve(rules.start())
    assert solution.means == "book"
    assert len(solution.moves) == 6
    assert solution.difference == max(solution.moves.values()) == book.value(rules.start())


def test_the_page_says_what_the_book_says() -> None:
    text = (Path(__file__).parents[2] / "docs" / "solved.md").read_text(encoding="utf-8").replace("−", "-")
    rows = re.findall(r"^\| hole (\d) \| ([+-]?\d+) \| ([+-]?\d+) \|$", text, re.MULTILINE)
    said = [{int(move): int(values[at]) for move, *values in rows} for at in (0, 1)]
    solved = [Solver(rules, memory=16 << 20).solve(rules.start()).moves for rules in (MANGALA, OWNER)]
    assert said == solved


@pytest.mark.parametrize("rules", [MANGALA, OWNER], ids=["emptied", "owner"])
def test_the_shipped_book_agrees_with_itself(rules: Rules) -> None:
    """No move that stands there beats the value of its position; where all stand there, the best one equals it."""
    book = shipped_book(rules)
    assert book is not None
    table = MangalaTable(rules, 0)
    whole = 0
    for key in book.keys:
        position = table.position_of(key)
        worth = []
        for move in position.legal_moves():
            child = position.play(move)
            value = book.value(child)
            if value is not None:
                gain = child.stores[position.to_move] - position.stores[position.to_move]
                worth.append(gain + (value if child.to_move is position.to_move else -value))
        known = book.value(position)
        assert known is not None
        assert max(worth, default=known) <= known, position
        if len(worth) == len(position.legal_moves()):
            whole += 1
            assert max(worth) == known, position
    assert whole >= 7, "the start and what it leads to"


@pytest.mark.parametrize("rules", [MANGALA, OWNER], ids=["emptied", "owner"])
@pytest.mark.parametrize("side", Side)
def test_the_shipped_book_plays_the_opening(rules: Rules, side: Side) -> None:
    """Whatever the opponent does, a perfect move is known without a search."""
    solver = Solver(rules, memory=16 << 20)
    layer, answered = {rules.start()}, 0
    for _ in range(BOOK_PLIES + 1):
        following = set()
        for position in layer:
            moves = position.legal_moves()
            if not moves or sum(map(sum, position.holes)) < BOOK_STONES:
                continue
            if position.to_move is side:
                moves = solver.perfect(position, seconds=0).best[:1]
                answered += 1
            following |= {position.play(move) for move in moves}
        layer = following
    assert answered > BOOK_PLIES**2 // 2


def test_there_is_no_book_for_other_games() -> None:
    assert shipped_book(MANGALA_CASTLE) is None
    assert shipped_book(MANGALA.with_option("empty_capture", "no")) is None


@pytest.mark.long
@pytest.mark.parametrize("rules", [MANGALA, OWNER], ids=["emptied", "owner"])
def test_the_shipped_book_is_true(rules: Rules) -> None:
    """Its positions with the fewest stones, and some others, searched again."""
    book = shipped_book(rules)
    assert book is not None
    table = MangalaTable(rules, 20)
    table.grow(20, workers=2)
    searcher = Searcher(table, 256 << 20)
    positions = sorted((table.position_of(key) for key in book.keys), key=lambda p: sum(map(sum, p.holes)))
    for position in (*positions[:30], *Random(23).sample(positions[30:], 6)):
        assert searcher.value(position) == book.value(position), position


def test_values_do_not_depend_on_the_book() -> None:
    random = Random(11)
    with_book, without = Solver(MANGALA, memory=64 << 20), Solver(MANGALA, memory=64 << 20, book=False)
    for _ in range(4):
        position: Position = played(MANGALA, 28, random)
        assert with_book.solve(position).moves == without.solve(position).moves


@pytest.mark.parametrize(
    ("letters", "complaint"),
    [
        ('"', "cannot be unpacked: bad base85 character"),
        (base64.b85encode(b"nothing packed").decode(), "cannot be unpacked: Error -3 while decompressing"),
        (base64.b85encode(zlib.compress(b"abcd")[:-3]).decode(), "cannot be unpacked: the packed part does not end"),
        (base64.b85encode(zlib.compress(b"")).decode(), "holds other positions than its first line says"),
    ],
)
def test_a_book_with_a_true_checksum_and_nonsense_behind_it_is_refused(letters: str, complaint: str) -> None:
    head = json.loads(TEXT.partition("\n")[0])
    said = json.dumps([head["format"], head["options"], head["positions"], letters])
    head["sha256"] = hashlib.sha256(said.encode()).hexdigest()
    with pytest.raises(BookError) as caught:
        Book.parse(json.dumps(head) + "\n" + letters, MANGALA, "my.book")
    assert str(caught.value).startswith(f"my.book {complaint}")


def test_a_book_with_a_value_beyond_all_stones_is_refused() -> None:
    assert len(Book.parse(Book(MANGALA, {5: 48}).text(), MANGALA)) == 1
    with pytest.raises(BookError, match="the book holds other positions than its first line says"):
        Book.parse(Book(MANGALA, {5: 49}).text(), MANGALA)


def test_a_search_tells_the_bounds_that_close_on_the_value() -> None:
    table = MangalaTable(MANGALA, 6)
    table.grow(6)
    position = played(MANGALA, 14, Random(3))
    told: list[tuple[int, int]] = []
    value = Searcher(table, 1 << 20).value(position, on_bounds=lambda lower, upper: told.append((lower, upper)))
    assert told[-1] == (value, value)
    assert all(lower <= value <= upper for lower, upper in told)


def test_a_table_too_large_to_be_is_refused() -> None:
    with pytest.raises(ValueError, match=r"a table holds positions of 0 to \d+ stones, not -1"):
        MangalaTable(MANGALA, -1)
