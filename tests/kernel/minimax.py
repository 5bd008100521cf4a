"""Plain minimax over the reference rules, which the search is compared with."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from korgool.engine.limits import Limits
from korgool.engine.search import Engine, Line
from korgool.rules import Position, Rules, Setup, Side

from .reference import random_setup

WIN = 1000.0
"""What a certain win is worth here above its stones, so that it passes every other evaluation."""
PLAYOUT = 20
"""Stones on the board at the root up to which a decided game is played out."""


def final_difference(position: Position, rules: Rules) -> int:
    """The difference at the end for the side to move, whatever the goal says."""
    outcome = Position(rules, position.holes, position.stores, position.tuz, position.to_move).outcome()
    assert outcome is not None
    return outcome.stores[position.to_move] - outcome.stores[position.to_move.other]


def certain(stones: float, winner: Side | None, mover: Side) -> float:
    return stones if winner is None else stones + (WIN if winner is mover else -WIN)


class Plain:
    """Minimax without a window, a table or an order, over the reference rules."""

    def __init__(self, engine: Engine, root: Position) -> None:
        self.engine, self.rules = engine, root.rules
        self.endless = replace(root.rules, goal=0)
        total = sum(map(sum, root.holes)) + sum(root.stores)
        self.decisive = 2 * root.rules.goal > total
        self.playout = self.decisive and sum(map(sum, root.holes)) <= PLAYOUT
        self.path = [root]
        self.repetitions = 0

    def settled(self, position: Position) -> float | None:
        outcome, mover = position.outcome(), position.to_move
        if outcome is None:
            return None
        own, other = position.stores[mover], position.stores[mover.other]
        if outcome.termination == "equal":
            return 0.0
        if outcome.termination == "majority":
            over = Position(self.endless, position.holes, position.stores, position.tuz, mover).outcome() is not None
            if not over and self.playout:
                return None
            if not over or not self.decisive:
                estimate = self.engine.evaluate(position)
                if own == other:
                    return 0.0
                return certain(max(estimate, 0.0) if own > other else min(estimate, 0.0), outcome.winner, mover)
        difference = final_difference(position, self.endless)
        return certain(difference, None if difference == 0 else mover if difference > 0 else mover.other, mover)

    def reached(self, position: Position) -> Side | None:
        """The side that has reached the goal in a game that is played out."""
        goal = self.rules.goal
        return next((side for side in Side if self.playout and goal and position.stores[side] >= goal), None)

    def leaf(self, position: Position) -> float:
        return certain(self.engine.evaluate(position), self.reached(position), position.to_move)

    def value(self, position: Position, depth: int) -> float:
        settled = self.settled(position)
        if settled is not None:
            return settled
        if (self.rules.threefold or self.rules.recurrence) and position in self.path:
            self.repetitions += 1
            return certain(0.0, self.reached(position), position.to_move)
        if depth == 0:
            return self.leaf(position)
        self.path.append(position)
        best = max(self.moves(position, depth).values())
        self.path.pop()
        return best

    def moves(self, position: Position, depth: int) -> dict[int, float]:
        rules = self.endless if self.playout else self.rules
        values = {}
        for number, stones in enumerate(position.holes[position.to_move], 1):
            if stones:
                on = Position(rules, position.holes, position.stores, position.tuz, position.to_move)
                child = replace(on.play(number), rules=self.rules)
                value = self.value(child, depth - 1)
                values[number] = value if child.to_move is position.to_move else -value
        return values


def told(line: Line) -> float:
    """The value of a line as `Plain` has it; chances of 0 and 1 mark what is certain."""
    return line.evaluation + (WIN if line.win == 1 else -WIN if line.loss == 1 else 0)


def agree(engine: Engine, position: Position, depth: int, *, exact_depth: bool = True) -> int:
    """Compare every first move, and the best alone; how often a repetition ended a line."""
    minimax = Plain(engine, position)
    plain = minimax.moves(position, depth)
    analysis = engine.analyse(position, Limits(depth=depth), lines=9, exact_depth=exact_depth)
    found = {line.move: told(line) for line in analysis.lines if line.depth == depth}
    if not all(line.exact for line in analysis.lines):
        assert found == plain, f"{position!r} depth {depth}"
    assert list(found.values()) == sorted(found.values(), reverse=True)
    engine.clear()
    best = engine.analyse(position, Limits(depth=depth), exact_depth=exact_depth).lines[0]
    if best.depth == depth:
        assert told(best) == max(plain.values()), f"{position!r} depth {depth}"
        assert plain[best.move] == max(plain.values())
    return minimax.repetitions


def small_setup(rules: Rules, random: Random) -> Position:
    """A playable position with few stones on the board, often near the goal."""
    while True:
        position = random_setup(rules, random)
        if random.random() < 0.6:
            stones = random.randint(2, 16)
            row = [[0] * rules.holes, [0] * rules.holes]
            for _ in range(stones):
                side = random.randrange(2)
                hole = random.randrange(rules.holes)
                if position.tuz[1 - side] != hole + 1:
                    row[side][hole] += 1
            rest = rules.total - sum(map(sum, row))
            own = max(0, rest // 2 + random.randint(-3, 3)) if random.random() < 0.8 else random.randint(0, rest)
            stores = min(own, rest), rest - min(own, rest)
            position = Setup(rules, (row[0], row[1]), stores, position.tuz, position.to_move).position(lenient=True)
        if position.outcome() is None:
            return position
