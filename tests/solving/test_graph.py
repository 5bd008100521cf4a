"""The listing of endings: what it tells of itself, and when it gives up."""

from __future__ import annotations

from random import Random

import pytest

from korgool.engine.solving.graph import Graph
from korgool.rules import BESTEMSHE

from .positions import played


def test_a_listing_counts_what_it_holds() -> None:
    graph, position = Graph(BESTEMSHE, 64 << 20), played(BESTEMSHE, 12, Random(2))
    assert (graph.positions, graph.endless, graph.passes) == (0, 0, 0)
    assert graph.bounds(position) is None
    assert graph.value(position)
    assert graph.positions > len(position.legal_moves())
    assert graph.passes > 0
    bounds = graph.bounds(position)
    assert bounds is not None
    assert bounds[0] <= bounds[1]


@pytest.mark.parametrize("memory", [0, *(1 << bits for bits in range(8, 18))])
def test_a_listing_without_memory_is_not_finished(memory: int) -> None:
    assert not Graph(BESTEMSHE, memory).value(BESTEMSHE.start())


def test_a_listing_that_is_stopped_is_not_finished() -> None:
    counts: list[int] = []
    graph = Graph(BESTEMSHE, 512 << 20)
    assert not graph.value(BESTEMSHE.start(), stopped=lambda: len(counts) > 0, on_positions=counts.append)
    assert counts == [graph.positions]
    assert graph.positions > 100_000
