"""Games of the engine with itself, in any `concurrent.futures.Executor`.

`play(plan, seed, games)` is all a worker needs: a process of a pool, or of a cluster whose client hands out an
executor (with Dask, `Client(address).get_executor()`). The seed decides every game, however the work is cut.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from dataclasses import replace

from korgool.engine.search import Engine
from korgool.engine.training.samples import LONGEST_GAME, SAMPLE_BYTES, GenerationPlan, SampleStruct
from korgool.rules import GAMES

_TABLE_MIB = 1
_BATCH = 50


def play(plan: GenerationPlan, seed: int, games: int) -> bytes:
    """The samples of the games numbered seed to seed + games, one after the other.

    Games are played out for the last stones, whatever the goal of the rules is, so each position has a final
    difference. Games that go round without an end leave nothing.

    Raises:
        ValueError: no such game, or a network file that does not fit.
    """
    if plan.game not in GAMES:
        raise ValueError(f"the game is one of {', '.join(GAMES)}, not {plan.game!r}")
    engine = Engine(replace(GAMES[plan.game], goal=0), table_mib=_TABLE_MIB, network=plan.network or None, tables=None)
    samples = (SampleStruct * LONGEST_GAME)()
    struct = plan.struct()
    found = []
    for number in range(seed, seed + games):
        count = engine.library.kg_selfplay(engine.address, number, ctypes.byref(struct), samples, LONGEST_GAME)
        found.append(bytes(memoryview(samples).cast("B")[: count * SAMPLE_BYTES]))
    return b"".join(found)


def generate(plan: GenerationPlan, seed: int, games: int, executor: Executor | None = None) -> Iterator[bytes]:
    """The samples of many games in batches, in the order of their numbers; without an executor, in this process."""
    starts = range(seed, seed + games, _BATCH)
    sizes = [min(_BATCH, seed + games - start) for start in starts]
    if executor is None:
        for start, size in zip(starts, sizes, strict=True):
            yield play(plan, start, size)
        return
    futures: list[Future[bytes]] = [
        executor.submit(play, plan, start, size) for start, size in zip(starts, sizes, strict=True)
    ]
    for future in futures:
        yield future.result()
