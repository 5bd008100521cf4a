"""Whether the reasons for and against moves matter: `python benchmarks/reasons.py [--positions N] [--game NAME]`.

Positions come from games of the engine in which every fifth move is drawn at random. Each is searched with a line for
every move, and the reasons for the best one are looked at beside those for the second best:

- wrong: moves whose reasons or faults are not those that the oracle of the tests finds;
- first not shared: the first reason does not hold as well for the second best move. A reason holds as well for a move
  that has one of the same kind about as many stones; a capture that is made smaller also for one that makes it none;
- home first, values first: the first reason is that all stones stay at home, or what only values say.

One other move of each position, drawn among those that lose three stones or more, is looked at for its faults:

- without a fault: nothing is said against it;
- half named: the faults that people see name at least half of what it loses. A fault names the stones by which the
  better move does better in this respect; what ends a game, a tuz, and being left without a move name all of it;
- or moves: the same, or a fault that counts the moves that both sides have left, which no number of stones measures.

Every limit is a number of nodes, so the load of the machine changes nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from korgool.app.words.reasons import MOST, reasons_text
from korgool.engine.limits import Limits
from korgool.engine.reasons import Reason, ReasonKind, explain, faults
from korgool.engine.search import Engine, Line
from korgool.languages import translations
from korgool.rules import GAMES, Position, Rules

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.engine.reason_facts import BY_SOWING, expected, expected_faults, told_by

NODES = 40_000
"""For each line, as in the review of a game."""
PLAY_NODES = 1000
LOSS = 3.0
"""Stones that a move has to lose to be looked at."""
A_GAME = 5
"""Positions taken from one game."""
K = ReasonKind
EVENTS = {K.ALLOWS: 2, K.MISSES: 2, K.FEEDS_OTHER: 2, K.ALLOWS_LATER: 1, K.MISSES_LATER: 1}
"""Faults about stones, with what each stone weighs there."""
WHOLE = {
    *(K.LOSES, K.ALLOWS_WIN, K.MISSES_WIN, K.STARVED),
    *(K.ALLOWS_TUZ, K.MISSES_TUZ, K.ALLOWS_TUZ_LATER, K.MISSES_TUZ_LATER),
}
"""Faults that name all that a move loses."""
IN_MOVES = {K.RUNS_OUT, K.GIVES_MOVES}
"""Faults that count moves."""


@dataclass
class Count:
    """What was seen."""

    positions: int = 0
    wrong: int = 0
    shared: int = 0
    first: Counter[str] = field(default_factory=Counter)
    losses: int = 0
    without: int = 0
    half: int = 0
    moves: int = 0


def positions(rules: Rules, random: Random) -> Iterator[Position]:
    """Positions of games in which more than one move can be played, without end."""
    engine = Engine(rules, tables=None)
    while True:
        position, seen = rules.start(), list[Position]()
        while (legal := position.legal_moves()) and len(seen) < 300:
            if len(legal) > 1:
                seen.append(position)
            if random.random() < 0.2:
                position = position.play(random.choice(legal))
            else:
                position = position.play(engine.analyse(position, Limits(nodes=PLAY_NODES)).lines[0].move)
        yield from random.sample(seen, min(A_GAME, len(seen)))


def holds_as_well(reason: Reason, others: Sequence[Reason]) -> bool:
    """Whether a reason holds as well for a move with those reasons."""
    for other in others:
        if other.kind is reason.kind and other.stones >= reason.stones and other.left <= reason.left:
            return True
        if reason.kind is K.REDUCES and other.kind is K.SAVES:
            return True
    return False


def named(told: Sequence[Reason], loss: float) -> float:
    """Stones of a loss that faults name: those of each event, or the sum of them that the lines show."""
    if any(one.kind in WHOLE for one in told):
        return loss
    events = sum(one.weight / EVENTS[one.kind] for one in told if one.kind in EVENTS)
    return max(events, *(one.stones for one in told if one.kind is K.BEHIND), 0)


def look(position: Position, lines: Sequence[Line], random: Random, count: Count, show: bool) -> None:
    """Look at one position."""
    first, second = explain(position, lines, 0), explain(position, lines, 1)
    for line, told in zip(lines, (first, second), strict=False):
        facts = {kind: fact for kind, fact in told_by(told).items() if kind in BY_SOWING}
        other = lines[1] if line is lines[0] else lines[0]
        count.wrong += facts != expected(position, line.move, line.pv[1:], other.pv)
    count.positions += 1
    count.first[first[0].kind if first else "none"] += 1
    shared = not first or holds_as_well(first[0], second)
    count.shared += shared
    words = translations("en")
    name = position.rules.name
    if show:
        print(f"\n{position}  {lines[0].evaluation - lines[1].evaluation:.1f} {'SHARED' if shared else ''}")
        for line, told in zip(lines, (first, second), strict=False):
            print(f"  {line.pv[:9]} {line.evaluation:+.1f} {reasons_text(words, told, name)}")
    bad = [line for line in lines[1:] if lines[0].evaluation - line.evaluation >= LOSS]
    if not bad:
        return
    line = random.choice(bad)
    loss = lines[0].evaluation - line.evaluation
    against = faults(position, line.move, lines[0].move, line.pv[1:], lines[0].pv[1:])
    count.wrong += told_by(against) != expected_faults(position, line.move, lines[0].move, line.pv[1:], lines[0].pv[1:])
    count.losses += 1
    count.without += not against
    half = named(against[:MOST], loss) >= loss / 2
    count.half += half
    count.moves += half or any(one.kind in IN_MOVES for one in against[:MOST])
    if show:
        print(
            f"  {line.pv[:9]} loses {loss:.1f}: {reasons_text(words, against, name)} {'' if half else 'LESS THAN HALF'}"
        )


def measure(rules: Rules, wanted: int, seed: str, show: bool) -> Count:
    """Look at so many positions of a game."""
    random, engine, count = Random(f"reasons {rules.name} {seed}"), Engine(rules, tables=None), Count()
    for position in positions(rules, random):
        legal = len(position.legal_moves())
        look(position, engine.analyse(position, Limits(nodes=NODES * legal), lines=legal).lines, random, count, show)
        if count.positions == wanted:
            break
    return count


def main() -> None:
    """Measure and print one line a game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--game", choices=GAMES, action="append", help="all of them by default")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--show", action="store_true", help="print every position with its reasons")
    options = parser.parse_args()
    for name in options.game or GAMES:
        one = measure(GAMES[name], options.positions, options.seed, options.show)
        values = sum(one.first[kind] for kind in K if kind not in BY_SOWING)
        first = {"not shared": one.positions - one.shared, "home": one.first[K.HOME], "values": values}
        loss = {"without a fault": one.without, "half named": one.half, "or moves": one.moves}
        print(
            f"{name}: {one.positions} positions, {one.wrong} wrong; first "
            + ", ".join(f"{what} {count / one.positions:.1%}" for what, count in first.items())
            + f"; {one.losses} losses, "
            + ", ".join(f"{what} {count / one.losses:.1%}" for what, count in loss.items())
        )
        print("  first: " + ", ".join(f"{kind} {n}" for kind, n in one.first.most_common()))


if __name__ == "__main__":
    main()
