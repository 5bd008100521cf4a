"""Bad input: every game that cannot be read says where and why, the games after it still come, nothing crashes."""

from __future__ import annotations

import io
import random
import tracemalloc
from collections import deque
from collections.abc import Iterator
from itertools import repeat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool import GAMES, Game
from korgool.notation import Record, RecordError, movetext, parse_records, read_records, reading, write_record
from korgool.notation.movetext import MOST_PLIES
from korgool.notation.segments import LONGEST

TAGGED = '[White "A"]\n[Result "1-0"]\n\n1. 76(10) 98 2. 66 87(4) 1-0\n\n'
BAD_GAMES = [
    # text, line, ply, part of the reason
    ("70\n", 1, 2, "there is no hole 0"),
    ("71717\n", 1, 5, "7 cannot be played: hole 7 of White cannot be sown, it is empty"),
    (TAGGED.replace(" 1-0\n", " 1\n"), 4, 5, "the record seems cut off"),
    (TAGGED.replace("87(4) 1-0\n", "87("), 4, 5, "a variation of ply 4 is opened and never closed"),
    (TAGGED.replace("(10)", "(11)"), 4, 1, "store holds 10"),
    (TAGGED.replace("98", "97"), 4, 2, "ends in White's hole 8"),
    (TAGGED.replace("87(4)", "8x"), 4, 4, "marks a tuz"),
    (TAGGED.replace("2. ", "3. "), 4, 3, "move number 3 stands where 2 is due"),
    (TAGGED.replace("87(4)", "a2b2"), 4, 4, "coordinates, but the moves before are field notation"),
    (TAGGED.replace("87(4)", "8765"), 4, 4, "'8765' is not a move"),
    (TAGGED.replace('"A"]', '"A]'), 1, 1, "the tag '[White \"A]' is not complete"),
    (TAGGED.replace('"A"]', '"A"'), 1, 1, "is not complete"),
    (TAGGED.replace("Result", "White"), 2, 1, "the tag White is given twice"),
    (TAGGED.replace("1-0]", "3-0]").replace('"1-0"', '"3-0"'), 2, 1, "'3-0' is not a result"),
    (TAGGED.replace("[Result", '[FEN "9S"]\n[Result'), 2, 1, "position text has five parts"),
    (TAGGED.replace("[Result", '[Variant "Oware"]\n[Result'), 2, 1, "the variant 'Oware' is not known"),
    (TAGGED.replace("[Result", '[Rules "swep=owner"]\n[Result'), 2, 1, "no rule is called 'swep'"),
    (TAGGED.replace("[Result", '[Rules "sweep"]\n[Result'), 2, 1, "needs the form NAME=VALUE"),
    (TAGGED.replace("98", "9\0"), 4, 1, "a NUL byte in column 12"),
    (TAGGED.replace("A", "\udcff"), 1, 1, "byte 0xff in column 9 is not UTF-8"),
    (TAGGED.replace("98", "{" + "7" * LONGEST + "}"), 4, 1, "the line is longer than 1,048,576 characters"),
    (
        TAGGED.replace("98", "{" + ("7" * 1023 + "\n") * 1030 + "}"),
        1027,
        2,
        "the game is longer than 1,048,576 characters",
    ),
    ("95857232999" + "1\n", 1, 12, "the game is over: 1 (82) - 0 (10), majority"),
    ("\n\nnonsense of any kind\n", 3, 1, "begins no game record"),
    ("f1e2 f1e2\n", 1, 2, "starts on rank 1, but Black is to move"),
]


def read(text: str) -> list[Record]:
    return list(read_records(io.BytesIO(text.encode(errors="surrogateescape"))))


