"""What `go` is told of limits and clocks: each is answered, what cannot be meant is said, and times are kept."""

from __future__ import annotations

import io
import time
from random import Random
from typing import Any

import pytest

from korgool.engine import Analysis, Engine, Limits
from korgool.engine import ugi as ugi_module
from korgool.engine.ugi import Ugi
from korgool.engine.ugi_words import Told, position_words
from korgool.rules import TOGUZ_KORGOOL, Game, Position
from tests.engine.sessions import OVER, run


@pytest.mark.parametrize(
    "go",
    [
        "go depth 3",
        "go depth 0",
        "go depth -4",
        "go depth 99999999999",
        "go nodes 500",
        "go nodes 0",
        "go movetime 20",
        "go movetime 0",
        "go movetime -5",
        "go movetime x depth 2",
        "go depth",
        "go p1time 500 p2time 500 p1inc 0 p2inc 0",
        "go p1time 0 p2time 0",
        "go p1time -100 p2time -100 p1inc -5 p2inc -5",
        "go p1time 10",
        "go wtime 300 btime 200 winc 5 binc 5",
        "go p1time 300 p2time 200 movestogo 3",
        "go p1time 300 p2time 200 movestogo -3",
        "go p2time 0 delay 30",
        "go byoyomi 30",
        "go p1time -5 byoyomi -30 depth 2",
        "go p2time 10",
        "go rubbish depth 2",
        "go p1time 99999999999999999 depth 2",
    ],
)
def test_every_go_is_answered_by_one_legal_move(go: str) -> None:
    limit = " nodes 2000" if "99999" in go else ""
    lines = run("position startpos moves 7", go + limit)
    answers = [line.split() for line in lines if line.startswith("bestmove")]
    assert len(answers) == 1
    assert answers[0] == lines[-1].split()
    assert int(answers[0][1]) in Game(TOGUZ_KORGOOL, [7]).position.legal_moves()


def test_a_bare_go_thinks_for_about_a_second() -> None:
    began, used = time.monotonic(), time.process_time()
    assert run("go")[-1].startswith("bestmove")
    assert time.monotonic() - began > 0.5
    assert time.process_time() - used < 5


@pytest.mark.parametrize(
    ("go", "least", "most"),
    [
        ("go p1time 60000 p2time 200", 0.0, 0.15),
        ("go p2time 0 delay 400", 0.1, 0.4),
        ("go p2time 300 movestogo 1", 0.1, 0.3),
        ("go byoyomi 300", 0.1, 0.3),
        ("go p2time 100000 movetime 50", 0.04, 0.3),
        ("go p2time 100000 depth 3", 0.0, 0.3),
    ],
)
def test_clocks_of_the_second_player(go: str, least: float, most: float) -> None:
    began, used = time.monotonic(), time.process_time()
    run("position startpos moves 7", go)
    assert least <= time.monotonic() - began
    assert time.process_time() - used < most + 0.3  # the time of this process, whatever else the machine does


@pytest.mark.parametrize(
    ("go", "said"),
    [
        ("go p2time 0", "p2time 0: no time is left, the quickest move is played"),
        ("go btime 0 wtime 9", "p2time 0: no time is left, the quickest move is played"),
        ("go p2time -100", "p2time -100 is raised to 0"),
        ("go p1time 500", "p2time is missing, and that is the clock of the side to move; it counts as 0"),
        ("go p2time 500 p2inc -5", "p2inc -5 is raised to 0"),
        ("go p2time 9999999999999999999999 depth 2", "p2time 9999999999999999999999 is lowered to 10000000000"),
        ("go p2time 500 p1inc 99999999999 depth 2", "p1inc 99999999999 is lowered to 10000000000"),
        ("go p2time 500 movestogo -1", "movestogo -1 is raised to 0"),
        ("go p2time 500 delay -1", "delay -1 is raised to 0"),
        ("go byoyomi -30 depth 2", "byoyomi -30 is raised to 0"),
        ("go p2time 1.5 depth 2", "p2time needs a whole number, not '1.5'"),
        ("go p2time depth 2", "p2time needs a whole number, not 'depth'"),
        ("go movetime 0", "movetime 0 is raised to 1"),
        ("go movetime -7", "movetime -7 is raised to 1"),
        ("go depth 0", "depth 0 is raised to 1"),
        ("go nodes -1", "nodes -1 is raised to 1"),
        ("go depth 251 nodes 100", "depth 251 is lowered to 250"),
    ],
)
def test_a_limit_that_cannot_be_meant_is_said(go: str, said: str) -> None:
    lines = run("position startpos moves 7", go, "isready")
    assert f"info string go: {said}" in lines
    assert sorted(line.split()[0] for line in lines if not line.startswith("info")) == ["bestmove", "readyok"]


