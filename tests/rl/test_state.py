"""One game in place: it goes by the rules, back and forth."""

from __future__ import annotations

import copy
import pickle
from random import Random

import numpy as np
import pytest

from korgool.engine.kernel import pack
from korgool.rl import State
from korgool.rules import GAMES, Position

from .reference import FEW, MANY, outcome_of, random_plies


def follow(name: str, games: int, random: Random) -> int:
    """Random games there and back again; how many ended by repetition."""
    repeated = 0
    for _ in range(games):
        state, told = State(name), list[tuple[Position, tuple[int, ...], object]]()
        for _, hole, game, outcome in random_plies(GAMES[name], random, 600):
            told.append((state.position, state.legal, state.outcome))
            state.play(hole)
            assert (state.position, state.outcome) == (game.position, outcome), game
            assert state.legal == (() if outcome else game.position.legal_moves()), game
            assert (state.turn, state.plies, state.over) == (
                game.position.to_move,
                len(game.moves),
                outcome is not None,
            )
        assert state.observation.tobytes() == pack(game.position)
        assert state.moves == game.moves
        assert state.outcome == outcome_of(game)
        repeated += outcome is not None and outcome.termination == "repetition"
        if outcome is not None:
            with pytest.raises(ValueError, match="the game is over"):
                state.play(1)
        for hole, before in zip(reversed(game.moves), reversed(told), strict=True):
            assert state.undo() == hole
            assert (state.position, state.legal, state.outcome) == before, game
        assert (state.plies, state.moves) == (0, ())
    return repeated


@pytest.mark.parametrize("name", GAMES)
def test_random_games_go_by_the_rules(name: str) -> None:
    follow(name, FEW[name], Random(f"state {name}"))


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_ten_thousand_random_games_go_by_the_rules(name: str) -> None:
    repeated = follow(name, MANY, Random(f"states {name}"))
    assert repeated == 0 if name == "mangala" else repeated >= (name == "bestemshe")


def test_games_longer_than_the_room_at_first() -> None:
    """A game that goes round is found by the second occurrence of a position, then played on where nothing ends it."""
    random, found = Random(1), State("bestemshe", rules={"threefold": 2})
    while found.outcome is None or found.outcome.termination != "repetition":
        if found.over:
            found = State("bestemshe", rules={"threefold": 2})
        found.play(random.choice(found.legal))
    moves, last = list(found.moves), found.position
    found.undo()
    while found.position != last:
        found.undo()
    cycle = moves[found.plies :]
    state = State("bestemshe", rules={"threefold": 0})
    for hole in moves + cycle * 300:
        state.play(hole)
        assert not state.over
    assert (state.position.holes, state.plies) == (last.holes, len(moves) + 300 * len(cycle))
    assert state.plies > 600
    made = state.clone()
    for hole in reversed(cycle * 300):
        assert state.undo() == hole
    assert state.moves == tuple(moves)
    assert made.plies > state.plies


def test_copies_go_their_own_way() -> None:
    state = State("mangala", rules={"sweep": "owner"})
    for hole in (4, 1, 6):
        state.play(hole)
    for made in (state.clone(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert made == state
        assert (made.rules, made.moves, made.legal, made.turn) == (state.rules, state.moves, state.legal, state.turn)
        hole = made.legal[0]
        made.play(hole)
        assert made != state
        assert (state.plies, made.undo()) == (3, hole)
        assert made == state
    assert state != State("mangala")
    assert state != 3
    with pytest.raises(TypeError, match="unhashable"):
        hash(state)
    assert repr(state) == f"<State of mangala after 3 plies: {state.position}>"


def test_a_set_up_position() -> None:
    text = "2,T,24S,2S,9S,3S,9S,9S/2S,11S,2S,T,2,9S,9S,4S 30 39 N 16"
    state = State("toguz", text)
    assert (state.position, state.turn) == (Position.parse(text), 1)
    state.play(np.int64(6))  # type: ignore[arg-type]  # as a number of NumPy comes
    assert state.position == Position.parse(text).play(6)
    assert pickle.loads(pickle.dumps(state)) == state