@pytest.mark.parametrize(("text", "line", "ply", "reason"), BAD_GAMES)
def test_a_bad_game_names_its_place_and_the_others_follow(text: str, line: int, ply: int, reason: str) -> None:
    for before, after in (("", ""), (TAGGED, TAGGED), ("7\n", "\n7\n"), ("1. 7 *\n\n", "\n1. 7 *\n")):
        found = read(before + text + after)
        good, bad = before.count("7"), found[bool(before)]
        assert bad.error is not None
        assert (bad.error.line, bad.error.ply) == (line + before.count("\n"), ply)
        assert reason in bad.error.reason
        assert len(str(bad.error)) < 300
        assert len(bad.moves) == bad.error.ply - 1
        assert Game(bad.start, bad.moves).position == bad.position
        assert bad.outcome() is None
        assert [record.index for record in found] == list(range(len(found)))
        if good:
            assert len(found) == 3
            assert found[0].error is found[2].error is None
            assert found[0].moves == found[2].moves != ()


def test_every_bad_line_of_a_bare_file_is_a_game() -> None:
    found = read("7\n???\n\0\n7a\n\udcff\n8\n")
    assert [record.error is None for record in found] == [True, False, False, False, False, True]
    assert [record.line for record in found] == [1, 2, 3, 4, 5, 6]


def test_what_is_no_record_at_all_is_one_error() -> None:
    assert read("") == read("\n \n\n") == []
    (found,) = read("\x89PNG\r\n\0\0\0\nsome lines\nof\nbytes\n")
    assert (found.dialect, found.error is None) == ("unknown", False)
    (found,) = read_records(io.BytesIO('[White "A"]\n\n1. 7 *\n'.encode("utf-16")))
    assert found.error is not None
    assert found.error.reason == "the file is UTF-16; save it as UTF-8"


def test_a_truncated_file_keeps_what_it_has() -> None:
    for length in range(len(TAGGED)):
        found = read("7\n" + TAGGED + TAGGED[:length])
        assert [record.error for record in found[:2]] == [None, None]
        for record in found[2:]:
            # A lone digit after the tags may be the hole of a first ply, but no result follows it.
            assert record.moves == (7, 9, 6, 8)[: len(record.moves)] or record.moves == (1,)
            assert record.error or record.warnings or record.moves in ((), (7, 9, 6, 8))


def test_a_comment_never_closed_costs_one_game() -> None:
    found = read(TAGGED.replace("98", "{98") + TAGGED + TAGGED)
    assert [record.error is None for record in found] == [False, True, True]
    assert found[0].error == RecordError(2, "a comment is opened and never closed", 4)


LONG_TAG = '[White "' + "A" * LONGEST + '"]\n'


@pytest.mark.parametrize(
    "text",
    [
        LONG_TAG + '[Result "1-0"]\n\n1. 76(10) 98 1-0\n\n' + TAGGED,
        LONG_TAG + "\n1. 76(10) 98 1-0\n\n" + TAGGED,
        LONG_TAG + "\n" + TAGGED,
        LONG_TAG + "7968\n",
        LONG_TAG + "\n7968\n",
    ],
)
def test_a_first_tag_that_is_too_long_costs_one_game(text: str) -> None:
    damaged, after = read(text)
    assert damaged.error == RecordError(1, "the line is longer than 1,048,576 characters", 1)
    assert (damaged.moves, after.error, after.moves) == ((), None, (7, 9, 6, 8))


