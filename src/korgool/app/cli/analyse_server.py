"""`korgool analyse --serve`: a line of JSON in, lines of JSON out, for programs that ask for many positions."""

from __future__ import annotations

import json
import math
import sys
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TextIO

from korgool.app.cli.analyse_output import Task, analysis_line
from korgool.app.cli.engine_data import shared_tables
from korgool.app.cli.options import GameChoice
from korgool.engine import Analysis, Engine, Limits
from korgool.rules import Game, Position, PositionError, Rules, Setup

MOST_LINE = 1 << 20
"""Characters of a request; a longer one is refused."""
_KNOWN = {"id", "position", "game", "moves", "seconds", "depth", "nodes", "lines", "progress", "stop"}


def run(
    source: TextIO,
    answer: Callable[[dict[str, Any]], None],
    usual: Limits,
    count: int,
    game: GameChoice,
    *,
    tables: bool = True,
) -> None:
    """Answer requests until the input ends; requests read before the end are still answered.

    A request is an object with `position`, or `game` and `moves` from its start; `seconds`, `depth`, `nodes` and
    `lines` as on the command line; `id`, which the answer repeats; and `progress`: true for a line after every depth
    but the last. `{"stop": true}` ends the running search at once, or the next one in the queue. An invalid request is
    answered by `{"id": …, "error": …}`.
    """
    engines: dict[Rules, Engine] = {}
    waiting: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
    running: list[Engine] = []
    answered = [0]
    writing = threading.Lock()

    def say(line: dict[str, Any]) -> None:
        with writing:
            answer(line)

    def work() -> None:
        while (request := waiting.get()) is not None:
            name = {"id": request["id"]} if "id" in request else {}
            try:
                task, limits, lines = _understood(request, usual, count, game)
                rules = task.position.rules
                if rules not in engines:
                    engines[rules] = Engine(rules, tables=None)
                    engines[rules].use_tables(shared_tables(rules) if tables else None)
                engine = engines[rules]
                running.append(engine)
                say({**name, **_search(engine, task, limits, lines, request.get("progress") is True, name, say)})
            except (ValueError, TypeError) as error:
                say({**name, "error": str(error)})
            finally:
                running.clear()
                answered[0] += 1

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    asked = 0
    while text := source.readline(MOST_LINE):
        if not text.strip():
            continue
        try:
            request = json.loads(text)
        except (json.JSONDecodeError, RecursionError) as error:
            say({"error": f"no JSON: {error}"})
            continue
        if not isinstance(request, dict):
            say({"error": "a request is an object"})
        elif request.get("stop") is True:
            ended = answered[0] + 1
            while asked >= ended > answered[0]:
                # Repeatedly, because a search forgets a stop that comes before it has begun.
                for engine in running[:]:
                    engine.stop()
                time.sleep(0.01)
        else:
            asked += 1
            waiting.put(request)
    waiting.put(None)
    worker.join()


def _search(
    engine: Engine, task: Task, limits: Limits, lines: int, progress: bool, name: dict[str, Any],
    say: Callable[[dict[str, Any]], None],
) -> dict[str, Any]:  # fmt: skip
    moves = task.position.legal_moves()
    if not moves:
        return analysis_line(task, None)

    def deeper(seen: Analysis) -> None:
        if progress:
            say({**name, "progress": True, **analysis_line(task, seen)})

    engine.clear()
    found = engine.analyse(
        task.position, limits, lines=min(lines, len(moves)), history=task.history, on_depth=deeper if progress else None
    )
    return analysis_line(task, found)


def _understood(request: dict[str, Any], usual: Limits, count: int, game: GameChoice) -> tuple[Task, Limits, int]:
    for key in request.keys() - _KNOWN:
        raise ValueError(f"unknown member {key!r}; known are {', '.join(sorted(_KNOWN))}")
    task = _task(request, game)
    seconds, depth, nodes = (_number(request, name) for name in ("seconds", "depth", "nodes"))
    limits = usual
    if (seconds, depth, nodes) != (None, None, None):
        limits = Limits(seconds, None if depth is None else int(depth), None if nodes is None else int(nodes))
    lines = _number(request, "lines")
    if lines is not None and not 1 <= lines <= 9:
        raise ValueError(f"lines is 1 to 9, not {lines:g}")
    return task, limits, count if lines is None else int(lines)


def _number(request: dict[str, Any], name: str) -> float | None:
    value = request.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value <= 0:
        raise ValueError(f"{name} is a number above 0, not {str(value)[:20]}")
    if name != "seconds" and (value != int(value) or value > 1 << 62):
        raise ValueError(f"{name} is a whole number, not {str(value)[:20]}")
    return value


def _task(request: dict[str, Any], game: GameChoice) -> Task:
    if ("position" in request) == ("moves" in request):
        raise ValueError("a request has a position, or moves from the start of a game")
    if "position" in request:
        text = request["position"]
        if not isinstance(text, str):
            raise ValueError("position is a text")
        try:
            rules = game.rules if game.name is not None else game.adapt(Setup.parse(text).rules)
            position = Position.parse(text, rules)
        except PositionError as error:
            raise ValueError(f"position: {error}") from None
        return Task(position, (), {"position": str(position)})
    moves = request["moves"]
    if not isinstance(moves, list) or not all(isinstance(move, int) for move in moves):
        raise ValueError("moves is a list of hole numbers")
    chosen = request.get("game")
    if chosen is not None and not isinstance(chosen, str):
        raise ValueError("game is a name")
    played = Game(GameChoice(chosen, game.options).rules if chosen in _names() else _bad_game(chosen, game), moves)
    return Task(played.position, played.positions[:-1], {"position": str(played.position)})


def _names() -> tuple[str, ...]:
    from korgool.rules import GAMES

    return tuple(GAMES)


def _bad_game(chosen: str | None, game: GameChoice) -> Rules:
    if chosen is None:
        return game.rules
    raise ValueError(f"there is no game {chosen[:20]!r}; games are {', '.join(_names())}")


def standard_input() -> TextIO:
    """Standard input, which may contain any bytes."""
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    return sys.stdin
