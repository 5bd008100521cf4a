"""Colour preferences by FIDE C.04.3 art. 1.7, and which of them may meet (criterion C3)."""

from __future__ import annotations

from itertools import product

import pytest

from korgool.competition.pairing.colours import Preference, Strength, allocate, may_meet, preference
from korgool.competition.round_history import Meeting, RoundKind


def due(colours: str) -> Preference:
    """The preference after rounds with White, Black or no game: `WB-`."""
    played = {"W": True, "B": False}
    return preference(
        Meeting(
            round=number,
            kind=RoundKind.PLAYED if colour in played else RoundKind.BYE,
            opponent=2 if colour in played else None,
            white=played.get(colour),
        )
        for number, colour in enumerate(colours, 1)
    )


@pytest.mark.parametrize(
    ("colours", "white", "strength"),
    [
        ("", None, Strength.NONE),
        ("--", None, Strength.NONE),
        ("W", False, Strength.STRONG),
        ("B", True, Strength.STRONG),
        ("WB", True, Strength.MILD),
        ("BW", False, Strength.MILD),
        ("W-B", True, Strength.MILD),
        ("WBW", False, Strength.STRONG),
        ("BWB", True, Strength.STRONG),
        ("WW", False, Strength.ABSOLUTE),
        ("B-B", True, Strength.ABSOLUTE),
        ("WBB", True, Strength.ABSOLUTE),
        ("BWW", False, Strength.ABSOLUTE),
        ("WWBB", True, Strength.ABSOLUTE),
        ("WWBWB", False, Strength.STRONG),
        ("WWBWBW", False, Strength.ABSOLUTE),
        ("WWWBB", True, Strength.ABSOLUTE),
        ("WWWWBB", False, Strength.ABSOLUTE),
    ],
)
def test_the_preference_after_some_games(colours: str, white: bool | None, strength: Strength) -> None:
    found = due(colours)
    assert (found.white, found.strength) == (white, strength)
    assert found.difference == colours.count("W") - colours.count("B")


def test_equal_absolute_preferences_meet_only_where_one_is_a_topscorer() -> None:
    histories = ("", "W", "B", "WB", "BW", "WW", "BB", "BWW", "WBB")
    for one, other in product(map(due, histories), repeat=2):
        clash = one.strength is other.strength is Strength.ABSOLUTE and one.white is other.white
        assert may_meet(one, other, topscorer=False) is not clash
        assert may_meet(one, other, topscorer=True)


@pytest.mark.parametrize(
    ("first", "second", "first_white", "article"),
    [
        ("B", "W", True, "5.2.1"),
        ("W", "B", False, "5.2.1"),
        ("W", "", False, "5.2.1"),
        ("B", "", True, "5.2.1"),
        ("", "W", True, "5.2.1"),
        ("", "B", False, "5.2.1"),
        ("WW", "W", False, "5.2.2"),
        ("W", "WW", True, "5.2.2"),
        ("BB", "B", True, "5.2.2"),
        ("B", "BB", False, "5.2.2"),
        ("WB", "B", False, "5.2.2"),
        ("WWW", "BWW", False, "5.2.2"),
        ("BWW", "WWW", True, "5.2.2"),
        ("BBB", "WBB", True, "5.2.2"),
        ("WBB", "BBB", False, "5.2.2"),
        ("BWWB", "WBWB", False, "5.2.3"),
        ("WBWB", "BWWB", True, "5.2.3"),
        ("BWBW", "BWW", True, "5.2.2"),
        ("W", "WBW", False, "5.2.4"),
        ("B", "BWB", True, "5.2.4"),
        ("B-", "B", True, "5.2.4"),
        ("WW", "WW", False, "5.2.4"),
    ],
)
def test_who_gets_which_colour(first: str, second: str, first_white: bool, article: str) -> None:
    """C.04.3 art. 5.2: the first rule that tells the two apart decides, the lot last of all."""
    for number, white_first in product((1, 2), (True, False)):
        found = allocate(due(first), due(second), first_number=number, white_first=white_first)
        assert (found.first_white, found.article) == (first_white, article)


@pytest.mark.parametrize(
    ("number", "lot", "white"), [(1, True, True), (2, True, False), (3, False, False), (4, False, True)]
)
def test_odd_numbers_get_the_colour_of_the_lot(number: int, lot: bool, white: bool) -> None:
    found = allocate(due(""), due("-"), first_number=number, white_first=lot)
    assert (found.first_white, found.article) == (white, "5.2.5")
