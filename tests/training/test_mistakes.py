"""Cards of mistakes, checked by the rules."""

from __future__ import annotations

import pytest
from msgspec import structs

from korgool.rules import GAMES
from korgool.training.mistakes import MistakeError, check_mistake, mistake_id
from tests.training.mistakes import mistake


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("plies", [0, 5, 12])
def test_a_card_of_any_game_is_one(game: str, plies: int) -> None:
    card = mistake(game, plies)
    assert str(check_mistake(card)) == card.position


def test_a_position_has_one_id_whatever_the_number_of_its_move() -> None:
    start = str(GAMES["toguz"].start())
    assert mistake_id("toguz", start) == mistake_id("toguz", start[:-1] + "17")
    assert mistake_id("toguz", start) != mistake_id("castle", start)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"game": "chess"}, "no game"),
        ({"position": "nothing"}, "position"),
        ({"position": "x" * 201}, "200 characters"),
        ({"id": "0" * 16}, "the id of this position"),
        ({"played": 0}, "could not be played"),
        ({"right": ()}, "accepted moves"),
        ({"right": (9, 9)}, "accepted moves"),
        ({"right": (1,)}, "is accepted"),
        ({"lines": {"9": (9, 1, 99)}}, "ply 3 of a line"),
        ({"lines": {"9": ()}}, "does not begin"),
        ({"lost": 1.5}, "0 to 1 of a point"),
        ({"lost": float("nan")}, "0 to 1 of a point"),
        ({"stones": -1.0}, "0 to 1 of a point"),
        ({"made": -1}, "out of all bounds"),
        ({"ply": 2001}, "out of all bounds"),
        ({"source": "a/b"}, "address of a game"),
    ],
)
def test_what_the_rules_forbid_is_no_card(change: dict[str, object], reason: str) -> None:
    with pytest.raises(MistakeError, match=reason):
        check_mistake(structs.replace(mistake(), **change))
