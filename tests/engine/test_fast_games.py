"""Whole games at a millisecond a move: no crash, no illegal move, no flag. `-m long` plays ten thousand."""

from __future__ import annotations

import os
import time
from random import Random
from typing import Any

import pytest

from korgool.engine.limits import Limits
from korgool.engine.search import Engine
from korgool.rules import GAMES, Game

LATE = 0.25
"""Seconds by which an answer may be late on a busy machine."""


def play(engine: Engine, random: Random, seconds: float, plies: int = 500) -> tuple[int, float]:
    """One game of the engine with itself after a random opening; its plies and the latest answer, in seconds."""
    game, latest = Game(engine.rules), 0.0
    for _ in range(random.randint(0, 8)):
        if game.outcome() is None:
            game.play(random.choice(game.position.legal_moves()))
    while game.outcome() is None and len(game.moves) < plies:
        if any(claim.reason == "threefold" for claim in game.claims()):
            break
        began = time.thread_time()
        analysis = engine.analyse(game.position, Limits(seconds=seconds), history=game.positions[:-1])
        latest = max(latest, time.thread_time() - began - seconds)
        game.play(analysis.move)  # raises when it is not legal
    return len(game.moves), latest


@pytest.mark.parametrize("name", GAMES)
def test_games_at_a_millisecond_a_move(name: str) -> None:
    engine, random = Engine(GAMES[name], table_mib=1), Random(f"fast {name}")
    for _ in range(3):
        plies, latest = play(engine, random, 0.001)
        assert plies >= 8
        assert latest < LATE


@pytest.mark.long
@pytest.mark.parametrize(("seconds", "games"), [(0.001, 10_000), (0.05, 500)])
@pytest.mark.parametrize("name", GAMES)
def test_many_fast_games(name: str, seconds: float, games: int) -> None:
    """Shared out over the four games; KORGOOL_FAST_GAMES is the part of them that is played, 1 unless told."""
    share = float(os.environ.get("KORGOOL_FAST_GAMES", "1")) / len(GAMES)
    engine, random = Engine(GAMES[name], table_mib=1), Random(f"many {name}")
    late = [play(engine, random, seconds)[1] for _ in range(max(1, round(games * share)))]
    assert max(late) < LATE


def test_the_protocol_at_a_millisecond_a_move(talk: Any) -> None:
    """As a match runner plays: every move by `go movetime 1`, or with clocks that run out."""
    game, random = Game(GAMES["toguz"]), Random(1)
    while game.outcome() is None:
        line = " ".join(map(str, game.moves))
        talk.say("position startpos" + (f" moves {line}" if line else ""))
        go = random.choice(
            ["go movetime 1", "go p1time 1 p2time 1", "go p1time 0 p2time -5 p1inc 1 p2inc 1", "go nodes 40"]
        )
        game.play(int(talk.best(go)))
    assert game.outcome() is not None
