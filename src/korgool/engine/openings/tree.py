"""The graph of positions that a book grows: values backed up to the start, and where it should grow next.

A position stands in it once, whatever way leads there. Its moves carry the evaluation of the search, or, once the
position behind a move stands in the graph too, the best of what follows there (negamax). Where the graph grows next is
told by drop-out expansion (Lincke 2000): every leaf has a cost, a point for each ply from the start and `weight` points
for each stone that a move on the way is worse than the best; the cheapest one is next. So the book is deep along good
play and wide where moves are nearly equal, and a bad move is looked at the later the worse it is.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from korgool.engine.kernel import Kernel
from korgool.engine.search import UNIT, Line
from korgool.rules import Position, Rules

TEMPERATURE = 1.6
"""In a game that the book plays with itself: a move worse by so many stones is e times as rare."""


@dataclass(slots=True)
class GraphMove:
    """A move of a position of the graph.

    Attributes:
        number: the hole, 1 to n.
        value: for the side to move, in the kernel's units: of the search, or backed up where there is a child.
        open: whether a node may be made behind it.
        again: whether the same side moves after it.
        child: the node behind it, or None.
    """

    number: int
    value: int
    open: bool
    again: bool = False
    child: Node | None = None


@dataclass(slots=True, eq=False)
class Node:
    """A position of the graph.

    Attributes:
        index: its place in the order of growing, from 0.
        position: the position, as it was first reached.
        ply: plies of the way on which it was first reached.
        parent: the node before it on that way, None for the start.
        via: the move of the parent that leads here.
        moves: all legal moves.
        parents: all nodes with a move that leads here.
        value: of the best move, for the side to move.
        cost: of the cheapest leaf below, infinite where there is none.
    """

    index: int
    position: Position
    ply: int
    parent: Node | None
    via: int
    moves: list[GraphMove]
    parents: list[Node] = field(default_factory=list)
    value: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Leaf:
    """Place where the graph grows next: a move of a node, and the position behind it. The start has no such node."""

    node: Node | None
    move: int
    position: Position


class Tree:
    """The growing graph of one game.

    Args:
        rules: the game.
        seed: decides about the games that the book plays with itself.
        every: each so many-th position is found by such a game instead of by cost; 0 for none.
        weight: plies that a stone lost on the way counts for.
    """

    def __init__(self, rules: Rules, *, seed: int = 1, every: int = 4, weight: float = 3.0) -> None:
        self.rules, self.seed, self.every = rules, seed, every
        self.nodes: list[Node] = []
        self._kernel = Kernel(rules)
        self._known: dict[bytes, Node] = {}
        self._ahead: dict[bytes, list[tuple[Node, GraphMove]]] = {}
        self._weight = weight / UNIT

    def next(self) -> Leaf | None:
        """Next place to grow, or None when nothing is left that is not decided."""
        if not self.nodes:
            return Leaf(None, 0, self.rules.start())
        number = len(self.nodes)
        if self.every and number % self.every == 0:
            leaf = self._played(Random(self.seed * 1_000_003 + number))
            if leaf is not None:
                return leaf
        node = self.nodes[0]
        if math.isinf(node.cost):
            return None
        while True:
            move = min(node.moves, key=lambda move: (self._cost(node, move), move.number))
            if move.child is None:
                return self._leaf(node, move)
            node = move.child

    def _played(self, random: Random) -> Leaf | None:
        """Place where a game leaves the book in which both sides choose among near-equal moves by chance."""
        node = self.nodes[0]
        while True:
            weights = [math.exp((move.value - node.value) / (TEMPERATURE * UNIT)) for move in node.moves]
            move = random.choices(node.moves, weights)[0]
            if move.child is None:
                return self._leaf(node, move) if move.open else None
            node = move.child

    def _leaf(self, node: Node, move: GraphMove) -> Leaf:
        return Leaf(node, move.number, self._kernel.play(node.position, move.number))

    def _cost(self, node: Node, move: GraphMove) -> float:
        below = move.child.cost if move.child is not None else 0.0 if move.open else math.inf
        return 1 + below + self._weight * (node.value - move.value)

    def grow(self, leaf: Leaf, lines: Sequence[Line]) -> Node:
        """Take a position into the graph and back its value up.

        Args:
            leaf: where, as `next` told it.
            lines: what a search found for each of its legal moves.
        """
        return self.grow_values(leaf, [(line.move, round(line.evaluation * UNIT), not line.exact) for line in lines])

    def grow_values(self, leaf: Leaf, values: Sequence[tuple[int, int, bool]]) -> Node:
        """As `grow`, with the number, the value and the openness of each move."""
        ply = 0 if leaf.node is None else leaf.node.ply + 1
        moves = [GraphMove(number, value, open_) for number, value, open_ in sorted(values)]
        node = Node(len(self.nodes), leaf.position, ply, leaf.node, leaf.move, moves)
        self.nodes.append(node)
        key = self._kernel.pack(leaf.position)
        self._known[key] = node
        for before, move in self._ahead.pop(key, ()):
            self._link(before, move, node)
        for move in moves:
            after = self._kernel.play(node.position, move.number)
            move.again = after.to_move is node.position.to_move
            if self._kernel.outcome(after) is not None:
                move.open = False
                continue
            beyond = self._kernel.pack(after)
            if beyond in self._known:
                self._link(node, move, self._known[beyond])
            else:
                self._ahead.setdefault(beyond, []).append((node, move))
        self._back_up(node)
        return node

    @staticmethod
    def _link(node: Node, move: GraphMove, child: Node) -> None:
        """Join a move with the node behind it, unless the way could then lead round: plies only rise along links."""
        move.open = False
        if child.ply > node.ply:
            move.child = child
            if node not in child.parents:
                child.parents.append(node)

    def _back_up(self, node: Node) -> None:
        """Set values and costs of a node and of all above it, the deepest first."""
        waiting = [(-node.ply, node.index)]
        seen = {node.index}
        while waiting:
            _, index = heapq.heappop(waiting)
            one = self.nodes[index]
            for move in one.moves:
                if move.child is not None:
                    move.value = move.child.value if move.again else -move.child.value
            one.value = max(move.value for move in one.moves)
            one.cost = min(self._cost(one, move) for move in one.moves)
            for parent in one.parents:
                if parent.index not in seen:
                    seen.add(parent.index)
                    heapq.heappush(waiting, (-parent.ply, parent.index))

    def behind(self) -> list[int]:
        """For each node the number of positions of the graph that can be reached from it, itself among them."""
        reached = [0] * len(self.nodes)
        for node in sorted(self.nodes, key=lambda node: -node.ply):
            bits = 1 << node.index
            for move in node.moves:
                if move.child is not None:
                    bits |= reached[move.child.index]
            reached[node.index] = bits
        return [bits.bit_count() for bits in reached]
