"""Arrows and rings on a position, as commands in a comment on it: rings as `[%csl Ga1,Rb2]`, arrows as `[%cal Gf1e2]`.

This is how programs of chess write them, with the holes as `korgool.notation.coordinates` names them. A comment with
such commands is a comment like any other: readers that do not know them show them, and nobody loses them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from korgool.notation.coordinates import format_place, parse_place
from korgool.notation.moves import NotationError
from korgool.rules import Side

COLOURS = {"G": "green", "R": "red", "B": "blue", "Y": "yellow"}
"""The colours by the letters that stand for them."""
_COMMAND = re.compile(
    r"\[%(?:csl [GRBY][a-i][12](?:,[GRBY][a-i][12])*|cal [GRBY][a-i][12][a-i][12](?:,[GRBY][a-i][12][a-i][12])*)\]"
)
Place = tuple[Side, int]
"""A side and the number of its hole."""


@dataclass(frozen=True, slots=True)
class Shape:
    """An arrow from one hole to another, or a ring around a hole.

    Attributes:
        colour: `green`, `red`, `blue` or `yellow`.
        start: the hole where it begins, or that it surrounds.
        end: the hole to which an arrow points; None for a ring.
    """

    colour: str
    start: Place
    end: Place | None = None


def read_shapes(comment: str, holes: int) -> tuple[str, tuple[Shape, ...]]:
    """The words of a comment without its commands, and what they draw; the last one of a place counts.

    A command that names no hole of the board, or an arrow to where it begins, is left among the words.

    Args:
        comment: as in `Record.comments`.
        holes: holes of each side.
    """
    drawn = dict[tuple[Place, Place | None], Shape]()

    def take(match: re.Match[str]) -> str:
        try:
            shapes = [_shape(word, holes) for word in match[0][6:-1].split(",")]
        except NotationError:
            return match[0]
        for shape in shapes:
            drawn.pop((shape.start, shape.end), None)
            drawn[shape.start, shape.end] = shape
        return " "

    said = _COMMAND.sub(take, comment)
    return (" ".join(said.split()) if drawn else comment), tuple(drawn.values())


def write_shapes(shapes: Iterable[Shape], holes: int) -> str:
    """The commands that draw these shapes, rings first; empty without any.

    Args:
        shapes: each place once.
        holes: holes of each side.
    """
    words = dict[str, list[str]](csl=[], cal=[])
    letters = {colour: letter for letter, colour in COLOURS.items()}
    for shape in shapes:
        to = "" if shape.end is None else format_place(*shape.end, holes)
        words["cal" if to else "csl"].append(letters[shape.colour] + format_place(*shape.start, holes) + to)
    return "".join(f"[%{name} {','.join(some)}]" for name, some in words.items() if some)


def _shape(word: str, holes: int) -> Shape:
    start, to = parse_place(word[1:3], holes), word[3:]
    end = parse_place(to, holes) if to else None
    if start == end:
        raise NotationError("an arrow ends elsewhere than it begins")
    return Shape(COLOURS[word[0]], start, end)
