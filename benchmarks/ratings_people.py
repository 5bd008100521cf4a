"""Compares strength by rating with people: `python benchmarks/ratings_people.py people.jsonl [--games N]`.

Ratings of toguz korgool play themselves, the judge of `benchmarks/levels_people.py` looks at their games, and what they
give away a move is compared with people of the same rating: on average, and the worst move in a hundred and in a
thousand. Then it counts the kinds of mistakes. `people.jsonl` is the output of that program's `judge`.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from levels_people import MIDDLE, NODES, OPEN, STEP, fitted, judged, read

from korgool.engine.arena import LevelOpponent, level_openings
from korgool.engine.arena.arena_game import play_game
from korgool.engine.limits import Limits
from korgool.engine.search import Engine
from korgool.rules import TOGUZ_KORGOOL, Game, Position

RATINGS = (1200, 1400, 1000, 600, 200)
MISTAKE = 0.1
"""Share of the point from which on a move is a mistake."""
BAND = 100
"""People so near to a rating are set beside it."""


def kind_of(position: Position, move: int, best: int, answer: int | None) -> str:
    """What was overlooked, where a move was played in place of the best.

    Args:
        position: before the move.
        move: the move played.
        best: the judge's move.
        answer: the judge's answer to the move, None where the game is over.
    """
    played, wanted = position.sow(move), position.sow(best)
    if wanted.tuz is not None and played.tuz is None:
        return "missed a tuz"
    if wanted.taken > played.taken:
        return "missed a capture"
    if answer is not None and played.after.outcome() is None:
        reply = played.after.sow(answer)
        if reply.tuz is not None:
            return "gave a tuz"
        if reply.taken >= 2:
            return "gave a capture"
    return "lost count" if position.holes[position.to_move][best - 1] >= TOGUZ_KORGOOL.stones else "saw not far enough"


def mistakes_in(engine: Engine, game: Game, plies: Sequence[Sequence[float]]) -> Counter[str]:
    """The kinds of the mistakes of a judged game."""
    kinds: Counter[str] = Counter()
    for number, _, before, lost, choices in plies:
        at = int(number) - 1
        if choices > 1 and OPEN[0] < before < OPEN[1] and lost >= MISTAKE:
            position, after = game.positions[at], game.positions[at + 1]
            best = engine.analyse(position, Limits(nodes=NODES)).move
            answer = None if after.outcome() is not None else engine.analyse(after, Limits(nodes=NODES)).move
            kinds[kind_of(position, game.moves[at], best, answer)] += 1
    return kinds


def told(name: str, losses: Sequence[float], curve: str) -> None:
    """A row of the table."""
    worst = sorted(losses)
    mean = sum(worst) / len(worst)
    error = 1.96 * math.sqrt(sum((loss - mean) ** 2 for loss in worst)) / len(worst)
    worst_of = " | ".join(f"{100 * worst[int(share * len(worst))]:.0f}" for share in (0.99, 0.999))
    print(
        f"| {name} | {len(worst):,} | {100 * mean:.2f} ± {100 * error:.2f} | {curve} | {worst_of} |",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("people", type=Path)
    parser.add_argument("--games", type=int, default=6, help="of each rating with itself")
    arguments = parser.parse_args()
    a, b = fitted(read(arguments.people))
    people: dict[int, list[float]] = {}
    for text in arguments.people.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        for side, name in enumerate(("white", "black")):
            if (line[name] or "").isdigit():
                open_ = [
                    ply[3] for ply in line["plies"] if ply[1] == side and OPEN[0] < ply[2] < OPEN[1] and ply[4] > 1
                ]
                people.setdefault(int(line[name]), []).extend(open_)
    print("| who | moves | given away a move, % | people's curve | worst of 100 | worst of 1,000 |")
    print("|---|---|---|---|---|---|")
    kinds: dict[int, Counter[str]] = {}
    engine, book = Engine(TOGUZ_KORGOOL, table_mib=4), list(level_openings(TOGUZ_KORGOOL, arguments.games, seed=5))
    for rating in RATINGS:
        near = [loss for one, found in people.items() if abs(one - rating) <= BAND for loss in found]
        if len(near) > 1000:
            told(f"people {rating - BAND} to {rating + BAND}", near, "")
        make = partial(LevelOpponent, TOGUZ_KORGOOL, rating, table_mib=1)
        white, black, losses = make(seed=1), make(seed=2), []
        kinds[rating] = Counter()
        for opening in book:
            played = play_game(TOGUZ_KORGOOL, white, black, opening=opening, limits=Limits(nodes=1)).game
            plies = judged(engine, "".join(map(str, played.moves)))
            losses += [lost for _, _, before, lost, choices in plies if OPEN[0] < before < OPEN[1] and choices > 1]
            kinds[rating] += mistakes_in(engine, played, plies)
        told(f"rating {rating}", losses, f"{100 * math.exp(a + b * (rating - MIDDLE) / STEP):.2f}")
    names = sorted({name for counted in kinds.values() for name in counted})
    print(f"\n| rating | mistakes | {' | '.join(names)} |\n|{'---|' * (len(names) + 2)}")
    for rating, counted in sorted(kinds.items()):
        shares = " | ".join(f"{100 * counted[name] / max(1, counted.total()):.0f} %" for name in names)
        print(f"| {rating} | {counted.total()} | {shares} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
