"""Check puzzles: the line by the rules, its themes by their predicates, every move to find by another search."""

from __future__ import annotations

from dataclasses import dataclass

from korgool.engine import Engine, Limits, Line, Tables
from korgool.engine.levels import ratings_of
from korgool.rules import Position, Rules
from korgool.training.puzzle import LEAST_GAP, Puzzle
from korgool.training.puzzle_search import PuzzleSearch, points_of
from korgool.training.themes import themes_of

CHECK_NODES = 500_000
"""Nodes of a check for every move to find; four times those by which the puzzle was confirmed."""
CHECK_MIB = 16
SLACK = 1.0
"""Usual stones by which a deeper search may see a smaller gap than `LEAST_GAP` before that counts as a fault."""
GAP_SLACK = 4.0
"""Stones by which the stated gap may be off, beside the gap itself: two searches may see quite different ones."""
ANSWER_SLACK = 4.0
"""Stones that an answer of the opponent may lose against the best one."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a puzzle.

    Attributes:
        ply: of its line, from 1; 0 for the whole.
        reason: in English.
    """

    ply: int
    reason: str

    def __str__(self) -> str:
        return f"ply {self.ply}: {self.reason}" if self.ply else self.reason


class PuzzleChecker:
    """Checks puzzles of one game with settings that differ from those by which they were made.

    It is not thread-safe.

    Args:
        rules: the game.
        tables: endgame tables of any size.
        nodes: of each search.
        table_mib: the memory of the search.
        slack: stones by which it may see a smaller gap than `LEAST_GAP` before that counts as a fault.
        learned: whether it uses the learned evaluation, where there is one, and not that by hand.
    """

    def __init__(
        self,
        rules: Rules,
        tables: Tables | None,
        *,
        nodes: int = CHECK_NODES,
        table_mib: int = CHECK_MIB,
        slack: float = SLACK,
        learned: bool = True,
    ) -> None:
        self._search = PuzzleSearch(rules, tables)
        network = "default" if learned else None
        self._engine = Engine(rules, table_mib=table_mib, tables=tables, network=network)
        self._nodes, self._slack = nodes, slack

    def faults(self, puzzle: Puzzle) -> list[Fault]:
        """The faults of a puzzle whose line can be played; nothing where it is right."""
        found = []
        themes = themes_of(puzzle)
        for theme in puzzle.themes:
            if theme not in themes:
                found.append(Fault(0, f"it does not show the theme {theme[:40]!r}"))
        found += [Fault(0, f"the theme {theme} is missing") for theme in themes if theme not in puzzle.themes]
        if len(set(puzzle.themes)) < len(puzzle.themes):
            found.append(Fault(0, "a theme is named twice"))
        position, gaps = puzzle.start, list[float]()
        for ply, accepted in enumerate(puzzle.moves, 1):
            if position.to_move is puzzle.solver:
                reason = self._own(position, accepted, puzzle, gaps, first=ply == 1)
            else:
                reason = self._answer(position, accepted[0])
            if reason is not None:
                found.append(Fault(ply, reason))
            position = position.play(accepted[0])
        if not found and abs(puzzle.gap - min(gaps)) > GAP_SLACK + min(gaps):
            found.append(Fault(0, f"the gap is {min(gaps):.1f} stones, not {puzzle.gap:.1f}"))
        if puzzle.rating not in ratings_of(puzzle.start.rules):
            found.append(Fault(0, f"{puzzle.rating} is no rating of the engine in this game"))
        return found

    def _own(
        self, position: Position, accepted: tuple[int, ...], puzzle: Puzzle, gaps: list[float], *, first: bool
    ) -> str | None:
        values = self._search.exact_values(position)
        if values is not None:
            return self._by_values(values, accepted, puzzle, gaps, first=first)
        lines = self._lines(position, len(accepted) + 1)
        best, rest = lines[: len(accepted)], lines[len(accepted)]
        gap = best[-1].evaluation - rest.evaluation
        gaps.append(gap)
        proven = all(line.exact or 1 in (line.win, line.loss) for line in lines)
        wrong = next((line.move for line in best if line.move not in accepted), None)
        least, others = points_of(best[-1]), points_of(rest)
        if puzzle.proof == "exact" and not proven and (wrong is None or not self._search.learned):
            step = self._search.only_moves(position)
            if step is None or not step.exact or step.accepted != accepted:
                return "this is not proven by tables or by search"
            proven = True
            if wrong is not None:  # a proof tells more than this search
                gaps[-1] = step.gap
                return None
        elif wrong is not None:
            return f"hole {wrong} is better than what is accepted"
        if not (proven and least > others) and gap < LEAST_GAP - (0 if proven else self._slack):
            return f"the best other move is {gap:.1f} stones worse, and {LEAST_GAP:.0f} are needed"
        if least < others or (not proven and least < 0.25) or (proven and least < 0.5):
            return "the game is lost all the same"
        if first and (goal := _goal_fault(puzzle.goal, least, others)):
            return goal
        return None

    def _by_values(
        self, values: dict[int, int], accepted: tuple[int, ...], puzzle: Puzzle, gaps: list[float], *, first: bool
    ) -> str | None:
        best = max(values.values())
        wrong = next((move for move in accepted if values[move] < best), None)
        if wrong is not None:
            return f"hole {wrong} loses {best - values[wrong]} stones"
        rest = max((value for move, value in values.items() if move not in accepted), default=best)
        gaps.append(best - rest)
        if rest == best:
            return f"hole {next(move for move in values if values[move] == best and move not in accepted)} is as good"
        slack = 0 if puzzle.proof == "exact" else self._slack
        if best - rest < LEAST_GAP - slack and (best > 0) - (best < 0) == (rest > 0) - (rest < 0):
            return f"the best other move is {best - rest} stones worse, and {LEAST_GAP:.0f} are needed"
        if best < 0:
            return "the game is lost all the same"
        if first and ((puzzle.goal == "win" and best == 0) or (puzzle.goal != "stones" and rest > 0)):
            return f"the goal is to {puzzle.goal}, and the values are {best} and {rest}"
        if first and puzzle.goal == "save" and rest == 0:
            return "the goal is to save the game, and another move does that too"
        return None

    def _answer(self, position: Position, answer: int) -> str | None:
        values = self._search.exact_values(position)
        if values is not None:
            lost: float = max(values.values()) - values[answer]
        else:
            lines = self._lines(position, len(position.legal_moves()))
            lost = lines[0].evaluation - next(line.evaluation for line in lines if line.move == answer)
        return f"the answer {answer} loses {lost:.0f} stones" if lost > ANSWER_SLACK else None

    def _lines(self, position: Position, count: int) -> tuple[Line, ...]:
        self._engine.clear()
        return self._engine.analyse(position, Limits(nodes=self._nodes), lines=count).lines


def _goal_fault(goal: str, least: float, others: float) -> str | None:
    if goal == "win" and least < 0.9:
        return "the goal is to win, and that is not sure"
    if goal == "save" and others > 0.25:
        return "the goal is to save the game, and another move does that too"
    return None
