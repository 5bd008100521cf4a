"""A match between two ways of allotting clock time: `python benchmarks/clocks_match.py c7f6440 --games 600`.

The side of this tree plays the `korgool/engine/timing.py` of a git revision, both with the search of this tree. Clocks
count nodes instead of seconds, so that other work on the machine does not matter: `--rate` nodes are a second. A move
costs between its aim and 1.8 times that, but at most its limit, plus 2 ms. Openings are balanced and played twice.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from korgool.engine import timing
from korgool.engine.arena import MatchScore, level_openings
from korgool.engine.limits import Limits
from korgool.engine.search import Engine
from korgool.rules import GAMES, Game, Position, Rules, Side

ROOT = Path(__file__).parents[1]
LAG = 0.002
"""Seconds of a move beside its search."""


def timing_of(revision: str) -> Any:
    """The timing of a revision as a module."""
    command = ["git", "show", f"{revision}:src/korgool/engine/timing.py"]
    source = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    module = ModuleType("timing_before")
    sys.modules[module.__name__] = module
    exec(compile(source, f"{revision}/timing.py", "exec"), module.__dict__)
    return module


def plan(how: Any, position: Position, stock: float, increment: float) -> Any:
    """What a timing allots; those up to c7f6440 guess turns and keep one reserve of 50 ms."""
    left = how.TimeLeft(stock, increment)
    if hasattr(how, "turns_ahead"):
        return how.allot(left, how.turns_ahead(position), how.RESERVE)
    return how.allot(left, how.plies_ahead(position), how.Overhead(LAG, 10 * LAG))


class Match:
    """Games of two timings, this tree's first."""

    def __init__(self, rules: Rules, other: Any, told: argparse.Namespace) -> None:
        self.rules, self.hows, self.told = rules, (timing, other), told
        self.engines = [Engine(rules, table_mib=4) for _ in Side]
        self.random, self.late = Random(told.seed), [0, 0]

    def game(self, opening: tuple[int, ...], white: int) -> int:
        """Half points of this tree, which has White when `white` is 0."""
        game, left = Game(self.rules, opening), [self.told.stock, self.told.stock]
        for engine in self.engines:
            engine.clear()
        while game.outcome() is None:
            if any(claim.reason == "threefold" for claim in game.claims()):
                return 1
            side = game.position.to_move
            who = white if side is Side.WHITE else 1 - white
            time = plan(self.hows[who], game.position, left[who], self.told.increment)
            seconds = min(time.most, time.aim * self.random.uniform(1, 1.8))
            left[who] -= seconds + LAG
            if left[who] <= 0:
                self.late[who] += 1
                return 2 * who
            limits = Limits(nodes=max(1, int(seconds * self.told.rate)))
            game.play(self.engines[who].analyse(game.position, limits, history=game.positions[:-1]).move)
            if game.position.to_move is not side:
                left[who] += self.told.increment
        outcome = game.outcome()
        assert outcome is not None
        return 1 if outcome.winner is None else 2 * ((outcome.winner is Side.WHITE) == (white == 0))


def main() -> None:
    """Play the match and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("revision")
    parser.add_argument("--game", choices=GAMES, default="toguz")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--stock", type=float, default=2.0, help="Seconds of a game.")
    parser.add_argument("--increment", type=float, default=0.02, help="Seconds gained by a turn.")
    parser.add_argument("--rate", type=float, default=50_000, help="Nodes in a second.")
    parser.add_argument("--seed", type=int, default=11)
    told = parser.parse_args()
    rules = GAMES[told.game]
    match, tally = Match(rules, timing_of(told.revision), told), MatchScore()
    for opening in level_openings(rules, told.games // 2, seed=told.seed):
        pair = [match.game(opening, white) for white in (0, 1)]
        for half_points in pair:
            tally = tally.with_game(half_points)
        tally = tally.with_pair(sum(pair))
    print(f"{rules.name}: {tally.text()}; lost on time {match.late[0]}, by {told.revision} {match.late[1]}")


if __name__ == "__main__":
    main()
