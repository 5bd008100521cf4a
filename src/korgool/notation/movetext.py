"""The running text of a game: numbers, moves, comments and the result, read into plies and written from them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from korgool.notation.coordinates import COORDINATES, format_coordinates, parse_coordinates
from korgool.notation.moves import MARKS, NotationError, ParsedMove, check_marks, format_move, parse_move, quoted
from korgool.notation.terminations import RESULT_TEXT, parse_result
from korgool.rules import Game, Position, Side, Sowing

MOST_PLIES = 10_000
"""Plies that one record may have; the longest games of people have some hundreds."""

_TOKEN = re.compile(
    r"\s*(?:(?P<result>" + RESULT_TEXT.pattern + r"|\*(?=[\s{;]|$))"
    r"|(?P<number>[0-9]{1,6})(?P<dots>\.+|…)"
    r"|(?P<gap>\.\.+|…)|(?P<comma>,)|(?P<open>\{)|(?P<rest>;)|(?P<close>\})|(?P<glyph>\$[0-9]{1,3})"
    r"|(?P<word>[^\s,{};]+)|$)"
)


@dataclass(slots=True)
class Movetext:
    """What running text has said so far; `read` takes it line by line.

    Attributes:
        position: the position reached.
        moves: the plies as hole numbers.
        comments: (ply, text), ply 0 before the first move.
        offers: plies with a draw offer.
        result: the result at the end, or None.
        stores: the stores that stand with the result, or None.
        zero: whether `{zero}` follows the result.
        coordinates: whether the moves are in coordinates; None before the first.
    """

    position: Position
    tuz_marked: bool = False
    moves: list[int] = field(default_factory=list)
    comments: list[tuple[int, str]] = field(default_factory=list)
    offers: list[int] = field(default_factory=list)
    result: str | None = None
    stores: tuple[int, int] | None = None
    zero: bool = False
    coordinates: bool | None = None
    _last: Sowing | None = None
    _joined: bool = False
    _numbered: bool = False
    _due: bool = False  # a move number stands before the ply to come
    _asked: bool = False  # an offer stands between that number and its ply
    _counts_from: int | None = None
    _comment: list[str] | None = None
    _full: int = 0  # plies written with more than the hole
    _short: bool = False  # the last ply is its hole alone
    _noted: bool = False  # something follows the last ply
    _previous: Position = field(init=False)
    _start: Position = field(init=False)

    def __post_init__(self) -> None:
        self._start = self._previous = self.position

    def read(self, text: str) -> None:
        """Read one line.

        Raises:
            NotationError: it does not fit; `moves` and `position` then stand before the fault.
        """
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
            elif kind == "open":
                self._comment = []
            elif kind == "rest":
                self._remark(text[place:])
                return
            elif kind == "comma":
                if self._last is None or self._joined or self.result is not None:
                    raise NotationError("a comma stands where no ply of the same turn went before")
                self._joined = True
            elif kind == "glyph":
                self._remark(match["glyph"])
            elif kind == "close":
                raise NotationError("a comment is closed that was not opened")
            elif kind != "gap":
                if self.result is not None:
                    raise NotationError(f"a second result, {match['result']}, follows the result {self.result}")
                self.result, self.stores = parse_result(match["result"])

    def finish(self) -> None:
        """Say that the text is at its end.

        Raises:
            NotationError: it stops within a comment or a turn.
        """
        if self._comment is not None:
            raise NotationError("a comment is opened and never closed")
        if self._joined:
            raise NotationError("the text stops after a comma, within a turn")
        if self._asked:
            self._remark("=")  # it belongs to a ply that nobody wrote
        plies = len(self.moves)
        if self._full == plies - 1 > 0 and self._short and self.result is None and not self._noted:
            self.moves.pop()
            self.position = self._previous
            raise NotationError(
                "the last ply has no landing hole, though those before have, and no result follows it; "
                "the record seems cut off"
            )

    def _close_comment(self) -> None:
        text, self._comment = "\n".join(self._comment or ()), None
        if self.result is not None and text.strip().lower() == "zero":
            self.zero = True
        else:
            self._remark(text)

    def _remark(self, text: str) -> None:
        self._noted = True
        self.comments.append((len(self.moves), " ".join(text.split()).replace("}", ")")))

    def _number(self, number: int, black: bool) -> None:
        """A move number is a checksum too: it shows that no ply was lost before it."""
        side, self._numbered = self.position.to_move, True
        if self._counts_from is None:
            # A game from a set-up position may count from 1 or from the number in its position text.
            first = self._start.fullmove
            self._counts_from = first if number == self.position.fullmove else 1
        expected = self.position.fullmove - self._start.fullmove + self._counts_from
        if self.result is not None:
            raise NotationError(f"move number {number} follows the result")
        if number != expected:
            raise NotationError(f"move number {number} stands where {expected} is due")
        if black != (side is Side.BLACK):
            due = f"{expected}{'...' if side is Side.BLACK else '.'}"
            raise NotationError(f"a move number stands before {side.name.capitalize()}'s ply, which would be {due}")
        self._due = True

    def _word(self, text: str) -> None:
        if self.result is not None:
            raise NotationError(f"{quoted(text)} follows the result {self.result}")
        if self._due and text[0] == "=":
            self._asked, text = True, text[1:]  # `2.= 66`: the number has begun the turn of the one who offers
            if not text:
                return
        if self._last is not None and MARKS.fullmatch(text):
            self._noted = True
            if check_marks(text, text, self._last) and len(self.moves) not in self.offers:
                self.offers.append(len(self.moves))
            return
        if len(self.moves) >= MOST_PLIES:
            raise NotationError(f"the game is longer than {MOST_PLIES:,} plies")
        parsed = self._parse(text)
        same_side = self._last is not None and self._last.extra_turn
        if self._joined and not same_side:
            raise NotationError(f"a comma joins {quoted(text)} to the ply before, but the turn had passed")
        if same_side and self._numbered and not self._joined:
            raise NotationError(f"{quoted(text)} belongs to the turn of the ply before; a comma must join them")
        self._joined, self._last, self._noted, self._previous = False, parsed.sowing, False, self.position
        self._short = len(text) == 1
        self._full += not self._short
        self.moves.append(parsed.hole)
        self.position = parsed.sowing.after
        if parsed.offer or self._asked:
            self.offers.append(len(self.moves))
        self._due = self._asked = False
        if parsed.remark:
            self._remark(parsed.remark)

    def _parse(self, text: str) -> ParsedMove:
        coordinates = not text[0].isdigit() and COORDINATES.fullmatch(text) is not None
        if self.coordinates is None:
            self.coordinates = coordinates
        elif coordinates is not self.coordinates:
            here, before = ("coordinates", "field notation") if coordinates else ("field notation", "coordinates")
            if coordinates or text[0].isdigit():
                raise NotationError(f"{quoted(text)} is {here}, but the moves before are {before}")
        if self.coordinates:
            return parse_coordinates(text, self.position)
        return parse_move(text, self.position, tuz_marked=self.tuz_marked)


def format_movetext(
    game: Game | tuple[Position, Sequence[int]],
    *,
    numbered: bool = True,
    comments: Iterable[tuple[int, str]] = (),
    offers: Iterable[int] = (),
) -> str:
    """The moves of a game in field notation, such as `1. 76(10) 55(10) 2. 33 77X`, without its result.

    Args:
        game: the game, or its start and hole numbers.
        numbered: whether move numbers are written.
        comments: (ply, text), ply 0 before the first move.
        offers: plies, from 1, with a draw offer.

    Raises:
        ValueError: a comment holds a closing brace, or the moves do not fit the start.
    """
    start, moves = _parts(game)
    notes: dict[int, list[str]] = {}
    for ply, text in comments:
        if "}" in text:
            raise ValueError(f"the comment at ply {ply} holds a closing brace, which would end it")
        notes.setdefault(ply, []).append(f"{{{text}}}")
    asked = set(offers)
    words = notes.get(0, [])
    fullmove, joins, told = start.fullmove, False, False
    for ply, sowing in enumerate(_sowings(start, moves), 1):
        text = format_move(sowing, offer=ply in asked)
        if joins and words[-1].endswith(","):
            words[-1] += text
        else:
            if numbered and not joins and (sowing.mover is Side.WHITE or not told):
                words.append(f"{fullmove}{'.' if sowing.mover is Side.WHITE else '...'}")
            words.append(text)
        joins, fullmove = sowing.extra_turn, sowing.after.fullmove
        if joins and ply < len(moves):
            words[-1] += ","
        told = ply not in notes  # after a comment Black's ply carries its number again
        words += notes.get(ply, ())
    return " ".join(words)


def format_pairs(game: Game | tuple[Position, Sequence[int]]) -> list[str]:
    """The moves as lines of one numbered pair each, without stores, a tuz marked `x`: the body of the TGK dialect."""
    start, moves = _parts(game)
    lines: list[str] = []
    joins, fullmove = False, start.fullmove
    for sowing in _sowings(start, moves):
        text = format_move(sowing, store=False, tuz="x")
        if joins:
            lines[-1] += "," + text
        elif sowing.mover is Side.WHITE or not lines:
            lines.append(f"{fullmove}. {text}")
        else:
            lines[-1] += " " + text
        joins, fullmove = sowing.extra_turn, sowing.after.fullmove
    return lines


def format_coordinate_line(game: Game | tuple[Position, Sequence[int]]) -> str:
    """The moves in coordinates, the plies of a turn joined by a comma."""
    text = joint = ""
    for sowing in _sowings(*_parts(game)):
        text += joint + format_coordinates(sowing)
        joint = "," if sowing.extra_turn else " "
    return text


def _parts(game: Game | tuple[Position, Sequence[int]]) -> tuple[Position, Sequence[int]]:
    return (game.start, game.moves) if isinstance(game, Game) else game


def _sowings(position: Position, moves: Iterable[int]) -> Iterator[Sowing]:
    for number in moves:
        sowing = position.sow(number)
        yield sowing
        position = sowing.after


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
