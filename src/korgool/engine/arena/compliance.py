"""Compliance tests for programs that speak UGI: the requests of a graphical interface, and what goes wrong in practice.

Games on clocks take as long as the program takes, 14 seconds of its time at most: their lag is only counted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from korgool.engine.arena.clock import Control
from korgool.engine.limits import Limits
from korgool.engine.ugi_client import UgiEngine
from korgool.engine.ugi_process import PATIENCE, UgiError
from korgool.rules import Game, Rules, Side

GAMES = 2
"""Games that are played by it against chance."""
CONTROLS = (Control(1.0), Control(3.0, lag=0.02), Control(10.0, lag=0.1))
"""The clocks on which a game is played against chance."""
_SOON = 5.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was tried: what, whether it went well, and what went wrong."""

    what: str
    passed: bool
    detail: str = ""


def check_engine(command: str, rules: Rules, *, seed: int = 1) -> Iterator[Finding]:
    """Try a UGI program, one thing after the other; a fault does not end the trial while the program lives.

    Args:
        command: how it is started.
        rules: the game.
        seed: of the moves that are played against it.
    """
    try:
        engine = UgiEngine(command, rules, patience=PATIENCE)
    except UgiError as error:
        yield Finding("starts and answers ugi and isready", False, str(error))
        return
    yield Finding("starts and answers ugi and isready", True)
    trials: tuple[tuple[str, Callable[[UgiEngine, Rules, int], str]], ...] = (
        ("names itself", _names_itself),
        ("answers go nodes, depth and movetime with a legal move", _limits),
        ("keeps to the time of a move", _time),
        ("ends an endless search at stop", _stop),
        ("is ready while it thinks", _ready_while_thinking),
        ("outlives rubbish", _rubbish),
        ("knows whose turn it is", _turn),
        (f"plays {GAMES} games to their end without an illegal move", _games),
        ("keeps to the clock of a game, with and without lag", _clocks),
        ("answers clocks of nothing, below nothing and beyond reason", _strange_clocks),
        ("outlives go in a finished game", _finished),
        ("leaves at quit", _quit),
    )
    try:
        for what, trial in trials:
            try:
                detail = trial(engine, rules, seed)
            except UgiError as error:
                detail = str(error)
            yield Finding(what, not detail, detail)
    finally:
        engine.close()


def _names_itself(engine: UgiEngine, _: Rules, __: int) -> str:
    return "" if engine.named else "no line 'id name' came before ugiok"


def _limits(engine: UgiEngine, rules: Rules, _: int) -> str:
    for limits in (Limits(nodes=2000), Limits(depth=3), Limits(seconds=0.1)):
        engine.play(Game(rules), limits)
    return ""


def _time(engine: UgiEngine, rules: Rules, _: int) -> str:
    began = time.monotonic()
    engine.play(Game(rules), Limits(seconds=0.2))
    took = time.monotonic() - began
    return "" if took < 1.2 else f"a move of 0.2 s took {took:.1f} s"


def _stop(engine: UgiEngine, rules: Rules, _: int) -> str:
    engine.say("position startpos")
    engine.say("go infinite")
    time.sleep(0.2)
    engine.say("stop")
    return _best_move(engine, rules, _SOON)


def _ready_while_thinking(engine: UgiEngine, rules: Rules, _: int) -> str:
    engine.say("position startpos")
    engine.say("go infinite")
    engine.ready()
    engine.say("stop")
    return _best_move(engine, rules, _SOON)


def _best_move(engine: UgiEngine, rules: Rules, seconds: float) -> str:
    until = time.monotonic() + seconds
    while True:
        words = engine.hear(until - time.monotonic()).split()
        if words[:1] == ["bestmove"]:
            legal = [str(move) for move in rules.start().legal_moves()]
            return "" if words[1:2] and words[1] in legal else f"{' '.join(words)!r} is no legal move of the start"


