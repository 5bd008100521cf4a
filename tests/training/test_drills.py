"""Drills: questions of a seed are the same twice, all different, and right by the rules."""

from __future__ import annotations

import pytest

from korgool.rules import GAMES, Side
from korgool.training.drills import Drill, drills_of, questions
from korgool.training.questions import Way

DRILLS = [(game, drill) for game in GAMES for drill in drills_of(GAMES[game])]


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
            reached = sown.after.stores[0] >= GAMES[game].goal
            assert one.right == ("yes" if reached else "no",)
        elif drill is Drill.HOME:
            fall = [[(drop.side, drop.hole > 0) for drop in position.sow(h).drops] for h in position.legal_moves()]
            assert one.right == (str(sum(set(drops) == {(Side.WHITE, True)} for drops in fall)),)
        else:
            assert one.right[0] in one.answers
    # Whoever always says the same is right about as often as not.
    if made[0].way is Way.CHOICE:
        usual = max(sum(one.right == (answer,) for one in made) for answer in {one.right[0] for one in made})
        assert usual <= 30


def test_only_who_plays_to_a_goal_counts_to_it() -> None:
    assert [Drill.REACH in drills_of(GAMES[game]) for game in GAMES] == [bool(GAMES[game].goal) for game in GAMES]
