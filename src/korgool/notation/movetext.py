"""The running text of a game read into plies: numbers, moves, comments, marks, variations and the result."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass, field, replace

from korgool.notation.coordinates import COORDINATES, parse_coordinates
from korgool.notation.moves import MARKS, NotationError, ParsedMove, check_marks, parse_move, quoted
from korgool.notation.result_words import result_in_words
from korgool.notation.terminations import RESULT_TEXT, parse_result
from korgool.notation.variation import MOST_DEPTH, Variation
from korgool.rules import Position, Side, Sowing

MOST_PLIES = 10_000
"""Plies that one record may have; the longest games of people have some hundreds."""
MOST_VARIED = 50_000
"""Plies that all variations of a record may have together."""

_TOKEN = re.compile(
    r"\s*(?:(?P<result>" + RESULT_TEXT.pattern + r"|\*(?=[\s{;]|$))"
    r"|(?P<number>[0-9]{1,6})(?P<dots>\.+|…)|(?P<round>[0-9]{1,6})\)(?P<black>\.\.+|…)?"
    r"|(?P<gap>\.\.+|…)|(?P<comma>,)|(?P<open>\{)|(?P<rest>;)|(?P<close>\})|\$(?P<glyph>[0-9]{1,3})(?![0-9])"
    r"|(?P<word>[^\s,{};()$]+(?:\([0-9]{1,4}\)[^\s,{};()$]*)*|(?:\([0-9]{1,4}\)[^\s,{};()$]*)+)|(?P<begin>\()|(?P<end>\))|(?P<stray>\S)|$)"
)
_REMARKS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""The glyphs that an annotator's signs stand for."""


@dataclass(slots=True)
class MoveLine:
    """A line as far as it is read: the game itself, or a variation.

    Attributes:
        position: the position reached.
        first: the ply of its first move, from 1.
        moves: the plies as hole numbers.
        comments: (ply, text), the ply before `first` for what stands before the first move; those after a variation
            of the ply belong to that variation.
        glyphs: (ply, n) for `$n`.
        offers: plies with a draw offer.
    """

    position: Position
    first: int = 1
    moves: list[int] = field(default_factory=list)
    comments: list[tuple[int, str]] = field(default_factory=list)
    glyphs: list[tuple[int, int]] = field(default_factory=list)
    offers: list[int] = field(default_factory=list)
    _variations: list[Variation] = field(default_factory=list)
    _after: dict[int, list[str]] = field(default_factory=dict)  # what stands after each of them, by its index
    last: Sowing | None = None
    before: Sowing | None = None  # the ply before the last
    previous: Position = field(init=False)  # before the last ply
    joined: bool = False  # a comma has joined the ply to come to the last
    due: bool = False  # a move number stands before the ply to come
    asked: bool = False  # an offer stands between that number and its ply

    def __post_init__(self) -> None:
        self.previous = self.position

    def __copy__(self) -> MoveLine:
        return deepcopy(self)

    @property
    def ply(self) -> int:
        """The last ply, or the one before `first`."""
        return self.first + len(self.moves) - 1

    @property
    def variations(self) -> tuple[Variation, ...]:
        """The lines beside it, each with the comments after it."""
        return tuple(
            replace(one, after=tuple(self._after[index])) if index in self._after else one
            for index, one in enumerate(self._variations)
        )

    def remark(self, text: str) -> None:
        """Keep a comment on the last ply, after the variations that already stand there."""
        said = " ".join(text.split()).replace("}", ")")
        if self._variations and self._variations[-1].ply == self.ply:
            self._after.setdefault(len(self._variations) - 1, []).append(said)
        else:
            self.comments.append((self.ply, said))

    def add(self, variation: Variation) -> None:
        """Keep a line beside the last ply."""
        self._variations.append(variation)

    def beside(self) -> MoveLine:
        """A new line in place of the last ply."""
        return MoveLine(self.previous, self.ply, last=self.before)

    def closed(self) -> Variation:
        """The line as a variation of its parent."""
        notes = tuple(self.comments), tuple(self.glyphs), tuple(self.offers)
        return Variation(self.first, tuple(self.moves), *notes, self.variations)


