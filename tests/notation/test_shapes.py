"""Arrows and rings within comments: what is written is read again, and whatever is none stays text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.notation import Shape, parse_records, read_shapes, write_record, write_shapes
from korgool.notation.shapes import COLOURS
from korgool.rules import Side

HOLES = st.sampled_from((5, 6, 9))


@st.composite
def drawn(draw: st.DrawFn) -> tuple[int, list[Shape]]:
    """The number of holes of each side, and shapes of different places, rings first."""
    holes = draw(HOLES)
    place = st.tuples(st.sampled_from(Side), st.integers(1, holes))
    pairs = draw(st.lists(st.tuples(place, st.none() | place), unique=True, max_size=8))
    shapes = [Shape(draw(st.sampled_from(sorted(COLOURS.values()))), *pair) for pair in pairs if pair[0] != pair[1]]
    return holes, sorted(shapes, key=lambda shape: shape.end is not None)


@given(drawn(), st.sampled_from(("", "so", "a, b [%clk 0:10]")), st.booleans())
def test_what_is_drawn_is_read_again(some: tuple[int, list[Shape]], said: str, before: bool) -> None:
    holes, shapes = some
    commands = write_shapes(shapes, holes)
    comment = " ".join(filter(None, (commands, said) if before else (said, commands)))
    assert read_shapes(comment, holes) == (said, tuple(shapes))


@pytest.mark.parametrize(
    ("comment", "said", "count"),
    [
        ("plain  with   gaps", "plain  with   gaps", 0),
        ("[%csl Ga1,Ga1,Ra1] x", "x", 1),
        ("a [%csl Ga1] b [%cal Ga1b1]", "a b", 2),
        ("[%csl Gf1]", "[%csl Gf1]", 0),
        ("[%cal Ga1a1]", "[%cal Ga1a1]", 0),
        ("[%csl Ka1] [%csl ga1] [%csl Ga3] [%cal Ga1]", "[%csl Ka1] [%csl ga1] [%csl Ga3] [%cal Ga1]", 0),
        ("[%csl Gf1] [%csl Ra2]", "[%csl Gf1]", 1),
        ("[%eval 3.2] [%csl]", "[%eval 3.2] [%csl]", 0),
    ],
)
def test_what_is_no_command_stays_text(comment: str, said: str, count: int) -> None:
    found = read_shapes(comment, 5)
    assert (found[0], len(found[1])) == (said, count)


def test_records_keep_commands_letter_by_letter() -> None:
    text = "{[%csl Ga1]} 1. 76(10) {[%cal Gf1e2][%csl Rb2] so} 1... 55(10) *"
    (record,) = parse_records(text)
    assert write_record(record).split("\n\n")[1] == text
    assert read_shapes(record.comments[1][1], 9) == (
        "so",
        (Shape("green", (Side.WHITE, 6), (Side.BLACK, 5)), Shape("red", (Side.BLACK, 8))),
    )
