"""Drawn positions that a side cannot bring to an end, and the claim that an organiser can allow."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from korgool.engine.tables import Draws, build
from korgool.rules import BESTEMSHE, MANGALA, TOGUZ_KORGOOL, Game, Position, Rules, Side
from korgool.rules.unending import MOST_STONES, is_unending_draw
from tests.tables.naive_draws import starts

NAMED = TOGUZ_KORGOOL.with_option("drawn_position", "yes")
CIRCLE = "1S,8/8,1S 81 79 S 1"


def turned(position: Position) -> Position:
    """The same with the colours exchanged."""
    return replace(
        position,
        holes=position.holes[::-1],
        stores=position.stores[::-1],
        tuz=position.tuz[::-1],
        to_move=position.to_move.other,
    )


@pytest.mark.parametrize(
    ("rules", "layers"), [(TOGUZ_KORGOOL, (2, 3, 4)), (BESTEMSHE, (2, 4))], ids=["toguz", "bestemshe"]
)
def test_the_proof_finds_what_the_tables_find(rules: Rules, layers: tuple[int, ...], tmp_path: Path) -> None:
    """Of 2 and 3 stones all positions are compared, of 4 some."""
    most = max(layers)
    draws = Draws.build(build(rules, most, folder=tmp_path, falling=rules.tuz), most, folder=tmp_path)
    for stones in layers:
        listed = set(draws.positions(stones))
        for position in starts(rules, stones)[:: {2: 1, 3: 3, 4: 307}[stones]]:
            assert is_unending_draw(position) is (position in listed), position
            if stones == 2:
                assert is_unending_draw(turned(position)) is (position in listed)


def test_only_few_stones_and_games_that_go_on() -> None:
    circle = Position.parse(CIRCLE, NAMED)
    assert is_unending_draw(circle)
    assert not is_unending_draw(NAMED.start())
    assert not is_unending_draw(replace(circle, stores=(82, 78)))
    many = replace(circle, holes=((0, 0, 0, 0, 0, 0, 0, 0, 1), (2, 2, 0, 0, 0, 0, 0, 0, 0)), stores=(81, 76))
    assert sum(map(sum, many.holes)) == MOST_STONES + 1
    assert not is_unending_draw(many)


def test_games_that_always_end_have_none() -> None:
    assert not is_unending_draw(Position.parse("5,1S/1S,5 23 23 S 1", MANGALA))
    assert not is_unending_draw(Position.parse("8,1S/1,t,6,1S 79 81 S 1", TOGUZ_KORGOOL))


def test_the_claim_is_off_by_default() -> None:
    """docs/rules/options.md: a named option, which changes nothing where it is off."""
    assert not TOGUZ_KORGOOL.drawn_position
    assert Game(Position.parse(CIRCLE, TOGUZ_KORGOOL)).claims() == ()
    (claim,) = Game(Position.parse(CIRCLE, NAMED)).claims()
    assert (claim.reason, claim.clause, claim.plies) == ("drawn_position", "WNG-TK §V, §X", ())
    going = Game(Position.parse(CIRCLE, NAMED), [9, 9])
    assert [claim.reason for claim in going.claims()] == ["drawn_position"]


def test_nobody_can_break_out_of_a_claimed_position() -> None:
    """Whatever is played from the circle: the side with 81 never ends it, as long as the other goes round."""
    at = Position.parse(CIRCLE, NAMED)
    for _ in range(40):
        moves = at.legal_moves()
        at = at.play(moves[-1] if at.to_move is Side.BLACK else moves[0])
        assert at.outcome() is None
        assert is_unending_draw(at)
