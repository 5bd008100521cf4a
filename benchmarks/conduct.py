"""The speed of the referee: events per second of processor time, compared with the bare game.

`python benchmarks/conduct.py` plays the same random games three ways: by `Game.play` alone, by the referee (a move and
a press are two events), and from the text of a log as `korgool referee` reads it. The ratio to the bare game does not
depend on the machine.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from random import Random

from korgool.conduct import By, Event, GameState, Refusal, TimeControl, apply
from korgool.conduct.events import Move, Press, Start
from korgool.conduct.log import judge
from korgool.rules import TOGUZ_KORGOOL, Game

GAMES = 60
ROUNDS = 5


def random_games(count: int) -> list[tuple[int, ...]]:
    random, found = Random(7), []
    for _ in range(count):
        game = Game()
        while moves := game.position.legal_moves():
            game.play(random.choice(moves))
        found.append(tuple(game.moves))
    return found


def bare(games: list[tuple[int, ...]]) -> None:
    for moves in games:
        game = Game()
        for hole in moves:
            game.play(hole)


def events_of(moves: tuple[int, ...]) -> list[Event]:
    events = [Event(0, By.REFEREE, Start(TOGUZ_KORGOOL, TimeControl(3_600_000, 5_000)))]
    for ply, hole in enumerate(moves):
        by = (By.WHITE, By.BLACK)[ply % 2]
        events += [Event(2_000 * ply + 1_000, by, Move(hole)), Event(2_000 * ply + 2_000, by, Press())]
    return events


def refereed(logs: list[list[Event]]) -> None:
    for events in logs:
        state = GameState()
        for event in events:
            answer = apply(state, event)
            if isinstance(answer, Refusal):
                raise RuntimeError(answer.reason)
            state, _ = answer
        if state.ending is None:
            raise RuntimeError("the game did not end")


def read(texts: list[list[bytes]]) -> None:
    for lines in texts:
        for judged in judge(lines):
            if isinstance(judged.answer, Refusal):
                raise RuntimeError(judged.answer.reason)


def best(work: Callable[[], None]) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def lines_of(moves: tuple[int, ...]) -> list[bytes]:
    lines = [json.dumps({"at": 0, "by": "referee", "do": "start", "control": {"base": 3600, "increment": 5}})]
    for ply, hole in enumerate(moves):
        by = ("white", "black")[ply % 2]
        lines.append(json.dumps({"at": 2 * ply + 1, "by": by, "do": "move", "hole": hole}))
        lines.append(json.dumps({"at": 2 * ply + 2, "by": by, "do": "press"}))
    return [line.encode() for line in lines]


def main() -> None:
    games = random_games(GAMES)
    plies = sum(map(len, games))
    logs = [events_of(moves) for moves in games]
    texts = [lines_of(moves) for moves in games]
    events = sum(map(len, logs))
    alone = best(lambda: bare(games))
    print(f"{plies / alone:>10,.0f} plies a CPU-second by Game.play alone")
    for name, work in (
        ("by the referee", lambda: refereed(logs)),
        ("from the text of a log", lambda: read(texts)),
    ):
        seconds = best(work)
        print(
            f"{events / seconds:>10,.0f} events a CPU-second {name}: "
            f"{plies / seconds:,.0f} plies, {seconds / alone:.2f} times the bare game"
        )


if __name__ == "__main__":
    main()
