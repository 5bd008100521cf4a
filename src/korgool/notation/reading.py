"""Reading game records: any of the four dialects, told apart by content, one game at a time.

A game that cannot be read to its end becomes a record with `error`, and the games after it still come. Memory is
bounded by one game of at most `segments.LONGEST` characters, whatever the size of the file.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import IO, TypeAlias

from korgool.notation.moves import NotationError
from korgool.notation.movetext import MOST_PLIES, Movetext
from korgool.notation.record import Record, RecordError
from korgool.notation.result_words import result_in_words
from korgool.notation.segments import BARE, Segment, SourceLine, read_lines, split_games
from korgool.notation.tags import TGK_TAGS, tags_in, unknown_tag
from korgool.notation.terminations import parse_options, parse_result, rules_of_variant
from korgool.rules import GAMES, TOGUZ_KORGOOL, Position, Rules, Termination

Adapt: TypeAlias = Callable[[Rules], Rules]
"""Switches options of the rules that a record was found to be played by."""
Replay: TypeAlias = Callable[[Position, Sequence[int]], tuple[int, Position]]
"""Plays hole numbers from a position: how many could be played, and the position after those."""

_PAIR = re.compile(r"[0-9]+\.\s*[^\s.(){}*-]+(\s+[^\s.(){}*-]+)?\s*|\s*(1-0|0-1|1/2-1/2|\*)\s*")
_LONGEST_REASON = 400
STARTPOS = "startpos"
"""Text for the usual start of a game in FEN tags of other programs, in any case."""


def read_records(
    source: str | os.PathLike[str] | IO[bytes] | IO[str],
    rules: Rules | None = None,
    *,
    adapt: Adapt | None = None,
    replay: Replay | None = None,
    lenient: bool = False,
) -> Iterator[Record]:
    """The games of a file, lazily and in order.

    Args:
        source: a path, or a stream open for reading in binary (UTF-8) or text mode, which is not closed.
        rules: the game where a record does not name one, and the options of that game; by default toguz korgool, or
            what the holes of a FEN tag say.
        adapt: switches options of the game that each record is of, unless its own Rules tag names options.
        replay: something faster than the readable rules to play the bare dialect with; it is believed.
        lenient: accept set-up positions whose stones do not add up.

    Yields:
        Records; a bad game has its `error` and the moves before it.

    Raises:
        OSError: the file cannot be opened or read; on the first `next`.
    """
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as stream:
            yield from _read(stream, rules, adapt, replay, lenient)
    else:
        yield from _read(source, rules, adapt, replay, lenient)


def parse_records(text: str, rules: Rules | None = None, *, lenient: bool = False) -> list[Record]:
    """The games of a text that is at hand; see `read_records`."""
    return list(_read(io.StringIO(text, newline=""), rules, None, None, lenient))


def _read(
    stream: IO[bytes] | IO[str], rules: Rules | None, adapt: Adapt | None, replay: Replay | None, lenient: bool
) -> Iterator[Record]:
    index = 0
    for segment in split_games(read_lines(stream)):
        record = read_segment(segment, rules, index, adapt=adapt, replay=replay, lenient=lenient)
        if record is not None:
            yield record
            index += 1


def read_segment(
    segment: Segment,
    rules: Rules | None,
    index: int,
    *,
    adapt: Adapt | None = None,
    replay: Replay | None = None,
    lenient: bool = False,
) -> Record | None:
    """The game of a segment, or None where there are only comments between games; see `read_records`."""
    adapt = adapt or _as_it_is
    if segment.kind == "bare":
        return _read_bare(segment.lines, adapt(rules or TOGUZ_KORGOOL), replay, index)
    if segment.kind == "unknown":
        return _read_unknown(segment, adapt(rules or TOGUZ_KORGOOL), index)
    return _Reader(segment, rules, adapt, lenient).record(index)


def _as_it_is(rules: Rules) -> Rules:
    return rules


def _play(position: Position, moves: Sequence[int]) -> tuple[int, Position]:
    for ply, number in enumerate(moves):
        try:
            position = position.play(number)
        except ValueError:
            return ply, position
    return len(moves), position


def _read_bare(lines: Sequence[SourceLine], rules: Rules, replay: Replay | None, index: int) -> Record:
    line = lines[0]
    match = BARE.fullmatch(line.text.strip())
    assert match is not None
    start, digits = rules.start(), match[1]
    moves = tuple(map(int, digits[:MOST_PLIES]))
    played, end = (replay or _play)(start, moves)
    error = None
    if played < len(moves):
        try:
            end.sow(moves[played])
            reason = "the replay stopped here"
        except ValueError as fault:
            reason = f"{moves[played]} cannot be played: {fault}"
        error = RecordError(played + 1, reason, line.number)
    elif len(digits) > MOST_PLIES:
        error = RecordError(MOST_PLIES + 1, f"the game is longer than {MOST_PLIES:,} plies", line.number)
    said: tuple[str, tuple[int, int] | None] | None = None if match[2] is None else (match[2], None)
    for after in lines[1:]:
        words = result_in_words(after.text)
        if words is not None and said is not None and said[0] != words[0]:
            error = error or RecordError(
                played + 1, f"a second result, {words[0]}, follows the result {said[0]}", after.number
            )
        said = words or said
    result, warnings = _settle(None, said, False, end)
    return Record(
        start,
        moves[:played],
        result,
        {},
        error=error,
        warnings=() if error else warnings,
        header=match[2],
        dialect="bare",
        line=line.number,
        index=index,
        end=end,
    )


def _read_unknown(segment: Segment, rules: Rules, index: int) -> Record:
    line = next((line for line in segment.lines if line.problem), segment.lines[0])
    reason = (
        line.problem or f"{line.text.strip()[:24]!r} begins no game record; known are PGN style, TGK, coordinates, bare"
    )
    error = RecordError(1, reason, line.number)
    start = rules.start()
    return Record(start, error=error, dialect="unknown", line=segment.lines[0].number, index=index, end=start)


def _settle(
    header: str | None, mark: tuple[str, tuple[int, int] | None] | None, zero: bool, end: Position
) -> tuple[str, tuple[str, ...]]:
    """The result that holds, and what contradicts it: the board comes first, then the header, then the text's end."""
    warnings: list[str] = []
    outcome = end.outcome()
    given = [("the Result tag", header)] if mark is not None or header is not None else []
    if mark is not None:
        given.append(("the result after the moves", mark[0]))
    said = [(where, result) for where, result in given if result not in (None, "*")]
    result = outcome.result if outcome else next((result for _, result in said if result), "*")
    for where, other in said:
        if other != result:
            by = f"the board ended {outcome.result_text}" if outcome else f"the Result tag says {result}"
            warnings.append(f"{where} says {other}, but {by}")
    stores = mark[1] if mark else None
    reached = outcome.stores if outcome else end.stores
    if mark is None and outcome is None and header not in (None, "*"):
        warnings.append("no result follows the moves; the record may be cut off")
    if stores is not None and stores != reached:
        warnings.append(
            f"the result gives stores of {stores[0]} and {stores[1]}, but they are {reached[0]} and {reached[1]}"
        )
    if zero and (outcome is None or outcome.termination != Termination.NO_MOVE):
        warnings.append("{zero} says that the mover had no stones, but there are some")
    return result, tuple(warnings)


