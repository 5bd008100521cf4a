"""Games of the engine with itself, in this thread, in several, or on a cluster (`korgool.clusters`).

The seed decides every game, however the work is cut.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from korgool.clusters import Pool
from korgool.engine.search import Engine
from korgool.engine.training.samples import LONGEST_GAME, SAMPLE_BYTES, GenerationPlan, SampleStruct
from korgool.rules import GAMES

_TABLE_MIB = 1
BATCH = 50
"""Games that are made together."""


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


def generate(plan: GenerationPlan, seed: int, games: int, place: Pool | None = None) -> Iterator[bytes]:
    """The samples of many games in batches, in the order of their numbers; without a place, made in this thread.

    Args:
        plan: how they are played.
        seed: number of the first game.
        games: how many.
        place: where the work is done. A cluster is sent the network file, and need not have it.

    Raises:
        OSError: the network file cannot be read.
        ClusterError: the cluster is lost.
    """
    place = place or Pool()
    batches = [(start, min(BATCH, seed + games - start)) for start in range(seed, seed + games, BATCH)]
    network = Path(plan.network).read_bytes() if plan.network and place.remote else None
    yield from place.in_turn(partial(_batch, plan, network), batches)


def _batch(plan: GenerationPlan, network: bytes | None, batch: tuple[int, int]) -> bytes:
    with _at_hand(plan, network) as ready:
        return play(ready, *batch)


@contextmanager
def _at_hand(plan: GenerationPlan, network: bytes | None) -> Iterator[GenerationPlan]:
    """The plan with the path of a network file on this machine."""
    if network is None:
        yield plan
        return
    with TemporaryDirectory(prefix="korgool-") as folder:
        path = Path(folder, Path(plan.network).name)
        path.write_bytes(network)
        yield replace(plan, network=str(path))
