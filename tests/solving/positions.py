"""Random positions for the tests of exact values."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from korgool.rules import Position, PositionError, Rules, Setup, Side


def laid(rules: Rules, stones: int, random: Random) -> Position:
    """Stones thrown into holes by chance, perhaps with tuz; stores by chance, so that all add up. Play may be over."""
    while True:
        cells = [0] * (2 * rules.holes)
        for _ in range(stones):
            cells[random.randrange(2 * rules.holes)] += 1
        tuz = [random.choice([None, None, *range(1, rules.holes)]) if rules.tuz else None for _ in Side]
        for side, hole in enumerate(tuz):
            if hole is not None:
                cells[(1 - side) * rules.holes + hole - 1] = 0
        rest = rules.total - sum(cells)
        store = min(rest, max(0, rest // 2 + random.randint(-8, 8)))
        rows = cells[: rules.holes], cells[rules.holes :]
        setup = Setup(rules, rows, (store, rest - store), (tuz[0], tuz[1]), random.choice(list(Side)))
        try:
            return setup.position()
        except PositionError:
            continue


def played(rules: Rules, stones: int, random: Random) -> Position:
    """Where a random game, played on beyond its goal, first has at most so many stones on the board; not over."""
    while True:
        position = replace(rules, goal=0).start()
        while sum(map(sum, position.holes)) > stones and position.legal_moves():
            position = position.play(random.choice(position.legal_moves()))
        if position.legal_moves():
            return replace(position, rules=rules)
