"""The games of a large file without their moves: where each begins and what its tags say, for lists and random access.

Nothing is replayed, so a file is gone through more than ten times as fast as by `read_records`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO

from korgool.notation.moves import NotationError
from korgool.notation.reading import Adapt, Replay, read_segment
from korgool.notation.record import Record
from korgool.notation.segments import Segment, read_lines, split_games, without_comments
from korgool.notation.tags import tags_in
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
    index = 0
    for segment in split_games(read_lines(source)):
        if segment.kind == "text" and _says_nothing(segment):
            continue
        first = segment.lines[0]
        yield Header(index, first.offset, first.number, _tags(segment), segment.kind, segment.alone)
        index += 1


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
    """Whether a game without tags is a comment between games, and so none."""
    inside = False
    for line in segment.lines:
        plain, inside = without_comments(line.text, inside)
        if _NO_MOVES.fullmatch(plain) is None:
            return False
    return read_segment(segment, None, 0) is None