@pytest.mark.parametrize("go", ["go depth 3", "go movetime 5", "go p1time 100 p2time 100", "go infinite", "go"])
@pytest.mark.parametrize("position", [f"fen {OVER}", "startpos moves 9 5 8 5 7 2 3 2 9 9 9"])
def test_a_finished_game_has_no_move(position: str, go: str) -> None:
    lines = run(f"position {position}", go, "position startpos", "go depth 1")
    assert lines[:2] == ["info string go: the game is over", "bestmove none"]
    assert lines[-1].split()[1].isdigit()


def test_a_position_that_goes_on_costs_its_new_moves_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Late in a game as early: what was told before is not played again."""
    played, play = 0, Game.play

    def counted(game: Game, hole: int) -> None:
        nonlocal played
        played += 1
        play(game, hole)

    game, random = Game(TOGUZ_KORGOOL), Random(4)
    while game.outcome() is None and len(game.moves) < 190:
        game.play(random.choice(game.position.legal_moves()))
    moves = list(map(str, game.moves))
    monkeypatch.setattr(Game, "play", counted)
    ugi = Ugi(io.StringIO(), io.StringIO())
    for plies in range(len(moves) // 2, len(moves)):
        ugi.obey(["position", "startpos", "moves", *moves[:plies]])
    assert played == len(moves) - 1
    ugi.obey(["position", "startpos", "moves", *moves[:3]])
    assert played == len(moves) + 2


def test_a_time_for_a_move_holds_reading_and_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two milliseconds, of which reading takes one and a half on a clock of the test: the search gets what is left."""
    now, given, analyse = 0.0, list[float](), Engine.analyse

    def slow(*words: Any) -> Told:
        nonlocal now
        now += 0.0015
        return position_words(*words)

    def watched(engine: Engine, position: Position, limits: Limits, **rest: Any) -> Analysis:
        assert limits.seconds is not None
        given.append(limits.seconds)
        return analyse(engine, position, limits, **rest)

    monkeypatch.setattr(ugi_module, "perf_counter", lambda: now)
    monkeypatch.setattr(ugi_module, "position_words", slow)
    monkeypatch.setattr(Engine, "analyse", watched)
    ugi = Ugi(io.StringIO(), io.StringIO())
    ugi.obey(["isready"])
    for _ in range(2):
        ugi.obey(["position", "startpos"])
        ugi.obey(["go", "movetime", "2"])
        assert ugi._search is not None
        ugi._search.join()
    assert len(given) == 2
    assert all(0 < seconds < 0.0005 for seconds in given)


def test_the_session_learns_what_a_move_costs() -> None:
    """On a clock that loses 80 ms beyond each move, of which the engine sees nothing."""
    ugi = Ugi(io.StringIO(), io.StringIO())
    game, left = Game(TOGUZ_KORGOOL), 9000.0
    for _ in range(6):
        began = time.perf_counter()
        ugi.obey(["position", "startpos", *(["moves", *map(str, game.moves)] if game.moves else [])])
        ugi.obey(f"go p1time {int(left)} p2time 9000".split())
        assert ugi._search is not None
        ugi._search.join()
        left -= 1000 * (time.perf_counter() - began) + 80
        sink = ugi._sink
        assert isinstance(sink, io.StringIO)
        game.play(int(sink.getvalue().split()[-1]))
        game.play(game.position.legal_moves()[0])
    assert 0.08 <= ugi._pace.overhead().each < 1
