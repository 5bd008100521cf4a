"""Choose a set of puzzles: themes in balance, and little for a solver who always takes the most stones."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from random import Random

from korgool.rules import Position
from korgool.training.puzzle import Puzzle

MOST_QUIET = 0.7
"""Share of the set that may begin with a quiet move. What is neither quiet nor found by taking the most is rare."""
MOST_GREEDY = 0.35
"""Share of the set that a solver may find who always takes the most stones. Of what a search finds it is a half."""


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

    The bounds of `MOST_QUIET` and `MOST_GREEDY` hold at every moment, give or take one puzzle: what they refuse is
    asked again when more of the others have been taken.

    Args:
        puzzles: of one game, without repeats.
        most: how many; fewer where the bounds leave fewer.
        seed: decides which ones of a theme come first.

    Returns:
        The chosen ones in the order of `puzzles`.
    """
    order = list(puzzles)
    Random(seed).shuffle(order)
    chances = {puzzle.id: greedy_chance(puzzle) for puzzle in puzzles}
    order.sort(key=lambda puzzle: chances[puzzle.id])  # what is hard for the greedy makes room for what is not
    chosen = _Chosen(chances)
    while len(chosen.ids) < most:
        before = len(chosen.ids)
        _take_by_theme([puzzle for puzzle in order if puzzle.id not in chosen.ids], chosen, most)
        if len(chosen.ids) == before:
            break
    return [puzzle for puzzle in puzzles if puzzle.id in chosen.ids]


class _Chosen:
    """The puzzles chosen so far, and what they are like.

    Args:
        chances: `greedy_chance` of each puzzle there is, by id.
    """

    def __init__(self, chances: Mapping[str, float]) -> None:
        self._chances = chances
        self.ids: set[str] = set()
        self.themes: Counter[str] = Counter()
        self.greedy = 0.0

    def take(self, puzzle: Puzzle) -> None:
        """Choose a puzzle unless it is chosen already, or too many like it are."""
        count, chance = len(self.ids) + 1, self._chances[puzzle.id]
        too_quiet = "quiet" in puzzle.themes and self.themes["quiet"] + 1 > MOST_QUIET * count + 1
        if puzzle.id in self.ids or too_quiet or self.greedy + chance > MOST_GREEDY * count + 1:
            return
        self.ids.add(puzzle.id)
        self.themes.update(puzzle.themes)
        self.greedy += chance


def _take_by_theme(order: Sequence[Puzzle], chosen: _Chosen, most: int) -> None:
    waiting = {theme: deque(one for one in order if theme in one.themes) for one in order for theme in one.themes}
    while waiting and len(chosen.ids) < most:
        theme = min(waiting, key=lambda name: (chosen.themes[name], name))
        if waiting[theme]:
            chosen.take(waiting[theme].popleft())
        else:
            del waiting[theme]
