"""A naive full-width solver for games with cycles, over `korgool.rules` alone and by another way than the solver's.

It knows nothing of lower and upper values. For each number of stones it asks directly who can force at least that
difference, stores included: the positions from which a side can are gathered backwards from the ended games, until no
more come. What neither side can force is endless play and counts 0.
"""

from __future__ import annotations

from dataclasses import replace

from korgool.rules import Position, Side


def values(start: Position) -> dict[Position, int]:
    """The final difference, White's less Black's, of a position and all that can follow, played out."""
    start = replace(start, rules=replace(start.rules, goal=0))
    children: dict[Position, list[Position]] = {}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        if position not in children:
            children[position] = [position.play(move) for move in position.legal_moves()]
            waiting += children[position]
    found = dict.fromkeys(children, 0)
    ended = {}
    for position, following in children.items():
        if not following:
            outcome = position.outcome()
            assert outcome is not None
            ended[position] = outcome.stores[0] - outcome.stores[1]
    for side, sign in ((Side.WHITE, 1), (Side.BLACK, -1)):
        for goal in sorted({sign * difference for difference in ended.values() if sign * difference > 0}):
            for position in forced(side, {p for p, d in ended.items() if sign * d >= goal}, children):
                found[position] = sign * goal
    return found


def forced(side: Side, targets: set[Position], children: dict[Position, list[Position]]) -> set[Position]:
    """The positions from which a side can force one of the targets."""
    reached = set(targets)
    grown = True
    while grown:
        grown = False
        for position, following in children.items():
            if position in reached or not following:
                continue
            choose = any if position.to_move is side else all
            if choose(child in reached for child in following):
                reached.add(position)
                grown = True
    return reached
