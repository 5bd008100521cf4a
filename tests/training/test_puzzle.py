"""Puzzles as values and as lines of JSON: what is read is what was written, and everything else is refused."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import pytest

from korgool.training.puzzle import LONGEST_LINE, Puzzle, PuzzleError, read_puzzle, read_puzzles, write_puzzles
from korgool.training.themes import themes_of
from tests.training.puzzles import AGAIN, CAPTURE, EMPTY, ENDING, QUIET, TUZ

ALL = [replace(one, themes=themes_of(one), rating=500) for one in (QUIET, CAPTURE, TUZ, ENDING, EMPTY, AGAIN)]


def written(puzzle: Puzzle, **changes: Any) -> str:
    """The line of a puzzle, with other members."""
    return json.dumps({**puzzle.to_json(), **changes})


@pytest.mark.parametrize("puzzle", ALL)
def test_a_line_is_read_as_it_was_written(puzzle: Puzzle) -> None:
    (line,) = write_puzzles([puzzle])
    assert read_puzzle(line) == puzzle
    assert " ".join(json.loads(line)) == "id game position moves goal proof gap themes rating source"


def test_the_id_is_that_of_the_position() -> None:
    assert QUIET.id == "toguz-89b714c797f1"
    assert replace(QUIET, moves=((1,),)).id == QUIET.id
    assert len({one.id for one in ALL}) == len(ALL)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"moves": []}, "1 to 24 plies"),
        ({"moves": [[1]]}, "ply 1"),
        ({"moves": [[9, 9]]}, "twice"),
        ({"moves": [[]]}, "none"),
        ({"moves": [[9], [1]]}, "ends with a move of the opponent"),
        ({"moves": [[9], [1, 3], [3]]}, "ply 2: several"),
        ({"moves": [[9, 8], [1], [3]]}, "ply 1: several"),
        ({"moves": [[2, 3, 4, 5, 6, 7, 8, 9]]}, "no move is left"),
        ({"moves": [[9.0]]}, "whole number"),
        ({"moves": [["9"]]}, "whole number"),
        ({"moves": [9]}, "a list"),
        ({"moves": [[9]] * 65}, "a list of at most"),
        ({"moves": None}, "a list"),
        ({"goal": "mate"}, "goal is one of"),
        ({"goal": []}, "goal is one of"),
        ({"proof": "hearsay"}, "proof is one of"),
        ({"gap": -1}, "gap"),
        ({"gap": True}, "gap"),
        ({"gap": "4"}, "gap"),
        ({"rating": 10_000}, "rating"),
        ({"rating": 1.5}, "rating"),
        ({"themes": "quiet"}, "themes"),
        ({"themes": [1]}, "a theme"),
        ({"source": "x" * 201}, "source"),
        ({"source": 3}, "source"),
        ({"id": "toguz-0"}, "the id of this position"),
        ({"game": "chess"}, "game is one of"),
        ({"game": "mangala"}, "position"),
        ({"position": "9S/9S 0 0 S 1"}, "position"),
        ({"position": 7}, "position"),
        ({"position": "82,82/1,1 82 80 S 9"}, "position"),
        ({"extra": 1}, "not known: extra"),
    ],
)  # fmt: skip
def test_what_is_no_puzzle_is_refused_with_the_reason(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(PuzzleError, match=reason):
        read_puzzle(written(ALL[0], **changes))


@pytest.mark.parametrize("name", ALL[0].to_json())
def test_every_member_is_needed(name: str) -> None:
    said = ALL[0].to_json()
    del said[name]
    with pytest.raises(PuzzleError, match=f"lacks {name}"):
        read_puzzle(json.dumps(said))


@pytest.mark.parametrize("text", [b"", b"[]", b"7", b"null", b"{", b"\xff\xfe", b"[" * 5000, b'{"id": NaN}'])
def test_no_text_is_read_by_half(text: bytes) -> None:
    with pytest.raises(PuzzleError):
        read_puzzle(text)


def test_a_file_goes_on_after_a_bad_line_and_a_line_without_an_end() -> None:
    good = written(ALL[0]).encode()
    long = b'{"source": "' + b"x" * 3_000_000 + b'"}'
    told = list(read_puzzles(io.BytesIO(b"\n".join([good, b"{", b"", long, good]))))
    assert [number for number, _ in told] == [1, 2, 4, 5]
    assert [isinstance(one, Puzzle) for _, one in told] == [True, False, False, True]
    assert f"{LONGEST_LINE:,} bytes" in str(told[2][1])


def test_plies_of_an_extra_turn_follow_each_other() -> None:
    """Hole 3 of the first puzzle of mangala ends in the own store: White goes on."""
    goes_on = replace(AGAIN, moves=((3,), (4,)))
    assert [one.mover.name for one in goes_on.sowings()] == ["WHITE", "WHITE"]
    with pytest.raises(PuzzleError, match="several"):
        replace(AGAIN, moves=((3, 5), (4,))).sowings()