def test_too_many_plies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a cycle can be so long, so the limit is lowered to what a game can reach."""
    assert MOST_PLIES >= 10_000
    monkeypatch.setattr(movetext, "MOST_PLIES", 3)
    monkeypatch.setattr(reading, "MOST_PLIES", 3)
    for text in ("7968", "7 9 6 8"):
        (record,) = read(text)
        assert record.moves == (7, 9, 6)
        assert record.error == RecordError(4, "the game is longer than 3 plies", 1)


@pytest.mark.parametrize(
    "unit",
    [
        "7",
        "x",
        "[",
        '[A "',
        "{",
        "(",
        " ",
        "1. ",
        "7 ",
        "7,",
        "* ",
        "{}",
        "=",
        "\\",
        '"',
        "76(10) ",
        "\r",
        "-",
        "f1e2 ",
    ],
)
def test_ten_megabytes_on_one_line(unit: str) -> None:
    data = (unit * (10_000_000 // len(unit))).encode() + b"\n\n7\n"
    tracemalloc.start()
    try:
        found = list(read_records(io.BytesIO(data)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found[-1].moves == (7,)
    assert found[-1].error is None
    assert peak < 12 * LONGEST


class _Endless(io.RawIOBase):
    """A stream that is made while it is read."""

    def __init__(self, parts: Iterator[bytes]) -> None:
        self.parts, self.rest = parts, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        self.rest = self.rest or next(self.parts, b"")
        count = min(len(buffer), len(self.rest))
        buffer[:count], self.rest = self.rest[:count], self.rest[count:]
        return count


@pytest.mark.parametrize("game", ["7", "1. 7 *\n", '[White "A"]\n\n1. 76 55 *\n'])
def test_thousands_of_games_are_not_held_in_memory(game: str) -> None:
    count = 20_000 if game == "7" else 2_000
    stream = io.BufferedReader(_Endless(repeat((game + "\n").encode() * 100, count // 100)))
    records = read_records(stream)
    tracemalloc.start()
    try:
        for _ in range(100):
            next(records)
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        *_, record = deque(records, maxlen=1)
        after, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (record.index, record.error) == (count - 1, None)
    assert after - before < 100_000
    assert peak - before < 500_000


def test_reading_is_lazy() -> None:
    stream = io.BufferedReader(_Endless(repeat(b"7\n")))
    games = read_records(stream)
    assert [next(games).index for _ in range(3)] == [0, 1, 2]


_WORDS = '[White|"A"|\n\n|1.|2.|76(10)|55|796817|f1e2|d2e1|{zero}|1-0|1/2-1/2|[FEN|[Variant "Mangala"]|30,14'
FRAGMENTS = st.sampled_from([*_WORDS.split("|"), *"] 7{}x=,;%*\n\0\r\ufeff…е"])


@settings(max_examples=300, deadline=None)
@given(st.lists(FRAGMENTS, max_size=60).map("".join), st.sampled_from([None, *GAMES.values()]))
def test_mixed_fragments_never_crash(text: str, rules: None) -> None:
    check(parse_records(text, rules))


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=200))
def test_any_text_never_crashes(text: str) -> None:
    check(parse_records(text))


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_never_crash(data: bytes) -> None:
    check(list(read_records(io.BytesIO(data))))


def test_damaged_files_never_crash() -> None:
    chance = random.Random(5)
    text = (TAGGED + "7968\n" + TAGGED + "f1e2 d2e1\n\n" + "1. 76 55\n2. 33\n").encode()
    for _ in range(1500):
        data = bytearray(text)
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(data))
            data[place : place + chance.randint(0, 3)] = chance.choice(
                [b"", b"\n", b"\0", b"9", b"{", b"]", b"\xff", b" "]
            )
        check(list(read_records(io.BytesIO(bytes(data)))))


def check(records: list[Record]) -> None:
    """What holds of every record, good or bad."""
    for index, record in enumerate(records):
        assert record.index == index
        assert record.line >= 1
        assert Game(record.start, record.moves).position == record.position
        if record.error is not None:
            assert record.error.ply == len(record.moves) + 1
            assert record.error.line >= record.line
            assert record.error.reason


def test_messages_stay_short_and_harmless() -> None:
    long = "A" * 500_000
    for text in (
        f'[{long} "x"]\n[{long} "x"]\n\n1. 7 *',
        f'[Rules "{long}=1"]\n\n1. 7 *',
        f'[Variant "{long}"]\n\n1. 7 *',
        f'[FEN "{long}"]\n\n1. 7 *',
        f'[FEN "{"x," * 150}/x 0 0 S 1"]\n\n1. 7 *',
        f'[Result "{long}"]\n\n1. 7 *',
        f"1. 7{long} *",
        '[FEN "\x1b[31m"]\n\n1. 7 *',
    ):
        (record,) = read(text)
        assert record.error is not None
        assert len(record.error.reason) < 500
        assert record.error.reason.isprintable()


def test_control_characters_in_tags_become_spaces() -> None:
    (record,) = read('[White "a\tb\x1bc"]\n\n1. 7 *\n\x1a')
    assert record.tags == {"White": "a b c"}
    assert parse_records(write_record(record)) == [record]
