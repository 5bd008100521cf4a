"""Endless play that decides the game, in games small enough to be solved with all their stores by brute force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from korgool.engine.tables import Cycle, Drawn, TableError, Tables, build, find_drawn
from korgool.rules import BESTEMSHE, TOGUZ_KORGOOL, Position, Rules
from tests.tables.naive import Full, finals, key_of, played_out

SMALL = replace(BESTEMSHE, holes=3, stones=2, goal=7, name="small")
SMALLER = replace(BESTEMSHE, holes=2, stones=4, goal=9, name="smaller")


def full(position: Position) -> Full:
    mover = position.to_move
    return key_of(position), position.stores[mover], position.stores[mover.other]


def around(cycle: Cycle) -> Iterator[Position]:
    at = cycle.position
    for move in cycle.moves:
        yield at
        at = at.play(move)
    assert at == cycle.position


def test_cycles_are_drawn_by_the_rules(tmp_path: Path) -> None:
    """They close, take no stone, and whoever leaves best play in them loses; forced says that there is no choice."""
    for rules, stones, lengths in ((SMALL, 8, {3, 4}), (SMALLER, 12, {2})):
        tables = build(rules, stones, folder=tmp_path)
        cycles = [cycle for drawn in find_drawn(tables, stones) for cycle in drawn.cycles or ()]
        assert {cycle.recurrence for cycle in cycles} == lengths
        roots = [full(at) for cycle in cycles for at in around(cycle)]
        values, endings = finals(rules, roots), finals(played_out(rules), roots)
        for cycle in cycles:
            places = list(around(cycle))
            holding = []
            for at in places:
                assert at.stores in {cycle.position.stores, cycle.position.stores[::-1]}
                assert values[full(at)] == endings[full(at)] == 0
                after = [at.play(move) for move in at.legal_moves()]
                holding.append(sum(values[full(each)] == 0 for each in after))
            assert cycle.forced == all(count == 1 for count in holding)
            assert len(cycle.moves) == len(places) == 2 * cycle.recurrence


def test_some_are_forced(tmp_path: Path) -> None:
    tables = build(SMALLER, 12, folder=tmp_path)
    found = {drawn.stores: drawn for drawn in find_drawn(tables, 12)}
    (cycle,) = found[3, 1].cycles or ()
    assert (cycle.recurrence, cycle.forced) == (2, True)
    assert found[3, 1].positions == 47


def test_many_are_only_counted(tmp_path: Path) -> None:
    tables = build(SMALLER, 12, folder=tmp_path)
    assert {drawn.positions: drawn.cycles for drawn in find_drawn(tables, 12, most=10)} == {41: None, 47: None}


@pytest.mark.parametrize(("rules", "stones"), [(BESTEMSHE, 12), (TOGUZ_KORGOOL, 6)])
def test_none_with_few_stones(rules: Rules, stones: int, tmp_path: Path) -> None:
    """The first are in bestemshe with 16 stones; in toguz korgool none are known."""
    tables = build(rules, stones, folder=tmp_path, falling=rules.tuz)
    found: list[Drawn] = [drawn for layer in range(2, stones + 1, 2) for drawn in find_drawn(tables, layer)]
    assert found == []


def test_layers_that_are_not_there() -> None:
    with pytest.raises(TableError, match="no table of Toguz korgool with 5 stones"):
        list(find_drawn(Tables(TOGUZ_KORGOOL), 5))
