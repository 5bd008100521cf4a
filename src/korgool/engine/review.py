"""A played game in the eyes of the engine: what each move gave away, in chances of winning, and what was better.

Chances and not stones decide about a mark: ten stones lost in a won game cost nothing, one lost at 80 : 80 costs all.
"""

from __future__ import annotations

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
    """

    ply: int
    side: Side
    played: int
    best: int
    lost: float
    mark: Mark | None
    better: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SideSummary:
    """A side's game: its moves, points given away a move on average, and how many marks of each kind."""

    moves: int
    lost: float
    marks: tuple[int, int, int]


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


def judge_ply(
    ply: int, before: Position, seen: Analysis, played: int, after: Position, then: Analysis | None
) -> ReviewedPly:
    """Judge a ply by the value that it gave away.

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
    lost = max(0.0, sign * (expectation(before, seen) - expectation(after, then)))
    if played == best.move:
        lost = 0.0  # what is left is the engine seeing farther a ply later, and no fault of the player
    mark = next((mark for least, mark in THRESHOLDS if lost >= least - 1e-9), None)
    return ReviewedPly(ply, side, played, best.move, lost, mark, best.pv if mark else ())


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


def summary(judged: Sequence[ReviewedPly], side: Side) -> SideSummary:
    """Sum of the values that a side's plies gave away."""
    own = [one for one in judged if one.side is side]
    marks = [sum(one.mark is mark for one in own) for mark in Mark]
    lost = sum(one.lost for one in own) / len(own) if own else 0.0
    return SideSummary(len(own), lost, (marks[0], marks[1], marks[2]))