class _Reader:
    """One game with tags, or of running text."""

    def __init__(self, segment: Segment, rules: Rules | None, adapt: Adapt, lenient: bool) -> None:
        self.segment, self.rules, self.adapt, self.lenient = segment, rules, adapt, lenient
        self.tags: dict[str, str] = {}
        self.lines: dict[str, int] = {}
        self.header: str | None = None
        self.start = adapt(rules or TOGUZ_KORGOOL).start()
        self.movetext = Movetext(self.start)
        self.line = segment.lines[0].number
        self.dialect = "pgn"

    def record(self, index: int) -> Record | None:
        error: RecordError | None = None
        try:
            body = self._head()
            self._begin()
            self._body(body)
        except ValueError as fault:
            reason = str(fault)
            if len(reason) > _LONGEST_REASON:
                reason = reason[:_LONGEST_REASON] + "…"
            error = RecordError(len(self.movetext.moves) + 1, reason, self.line)
        text = self.movetext
        if self.segment.kind == "text" and error is None and not text.moves and text.result is None:
            return None  # a comment between games, no game
        mark = None if text.result is None else (text.result, text.stores)
        result, warnings = _settle(self.header, mark, text.zero, text.position)
        tags = {name: value for name, value in self.tags.items() if not unknown_tag(value)}
        game = text.main
        return Record(
            self.start,
            tuple(game.moves),
            result,
            tags,
            tuple(game.comments),
            tuple(game.offers),
            tuple(game.glyphs),
            tuple(sorted(game.variations, key=lambda one: one.ply)),
            error,
            () if error else warnings,
            self.header or text.result,
            "coordinates" if text.coordinates else self.dialect,
            self.segment.lines[0].number,
            index,
            game.position,
        )

    def _head(self) -> list[SourceLine]:
        """Take the tags and return the lines after them."""
        lines = self.segment.lines
        if self.segment.kind != "tagged":
            return lines
        for place, line in enumerate(lines):
            text = line.text.strip()
            if text[:1] != "[" and not text.startswith(("%", ";")):
                return lines[place:]
            self._at(line)
            if text[:1] == "[":
                self._tags_of(text)
        return []

    def _tags_of(self, text: str) -> None:
        for name, said in tags_in(text):
            if name in self.tags:
                raise NotationError(f"the tag {name} is given twice")
            self.tags[name], self.lines[name] = said, self.line

    def _at(self, line: SourceLine) -> None:
        self.line = line.number
        if line.problem:
            raise NotationError(line.problem)

    def _begin(self) -> None:
        """Find the game, its start and its result among the tags."""
        named = rules_of_variant(self._take("Variant"))
        rules = named or self.rules
        if self.rules is not None and named is not None and self.rules.name == named.name:
            rules = self.rules  # the same game, with the options that the caller chose for it
        options = self._take("Rules")
        self.tags.pop("SetUp", None)
        base = rules or TOGUZ_KORGOOL
        if options:
            base = parse_options(options, GAMES.get(base.name, base))
        fen = self._take("FEN")
        if not unknown_tag(fen) and fen.strip().lower() != STARTPOS:
            if rules is None and not options:
                base = Position.parse(fen, lenient=True).rules
            self.start = Position.parse(fen, base if options else self.adapt(base), lenient=self.lenient)
        else:
            self.start = (base if options else self.adapt(base)).start()
        self.movetext = Movetext(self.start)
        if "Result" in self.tags:
            # Kept even when the moves fail, so that a listing of bad games can still show it.
            said = self._take("Result")
            self.header = (result_in_words(said) or parse_result(said))[0]

    def _take(self, name: str) -> str:
        """The text of a tag that is not kept among the tags, or nothing; faults in it are of its line."""
        self.line = self.lines.get(name, self.line)
        return self.tags.pop(name, "")

    def _body(self, lines: list[SourceLine]) -> None:
        if self.segment.kind == "tagged" and lines and self._is_tgk(lines):
            self.dialect, self.movetext.tuz_marked = "tgk", True
        for line in lines:
            self._at(line)
            self.movetext.read(line.text)
        self.movetext.finish()

    def _is_tgk(self, lines: list[SourceLine]) -> bool:
        return self.lines.keys() <= {*TGK_TAGS} and all(_PAIR.fullmatch(line.text) for line in lines)
