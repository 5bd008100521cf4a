"""Speed of the learned evaluation: every vector path against the portable one, and what it costs the search.

Run `python benchmarks/network.py`; paths take turns within one run, and the best of several rounds counts, in
nanoseconds of processor time a position. Positions come from random games. The other lines are nodes a second of
processor time in searches of the same positions with the network and with the hand-written evaluation.
"""

from __future__ import annotations

import argparse
import ctypes
import time
from random import Random

from korgool.engine.kernel import library, pack
from korgool.engine.networks import default
from korgool.engine.search import Engine
from korgool.engine.training.promotion import speeds
from korgool.rules import GAMES, Rules

PATHS = ("portable", "SSE2", "AVX2", "AVX-512", "NEON", "WebAssembly")
VALUE = 3
"""`KG_HEADS`: asks for the whole value."""


def positions(rules: Rules, count: int) -> bytes:
    """Positions of random games, packed one after the other."""
    random, position, found = Random(1), rules.start(), list[bytes]()
    while len(found) < count:
        found.append(pack(position))
        legal = [hole for hole, stones in enumerate(position.holes[position.to_move], 1) if stones]
        sowing = position.sow(random.choice(legal))
        position = rules.start() if sowing.outcome else sowing.after
    return b"".join(found)


def paths(rules: Rules, rounds: int, count: int = 4000, repeats: int = 25) -> dict[str, float]:
    """Nanoseconds a position on each path that this processor has."""
    network = default(rules)
    if network is None:
        return {}
    packed, outputs, kernel = positions(rules, count), (ctypes.c_int32 * count)(), library()
    here = [path for path in range(len(PATHS)) if kernel.kg_network_paths() >> path & 1]
    best = dict.fromkeys(here, float("inf"))
    for _ in range(rounds):
        for path in here:
            start = time.thread_time()
            for _ in range(repeats):
                kernel.kg_network_outputs(network.address, path, VALUE, packed, count, outputs)
            best[path] = min(best[path], (time.thread_time() - start) / (count * repeats) * 1e9)
    return {PATHS[path]: value for path, value in best.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    for rules in GAMES.values():
        found = paths(rules, options.rounds)
        for name, nanoseconds in found.items():
            ratio = found["portable"] / nanoseconds
            print(f"{rules.name:10} {name:12} {nanoseconds:7.1f} ns a position, {ratio:5.1f} times the portable path")
        if found:
            learned, hand = Engine(rules), Engine(rules, network=None)
            with_network, by_hand = speeds(learned, hand, rules, 200_000, 1)
            print(
                f"{rules.name:10} search: {with_network / 1e6:.1f} M nodes a second with the network, "
                f"{by_hand / 1e6:.1f} M by hand"
            )


if __name__ == "__main__":
    main()
