"""The games of a large file without their moves: where each begins and what its tags say, for lists and random access.

Nothing is replayed, and a game in PGN style without comments and variations is taken as a whole (`_GAME`), so a file is
gone through a hundred times as fast as by `read_records`. Everything else is cut line by line, as `read_records` does.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, cast

from korgool.notation.moves import NotationError
from korgool.notation.reading import Adapt, Replay, read_segment
from korgool.notation.record import Record
from korgool.notation.segments import (
    LONGEST,
    GameSplitter,
    Segment,
    SourceLine,
    read_lines,
    split_games,
    without_comments,
)
from korgool.notation.tags import tags_in, usual_name
from korgool.rules import Rules

_NO_MOVES = re.compile(r"[\s0-9.…$=]*")


@dataclass(frozen=True, slots=True)
class Header:
    """A game of a file, unread.

    Attributes:
        index: its place among the games of the file, from 0.
        offset: the byte where it begins, from 0.
        line: its first line, from 1.
        tags: all its tags as they stand there, also `Result`, `Variant` and `FEN`; of a damaged head those before the
            fault. Games without tags have none.
        kind: `tagged`, `text` (moves without tags), `bare` or `unknown`.
        alone: as `Segment.alone`; only `read_game` needs it.
    """

    index: int
    offset: int
    line: int
    tags: Mapping[str, str]
    kind: str
    alone: bool = False


def read_headers(source: str | os.PathLike[str] | IO[bytes]) -> Iterator[Header]:
    """The games that `read_records` finds in a file, in the same order, each with its place and its tags.

    Args:
        source: a path, or a binary stream, which is not closed; offsets count from where it stands.

    Raises:
        OSError: the file cannot be opened or read; on the first `next`.
    """
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as stream:
            yield from read_headers(stream)
        return
    window = _Window(source)
    window, index, goes_on = _Window(source), 0, True
    while goes_on:
        for offset, line, tags in window.games():
            yield Header(index, offset, line, tags, "tagged")
            index += 1
        for segment in _line_by_line(window):
            if segment.kind != "text" or not _says_nothing(segment):
                first = segment.lines[0]
                yield Header(index, first.offset, first.number, _tags(segment), segment.kind, segment.alone)
                index += 1
        goes_on = not window.ended


def _line_by_line(window: _Window) -> Iterator[Segment]:
    """The games up to the next one that can be taken as a whole."""
    splitter = GameSplitter()
    for line in read_lines(cast(IO[bytes], window), window.lines, window.offset):
        done = splitter.feed(line)
        back = splitter.has_just_opened and window.go_back(line)
        yield from done
        if back:
            return
    yield from splitter.flush()
    window.ended = True


def read_game(
    stream: IO[bytes],
    header: Header,
    rules: Rules | None = None,
    *,
    adapt: Adapt | None = None,
    replay: Replay | None = None,
    lenient: bool = False,
) -> Record:
    """Read the one game that a header names, as `read_records` reads it among the others.

    Args:
        stream: the file, open in binary mode, that `read_headers` went through; its place is moved.
        header: the game.
        rules: as in `read_records`, like the arguments after it.

    Raises:
        ValueError: no game begins there, so the file is another one.
        OSError: the file cannot be read.
    """
    stream.seek(header.offset)
    lines = read_lines(stream, header.line - 1, header.offset)
    segment = next(split_games(lines, alone=header.alone), None)
    record = None
    if segment is not None and segment.kind == header.kind:
        record = read_segment(segment, rules, header.index, adapt=adapt, replay=replay, lenient=lenient)
    if record is None:
        raise ValueError(f"no {header.kind} game begins at byte {header.offset}; the file is not the one it was")
    return record


_TAGS = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*) "([^"]*)"\]')
_TAG_LINE = rb'\[[A-Za-z][A-Za-z0-9_]*+ "[^"\\\x00-\x1f]*+"\][ \t]*+\r?\n'
_BLANK = rb"(?:[ \t]*+\r?\n)*+"
_CYRILLIC = rb"(?:\xd0\xa5|\xd1\x85)"  # the mark of a tuz
_NEVER = rb"\x00-\x1f{};%\[\]\x80-\xff"
_COMMENT = rb"\{[^{}\x00-\x1f]*+(?:\r?\n(?=[ \t]*+\S)[^{}\x00-\x1f]*+)*+\}"
_JOINTS = rb"*:\-j-wyzJ-WYZ"  # without one of them nothing is a result, in figures or in words
_LINE, _LAST = (
    rb"(?=\S)[^" + never + rb"]*+(?:(?:" + _CYRILLIC + rb"|" + _COMMENT + rb")[^" + never + rb"]*+)*+"
    for never in (_NEVER + _JOINTS, _NEVER)
)
_GAME = re.compile(
    rb"((?:" + _TAG_LINE + rb")++)" + _BLANK + rb"(?=[^\s\[{])"
    rb"(?:" + _LINE + rb"\r?\n)*+(?:" + _LAST + rb"(?:\r?\n|\Z))?+" + _BLANK + rb"(?=\[|\Z)"
)  # fmt: skip
"""A whole game about whose end there is no doubt: tags of one line each, then moves without a blank line, comments only
in braces and not at the beginning, a result in the last line only, then the next tag or the end of the file."""
_CHUNK = 1 << 16
"""Bytes that are read at once."""
_ENOUGH = 4 * _CHUNK
"""Bytes in which a game is looked for that can be taken as a whole."""


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


class _Window:
    """The part of a file that is looked at.

    Attributes:
        lines: lines of the file before the place where it stands; `readline` does not count them.
        ended: nothing is left.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._data, self._place = stream, b"", 0
        self._before = 0  # bytes of the file that are no longer held
        self._whole = False  # all that is left of the file is held
        self.lines, self.ended = 0, False

    @property
    def offset(self) -> int:
        """The bytes of the file before the place where it stands."""
        return self._before + self._place

    def games(self) -> Iterator[tuple[int, int, dict[str, str]]]:
        """The games that can be taken as a whole from here on, as offset, first line and tags."""
        while (match := self._game()) is not None:
            offset, line = self.offset, self.lines + 1
            self._place, self.lines = match.end(), self.lines + match[0].count(b"\n")
            yield offset, line, {usual_name(name): text for name, text in _TAGS.findall(match[1].decode())}

    def _game(self) -> re.Match[bytes] | None:
        """The game that begins here, if it can be taken as a whole."""
        while True:
            match = _GAME.match(self._data, self._place)
            held = len(self._data)
            if self._whole or (match is not None and match.end() < held):
                return match if match is not None and _is_text(match[1]) else None
            if held - self._place >= (_ENOUGH if match is None else LONGEST):
                return None
            self._fill()

    def _fill(self) -> None:
        """Read more of the file, and drop what lies before."""
        more = self._stream.read(_CHUNK)
        self._whole = not more
        self._data, self._before, self._place = self._data[self._place :] + more, self.offset, 0

    def go_back(self, line: SourceLine) -> bool:
        """Stand before the line that was read last, if a game that can be taken as a whole begins there."""
        place = line.offset - self._before
        length = self._place - place
        if (
            not self._data.startswith(b"[", max(0, place))
            or self._data[place : place + length].decode(errors="replace").rstrip("\r\n") != line.text
        ):
            return False
        self._place = place
        if self._game() is None:
            self._place += length
            return False
        self.lines = line.number - 1
        return True

    def readline(self, limit: int) -> bytes:
        """The next line with its end, or as much of it as the limit allows, for `read_lines`, which counts them."""
        while True:
            end = self._data.find(b"\n", self._place, self._place + limit) + 1
            if not end and len(self._data) - self._place < limit and not self._whole:
                self._fill()
                continue
            end = min(end or len(self._data), self._place + limit)
            line = self._data[self._place : end]
            self._place = end
            return line


def _tags(segment: Segment) -> dict[str, str]:
    tags: dict[str, str] = {}
    if segment.kind == "tagged":
        for line in segment.lines:
            text = line.text.strip()
            if text[:1] != "[" and not text.startswith(("%", ";")):
                break
            if line.problem:
                break
            if text[:1] == "[":
                try:
                    tags.update(tags_in(text))
                except NotationError:
                    break
    return tags


def _says_nothing(segment: Segment) -> bool:
    """Return whether a game without tags is a comment between games, and so none."""
    inside = False
    for line in segment.lines:
        plain, inside = without_comments(line.text, inside)
        if _NO_MOVES.fullmatch(plain) is None:
            return False
    return read_segment(segment, None, 0) is None
