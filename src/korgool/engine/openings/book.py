"""The opening book of a game: a small file of text, made by our own analysis, and what it says of a position.

The first line is a JSON object: `format`, the `options` of the rules that decide about values, how the book was made
(`nodes` a position, `seed`, `every`, `weight`; see `build.Plan`), `positions`, and `sha256` over all the others and the
lines that follow. Then each position has a line, in the order of a walk through all lines of play, so that a book can
be read by people too:

    PLY MOVE | VALUE VALUE …

PLY and MOVE tell that the position is reached by MOVE from the nearest position above that has one ply less; the start
is `0 0`. Then every hole has its value, from the first: `.` where nothing can be sown, else tenths of a stone for the
side to move, and behind a `/` how many positions of the book can be reached by this move, when there are any.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from korgool.engine.kernel import Kernel
from korgool.engine.solving.book import BookError
from korgool.rules import GAMES, Position, Rules

FORMAT = "korgool-openings-1"
MOST_BYTES = 1 << 20
"""A book larger than this is not read."""
_NOT_VALUES = ("goal", "threefold", "recurrence", "drawn_position")
_MADE = ("nodes", "seed", "every", "weight")
_VALUE = re.compile(r"(-?\d{1,4})(?:/(\d{1,6}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Known:
    """Entry of the book for one move.

    Attributes:
        move: the hole, 1 to n.
        tenths: the evaluation for the side to move, in tenths of a stone.
        positions: positions of the book that can be reached by it, 0 where it leaves the book.
    """

    move: int
    tenths: int
    positions: int


@dataclass(frozen=True, slots=True)
class BookMove:
    """A move as a book shows it.

    Attributes:
        move: the hole number, 1 to n.
        evaluation: expected final store difference for the side to move, in stones, backed up from all analysis
            behind the move.
        nodes: positions that the search looked at behind the move; 0 where the value is exact.
        positions: positions of the book behind the move; 0 where it leaves the book.
        exact: whether the evaluation is proven, as in the solved opening of mangala.
    """

    move: int
    evaluation: float
    nodes: int
    positions: int = 0
    exact: bool = False


class OpeningBook:
    """Analysed positions of one game, each reached from the start.

    Args:
        rules: the game.
        made: how it was made, `nodes`, `seed`, `every` and `weight` as in `build.Plan`.
        entries: ply, move and what is known of all legal moves, in the order of the file.

    Raises:
        ValueError: the entries do not follow from each other.
    """

    def __init__(
        self,
        rules: Rules,
        made: Mapping[str, float],
        entries: Iterable[tuple[int, int, tuple[Known, ...]]],
    ) -> None:
        self.rules, self.made, self.nodes = rules, dict(made), int(made["nodes"])
        self.entries = tuple(entries)
        self._kernel = Kernel(rules)
        self._places: dict[bytes, int] = {}
        self._boards: list[Position] = []
        way: list[Position] = []
        for ply, move, known in self.entries:
            if (ply == 0) != (not way) or not 0 <= ply <= len(way):
                raise ValueError(f"a position of ply {ply} follows one of ply {len(way) - 1}")
            board = rules.start() if ply == 0 else self._kernel.play(way[ply - 1], move)
            if tuple(one.move for one in known) != self._kernel.legal_moves(board) or not known:
                raise ValueError(f"the moves of {board} are others")
            del way[ply:]
            way.append(board)
            key = self._kernel.pack(board)
            if key in self._places:
                raise ValueError(f"{board} stands there twice")
            self._places[key] = len(self._boards)
            self._boards.append(board)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OpeningBook):
            return NotImplemented
        return (self.rules, self.made, self.entries) == (other.rules, other.made, other.entries)

    def __hash__(self) -> int:
        return hash((self.rules, self.nodes, len(self.entries)))

    def __repr__(self) -> str:
        return f"<OpeningBook of {len(self.entries):,} positions of {self.rules.title}, {self.nodes:,} nodes each>"

    def __reduce__(self) -> tuple[object, ...]:
        return OpeningBook, (self.rules, self.made, self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def moves(self, position: Position) -> tuple[BookMove, ...]:
        """Moves of a position in the book, best first; empty where the book does not hold it.

        A position is the same for both colours, and whatever its move number.
        """
        try:
            place = self._places.get(self._kernel.pack(position))
        except ValueError:
            return ()  # of another board
        return () if place is None or not position.legal_moves() else self._shown(place)

    def _shown(self, place: int) -> tuple[BookMove, ...]:
        known = self.entries[place][2]
        share = self.nodes // len(known)
        moves = [
            BookMove(one.move, one.tenths / 10, one.positions * self.nodes or share, one.positions) for one in known
        ]
        return tuple(sorted(moves, key=lambda move: (-move.evaluation, -move.positions, move.move)))

    def boards(self) -> Iterator[tuple[Position, tuple[BookMove, ...]]]:
        """Every position with its moves, the start first."""
        for place, board in enumerate(self._boards):
            yield board, self._shown(place)

    def text(self) -> str:
        """Content of the file."""
        lines = [f"{ply} {move} | {_written(known, self.rules.holes)}" for ply, move, known in self.entries]
        head = {
            "format": FORMAT,
            "options": options_of(self.rules),
            **{name: self.made[name] for name in _MADE},
            "positions": len(lines),
        }
        return "\n".join([json.dumps({**head, "sha256": _digest(head, lines)}), *lines]) + "\n"

    @classmethod
    def parse(cls, text: str, rules: Rules, name: str = "the book") -> OpeningBook:
        """Read a book.

        Raises:
            BookError: with the name and the reason: cut short, altered, or of another game.
        """
        if len(text) > MOST_BYTES:
            raise BookError(f"{name} has {len(text):,} letters, a book has at most {MOST_BYTES:,}")
        first, _, rest = text.partition("\n")
        try:
            head = json.loads(first)
        except (ValueError, RecursionError):
            head = None
        if not isinstance(head, dict) or head.get("format") != FORMAT:
            raise BookError(f"{name} does not begin as a book of this version does ({FORMAT})")
        if head.get("options") != options_of(rules):
            raise BookError(f"{name} is of another game or other options than {rules.title} as asked")
        lines = rest.removesuffix("\n").split("\n")
        said = head.pop("sha256", None)
        if said != _digest(head, lines):
            raise BookError(f"{name} is cut short or altered: its checksum is another one; install korgool again")
        try:
            if head.get("positions") != len(lines):
                raise ValueError("it has another number of positions than its first line says")
            return cls(rules, {name: head[name] for name in _MADE}, [_read(line) for line in lines])
        except (KeyError, TypeError, ValueError) as error:
            raise BookError(f"{name} cannot be read: {error}") from error


def _written(known: Sequence[Known], holes: int) -> str:
    words = ["."] * holes
    for one in known:
        words[one.move - 1] = f"{one.tenths}/{one.positions}" if one.positions else str(one.tenths)
    return " ".join(words)


def _read(line: str) -> tuple[int, int, tuple[Known, ...]]:
    place, _, rest = line.partition(" | ")
    ply, move = map(int, place.split())
    known = []
    for number, word in enumerate(rest.split(), 1):
        if word == ".":
            continue
        match = _VALUE.fullmatch(word)
        if match is None:
            raise ValueError(f"{word[:20]!a} is no value")
        known.append(Known(number, int(match[1]), int(match[2] or 0)))
    return ply, move, tuple(known)


def options_of(rules: Rules) -> dict[str, int | bool | str]:
    """Properties of a game that decide the values: the board's shape and every choice that moves, takes or ends."""
    options = {name: value for name, value in rules.file_options().items() if name not in _NOT_VALUES}
    return {"holes": rules.holes, "stones": rules.stones, **options}


def _digest(head: dict[str, object], lines: Sequence[str]) -> str:
    return hashlib.sha256(json.dumps([head, lines]).encode()).hexdigest()


@cache
def shipped(rules: Rules) -> OpeningBook | None:
    """The analysed book of this package for some rules, or None where it has none.

    Raises:
        BookError: the installed file is damaged.
    """
    file = book_file(rules)
    if file is None:
        return None
    known = GAMES[file.name.removesuffix(".book")]
    return OpeningBook.parse(file.read_bytes().decode("ascii", errors="replace"), known, file.name)


def book_file(rules: Rules) -> Traversable | None:
    """The installed file of that book, or None."""
    for name, known in GAMES.items():
        if options_of(known) == options_of(rules):
            file = resources.files("korgool.engine.openings").joinpath(f"{name}.book")
            return file if file.is_file() else None
    return None