def _rubbish(engine: UgiEngine, rules: Rules, _: int) -> str:
    for line in (
        "",
        "xyzzy",
        "position",
        "position startpos moves 99",
        "go nodes many",
        "stop",
        "setoption",
        "go depth",
    ):
        engine.say(line)
    engine.say("stop")
    engine.ready()
    engine.drain()
    engine.play(Game(rules), Limits(depth=2))
    return ""


def _turn(engine: UgiEngine, rules: Rules, _: int) -> str:
    first = rules.start().legal_moves()[0]
    after = rules.start().play(first)  # in mangala the same side may go on
    for moves, expected in (("", "true"), (f" moves {first}", "true" if after.to_move is Side.WHITE else "false")):
        engine.say("position startpos" + moves)
        engine.say("query p1turn")
        until = time.monotonic() + PATIENCE
        while not (line := engine.hear(until - time.monotonic())).startswith("response"):
            pass
        if line != f"response {expected}":
            return f"query p1turn after 'position startpos{moves}' answers {line!r}, not {expected}"
    return ""


def _games(engine: UgiEngine, rules: Rules, seed: int) -> str:
    random = Random(seed)
    for number in range(GAMES):
        engine.new_game()
        game = Game(rules)
        while game.outcome() is None and len(game.moves) < 400:
            legal = game.position.legal_moves()
            if game.position.to_move == number % 2:
                move = engine.play(game, Limits(nodes=2000))
            else:
                move = random.choice(legal)
            game.play(move)
    return ""


def _clocks(engine: UgiEngine, rules: Rules, seed: int) -> str:
    """A game on each of the clocks; one whose lag alone takes all of it proves nothing."""
    random = Random(seed)
    for number, control in enumerate(CONTROLS):
        engine.new_game()
        game, clock, lag, own = Game(rules), control.start(), 0.0, Side(number % 2)
        while game.outcome() is None and lag + control.lag < control.stock:
            side, legal = game.position.to_move, game.position.legal_moves()
            move = random.choice(legal)
            if side is own:
                began = time.perf_counter()
                move = engine.play(game, Limits(), clocks=(clock.of(Side.WHITE), clock.of(Side.BLACK)))
                took, lag = time.perf_counter() - began, lag + control.lag
                clock = clock.after(side, took, game.position.play(move).to_move is not side)
                if clock.left[side] <= 0:
                    at = f"at ply {len(game.moves) + 1}"
                    return f"{control.stock:g} s with a lag of {control.lag * 1000:g} ms a move are used up {at}"
            game.play(move)
    return ""


def _strange_clocks(engine: UgiEngine, rules: Rules, _: int) -> str:
    for clock in ("p1time 0 p2time 0", "p1time -100 p2time -100 p1inc -5 p2inc -5", "p1time 99999999999999999999"):
        engine.say("position startpos")
        engine.say(f"go {clock}")
        time.sleep(0.2)
        engine.say("stop")  # who has answered long ago does not mind
        wrong = _best_move(engine, rules, _SOON)
        if wrong:
            return f"go {clock}: {wrong}"
        engine.ready()
        engine.drain()
    return ""


def _finished(engine: UgiEngine, rules: Rules, seed: int) -> str:
    random, game = Random(seed), Game(rules)
    while game.outcome() is None:
        game.play(random.choice(game.position.legal_moves()))
    engine.say(f"position startpos moves {' '.join(map(str, game.moves))}")
    engine.say("go movetime 50")
    until = time.monotonic() + 1.0
    with suppress(UgiError):  # there is no move, and silence is correct too
        while not engine.hear(until - time.monotonic()).startswith("bestmove"):
            pass
    engine.ready()
    engine.drain()
    engine.play(Game(rules), Limits(depth=2))
    return ""


def _quit(engine: UgiEngine, _: Rules, __: int) -> str:
    engine.say("quit")
    return "" if engine.left_within(_SOON) else f"it runs on {_SOON:g} s after quit"
