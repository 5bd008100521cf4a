"""Real games, conducted: the referee comes to the endings that were printed, and the clock to the times that passed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from korgool.conduct import By, Event, GameState, Refusal, RulingKind, TimeControl, apply
from korgool.conduct.events import Action, ClockFault, Move, Press, Restore, Start
from korgool.conduct.summary import summary
from korgool.rules import TOGUZ_KORGOOL, Side
from tests.slices import drawn

SHORTEST = 11


def conduct(moves: tuple[int, ...]) -> GameState:
    """White takes 2 seconds for a move and Black 3; each offers nothing and presses."""
    state, at = GameState(), 0

    def act(by: By, action: Action, passed: int) -> None:
        nonlocal state, at
        at += passed
        answer = apply(state, Event(at, by, action))
        assert not isinstance(answer, Refusal), answer
        state, _ = answer

    act(By.REFEREE, Start(TOGUZ_KORGOOL, TimeControl(3_600_000)), 0)
    for ply, hole in enumerate(moves):
        by = (By.WHITE, By.BLACK)[ply % 2]
        act(by, Move(hole), 1_000 + 1_000 * (ply % 2))
        act(by, Press(), 1_000)
    return state


@pytest.mark.parametrize("part", drawn("conducted games", range(4)))
def test_online_games_end_as_printed(shared: Path, part: int) -> None:
    ended = 0
    for line in (shared / "data" / "games_online.jsonl").read_text(encoding="utf-8").splitlines()[part::4]:
        game = json.loads(line)
        moves = tuple(map(int, game["moves"]))
        state = conduct(moves)
        found, final = summary(state), game["final"]
        assert state.game().moves == moves
        turns = len(moves)
        assert found["clock"] == {"white": 3600 - 2 * ((turns + 1) // 2), "black": 3600 - 3 * (turns // 2)}
        if state.ending is None:
            assert found["stores"] == {"white": final["kazan"][0], "black": final["kazan"][1]}
            continue
        ended += 1
        assert found["result"] == game["result"]
        assert (found["termination"] == "no_move") == game["ended_zero"]
    assert ended > 50


def test_shortest_games_reach_82(shared: Path) -> None:
    for line in (shared / "data" / "shortest_games.txt").read_text(encoding="utf-8").splitlines()[::20]:
        moves, white, black = line.split()
        found = summary(conduct(tuple(map(int, moves))))
        assert found["result_text"] == f"1 ({white}) - 0 ({black})"
        assert found["termination"] == "majority"
        assert len(moves) == SHORTEST


def test_times_below_nothing_are_refused() -> None:
    """A log cannot say so; a program can."""
    state = conduct(())
    for action in (ClockFault(-1, None), Restore("", -1), Restore("", None, -1)):
        by = By.REFEREE if isinstance(action, Restore) else By.WHITE
        answer = apply(state, Event(5, by, action))
        assert isinstance(answer, Refusal)
        assert "below 0" in answer.reason


def test_a_state_can_be_gone_on_from_twice() -> None:
    state = conduct((7, 1))
    endings = set()
    for side in Side:
        by = (By.WHITE, By.BLACK)[side]
        from korgool.conduct.events import Resign

        answer = apply(state, Event(state.now, by, Resign()))
        assert not isinstance(answer, Refusal)
        assert answer[1] is not None
        assert answer[1].kind is RulingKind.RESIGNED
        endings.add(summary(answer[0])["result"])
    assert endings == {"1-0", "0-1"}
    assert state.ending is None
