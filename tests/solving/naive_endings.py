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
    numbers = {start: 0}
    movers: list[Side] = []
    children: list[list[int]] = []
    ended: dict[int, int] = {}
    waiting = [start]
    for number, position in enumerate(waiting):  # which grows meanwhile
        movers.append(position.to_move)
        children.append([])
        for move in position.legal_moves():
            child = position.play(move)
            if child not in numbers:
                numbers[child] = len(waiting)
                waiting.append(child)
            children[number].append(numbers[child])
        if not children[number]:
            outcome = position.outcome()
            assert outcome is not None
            ended[number] = outcome.stores[0] - outcome.stores[1]
    parents: list[list[int]] = [[] for _ in children]
    for number, following in enumerate(children):
        for each in following:
            parents[each].append(number)
    found = [0] * len(children)
    for side, sign in ((Side.WHITE, 1), (Side.BLACK, -1)):
        for goal in sorted({sign * difference for difference in ended.values() if sign * difference > 0}):
            # A move of the side itself is enough; the other side must have no move left that leads elsewhere.
            missing = [
                1 if mover is side else len(following) for mover, following in zip(movers, children, strict=True)
            ]
            for number in forced([n for n, d in ended.items() if sign * d >= goal], parents, missing):
                found[number] = sign * goal
    return {position: found[number] for position, number in numbers.items()}


def forced(targets: list[int], parents: list[list[int]], missing: list[int]) -> set[int]:
    """The positions from which a side can force one of the targets; `missing` moves into them are needed to count."""
    reached, waiting = set(targets), list(targets)
    while waiting:
        for parent in parents[waiting.pop()]:
            missing[parent] -= 1
            if missing[parent] == 0 and parent not in reached:
                reached.add(parent)
                waiting.append(parent)
    return reached
