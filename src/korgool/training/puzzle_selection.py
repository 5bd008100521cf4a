"""Choose a set of puzzles: themes in balance, and little for a solver who always takes the most stones."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from random import Random

from korgool.rules import Position
from korgool.training.puzzle import Puzzle

MOST_QUIET = 0.4
"""Share of the set that may begin with a quiet move. Of what a search finds it is the half."""
MOST_GREEDY = 0.15
"""Share of the set that a solver may find who always takes the most stones."""


def greedy_chance(puzzle: Puzzle) -> float:
    """Chance that a solver finds the line who plays what brings the most stones at once, by lot among equal moves."""
    position, chance = puzzle.start, 1.0
    for accepted in puzzle.moves:
        if position.to_move is puzzle.solver:
            best = most_taking(position)
            chance *= sum(move in accepted for move in best) / len(best)
        position = position.play(accepted[0])
    return chance


def most_taking(position: Position) -> list[int]:
    """The moves after which the own store has the most stones."""
    gains = {move: position.play(move).stores[position.to_move] for move in position.legal_moves()}
    most = max(gains.values())
    return [move for move, gain in gains.items() if gain == most]


def without_repeats(puzzles: Iterable[Puzzle]) -> list[Puzzle]:
    """The puzzles without those whose position came before."""
    return list({puzzle.id: puzzle for puzzle in reversed(list(puzzles))}.values())[::-1]


def select(puzzles: Sequence[Puzzle], most: int, seed: int = 0) -> list[Puzzle]:
    """Choose at most `most` puzzles: again and again one of the theme that has the fewest so far.

    Args:
        puzzles: of one game, without repeats.
        most: how many; fewer where the bounds of `MOST_QUIET` and `MOST_GREEDY` leave fewer.
        seed: decides which ones of a theme come first.

    Returns:
        The chosen ones in the order of `puzzles`.
    """
    order = list(puzzles)
    Random(seed).shuffle(order)
    waiting = {theme: deque(one for one in order if theme in one.themes) for one in order for theme in one.themes}
    chosen: set[str] = set()
    counts: Counter[str] = Counter()
    quiet = greedy = 0.0
    most_quiet, most_greedy = max(1.0, MOST_QUIET * most), max(1.0, MOST_GREEDY * most)
    while waiting and len(chosen) < most:
        theme = min(waiting, key=lambda name: (counts[name], name))
        if not waiting[theme]:
            del waiting[theme]
            continue
        puzzle = waiting[theme].popleft()
        is_quiet, chance = "quiet" in puzzle.themes, greedy_chance(puzzle)
        if puzzle.id in chosen or (is_quiet and quiet + 1 > most_quiet) or greedy + chance > most_greedy:
            continue
        chosen.add(puzzle.id)
        counts.update(puzzle.themes)
        quiet, greedy = quiet + is_quiet, greedy + chance
    return [puzzle for puzzle in puzzles if puzzle.id in chosen]
