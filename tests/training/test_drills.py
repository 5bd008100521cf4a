"""Drills: questions of a seed are the same twice, all different, and right by the rules."""

from __future__ import annotations

import pytest

from korgool.rules import GAMES, Side
from korgool.training.drills import Drill, questions
from korgool.training.questions import Way, winning_count

DRILLS = [(game, drill) for game in GAMES for drill in Drill]
WINS = {"toguz": 82, "mangala": 25, "castle": 25, "bestemshe": 26}


@pytest.mark.parametrize(("game", "drill"), DRILLS)
def test_questions_of_a_drill(game: str, drill: Drill) -> None:
    made = questions(game, drill, 1, 40)
    assert made == questions(game, drill, 1, 40) != questions(game, drill, 2, 40)
    assert len({(one.position, one.move if drill is not Drill.HOME else 0) for one in made}) == len(made) == 40
    for one in made:
        position = one.position
        assert position.to_move is Side.WHITE
        assert position.outcome() is None
        assert sum(map(sum, position.holes)) + sum(position.stores) == GAMES[game].total
        sown = position.sow(one.move)
        if drill is Drill.REACH:
            reached = sown.after.stores[0] >= WINS[game]
            assert one.right == ("yes" if reached else "no",)
            assert max(position.stores) < WINS[game]
            assert 0 < WINS[game] - position.stores[0] <= sown.after.stores[0] - position.stores[0] + 3
            assert sown.outcome is None or reached
        elif drill is Drill.HOME:
            fall = [[(drop.side, drop.hole > 0) for drop in position.sow(h).drops] for h in position.legal_moves()]
            assert one.right == (str(sum(set(drops) == {(Side.WHITE, True)} for drops in fall)),)
        else:
            assert one.right[0] in one.answers
    # Whoever always says the same is right about as often as not.
    if made[0].way is Way.CHOICE:
        usual = max(sum(one.right == (answer,) for one in made) for answer in {one.right[0] for one in made})
        assert usual <= 30


@pytest.mark.parametrize("game", GAMES)
def test_who_holds_the_winning_count_cannot_lose(game: str) -> None:
    """However the rest falls: all stones that the other can still get are fewer, and one less may be a draw."""
    rules, count = GAMES[game], winning_count(GAMES[game])
    assert count == WINS[game]
    assert rules.total - count < count
    assert rules.total - (count - 1) >= count - 1
