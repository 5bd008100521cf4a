"""Checks the counts of `korgool tables drawn` by brute force, with the rules in Python and nothing else of the project.

    python -m tests.tables.naive_draws --stones 4 [--game toguz]

No tables, no ranks, no kernel: every position with so many stones on the board and every content of the stores below
the goal is listed with all that can follow, and four questions are answered for each side by working backwards from
finished games: can it win, reach half of all stones, or bring the game to an end without losing? Prints the same
numbers as the command; 4 stones take seconds, 6 some minutes and 6 GB.
"""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace

from korgool.rules import GAMES, Position, Rules

SIDES = (0, 1)


def ways(stones: int, holes: int) -> Iterator[tuple[int, ...]]:
    """All ways to lay stones into holes."""
    if holes == 1:
        yield (stones,)
        return
    for first in range(stones + 1):
        for rest in ways(stones - first, holes - 1):
            yield (first, *rest)


def starts(rules: Rules, stones: int) -> list[Position]:
    """The positions that are counted: White to move, with a move, both stores below the goal."""
    n, found = rules.holes, []
    for row in ways(stones, 2 * n):
        if any(row[:n]):
            for own in range(rules.goal - 1 - stones, rules.goal):
                stores = (own, rules.total - stones - own)
                found.append(replace(rules.start(), holes=(row[:n], row[n:]), stores=stores))
    return found


class Play:
    """All positions that can follow, with what follows each."""

    def __init__(self, roots: list[Position]) -> None:
        self.number: dict[Position, int] = {}
        self.positions: list[Position] = []
        self.after: list[list[int]] = []
        self.before: list[list[int]] = []
        for root in roots:
            self._put(root)
        for at in self.positions:  # grows meanwhile
            moves = [] if at.outcome() is not None else at.legal_moves()
            self.after.append([self._put(at.play(move)) for move in moves])
        for number, following in enumerate(self.after):
            for next_one in following:
                self.before[next_one].append(number)

    def _put(self, position: Position) -> int:
        number = self.number.setdefault(position, len(self.positions))
        if number == len(self.positions):
            self.positions.append(position)
            self.before.append([])
        return number

    def forced(self, side: int, reached: Callable[[Position], bool]) -> list[bool]:
        """The positions from which a side can force that one is reached, whatever the other does."""
        there = [reached(at) for at in self.positions]
        missing = [len(following) for following in self.after]
        waiting = deque(number for number, is_there in enumerate(there) if is_there)
        while waiting:
            for at in self.before[waiting.popleft()]:
                missing[at] -= 1
                if not there[at] and (self.positions[at].to_move == side or missing[at] == 0):
                    there[at] = True
                    waiting.append(at)
        return there


def count(rules: Rules, stones: int) -> dict[str, int]:
    """The numbers that the command prints."""
    roots, half = starts(rules, stones), rules.goal - 1
    play = Play(roots)

    def stored(at: Position, side: int) -> int:
        outcome = at.outcome()
        return (at.stores if outcome is None else outcome.stores)[side]

    def reaches(side: int) -> Callable[[Position], bool]:
        return lambda at: stored(at, side) >= half

    def wins(side: int) -> Callable[[Position], bool]:
        return lambda at: (outcome := at.outcome()) is not None and outcome.winner == side

    def ends(side: int) -> Callable[[Position], bool]:
        return lambda at: (outcome := at.outcome()) is not None and outcome.winner in (side, None)

    won = [play.forced(side, wins(side)) for side in SIDES]
    sure = [play.forced(side, reaches(side)) for side in SIDES]
    end = [play.forced(side, ends(side)) for side in SIDES]
    found = dict.fromkeys(("positions", "drawn", "decided", "one_sided", "neither", "open"), 0)
    for root in range(len(roots)):
        found["positions"] += 1
        if won[0][root] or won[1][root]:
            continue
        found["drawn"] += 1
        if not (sure[0][root] and sure[1][root]):
            found["decided"] += 1
            continue
        able = end[0][root] + end[1][root]
        found["one_sided"] += able == 1
        found["neither"] += able == 0
        found["open"] += able < 2 and max(roots[root].stores) < half
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stones", type=int, required=True)
    parser.add_argument("--game", choices=[name for name, rules in GAMES.items() if rules.goal], default="toguz")
    asked = parser.parse_args()
    print(count(GAMES[asked.game], asked.stones))
