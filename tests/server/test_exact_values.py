"""What tables and the solver know about the moves of a position, and the door of the analysis board to it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

import httpx
import pytest

from korgool.app.server.engines.engine_pool import EnginePool
from korgool.app.server.engines.exact_values import within_reach
from korgool.engine.solving import Solver
from korgool.rules import GAMES, Game, Position, Rules, Side
from tests.conftest import SEED
from tests.patience import PATIENCE

from .support import Server, Visitor, run_async

SOURCES = {"rules", "table", "solver"}


def endings(rules: Rules, count: int) -> list[Position]:
    """Positions of random games near their ends, all within reach."""
    random, found = Random(f"endings {SEED} {rules.name}"), list[Position]()
    while len(found) < count:
        game = Game(rules)
        while game.outcome() is None and len(game.moves) < 300:
            game.play(random.choice(game.position.legal_moves()))
        near = [one for one in game.positions if one.outcome() is None and within_reach(one)]
        if near:
            found.append(random.choice(near[-len(near) // 2 :]))
    return found


def length(position: Position, solver: Solver) -> int | None:
    """Plies of perfect play from a position to its end, None where it goes round."""
    seen, plies = {position}, 0
    while position.outcome() is None:
        values, now = solver.solve(position).moves, position
        left = {move: sum(map(sum, now.play(move).holes)) for move in values}
        position = now.play(max(values, key=lambda move: (values[move], -left[move], -move)))
        plies += 1
        if position in seen:
            return None
        seen.add(position)
    return plies


@pytest.mark.parametrize("game", GAMES)
def test_values_are_those_of_the_solver(game: str) -> None:
    """Asked in another way: without tables, one position after the other."""
    rules, solver = GAMES[game], Solver(GAMES[game], memory=256 << 20)

    async def test() -> None:
        room, exact, far = EnginePool(1), 0, 0
        for position in endings(rules, 6):
            moves = await room.values(position)
            wanted = solver.solve(position).moves
            for one in moves:
                after = position.play(one.move)
                if one.difference is not None:
                    assert one.difference == wanted[one.move], (str(position), one)
                    sign = 0 if one.winner is None else 1 if one.winner is position.to_move else -1
                    assert (one.difference > 0) - (one.difference < 0) == sign
                assert (one.source == "rules") is (after.outcome() is not None)
                if one.plies is not None:
                    further = length(after, solver)
                    assert one.plies - 1 == further, (str(position), one)
                    far += one.plies > 1
                exact += 1
        assert exact > 8
        assert far
        room.cancel()
        room.close()

    run_async(test())


@pytest.fixture
def asked(server: Server) -> httpx.Client:
    """Somebody who asks, from an address of their own."""
    return httpx.Client(base_url=server.url, timeout=PATIENCE)


def test_the_door_says_what_is_certain_and_by_what(asked: httpx.Client) -> None:
    start = asked.post("/api/analysis/values", json={"game": "mangala"}).json()["moves"]
    assert [(one["move"], one["result"], one["difference"]) for one in start][4] == (5, "draw", 0)
    assert {one["source"] for one in start} == {"solver"}
    assert len(start) == 6
    # Nothing is known of the start of toguz korgool.
    assert asked.post("/api/analysis/values", json={"game": "toguz"}).json() == {"moves": []}
    late = {"game": "toguz", "position": "1S,8/7,1S,1S 80 79 S 90"}
    answer = asked.post("/api/analysis/values", json=late).json()["moves"]
    assert {one["move"] for one in answer} == {8, 9}
    assert {one["source"] for one in answer} <= SOURCES
    assert all(one["text"].startswith(str(one["move"])) for one in answer)
    over = {"game": "toguz", "position": "9/9 81 81 S 90"}
    assert asked.post("/api/analysis/values", json=over).status_code == 422
    assert asked.post("/api/analysis/values", json={"game": "toguz", "moves": [11]}).status_code == 422


def test_few_questions_of_a_visitor_wait_at_once(server: Server, asked: httpx.Client) -> None:
    eager = Visitor(server)
    eager.new_game()
    body = {"game": "bestemshe", "position": str(endings(GAMES["bestemshe"], 1)[0])}
    with ThreadPoolExecutor(20) as crowd:
        ask = lambda _: eager.client.post("/api/analysis/values", json=body, timeout=PATIENCE)  # noqa: E731
        answers = list(crowd.map(ask, range(20)))
    assert {answer.status_code for answer in answers} <= {200, 429}
    assert any(answer.status_code == 200 for answer in answers)
    assert asked.post("/api/analysis/values", json={"game": "mangala"}).status_code == 200


def test_a_win_is_of_the_side_that_moves(asked: httpx.Client) -> None:
    position = Position.parse("1S,8/7,1S,1S 80 79 S 90", GAMES["toguz"])
    for one in asked.post("/api/analysis/values", json={"game": "toguz", "position": str(position)}).json()["moves"]:
        outcome = position.play(one["move"]).outcome()
        if outcome is not None:
            assert one["result"] == (
                "draw" if outcome.winner is None else "win" if outcome.winner is Side.WHITE else "loss"
            )
            assert (one["plies"], one["source"]) == (1, "rules")
