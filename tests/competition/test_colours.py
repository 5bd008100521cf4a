"""Colour preferences by FIDE C.04.3 art. 1.7, and which of them may meet (criterion C3)."""

from __future__ import annotations

from itertools import product

import pytest

from korgool.competition.pairing.colours import Preference, Strength, may_meet, preference
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
