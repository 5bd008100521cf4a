"""The plainest solver of endings: every position, every move, until nothing changes. Written apart from the
kernel, and slow; it shares no code, no numbering and no order with what it checks.

A position is the tuple (own row, other row, index of the own tuz, of the other tuz) of the side to move, empty stores.
Its two values are what that side will gain more than its opponent when endless play is the worst for it (minus
infinity), and the best.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement, islice
from typing import TypeAlias

from korgool.rules import Position, Rules, Side

Row: TypeAlias = tuple[int, ...]
Key: TypeAlias = tuple[Row, Row, int | None, int | None]
Values: TypeAlias = dict[Key, tuple[float, float]]
Child: TypeAlias = tuple[int, bool, Key]
"""What a move gains, whether the same side moves again, and the position that it leads to."""
ANYTHING = (-math.inf, math.inf)
NOTHING = (-math.inf, -math.inf)


def owners(rules: Rules) -> list[tuple[int | None, int | None]]:
    """The tuz that the two sides can own together."""
    if not rules.tuz:
        return [(None, None)]
    holes: list[int | None] = [None, *range(rules.holes if rules.tuz_last_hole else rules.holes - 1)]
    return [(a, b) for a in holes for b in holes if a is None or a != b or rules.tuz_same_number]


def keys(rules: Rules, stones: int, own_tuz: int | None, other_tuz: int | None, every: int = 1) -> Iterator[Key]:
    """Every position with so many stones on the board and these tuz, or one of so many."""
    n = rules.holes
    closed = {other_tuz, None if own_tuz is None else n + own_tuz} if rules.tuz_takes else set()
    heaps = combinations_with_replacement([hole for hole in range(2 * n) if hole not in closed], stones)
    for places in islice(heaps, 0, None, every):
        cells = [0] * (2 * n)
        for place in places:
            cells[place] += 1
        yield tuple(cells[:n]), tuple(cells[n:]), own_tuz, other_tuz


@cache
def played_out(rules: Rules) -> Rules:
    """The game without a stop at its goal."""
    return replace(rules, goal=0)


def position(rules: Rules, key: Key) -> Position:
    """A key as a position with White to move."""
    return Position(played_out(rules), (key[0], key[1]), (0, 0), (_moved(key[2], 1), _moved(key[3], 1)), Side.WHITE)


def _moved(hole: int | None, by: int) -> int | None:
    """A hole as an index, as it is in a key, or as a number."""
    return None if hole is None else hole + by


def key_of(after: Position) -> Key:
    """What the side to move sees."""
    mover, foe = after.to_move, after.to_move.other
    return after.holes[mover], after.holes[foe], _moved(after.tuz[mover], -1), _moved(after.tuz[foe], -1)


def value(rules: Rules, key: Key, known: Values) -> tuple[float, float]:
    """The two values from those of all positions that a move leads to; what is not known may be anything."""
    children = follow(rules, key)
    if isinstance(children, float):
        return children, children
    return best(NOTHING, children, known)


def follow(rules: Rules, key: Key) -> float | list[Child]:
    """What each move leads to; where the game is over, the difference of what both have gained."""
    own, other = key[:2]
    if not any(own) or (rules.ending == "side_empty" and not any(other)):
        left = float(sum(own) - sum(other))
        return {"owner": left, "emptied": -left, "nobody": 0.0}[rules.sweep]
    return [sown(rules, key, hole) for hole in range(rules.holes) if own[hole]]


def sown(rules: Rules, key: Key, hole: int) -> Child:
    """One move, sown here and not by `korgool.rules`, which takes thrice the time."""
    own, other, won, lost = key
    n, gain, last, stones = rules.holes, 0, -1, own[hole]
    cells = [*own, *other]  # 0 to n - 1 are the mover's, n to 2n - 1 his opponent's
    ring = [*range(n), *([-1] if rules.store_sown else []), *range(n, 2 * n)]
    cells[hole] = 0
    for step in range(stones):
        last = ring[(hole + (stones == 1) + step) % len(ring)]
        if last == -1 or (won is not None and last == n + won):
            gain += 1
        elif last == lost:
            gain -= 1
        else:
            cells[last] += 1
    if last >= n and last - n != won:
        may = rules.tuz and won is None and (rules.tuz_last_hole or last < 2 * n - 1)
        if cells[last] % 2 == 0:
            gain, cells[last] = gain + cells[last], 0
        elif cells[last] == 3 and may and (rules.tuz_same_number or last - n != lost):
            won = last - n
            if rules.tuz_takes:
                gain, cells[last] = gain + 3, 0
    elif 0 <= last < n and last != lost and cells[last] == 1 and rules.empty_capture and cells[2 * n - 1 - last]:
        gain += 1 + cells[2 * n - 1 - last]
        cells[last] = cells[2 * n - 1 - last] = 0
    mine, his = tuple(cells[:n]), tuple(cells[n:])
    if last == -1 and rules.extra_turn and (stones > 1 or rules.extra_turn_single):
        return gain, True, (mine, his, won, lost)
    return gain, False, (his, mine, lost, won)


def best(values: tuple[float, float], children: list[Child], known: Values) -> tuple[float, float]:
    """Two values, or those that a move gives where they are better."""
    lower, upper = values
    for gain, same, key in children:
        low, high = known.get(key, ANYTHING)
        if not same:
            low, high = -high, -low
        lower = max(lower, gain + low)
        upper = max(upper, gain + high)
    return lower, upper


def solve(rules: Rules, most: int) -> Iterator[Values]:
    """All positions with up to `most` stones on the board, in portions that moves leave only for one yielded before.

    A portion has the same stones and the same tuz, seen by either side. A move leaves it by taking stones or winning a
    tuz, so more tuz come first.
    """
    known: Values = {}
    for stones in range(most + 1):
        for one, other in sorted(owners(rules), key=lambda pair: pair.count(None)):
            pairs = {(one, other), (other, one)}
            if (one, other) == min(pairs, key=str):
                portion = improved(rules, [key for pair in pairs for key in keys(rules, stones, *pair)], known)
                yield portion
                if stones < most or not rules.tuz_takes:
                    known |= portion


def improved(rules: Rules, portion: list[Key], known: Values) -> Values:
    """The values of a portion, improved until a pass over all that may still change alters none.

    The rules are asked once what the moves of a position lead to. What neither the portion nor `known` holds fails.
    """
    values = dict.fromkeys(portion, ANYTHING)
    waiting: list[tuple[Key, tuple[float, float], list[Child]]] = []
    for key in portion:
        children = follow(rules, key)
        if isinstance(children, float):
            values[key] = children, children
            continue
        inside = [child for child in children if child[2] in values]
        outside = [child for child in children if child[2] not in values] if len(inside) < len(children) else []
        assert all(child[2] in known for child in outside)
        settled = best(NOTHING, outside, known)
        if inside:
            waiting.append((key, settled, inside))
        else:
            values[key] = settled
    changed = True
    while changed:
        changed = False
        for key, settled, inside in waiting:
            new = best(settled, inside, values)
            if values[key] != new:
                values[key] = new
                changed = True
        waiting = [one for one in waiting if values[one[0]][0] != values[one[0]][1]]
    return values


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
    # What was found last follows what was found first, so most of it grows in one pass; and whoever forces a size has
    # forced every smaller one, so later passes go over fewer positions.
    going = [(full, children) for full, children in reversed(moves.items()) if children]
    sizes = {abs(difference) for difference in ended.values()} - {0}
    for size in sorted(sizes):
        mine = {full for full, difference in ended.items() if difference >= size}  # the side to move forces `size`
        his = {full for full, difference in ended.items() if -difference >= size}  # its opponent does
        grown = True
        while grown:
            grown = False
            for full, children in going:
                if full in mine or full in his:
                    continue
                if any(child in (mine if same else his) for child, same in children):
                    mine.add(full)
                    grown = True
                elif all(child in (his if same else mine) for child, same in children):
                    his.add(full)
                    grown = True
        values |= dict.fromkeys(mine, size) | dict.fromkeys(his, -size)
        going = [one for one in going if one[0] in mine or one[0] in his]
    return values
