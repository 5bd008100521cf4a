"""The games of a file without their moves: the same games, and each can be read from where its header says."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import IO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool import MANGALA, TOGUZ_KORGOOL, Game
from korgool.notation import DIALECTS, Record, headers, read_game, read_headers, read_records, write_record
from korgool.notation.segments import SourceLine, read_lines
from korgool.notation.tags import unknown_tag
from tests.notation.records import records

PIECES = [
    *(b"\n", b"\r\n", b"\r", b"{", b"}", b"(", b")", b"\xff", b"\0", b"\x1a"),
    *(b"{a comment\n1. 76}\n", b"; told\n", b"% told\n", b"what is this\n", b"and this\n"),
    *(b"7\n", b"76 55\n", b"1. 76 (1. 54\n", b"1. 98 *\n", b"2. 55\n", "1. 76 ½-½\n".encode()),
    *(b"1.\n", b"$1\n", b"= *\n", b'[White "A"]\n', b'[White "B" [x\n'),
    *(b'[Event "E"]\n\n1. 76 *\n\n', b"1. 76\n55 1-0\n2. 33\n", b" 1. 76\n", b"\t\n", "1. 7Х 1-0\n".encode()),
    *(
        b"1. 76 {a\n\nb} *\n",
        b"55 {c\nd} 2. 33\n",
        b"1{c}-0 {zero}\n",
        b'[A "\\""]\n',
        b'[Event "\xff"]\n',
        b'[A "b"][C "d"]\n',
    ),
]


def hold(data: bytes) -> list[Record]:
    """Headers and records of a file name the same games, and each is read alone as among the others."""
    games = list(read_records(io.BytesIO(data)))
    stream = io.BytesIO(data)
    headers = list(read_headers(stream))
    assert [header.index for header in headers] == list(range(len(games))), data
    for header, game in zip(headers, games, strict=True):
        assert header.line == game.line, data
        again = read_game(stream, header)
        assert (again, again.index, again.line, again.warnings, again.header, again.dialect) == (
            game,
            game.index,
            game.line,
            game.warnings,
            game.header,
            game.dialect,
        ), data
        if game.error is None:
            assert {name: text for name, text in header.tags.items() if name in game.tags} == game.tags
    return games


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(records(), st.sampled_from(DIALECTS)), max_size=4), st.integers(0, 2**32))
def test_headers_are_those_of_the_records(games: list[tuple[Record, str]], seed: int) -> None:
    chance, data = Random(seed), bytearray()
    for record, dialect in games:
        try:
            data += write_record(record, dialect).encode()
        except ValueError:
            data += write_record(record).encode()
        if chance.random() < 0.4:
            data += chance.choice(PIECES)
    hold(bytes(data))
    for _ in range(chance.randrange(4)):
        place = chance.randrange(len(data) + 1)
        data[place : place + chance.randrange(4)] = chance.choice(PIECES)
    hold(bytes(data))
    hold(b"\xef\xbb\xbf" + bytes(data).replace(b"\n", b"\r\n"))
    hold(bytes(data).replace(b"\n", b"\r"))


@given(st.lists(st.sampled_from(PIECES), max_size=14))
def test_files_of_pieces(pieces: list[bytes]) -> None:
    hold(b"".join(pieces))


@settings(max_examples=200)
@given(st.lists(st.sampled_from(PIECES), max_size=22), st.integers(1, 40), st.booleans())
def test_whatever_is_taken_as_a_whole_is_what_the_lines_say(pieces: list[bytes], chunk: int, returns: bool) -> None:
    """However the file comes in pieces, and with line ends of either kind."""
    data = b"".join(pieces).replace(b"\n", b"\r\n" if returns else b"\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(headers, "_CHUNK", chunk)
        patch.setattr(headers, "_ENOUGH", 4 * chunk)
        by_games = list(read_headers(io.BytesIO(data)))
        patch.setattr(headers, "_GAME", re.compile(rb"(?!)"))
        assert list(read_headers(io.BytesIO(data))) == by_games


def test_usual_games_are_taken_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """What this project writes, annotated or not, costs no look at its lines but one at the end of the file."""
    game = write_record(Record.of(Game(TOGUZ_KORGOOL, [7, 5, 3]), White="A", comments=[(2, "well played")]))
    calls: list[int] = []

    def counted(stream: IO[bytes], number: int, offset: int) -> Iterator[SourceLine]:
        calls.append(number)
        return read_lines(stream, number, offset)

    monkeypatch.setattr(headers, "read_lines", counted)
    assert len(list(read_headers(io.BytesIO(game.encode() * 1_000)))) == 1_000
    assert calls == [1_000 * game.count("\n")]


def test_a_header_tells_what_the_tags_say(tmp_path: Path) -> None:
    text = '% told\n\n[white "A \\"B\\""]\n[Result "1-0"]\n[Variant "Mangala"]\n\n1. 36 *\n\n796817 1-0\n'
    path = tmp_path / "games.pgn"
    path.write_text(text)
    first, second = read_headers(path)
    assert (first.offset, first.line, first.kind) == (8, 3, "tagged")
    assert first.tags == {"White": 'A "B"', "Result": "1-0", "Variant": "Mangala"}
    assert not any(map(unknown_tag, first.tags.values()))
    assert (second.index, second.line, second.kind, second.tags) == (1, 9, "bare", {})
    with path.open("rb") as stream:
        assert read_game(stream, second).moves == (7, 9, 6, 8, 1, 7)
        assert read_game(stream, first).start.rules == MANGALA


def test_a_header_of_another_file_is_refused() -> None:
    (header,) = read_headers(io.BytesIO(b"\n\n1. 76 *\n"))
    for other in (b"", b"\n\n\n", b'\n\n[White "A"]\n', b"\n\n7\n"):
        with pytest.raises(ValueError, match="no text game begins at byte 2; the file is not the one it was"):
            read_game(io.BytesIO(other), header)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(OSError, match="nowhere"):
        next(read_headers("/nowhere/at/all"))
