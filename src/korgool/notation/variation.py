"""Lines beside the game: what else might have been played, with comments and marks, and lines beside it in turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from korgool.rules import Position

MOST_DEPTH = 100
"""Variations that may stand within each other."""

Notes: TypeAlias = tuple[tuple[int, str], ...]
"""Comments as (ply, text); the ply before the first move of a line stands for what is said before that move."""
Glyphs: TypeAlias = tuple[tuple[int, int], ...]
"""Marks as (ply, n) for `$n`, the numeric annotation glyphs of PGN: $1 good, $2 bad, $3 brilliant, $4 a blunder, ..."""


@dataclass(frozen=True, slots=True)
class Variation:
    """A line that could have been played in place of a ply. All plies are counted from the start of the game.

    Attributes:
        ply: the ply that its first move takes the place of, from 1.
        moves: hole numbers, at least one.
        comments: as `Notes`.
        glyphs: as `Glyphs`.
        offers: the plies with which a draw is offered.
        variations: lines beside this one, in the order of their plies.
        after: comments that stand after it, on the ply that it replaces; in writing too they come after it.
        depth: 1, and one more than the deepest of `variations`.

    Raises:
        ValueError: it has no moves, it names plies that it has not, or it is deeper than `MOST_DEPTH`.
    """

    ply: int
    moves: tuple[int, ...]
    comments: Notes = ()
    glyphs: Glyphs = ()
    offers: tuple[int, ...] = ()
    variations: tuple[Variation, ...] = ()
    after: tuple[str, ...] = ()
    depth: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.moves or self.ply < 1:
            raise ValueError("a variation has moves, and takes the place of a ply from 1 on")
        check_plies(self.ply, len(self.moves), self.comments, self.glyphs, self.offers, self.variations)
        depth = 1 + max((one.depth for one in self.variations), default=0)
        if depth > MOST_DEPTH:
            raise ValueError(f"variations stand within each other more than {MOST_DEPTH} deep")
        object.__setattr__(self, "depth", depth)


def check_plies(
    first: int, count: int, comments: Notes, glyphs: Glyphs, offers: tuple[int, ...], variations: tuple[Variation, ...]
) -> None:
    """Hold the notes of a line of `count` moves from ply `first` on against its plies.

    Raises:
        ValueError: something belongs to no ply of the line.
    """
    said = [ply for ply, _ in comments] + [ply for ply, _ in glyphs]
    at_moves = [*offers, *(one.ply for one in variations)]
    last = first + count - 1
    if any(not first - 1 <= ply <= last for ply in said) or any(not first <= ply <= last for ply in at_moves):
        whole = f"the game has {count} plies" if first == 1 else f"the line has the plies {first} to {last}"
        raise ValueError(f"{whole}; a comment, a mark, an offer or a variation names another")


def count_variations(variations: tuple[Variation, ...]) -> int:
    """Number of variations, with those within each other."""
    return len(variations) + sum(count_variations(one.variations) for one in variations)


def check_moves(start: Position, moves: tuple[int, ...], variations: tuple[Variation, ...], first: int = 1) -> None:
    """Play a line and all beside it.

    Args:
        start: the position before the line.
        moves: its hole numbers.
        variations: the lines beside it.
        first: the ply of its first move.

    Raises:
        ValueError: a move of a variation cannot be played, named by its ply; or one of the line itself.
    """
    for one, before in _beside(start, moves, variations, first):
        position = before
        for ply, hole in enumerate(one.moves, one.ply):
            refused = position.problem(hole)
            if refused is not None:
                raise ValueError(f"a variation at ply {one.ply}, ply {ply}: {refused}")
            position = position.play(hole)
        check_moves(before, one.moves, one.variations, one.ply)


def _beside(
    start: Position, moves: tuple[int, ...], variations: tuple[Variation, ...], first: int
) -> Iterator[tuple[Variation, Position]]:
    """The variations with the positions where they begin."""
    position, reached = start, first
    for one in sorted(variations, key=lambda one: one.ply):
        while reached < one.ply:
            position = position.play(moves[reached - first])
            reached += 1
        yield one, position
