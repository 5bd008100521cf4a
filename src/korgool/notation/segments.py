"""Segmentation of a stream into games, lazily and within bounds: each game is held alone, and only up to a size.

A line shows its dialect: `[Tag "…"]` opens a tagged game, digits alone are a bare game, `1. …` a numbered
one; any other line of moves is a game of its own.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import IO, Any, NamedTuple

from korgool.notation.result_words import result_in_words
from korgool.notation.terminations import RESULT_TEXT

LONGEST = 1 << 20
"""Characters that one game, and so one line, may have; more is refused unread."""
TOO_LONG = f"the line is longer than {LONGEST:,} characters"

TAG = re.compile(r'\[\s*([A-Za-z][A-Za-z0-9_]*)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
BARE = re.compile(r"([0-9]+)(?:\s+(1-0|0-1|1/2-1/2|\*))?\s*")
_NUMBERED = re.compile(r"([0-9]{1,6})(?:[.)]|…)")
_END = re.compile(r"(?:^|\s)(?:\*|" + RESULT_TEXT.pattern + r")(?=[\s{;]|$)")
_SIGNS = re.compile(r"[*:–—({;})-]")
"""Signs that results, comments and variations begin or end with; many lines of moves have none of them."""
_JOINT = re.compile("[*:–—-]")
"""Part of every result: the mark of an unfinished game, or the sign between the points."""
_BEFORE_JOINT = 16
"""Letters that a result may have before its joint, and more."""
_TAG_LIKE = re.compile(r'\[\s*([A-Za-z][A-Za-z0-9_]*)\s+"')
_MOVE_LIKE = re.compile(r"[0-9]|[a-iA-I][12]|\*(\s|$)")


class SourceLine(NamedTuple):
    """A line of a file.

    Attributes:
        number: from 1.
        text: without the line end.
        offset: where it begins: bytes of a binary stream, characters of a text stream, from 0.
        problem: what makes it unreadable, or None.
    """

    number: int
    text: str
    offset: int
    problem: str | None = None


@dataclass(slots=True)
class Segment:
    """The lines of one game.

    Attributes:
        kind: `tagged`, `text` (moves without tags), `bare` or `unknown`.
        lines: its lines, as far as `LONGEST` allows; blank ones are left out.
        size: characters in all its lines, also those not kept.
        alone: it is of one line because the games before were.
    """

    kind: str
    lines: list[SourceLine] = field(default_factory=list)
    size: int = 0
    alone: bool = False

    def add(self, line: SourceLine) -> None:
        """Keep a line, or the fact that there were too many."""
        fits = self.size <= LONGEST
        self.size += len(line.text) + 1
        if self.size <= LONGEST or line.problem:
            if fits:
                self.lines.append(line)
        elif fits:
            self.lines.append(
                SourceLine(line.number, "", line.offset, f"the game is longer than {LONGEST:,} characters")
            )


def read_lines(stream: IO[bytes] | IO[str], number: int = 0, offset: int = 0) -> Iterator[SourceLine]:
    """The lines of a binary or text stream, decoded from UTF-8 one by one; no line is held beyond `LONGEST`.

    Blank lines are left out: the numbers of the others show where they were.

    Args:
        stream: from where it stands.
        number: how many lines of the file come before.
        offset: how many bytes or characters of the file come before.
    """
    ends = offset
    read: Callable[[], Any] = partial(stream.readline, LONGEST + 1)
    first = read()
    for line in chain((first,), iter(read, first[:0])):
        number += 1
        offset, ends = ends, ends + len(line)
        long = len(line) > LONGEST and line[-1:] not in (b"\n", "\n")
        if not long and (not line or line.isspace()):
            continue
        if long:
            last = line
            while last and last[-1:] not in (b"\n", "\n"):
                last = stream.readline(LONGEST)
                ends += len(last)
        text, problem = _decoded(line[:80] if long else line, number)
        if long:
            problem = TOO_LONG
        if "\r" in text:
            text = text.rstrip("\r\n\x1a")
            if "\r" in text and problem is None:  # line ends of old machines
                if isinstance(line, bytes) and line.startswith(codecs.BOM_UTF8):
                    offset += len(codecs.BOM_UTF8)
                *before, text = text.split("\r")
                for part in before:
                    if part.strip():
                        yield SourceLine(number, part, offset)
                    number += 1
                    offset += 1 + len(part if isinstance(line, str) else part.encode())
        else:
            text = text.rstrip("\n\x1a")  # the last is how old machines ended a file
        if problem is not None or text.strip():
            yield SourceLine(number, text, offset, problem)


def _decoded(raw: bytes | str, number: int) -> tuple[str, str | None]:
    problem = None
    if isinstance(raw, str):
        text = raw
    else:
        try:
            text = raw.decode()
        except UnicodeDecodeError as error:
            text = raw.decode(errors="replace")
            problem = f"byte 0x{raw[error.start]:02x} in column {error.start + 1} is not UTF-8; save the file as UTF-8"
            if number == 1 and raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
                problem = "the file is UTF-16; save it as UTF-8"
    if "\0" in text:
        problem = problem or f"a NUL byte in column {text.index(chr(0)) + 1}"
    return text.removeprefix("\ufeff"), problem


def split_games(lines: Iterator[SourceLine], *, alone: bool = False) -> Iterator[Segment]:
    """The games of a file, one after the other; damaged ones too, so that none is passed over in silence.

    Args:
        lines: of the file, from the beginning of a game on.
        alone: as `Segment.alone` says of the first game.
    """
    splitter = GameSplitter()
    splitter.line_by_line = alone
    for line in lines:
        done = splitter.feed(line)
        if done:
            yield from done
    yield from splitter.flush()


class GameSplitter:
    """The game being gathered, and what the lines so far say about where it ends."""

    def __init__(self) -> None:
        self.segment: Segment | None = None
        self.line_by_line = False  # the last game stood on one line, so the next unreadable line is a game too
        self.number = 0  # of the last line
        self.gap = False  # whether blank lines went before the present one
        self._restart()

    def _restart(self) -> None:
        self.tags: set[str] = set()
        self.moves = self.comment = self.single = False
        self.figures = self.worded = False  # a result has been given so
        self.runs = False  # tagged, and within its moves
        self.depth = 0  # parentheses open in the running text

    def flush(self) -> Sequence[Segment]:
        """The game being gathered, if any: the file has ended."""
        segment, self.segment = self.segment, None
        self._restart()
        return () if segment is None else (segment,)

    @property
    def ended(self) -> bool:
        """True if the result of the game has been read."""
        return self.figures or self.worded

    @property
    def has_just_opened(self) -> bool:
        """True if the last line has begun a game with tags."""
        segment = self.segment
        return segment is not None and segment.kind == "tagged" and len(segment.lines) == 1 and not self.moves

    def feed(self, line: SourceLine) -> Sequence[Segment]:
        """Take a line, and return the games that it ends."""
        text = line.text.strip()
        self.gap, self.number = line.number > self.number + 1, line.number
        done: Sequence[Segment] = ()
        if self.runs and not self.gap and line.problem is None and text[0].isdigit() and not _SIGNS.search(text):
            assert self.segment is not None
            self.segment.add(line)  # moves alone, as most lines are: they decide nothing
            return done
        if self.segment is not None and not self._continues(text, line.problem):
            done = self.flush()
        if self.segment is None:
            return (*done, *self._open(line, text))
        self._extend(line, text)
        return done

    def _continues(self, text: str, problem: str | None) -> bool:
        """Return whether a line still belongs to the game being gathered."""
        segment = self.segment
        if segment is None:
            return False
        if segment.kind == "unknown":
            return problem is not None or not _opens(text)
        if self.single and not self.comment:
            return self._says_it_again(text)
        tag = TAG.match(text) if text[:1] == "[" else None
        if self.comment:
            # A tag line after a blank one proves that the comment was never closed.
            return not (tag and self.gap)
        if text.startswith(("{", ";", "%")):
            return True
        if self.ended:
            return self._says_it_again(text)
        if text[:1] == "[":
            if segment.kind != "tagged" or self.moves:
                return False
            return not (self.gap and tag and tag[1] in self.tags)
        unread = segment.lines[-1].problem == TOO_LONG and not self.moves
        if unread and segment.kind == "tagged" and BARE.fullmatch(text):
            return False  # what the long line was is not known, but bare moves are a game without tags
        numbered = _NUMBERED.match(text)
        if self.depth and not self.gap:
            return True  # within a variation
        if segment.kind == "text" and not self.moves:  # a comment alone, so far
            return not BARE.fullmatch(text)
        if segment.kind == "text" and numbered and int(numbered[1]) == 1:
            return False
        if self.gap and self.moves:
            return (
                bool(numbered and int(numbered[1]) != 1)
                or _END.match(text) is not None
                or result_in_words(text) is not None
            )
        return True

    def _says_it_again(self, text: str) -> bool:
        """Return whether a line gives the result of the game before in the other form: in words, or in figures."""
        if self.gap or (text[0].isdigit() and not _SIGNS.search(text)):
            return False
        if self.worded:
            return not self.figures and _END.match(text) is not None
        return result_in_words(text) is not None

    def _open(self, line: SourceLine, text: str) -> Sequence[Segment]:
        if line.problem is None and text.startswith(("%", ";")):
            return ()
        kind = "unknown"
        if text[:1] == "[" and _TAG_LIKE.match(text):
            kind = "tagged"
        elif line.problem is None and BARE.fullmatch(text):
            kind = "bare"
        elif _MOVE_LIKE.match(text) or text[:1] == "{":
            kind = "text"
        self.segment = Segment(kind)
        self._extend(line, text)
        if kind == "bare":
            self.single = True
        elif kind == "unknown":
            self.single = self.segment.alone = self.line_by_line
        self.line_by_line = self.single
        return self.flush() if kind == "unknown" and self.single and not self.comment else ()

    def _extend(self, line: SourceLine, text: str) -> None:
        assert self.segment is not None
        self.segment.add(line)
        if self.segment.kind == "tagged" and not self.moves and text[:1] == "[" and not self.comment:
            # Of a line that was too long only the beginning is here, and with it the name of its tag.
            self.tags.update(match[1] for match in (_TAG_LIKE if line.problem else TAG).finditer(text))
            return
        plain, self.comment = without_comments(text, self.comment)
        if line.problem == TOO_LONG:
            self.comment = False  # whether one was left open lies in the part that was not read
        if plain:
            if self.segment.kind == "text" and not self.moves:
                self.single = _NUMBERED.match(plain) is None
            self.moves = True
            for sign in _PARENTHESES.findall(plain):
                self.depth = max(0, self.depth + (1 if sign == "(" else -1))  # one alone closes a number: `1) 76`
            if result_in_words(plain) is not None:
                self.worded = True
            else:
                self.figures = self.figures or _has_result(plain)
        self.runs = self.moves and self.segment.kind == "tagged" and not (self.ended or self.comment or self.depth)


def _has_result(plain: str) -> bool:
    """Return whether a line holds a result; only the text about its first joint is examined, and what follows."""
    joint = _JOINT.search(plain)
    return joint is not None and _END.search(plain, max(0, joint.start() - _BEFORE_JOINT)) is not None


def _opens(text: str) -> bool:
    return _TAG_LIKE.match(text) is not None or BARE.fullmatch(text) is not None or _MOVE_LIKE.match(text) is not None


def without_comments(text: str, inside: bool) -> tuple[str, bool]:
    """The text outside braces and before `;`, and whether a comment is open at its end.

    Args:
        text: a line.
        inside: whether a comment is open at its start.
    """
    if not inside and text[:1] == "%":
        return "", False
    if not inside and "{" not in text and ";" not in text:
        return text, False
    parts: list[str] = []
    place = 0
    while place < len(text):
        if inside:
            end = text.find("}", place)
            if end < 0:
                return "".join(parts).strip(), True
            inside, place = False, end + 1
            continue
        match = _OPENING.search(text, place)
        if match is None:
            parts.append(text[place:])
            break
        parts.append(text[place : match.start()] + " ")
        if match[0] == ";":
            break
        inside, place = True, match.end()
    return "".join(parts).strip(), inside


_OPENING = re.compile(r"[{;]")
_PARENTHESES = re.compile(r"[()]")
