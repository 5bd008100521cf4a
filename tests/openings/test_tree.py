"""The graph that a book grows: its values are plain negamax, its ways lead from the start, and no way leads round."""

from __future__ import annotations

import math
from functools import cache

import pytest

from korgool.engine.limits import Limits
from korgool.engine.openings.tree import Leaf, Node, Tree
from korgool.engine.search import Engine
from korgool.rules import BESTEMSHE, GAMES, MANGALA, TOGUZ_KORGOOL, Rules, Side


def grown(
    rules: Rules, positions: int, *, nodes: int = 300, seed: int = 1, every: int = 4, weight: float = 3.0
) -> Tree:
    tree, engine = Tree(rules, seed=seed, every=every, weight=weight), Engine(rules, table_mib=1)
    while len(tree.nodes) < positions and (leaf := tree.next()) is not None:
        engine.clear()
        lines = len(leaf.position.legal_moves())
        tree.grow(leaf, engine.analyse(leaf.position, Limits(nodes=nodes), lines=lines).lines)
    return tree


@cache
def usual(name: str) -> Tree:
    return grown(GAMES[name], 150)


@pytest.mark.parametrize("name", GAMES)
def test_values_are_negamax(name: str) -> None:
    tree = usual(name)
    for node in tree.nodes:
        assert node.value == max(move.value for move in node.moves)
        assert tuple(move.number for move in node.moves) == node.position.legal_moves()
        for move in node.moves:
            after = node.position.play(move.number)
            assert move.again is (after.to_move is node.position.to_move)
            if move.child is not None:
                assert move.value == (move.child.value if move.again else -move.child.value)


@pytest.mark.parametrize("name", GAMES)
def test_every_position_stands_there_once_and_is_reached(name: str) -> None:
    """The same board for the other side to move is the same position: the book is turned."""
    tree = usual(name)
    seen = set()
    for node in tree.nodes:
        board, step = node.position, 1 if node.position.to_move is Side.WHITE else -1
        turned = board.holes[::step], board.stores[::step], board.tuz[::step]
        assert turned not in seen
        seen.add(turned)
        if node.parent is None:
            assert node is tree.nodes[0]
            assert node.position == tree.rules.start()
        else:
            assert node.parent.position.play(node.via) == node.position
            assert node.ply == node.parent.ply + 1


@pytest.mark.parametrize("name", GAMES)
def test_links_lead_forward(name: str) -> None:
    for node in usual(name).nodes:
        for move in node.moves:
            if move.child is not None:
                assert move.child.ply > node.ply
                assert node in move.child.parents
                assert not move.open


@pytest.mark.parametrize("name", GAMES)
def test_costs_lead_to_the_cheapest_leaf(name: str) -> None:
    """Computed again from nothing, by looking at every way."""
    tree = grown(GAMES[name], 60, every=0, weight=2.0)

    def cost(node: Node) -> float:
        found = math.inf
        for move in node.moves:
            below = cost(move.child) if move.child else 0.0 if move.open else math.inf
            found = min(found, 1 + below + 2 / 32 * (node.value - move.value))
        return found

    assert tree.nodes[0].cost == pytest.approx(cost(tree.nodes[0]))
    leaf = tree.next()
    assert leaf is not None
    assert leaf.node is not None
    assert leaf.node.position.play(leaf.move) == leaf.position


def test_positions_behind_are_counted_once() -> None:
    tree = usual("toguz")
    behind = tree.behind()

    def reached(node: Node) -> set[int]:
        found = {node.index}
        for move in node.moves:
            if move.child is not None:
                found |= reached(move.child)
        return found

    assert behind[0] == len(tree.nodes)
    assert behind == [len(reached(node)) for node in tree.nodes]


def test_ways_come_together() -> None:
    assert any(len(node.parents) > 1 for name in GAMES for node in usual(name).nodes)


def test_weight_makes_the_book_deep() -> None:
    """A lost stone that counts for nothing looks at all moves alike, ply by ply."""
    wide = grown(TOGUZ_KORGOOL, 80, every=0, weight=0)
    deep = grown(TOGUZ_KORGOOL, 80, every=0, weight=10)
    assert max(node.ply for node in wide.nodes) == 2
    assert max(node.ply for node in deep.nodes) > 4


def test_self_play_depends_on_the_seed() -> None:
    first, second, other = (grown(BESTEMSHE, 60, every=2, seed=seed) for seed in (5, 5, 6))
    ways = [[(node.ply, node.via) for node in tree.nodes] for tree in (first, second, other)]
    assert ways[0] == ways[1] != ways[2]


def test_what_is_proven_is_not_looked_at_again() -> None:
    tree = Tree(MANGALA, every=0)
    leaf = tree.next()
    assert leaf == Leaf(None, 0, MANGALA.start())
    tree.grow_values(leaf, [(number, -8 * number, False) for number in range(1, 7)])
    assert tree.next() is None
    assert tree.nodes[0].value == -8
    assert math.isinf(tree.nodes[0].cost)
