"""Games that decide whether a network is better: pairs of games from one opening, each side once.

Both engines get the same nodes a move or the same processor time. Time is given as nodes, by the speed of each engine
measured beforehand in turns with the other: a busy machine then slows both alike.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from korgool.engine.limits import Limits
from korgool.engine.search import Engine
from korgool.rules import Position, Rules, Side

_LONGEST = 500
_PROBES = 24


@dataclass(frozen=True, slots=True)
class GateResult:
    """Result of a match, for the first engine.

    Attributes:
        wins, draws, losses: games.
        elo: difference in strength.
        error: two standard errors of it, from the pairs.
    """

    wins: int
    draws: int
    losses: int
    elo: float
    error: float

    def __str__(self) -> str:
        return f"+{self.wins} ={self.draws} -{self.losses}: {self.elo:+.0f} ± {self.error:.0f} Elo"


def elo_of(share: float) -> float:
    """The difference in strength at which a player gets that share of the points."""
    bounded = min(max(share, 1e-3), 1 - 1e-3)
    return 400 * math.log10(bounded / (1 - bounded))


def verdict(pairs: list[tuple[int, int]]) -> GateResult:
    """From the results of both games of each pair, in half points of the first engine."""
    games = [half for pair in pairs for half in pair]
    shares = [sum(pair) / 4 for pair in pairs]
    mean = sum(shares) / len(shares)
    variance = sum((share - mean) ** 2 for share in shares) / max(1, len(shares) - 1) / len(shares)
    spread = 2 * math.sqrt(variance)
    error = (elo_of(mean + spread) - elo_of(mean - spread)) / 2
    return GateResult(games.count(2), games.count(1), games.count(0), elo_of(mean), error)


def openings(rules: Rules, seed: int, plies: int = 6, most: float = 6.0) -> Iterator[Position]:
    """Random openings that a short search by hand finds level, to `most` stones; no two are the same."""
    random, judge, known = Random(seed), Engine(rules, table_mib=1, network=None, tables=None), set()
    while True:
        position = rules.start()
        for _ in range(plies + random.randint(0, 1)):
            legal = [hole for hole, stones in enumerate(position.holes[position.to_move], 1) if stones]
            if position.outcome() is not None:
                break
            position = position.sow(random.choice(legal)).after
        if position in known or position.outcome() is not None:
            continue
        known.add(position)
        if abs(judge.analyse(position, Limits(nodes=20_000)).lines[0].evaluation) <= most:
            yield position


def speeds(first: Engine, second: Engine, rules: Rules, nodes: int, seed: int) -> tuple[float, float]:
    """Nodes per second of processor time of both, in searches of that many nodes in turns."""
    random, spent = Random(seed), [0.0, 0.0]
    done = [0, 0]
    for _ in range(_PROBES):
        position = rules.start()
        for _ in range(random.randint(0, rules.holes * 4)):
            legal = [hole for hole, stones in enumerate(position.holes[position.to_move], 1) if stones]
            after = position.sow(random.choice(legal)).after
            if after.outcome() is not None:
                break
            position = after
        for index, engine in enumerate((first, second)):
            engine.clear()
            start = time.thread_time()
            done[index] += engine.analyse(position, Limits(nodes=nodes)).nodes
            spent[index] += time.thread_time() - start
    return done[0] / spent[0], done[1] / spent[1]


def game(engines: tuple[Engine, Engine], nodes: tuple[int, int], start: Position) -> int:
    """Half points of White: engines and nodes are those of White and of Black."""
    position, history = start, [start]
    for engine in engines:
        engine.clear()
    while len(history) < _LONGEST:
        side = position.to_move
        hole = engines[side].analyse(position, Limits(nodes=nodes[side]), history=history).move
        sowing = position.sow(hole)
        position = sowing.after
        history.append(position)
        if sowing.outcome is not None:
            winner = sowing.outcome.winner
            return 1 if winner is None else 2 if winner is Side.WHITE else 0
    return 1


def match(
    first: Engine, second: Engine, rules: Rules, *, pairs: int, nodes: int, equal_time: bool = False, seed: int = 1
) -> GateResult:
    """Play pairs of games; `equal_time` gives the second engine as many nodes as it does in the time of the first."""
    allowed = nodes, nodes
    if equal_time:
        ours, theirs = speeds(first, second, rules, max(nodes, 20_000), seed)
        allowed = nodes, max(1, round(nodes * theirs / ours))
    found, source = [], openings(rules, seed)
    for _ in range(pairs):
        start = next(source)
        white = game((first, second), allowed, start)
        black = game((second, first), allowed[::-1], start)
        found.append((white, 2 - black))
    return verdict(found)
