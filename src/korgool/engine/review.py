"""A played game in the eyes of the engine: what each move gave away, in chances of winning, and what was better.

Chances and not stones decide about a mark: ten stones lost in a won game cost nothing, one lost at 80 : 80 costs all.
The page's scripts review games by the same definitions (`js/analysis/review_values.js`); a test compares the two.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from korgool.engine.search import Analysis
from korgool.rules import Game, Position, Side


class Mark(StrEnum):
    """Mark of a bad move, by the expected points it gave away (a win counts 1, a draw a half)."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @property
    def sign(self) -> str:
        """As annotators write it: `?!`, `?`, `??`."""
        return {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}[self.value]


THRESHOLDS: tuple[tuple[float, Mark], ...] = ((0.20, Mark.BLUNDER), (0.10, Mark.MISTAKE), (0.05, Mark.INACCURACY))
"""A move that gives away at least so much of a point has the mark."""
GOOD = 0.10
"""The engine's move is marked as good where the next best one gives away at least so much of a point."""
GOOD_SIGN = "!"
DECIDED = 0.02
"""A game is decided where a side may expect at most so much of a point, or all but so much."""
DECIDED_WEIGHT = 0.25
"""Weight of a move for the accuracy while the game is decided; before that, 1."""


@dataclass(frozen=True, slots=True)
class ReviewedPly:
    """One ply of a game.

    Attributes:
        ply: from 1.
        side: who moved.
        played: the hole number.
        best: the engine's move.
        lost: points given away against the engine's move, 0 to 1, as the engine expects them.
        mark: how bad it was, or None.
        better: the line beginning with the engine's move, where there is a mark.
        stones: stones given away: by how much the expected difference of the stores fell, as in the graph.
        good: whether it was the only good move and hard to find (`only_good_move`).
        weight: how much it counts for the accuracy: 1, `DECIDED_WEIGHT` where the game was decided, 0 where no other
            move could be played.
    """

    ply: int
    side: Side
    played: int
    best: int
    lost: float
    mark: Mark | None
    better: tuple[int, ...] = ()
    stones: float = 0.0
    good: bool = False
    weight: float = 1.0

    @property
    def sign(self) -> str:
        """As annotators write it: `?!`, `?`, `??` or `!`; empty for a move without a mark."""
        return self.mark.sign if self.mark else GOOD_SIGN if self.good else ""


@dataclass(frozen=True, slots=True)
class SideSummary:
    """A side's game.

    Attributes:
        moves: how many it made.
        lost: points given away a move on average.
        marks: how many of its moves have each mark, from inaccuracy to blunder.
        good: how many were the only good move and hard to find.
        accuracy: in percent, 0 to 100; None where no move had an alternative.
    """

    moves: int
    lost: float
    marks: tuple[int, int, int]
    good: int = 0
    accuracy: float | None = None


def expectation(position: Position, analysis: Analysis | None) -> float:
    """Points that White may expect, 0 to 1; of a finished game those scored."""
    outcome = position.outcome()
    if outcome is not None:
        return 0.5 if outcome.winner is None else float(outcome.winner is Side.WHITE)
    assert analysis is not None, "a position that is not over has an analysis"
    line = analysis.lines[0]
    own = line.win + line.draw / 2
    return own if position.to_move is Side.WHITE else 1 - own


def until_goal(evaluation: float, position: Position) -> float:
    """The difference of the stores to expect when play stops, where a goal stops it: at 82 or 26 stones.

    The search counts every stone to the last one. The stones on the board when the goal is reached do not count (WNG-TK
    §V), so a game that is far ahead ends at less than that. Both sides are taken to gain what they will at one pace.

    Args:
        evaluation: expected difference in stones, from White's view, when all stones are counted.
        position: where it was found; its outcome counts where it has one.
    """
    outcome = position.outcome()
    if outcome is not None:
        return float(outcome.stores[0] - outcome.stores[1])
    rules, leader = position.rules, 0 if evaluation >= 0 else 1
    ahead, behind = position.stores[leader], position.stores[1 - leader]
    most = (rules.total + abs(evaluation)) / 2
    if not rules.goal or most <= rules.goal:
        return evaluation
    share = (rules.goal - ahead) / (most - ahead)
    difference = rules.goal - behind - share * max(0.0, rules.total - most - behind)
    return difference if leader == 0 else -difference


def expected_differences(game: Game, evaluations: Sequence[float]) -> list[float]:
    """Graph of a game: for each position the difference of the stores, in stones, from White's view.

    The last one is the difference of the result, and those before lead to it. In a game whose end gave the
    stones on the board to a player, all of them count.

    Args:
        game: the game.
        evaluations: of each of its positions, all stones counted, from White's view.
    """
    outcome = game.position.outcome()
    if outcome is not None and any(outcome.swept):
        return list(evaluations)
    return [until_goal(value, position) for value, position in zip(evaluations, game.positions, strict=True)]


