"""The plainest solver of endings: every position of a layer, every move, until nothing changes. Written apart from the
kernel, over `korgool.rules` alone, and slow; it shares no code, no numbering and no order with what it checks.

A position is the tuple (own row, other row, own tuz, other tuz) of the side to move, empty stores. Its two values are
what he will gain more than his opponent when endless play is the worst for him (minus infinity), and the best.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from korgool.rules import Position, Rules, Side

Row: TypeAlias = tuple[int, ...]
Key: TypeAlias = tuple[Row, Row, int | None, int | None]
Values: TypeAlias = dict[Key, tuple[float, float]]


def rows(cells: int, stones: int) -> Iterator[Row]:
    """All ways to lay stones into cells."""
    if cells == 1:
        yield (stones,)
        return
    for first in range(stones + 1):
        for rest in rows(cells - 1, stones - first):
            yield (first, *rest)


def owners(rules: Rules) -> list[tuple[int | None, int | None]]:
    """The tuz that the two sides can own together."""
    if not rules.tuz:
        return [(None, None)]
    holes: list[int | None] = [None, *range(rules.holes if rules.tuz_last_hole else rules.holes - 1)]
    return [(a, b) for a in holes for b in holes if a is None or a != b or rules.tuz_same_number]


def keys(rules: Rules, stones: int, own_tuz: int | None, other_tuz: int | None) -> Iterator[Key]:
    """Every position with so many stones on the board and these tuz."""
    for cells in rows(2 * rules.holes, stones):
        own, other = cells[: rules.holes], cells[rules.holes :]
        if rules.tuz_takes and ((own_tuz is not None and other[own_tuz]) or (other_tuz is not None and own[other_tuz])):
            continue
        yield own, other, own_tuz, other_tuz


def played_out(rules: Rules) -> Rules:
    """The game without a stop at its goal."""
    return replace(rules, goal=0)


def position(rules: Rules, key: Key) -> Position:
    """A key as a position with White to move."""
    return Position(played_out(rules), (key[0], key[1]), (0, 0), (key[2], key[3]), Side.WHITE)


def key_of(after: Position) -> Key:
    """What the side to move sees."""
    mover, foe = after.to_move, after.to_move.other
    return after.holes[mover], after.holes[foe], after.tuz[mover], after.tuz[foe]


def value(rules: Rules, key: Key, known: Values) -> tuple[float, float]:
    """The two values from those of all positions that a move leads to; what is not known may be anything."""
    at = position(rules, key)
    outcome = at.outcome()
    if outcome is not None:
        difference = float(outcome.stores[0] - outcome.stores[1])
        return difference, difference
    lower = upper = -math.inf
    for number in at.legal_moves():
        after = at.play(number)
        gain = after.stores[0] - after.stores[1]
        low, high = known.get(key_of(after), (-math.inf, math.inf))
        if after.to_move is Side.BLACK:
            low, high = -high, -low
        lower, upper = max(lower, gain + low), max(upper, gain + high)
    return lower, upper


def solve(rules: Rules, most: int) -> Values:
    """All positions with up to `most` stones on the board."""
    known: Values = {}
    for stones in range(most + 1):
        layer = [key for won, lost in owners(rules) for key in keys(rules, stones, won, lost)]
        waiting = set(layer)
        while waiting:
            settled = set()
            changed = False
            for key in waiting:
                new = value(rules, key, known)
                if known.get(key) != new:
                    known[key] = new
                    changed = True
                if new[0] == new[1]:
                    settled.add(key)
            waiting -= settled
            if not changed:
                break
    return known


Full: TypeAlias = tuple[Key, int, int]
"""A position with the stores of the side to move and of the other."""


def full_position(rules: Rules, full: Full) -> Position:
    """The position with White to move."""
    (own, other, won, lost), mine, his = full
    return Position(rules, (own, other), (mine, his), (won, lost), Side.WHITE)


def finals(rules: Rules, roots: list[Full]) -> dict[Full, int]:
    """The final store difference for the side to move of all positions that can follow, endless play counting 0.

    Without any thought about bounds: for each difference that can be, grow the set of positions in which the side to
    move, or the other, can force as much. With a goal in the rules a game that reaches it is over, and only the sign of
    its difference is kept.
    """
    moves: dict[Full, list[tuple[Full, bool]]] = {}
    ended: dict[Full, int] = {}
    waiting = list(roots)
    while waiting:
        full = waiting.pop()
        if full in moves:
            continue
        at = full_position(rules, full)
        outcome = at.outcome()
        moves[full] = []
        if outcome is not None:
            difference = outcome.stores[0] - outcome.stores[1]
            ended[full] = (difference > 0) - (difference < 0) if rules.goal else difference
            continue
        for number in at.legal_moves():
            after = at.play(number)
            mover = after.to_move
            child = (key_of(after), after.stores[mover], after.stores[mover.other])
            moves[full].append((child, mover is Side.WHITE))
            waiting.append(child)
    return _levels(moves, ended)


def _levels(moves: dict[Full, list[tuple[Full, bool]]], ended: dict[Full, int]) -> dict[Full, int]:
    values = dict.fromkeys(moves, 0)
    sizes = {abs(difference) for difference in ended.values()} - {0}
    for size in sorted(sizes):
        mine = {full for full, difference in ended.items() if difference >= size}  # the side to move forces `size`
        his = {full for full, difference in ended.items() if -difference >= size}  # its opponent does
        grown = True
        while grown:
            grown = False
            for full, children in moves.items():
                if not children:
                    continue
                if full not in mine and any(child in (mine if same else his) for child, same in children):
                    mine.add(full)
                    grown = True
                if full not in his and all(child in (his if same else mine) for child, same in children):
                    his.add(full)
                    grown = True
        values |= dict.fromkeys(mine, size) | dict.fromkeys(his, -size)
    return values
