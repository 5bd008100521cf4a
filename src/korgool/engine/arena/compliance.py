"""Whether a program speaks UGI as it should: what a graphical interface will ask of it, and what goes wrong in life."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from korgool.engine.arena.opponents import PATIENCE, OpponentError, UgiOpponent
from korgool.engine.limits import Limits
from korgool.rules import Game, Rules, Side

GAMES = 2
"""Games that are played by it against chance."""
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
        engine = UgiOpponent(command, rules)
    except OpponentError as error:
        yield Finding("starts and answers ugi and isready", False, str(error))
        return
    yield Finding("starts and answers ugi and isready", True)
    trials: tuple[tuple[str, Callable[[UgiOpponent, Rules, int], str]], ...] = (
        ("names itself", _names_itself),
        ("answers go nodes, depth and movetime with a legal move", _limits),
        ("keeps to the time of a move", _time),
        ("ends an endless search at stop", _stop),
        ("is ready while it thinks", _ready_while_thinking),
        ("outlives rubbish", _rubbish),
        ("knows whose turn it is", _turn),
        (f"plays {GAMES} games to their end without an illegal move", _games),
        ("leaves at quit", _quit),
    )
    try:
        for what, trial in trials:
            try:
                detail = trial(engine, rules, seed)
            except OpponentError as error:
                detail = str(error)
            yield Finding(what, not detail, detail)
    finally:
        engine.close()


def _names_itself(engine: UgiOpponent, _: Rules, __: int) -> str:
    return "" if engine.named else "no line 'id name' came before ugiok"


def _limits(engine: UgiOpponent, rules: Rules, _: int) -> str:
    for limits in (Limits(nodes=2000), Limits(depth=3), Limits(seconds=0.1)):
        game = Game(rules)
        move = engine.choose(game, limits)
        if move not in game.position.legal_moves():
            return f"hole {move} is not legal at the start"
    return ""


def _time(engine: UgiOpponent, rules: Rules, _: int) -> str:
    began = time.monotonic()
    engine.choose(Game(rules), Limits(seconds=0.2))
    took = time.monotonic() - began
    return "" if took < 1.2 else f"a move of 0.2 s took {took:.1f} s"


def _stop(engine: UgiOpponent, rules: Rules, _: int) -> str:
    engine.say("position startpos")
    engine.say("go infinite")
    time.sleep(0.2)
    engine.say("stop")
    return _best_move(engine, rules, _SOON)


def _ready_while_thinking(engine: UgiOpponent, rules: Rules, _: int) -> str:
    engine.say("position startpos")
    engine.say("go infinite")
    engine.ready()
    engine.say("stop")
    return _best_move(engine, rules, _SOON)


def _best_move(engine: UgiOpponent, rules: Rules, seconds: float) -> str:
    until = time.monotonic() + seconds
    while True:
        words = engine.hear(until - time.monotonic()).split()
        if words[:1] == ["bestmove"]:
            legal = [str(move) for move in rules.start().legal_moves()]
            return "" if words[1:2] and words[1] in legal else f"{' '.join(words)!r} is no legal move of the start"


def _rubbish(engine: UgiOpponent, rules: Rules, _: int) -> str:
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
    return "" if engine.choose(Game(rules), Limits(depth=2)) in rules.start().legal_moves() else "plays an illegal move"


def _turn(engine: UgiOpponent, rules: Rules, _: int) -> str:
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


def _games(engine: UgiOpponent, rules: Rules, seed: int) -> str:
    random = Random(seed)
    for number in range(GAMES):
        engine.new_game()
        game = Game(rules)
        while game.outcome() is None and len(game.moves) < 400:
            legal = game.position.legal_moves()
            if game.position.to_move == number % 2:
                move = engine.choose(game, Limits(nodes=2000))
                if move not in legal:
                    return f"hole {move} is not legal after moves {' '.join(map(str, game.moves))}"
            else:
                move = random.choice(legal)
            game.play(move)
    return ""


def _quit(engine: UgiOpponent, _: Rules, __: int) -> str:
    engine.say("quit")
    return "" if engine.left_within(_SOON) else f"it runs on {_SOON:g} s after quit"