def value_of(position: Position, analysis: Analysis | None) -> float:
    """The difference of the stores to expect when play stops, in stones, from White's view (see `until_goal`)."""
    if analysis is None:
        return until_goal(0.0, position)
    value = analysis.lines[0].evaluation
    return until_goal(value if position.to_move is Side.WHITE else -value, position)


def move_accuracy(lost: float) -> float:
    """Accuracy of a move in percent, by the points that it gave away, 0 to 1.

    The curve is that of the large chess sites: 100 for the engine's move, 80 for a twentieth of a point, 64 for a
    tenth, 40 for a fifth.
    """
    return min(100.0, max(0.0, 103.1668 * math.exp(-4.354 * lost) - 3.1669))


def only_good_move(position: Position, seen: Analysis) -> bool:
    """Return whether the engine's move is the only good one and hard to find.

    All others give away at least `GOOD` of a point, and it is not simply the largest capture on the board. An analysis
    with a single line cannot tell.
    """
    if len(seen.lines) < 2:
        return False
    first, second = (line.win + line.draw / 2 for line in seen.lines[:2])
    taken = {move: position.sow(move).taken for move in position.legal_moves()}
    most = max(taken.values())
    return first - second >= GOOD - 1e-9 and not (most and taken[seen.move] == most)


def _weight(expected: float, kept: float, choices: int) -> float:
    """Weight of a move, by the mover's expected points before it and after it."""
    if choices < 2:
        return 0.0
    decided = expected <= DECIDED or min(expected, kept) >= 1 - DECIDED
    return DECIDED_WEIGHT if decided else 1.0


def judge_ply(
    ply: int, before: Position, seen: Analysis, played: int, after: Position, then: Analysis | None
) -> ReviewedPly:
    """Judge a ply by the value that it gave away; where the analysis before it has a line of the ply, by that alone.

    Args:
        ply: its number, from 1.
        before: the position it was played in.
        seen: the analysis of that position.
        played: the hole number.
        after: the next position.
        then: its analysis, None where the game is over.
    """
    best, side = seen.lines[0], before.to_move
    sign = 1 if side is Side.WHITE else -1
    points, stones = sign * expectation(before, seen), sign * value_of(before, seen)
    examined = next((line for line in seen.lines if line.move == played), None)
    if examined is None or then is None:
        lost, stones = points - sign * expectation(after, then), stones - sign * value_of(after, then)
    else:
        lost = best.win + best.draw / 2 - (examined.win + examined.draw / 2)
        stones -= sign * until_goal(sign * examined.evaluation, before)
    lost, stones = max(0.0, lost), max(0.0, stones)
    if played == best.move:
        lost = stones = 0.0  # what is left is the engine seeing farther a ply later, and no fault of the player
    mark = next((mark for least, mark in THRESHOLDS if lost >= least - 1e-9), None)
    good = played == best.move and only_good_move(before, seen)
    expected = best.win + best.draw / 2
    weight = _weight(expected, expected - lost, len(before.legal_moves()))
    return ReviewedPly(ply, side, played, best.move, lost, mark, best.pv if mark else (), stones, good, weight)


def review(game: Game, analyses: Sequence[Analysis | None]) -> tuple[ReviewedPly, ...]:
    """Every ply of a game.

    Args:
        game: the game.
        analyses: one for each of its positions, None where the game is over.
    """
    boards = game.positions
    judged = []
    for ply, played in enumerate(game.moves, 1):
        seen = analyses[ply - 1]
        assert seen is not None, "nobody moves when the game is over"
        judged.append(judge_ply(ply, boards[ply - 1], seen, played, boards[ply], analyses[ply]))
    return tuple(judged)


def accuracy(judged: Sequence[ReviewedPly]) -> float | None:
    """Accuracy of moves in percent: the mean of `move_accuracy`, weighted by how much each of them counts.

    A move without an alternative does not count. While the game is decided a move counts a quarter: there nearly
    everything keeps the result.

    Returns:
        0 to 100, None where nothing counts.
    """
    weight = sum(one.weight for one in judged)
    return sum(one.weight * move_accuracy(one.lost) for one in judged) / weight if weight else None


def summary(judged: Sequence[ReviewedPly], side: Side) -> SideSummary:
    """Sum of the values that a side's plies gave away."""
    own = [one for one in judged if one.side is side]
    marks = [sum(one.mark is mark for one in own) for mark in Mark]
    lost = sum(one.lost for one in own) / len(own) if own else 0.0
    good = sum(one.good for one in own)
    return SideSummary(len(own), lost, (marks[0], marks[1], marks[2]), good, accuracy(own))
