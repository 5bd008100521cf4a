"""The puzzles that come with the package: a small file for each game, of which one puzzle or all can be read."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import overload

import msgspec

from korgool.rules import GAMES, Position
from korgool.training.puzzle import GOALS, PROOFS, Puzzle
from korgool.training.themes import THEMES

SHIPPED = Path(__file__).parent / "shipped"
SUFFIX = ".puzzles"
FORMAT = 1
_THEMES = tuple(THEMES)


class Columns(msgspec.Struct, forbid_unknown_fields=True):
    """The content of a file: a value of each column for each puzzle."""

    format: int
    game: str
    positions: list[str]
    moves: list[str]
    goals: str
    proofs: str
    gaps: list[float]
    themes: list[int]
    ratings: list[int]
    sources: list[str]


class PuzzleSet(Sequence[Puzzle]):
    """Puzzles of one game, in the order of their ratings. A puzzle is read when it is asked for.

    Args:
        columns: what `read_set` has read.
    """

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self.rules = GAMES[columns.game]

    def __len__(self) -> int:
        return len(self._columns.positions)

    @overload
    def __getitem__(self, at: int) -> Puzzle: ...
    @overload
    def __getitem__(self, at: slice) -> list[Puzzle]: ...
    def __getitem__(self, at: int | slice) -> Puzzle | list[Puzzle]:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        columns = self._columns
        return Puzzle(
            Position.parse(columns.positions[at], self.rules),
            tuple(tuple(map(int, ply)) for ply in columns.moves[at].split()),
            GOALS[int(columns.goals[at])],
            PROOFS[int(columns.proofs[at])],
            columns.gaps[at],
            self.themes(at),
            columns.ratings[at],
            columns.sources[at],
        )

    def themes(self, at: int) -> tuple[str, ...]:
        """The themes of a puzzle, without reading it."""
        return tuple(theme for bit, theme in enumerate(_THEMES) if self._columns.themes[at] >> bit & 1)

    def rating(self, at: int) -> int:
        """The rating of a puzzle, without reading it."""
        return self._columns.ratings[at]

    def of_theme(self, theme: str) -> list[int]:
        """The places of the puzzles that have a theme, in their order."""
        bit = 1 << _THEMES.index(theme)
        return [at for at, themes in enumerate(self._columns.themes) if themes & bit]

    def find(self, puzzle_id: str) -> int | None:
        """The place of the puzzle with that id, or None."""
        return _places(self).get(puzzle_id)

    def __iter__(self) -> Iterator[Puzzle]:
        return (self[at] for at in range(len(self)))


@cache
def _places(puzzles: PuzzleSet) -> dict[str, int]:
    return {puzzle.id: at for at, puzzle in enumerate(puzzles)}


def pack_set(puzzles: Sequence[Puzzle]) -> bytes:
    """The file that holds puzzles of one game, the easiest first; the same bytes for the same puzzles."""
    order = sorted(puzzles, key=lambda one: (one.rating, one.id))
    columns = Columns(
        FORMAT,
        order[0].game,
        [str(one.start) for one in order],
        [" ".join("".join(map(str, accepted)) for accepted in one.moves) for one in order],
        "".join(str(GOALS.index(one.goal)) for one in order),
        "".join(str(PROOFS.index(one.proof)) for one in order),
        [one.to_json()["gap"] for one in order],  # whole ones without a point, whether they were read or made
        [sum(1 << _THEMES.index(theme) for theme in one.themes) for one in order],
        [one.rating for one in order],
        [one.source for one in order],
    )
    return zlib.compress(msgspec.json.encode(columns), 9)


def read_set(content: bytes) -> PuzzleSet:
    """The puzzles of a file that `pack_set` has made.

    Raises:
        ValueError: it is none.
    """
    try:
        columns = msgspec.json.decode(zlib.decompress(content), type=Columns)
    except (zlib.error, msgspec.DecodeError) as error:
        raise ValueError(f"this is no file of puzzles: {error}") from None
    if columns.format != FORMAT or columns.game not in GAMES:
        raise ValueError(f"this file of puzzles has format {columns.format}, and {FORMAT} is read")
    return PuzzleSet(columns)


@cache
def shipped_set(game: str) -> PuzzleSet | None:
    """The puzzles of a game that come with the package, or None where there are none."""
    path = SHIPPED / f"{game}{SUFFIX}"
    return read_set(path.read_bytes()) if path.is_file() else None