@dataclass(slots=True)
class Movetext:
    """Parser of running text; `read` takes it line by line.

    Attributes:
        start: where the game starts.
        tuz_marked: whether a tuz has to be marked.
        main: the moves of the game itself with all that stands beside them.
        result: the result at the end, or None.
        stores: the stores that stand with the result, or None.
        zero: whether `{zero}` follows the result.
        coordinates: whether the moves are in coordinates; None before the first.
    """

    start: Position
    tuz_marked: bool = False
    result: str | None = None
    stores: tuple[int, int] | None = None
    zero: bool = False
    coordinates: bool | None = None
    main: MoveLine = field(init=False)
    _line: MoveLine = field(init=False)  # which is being read
    _parents: list[MoveLine] = field(default_factory=list)
    _numbered: bool = False
    _counts_from: int | None = None
    _comment: list[str] | None = None
    _varied: int = 0  # plies of all variations
    _full: int = 0  # plies of the game written with more than the hole
    _short: bool = False  # the last ply of the game is its hole alone
    _noted: bool = False  # something follows the last ply
    _worded: bool = False  # the result was given in words alone
    _rounds: bool = False  # numbers are written as `1)`

    def __post_init__(self) -> None:
        self.main = self._line = MoveLine(self.start)

    def __copy__(self) -> Movetext:
        return deepcopy(self)  # each reads on by itself

    @property
    def position(self) -> Position:
        """The position that the game itself has reached."""
        return self.main.position

    @property
    def moves(self) -> list[int]:
        """The plies of the game itself, as hole numbers."""
        return self.main.moves

    @property
    def comments(self) -> list[tuple[int, str]]:
        """The comments on them, as (ply, text), ply 0 before the first move."""
        return self.main.comments

    @property
    def offers(self) -> list[int]:
        """The plies among them with a draw offer."""
        return self.main.offers

    def read(self, text: str) -> None:
        """Read one line of text.

        Raises:
            NotationError: it does not fit; `main` then stands before the fault.
        """
        try:
            self._read(text)
        except NotationError as error:
            if not self._parents:
                raise
            raise NotationError(
                f"in a variation of ply {self._line.first}, ply {self._line.ply + 1}: {error}"
            ) from error

    def _read(self, text: str) -> None:
        if self._comment is None and not self._parents and (said := result_in_words(text)) is not None:
            self._conclude(*said)
            return
        place, length = 0, len(text)
        if self._comment is None and text[:1] == "%":
            return
        while place < length:
            if self._comment is not None:
                end = text.find("}", place)
                self._comment.append(text[place : end if end >= 0 else None])
                if end < 0:
                    return
                self._close_comment()
                place = end + 1
                continue
            match = _TOKEN.match(text, place)
            assert match is not None  # every character but space begins some token
            place = match.end()
            kind = match.lastgroup
            if kind == "word":
                self._word(match["word"])
            elif kind is None:
                return
            elif kind == "dots":
                self._number(int(match["number"]), len(match["dots"]) > 1 or match["dots"] == "…")
            elif kind in ("round", "black"):
                self._round(match["round"], match["black"])
            elif kind == "open":
                self._comment = []
            elif kind == "rest":
                self._remark(text[place:])
                return
            elif kind == "comma":
                line = self._line
                if line.last is None or line.joined or self.result is not None or not line.moves:
                    raise NotationError("a comma stands where no ply of the same turn went before")
                line.joined = True
            elif kind == "glyph":
                self._mark(int(match["glyph"]))
            elif kind == "begin":
                self._begin()
            elif kind == "end":
                self._end()
            elif kind == "close":
                raise NotationError("a comment is closed that was not opened")
            elif kind == "stray":
                raise NotationError(f"{quoted(match['stray'])} is not a mark; a mark is $ and a number up to 999")
            elif kind != "gap":
                self._end_of_game(match["result"])

    def finish(self) -> None:
        """Say that the text is at its end.

        Raises:
            NotationError: it stops within a comment, a variation or a turn.
        """
        if self._comment is not None:
            raise NotationError("a comment is opened and never closed")
        if self._parents:
            raise NotationError(f"a variation of ply {self._line.first} is opened and never closed")
        line = self.main
        if line.joined:
            raise NotationError("the text stops after a comma, within a turn")
        if line.asked:
            self._remark("=")  # it belongs to a ply that was not written
        plies = len(line.moves)
        if self._full == plies - 1 > 0 and self._short and self.result is None and not self._noted:
            line.moves.pop()
            line.position = line.previous
            raise NotationError(
                "the last ply has no landing hole, though those before have, and no result follows it; "
                "the record seems cut off"
            )

    def _begin(self) -> None:
        line = self._line
        if self.result is not None:
            raise NotationError(f"a variation follows the result {self.result}")
        if not line.moves:
            raise NotationError("a variation stands where no ply went before that it could replace")
        if len(self._parents) >= MOST_DEPTH:
            raise NotationError(f"variations stand within each other more than {MOST_DEPTH} deep")
        self._noted = True
        self._parents.append(line)
        self._line = line.beside()

    def _end(self) -> None:
        line = self._line
        if not self._parents:
            raise NotationError("a variation is closed that was not opened")
        if not line.moves:
            raise NotationError("the variation has no moves")
        if line.joined:
            raise NotationError("the variation stops after a comma, within a turn")
        if line.asked:
            line.remark("=")
        self._line = self._parents.pop()
        self._line.add(line.closed())

    def _end_of_game(self, text: str) -> None:
        if self._parents:
            raise NotationError(f"the result {text} stands within a variation")
        result, stores = parse_result(text)
        if self.result is not None and (not self._worded or self.result != result):
            raise NotationError(f"a second result, {text}, follows the result {self.result}")
        self.result, self.stores, self._worded = result, stores or self.stores, False

    def _conclude(self, result: str, stores: tuple[int, int] | None) -> None:
        """Take a result in words, on a line of its own; it may say again what figures have said."""
        if self.result not in (None, result):
            raise NotationError(f"a second result, {result}, follows the result {self.result}")
        self._worded = self.result is None  # figures may follow
        self.result, self.stores = result, stores or self.stores

    def _close_comment(self) -> None:
        text, self._comment = "\n".join(self._comment or ()), None
        if self.result is not None and text.strip().lower() == "zero":
            self.zero = True
        else:
            self._remark(text)

    def _remark(self, text: str) -> None:
        self._noted = True
        self._line.remark(text)

    def _mark(self, glyph: int) -> None:
        self._noted = True
        self._line.glyphs.append((self._line.ply, glyph))

    def _number(self, number: int, black: bool) -> None:
        """A move number is a checksum too: it shows that no ply was lost before it."""
        position = self._line.position
        side, self._numbered = position.to_move, True
        if self._counts_from is None:
            # A game from a set-up position may count from 1 or from the number in its position text.
            first = self.start.fullmove
            self._counts_from = first if number == position.fullmove else 1
        expected = position.fullmove - self.start.fullmove + self._counts_from
        if self.result is not None:
            raise NotationError(f"move number {number} follows the result")
        if number != expected:
            raise NotationError(f"move number {number} stands where {expected} is due")
        if black != (side is Side.BLACK):
            due = f"{expected}{'...' if side is Side.BLACK else '.'}"
            raise NotationError(f"a move number stands before {side.name.capitalize()}'s ply, which would be {due}")
        self._line.due = True

    def _round(self, digits: str, black: str | None) -> None:
        """Read `1)`: a move number, or in a variation a hole alone and the end of it."""
        line = self._line
        due = line.position.fullmove - self.start.fullmove + (self._counts_from or 1)
        if not self._parents or (self._rounds and not line.due and (black or int(digits) == due)):
            self._rounds = True
            self._number(int(digits), black is not None)
        else:
            self._word(digits)
            self._end()

    def _word(self, text: str) -> None:
        line = self._line
        if self.result is not None:
            raise NotationError(f"{quoted(text)} follows the result {self.result}")
        if line.due and text[0] == "=":
            line.asked, text = True, text[1:]  # `2.= 66`: the number has begun the turn of the one who offers
            if not text:
                return
        if line.moves and line.last is not None and MARKS.fullmatch(text):
            self._noted = True
            if check_marks(text, text, line.last) and line.ply not in line.offers:
                line.offers.append(line.ply)
            return
        self._bound(line)
        parsed = self._parse(text, line.position)
        same_side = line.last is not None and line.last.extra_turn
        if line.joined and not same_side:
            raise NotationError(f"a comma joins {quoted(text)} to the ply before, but the turn had passed")
        begins = not line.moves  # a variation may begin within a turn
        if same_side and self._numbered and not line.joined and not begins:
            raise NotationError(f"{quoted(text)} belongs to the turn of the ply before; a comma must join them")
        line.joined, line.before, line.last, line.previous = False, line.last, parsed.sowing, line.position
        self._noted = False
        if line is self.main:
            self._short = len(text) == 1
            self._full += not self._short
        line.moves.append(parsed.hole)
        line.position = parsed.sowing.after
        if parsed.offer or line.asked:
            line.offers.append(line.ply)
        line.due = line.asked = False
        if parsed.remark:
            self._mark(_REMARKS[parsed.remark])

    def _bound(self, line: MoveLine) -> None:
        if line.ply >= MOST_PLIES:
            raise NotationError(f"the game is longer than {MOST_PLIES:,} plies")
        if line is not self.main:
            self._varied += 1
            if self._varied > MOST_VARIED:
                raise NotationError(f"the variations have more than {MOST_VARIED:,} plies")

    def _parse(self, text: str, position: Position) -> ParsedMove:
        coordinates = not text[0].isdigit() and COORDINATES.fullmatch(text) is not None
        if self.coordinates is None:
            self.coordinates = coordinates
        elif coordinates is not self.coordinates:
            here, before = ("coordinates", "field notation") if coordinates else ("field notation", "coordinates")
            if coordinates or text[0].isdigit():
                raise NotationError(f"{quoted(text)} is {here}, but the moves before are {before}")
        if self.coordinates:
            return parse_coordinates(text, position)
        return parse_move(text, position, tuz_marked=self.tuz_marked)


def parse_movetext(text: str, start: Position) -> Movetext:
    """Read running text in field notation or coordinates, over one or many lines.

    Raises:
        NotationError: it does not fit, naming the ply.
    """
    movetext = Movetext(start)
    try:
        for line in text.split("\n"):
            movetext.read(line)
        movetext.finish()
    except NotationError as error:
        raise NotationError(f"ply {len(movetext.moves) + 1}: {error}") from error
    return movetext
