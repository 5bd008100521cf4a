"""Overlooking: a weak player follows some of its moves far, some for a ply, and some it does not see at all.

How many plies of a move are seen is drawn anew for each move of each turn. After every ply the player goes on with one
same chance, its *sight*; the first ply, its own sowing, costs as many of these steps as the hole has stones, in units
of the stones that a hole has at the start. So a short sowing is rarely overlooked, a long one is easily miscounted, and
a far answer of the opponent is missed more often than a near one. Among the moves that it sees the player takes the one
that looks best, and it knows nothing of what it did not follow.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from korgool.engine.search import Line


def plies_seen(chance: float, stones: int, usual: int, sight: float) -> int:
    """Number of plies for which a move is followed.

    Args:
        chance: drawn evenly from 0 to before 1.
        stones: of the hole that is sown.
        usual: stones of a hole at the start of the game.
        sight: chance to follow a move one ply farther, above 0 and below 1.

    Returns:
        Plies, 0 for a move that is not seen.
    """
    beyond = math.log(1 - chance) / math.log(sight) - stones / usual
    return 0 if beyond < 0 else 1 + int(beyond)


def lines_seen(depths: Iterable[Sequence[Line]], plies: Mapping[int, int]) -> list[Line]:
    """The moves that a player sees, each as it looks as far as it is followed.

    Args:
        depths: all first moves with what a search thinks of them, after each of its depths.
        plies: by hole number, how far each is followed.
    """
    seen: dict[int, Line] = {}
    for lines in depths:
        for line in lines:
            if plies[line.move] and (line.move not in seen or line.depth <= plies[line.move]):
                seen[line.move] = line
    return list(seen.values())


def best_seen(seen: Sequence[Line], all_moves: Sequence[Line], chance: float) -> Line:
    """The best of the moves that are seen, one of the best by lot; one of all by lot where none is seen.

    Args:
        seen: what `lines_seen` tells.
        all_moves: every move, in any order that does not change from time to time.
        chance: drawn evenly from 0 to before 1.
    """
    highest = max(map(_worth, seen), default=(0, 0.0))
    among = [line for line in seen if _worth(line) == highest] or all_moves
    return sorted(among, key=lambda line: line.move)[int(chance * len(among))]


def _worth(line: Line) -> tuple[int, float]:
    """By which moves are compared: a win that is certain passes any hope."""
    return (line.win == 1) - (line.loss == 1), line.evaluation
