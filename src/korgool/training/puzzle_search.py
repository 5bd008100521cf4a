"""Search for puzzles: whether one move of a position is clearly the best, and how surely that is known.

A position passes three searches before it counts: a quick one, one with 20 times the nodes, and one with other
settings (the evaluation by hand, without tables); mangala with the castle, where these three agree on what is wrong
more often, has a fourth one with many more nodes. Where tables or the solver of mangala know every move, no search is
asked; a game without a learned evaluation has what is proven alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from korgool.engine import Engine, Limits, Line, Solver, Tables
from korgool.engine.networks import default
from korgool.engine.solving.mangala_table import refusal
from korgool.rules import Position, Rules, Termination
from korgool.training.puzzle import LEAST_GAP

QUICK_NODES = 6_000
SURE_NODES = 20 * QUICK_NODES
"""Nodes of the second and the third search."""
UNLEARNED = 4
"""So many times the nodes are visited in a game without a learned evaluation, to follow both moves to the end."""
DEEP_NODES = {"castle": 8 * SURE_NODES}
"""Nodes of a fourth search, in games where one is needed."""
MARGIN = 1.0
"""Stones by which the second search has to see a larger gap than the first, because later ones see a smaller one."""
SOLVED_STONES = 26
"""Stones on the board up to which the solver of mangala is asked; it answers in a hundredth of a second."""
NOT_LOST = 0.4
"""Points that the best move has to promise, a win counting 1 and a draw a half."""
LOST = 0.1
"""A move that promises so few points loses."""
DECIDED = 0.95
"""Points that the second best move may promise at most: with more, the game is decided and the gap is no task."""
MOST_ACCEPTED = 2
_SURE_MIB = 4
_DEEP_MIB = 32


@dataclass(frozen=True, slots=True)
class Step:
    """Knowledge of a move to find.

    Attributes:
        accepted: the moves that are right, hole numbers.
        gap: stones by which they are better than the best other move.
        exact: whether tables, the solver or searches to the end of the game prove it.
        goal: one of `korgool.training.puzzle.GOALS`.
    """

    accepted: tuple[int, ...]
    gap: float
    exact: bool
    goal: str


class PuzzleSearch:
    """Engines, tables and solver for the puzzles of one game. Each search begins with nothing remembered.

    It is not thread-safe.

    Args:
        rules: the game.
        tables: endgame tables; None for none.
        nodes: of the searches that confirm.
    """

    def __init__(self, rules: Rules, tables: Tables | None, *, nodes: int = SURE_NODES) -> None:
        self.rules = rules
        self.learned = default(rules) is not None
        """True where there is a learned evaluation. Without one, searches agreed on what was wrong in four of ten."""
        self.nodes = nodes if self.learned else nodes * UNLEARNED
        self._tables = tables
        self.quick = Engine(rules, table_mib=1, tables=tables)
        self._sure = Engine(rules, table_mib=_SURE_MIB, tables=tables)
        self._unlike = Engine(rules, table_mib=_SURE_MIB, network=None, tables=None) if self.learned else None
        self._deep = Engine(rules, table_mib=_DEEP_MIB, tables=tables) if rules.name in DEEP_NODES else None
        self._solver = Solver(rules, workers=1) if refusal(rules) is None else None

    def exact_values(self, position: Position) -> dict[int, int] | None:
        """The final difference of the stores after every move, for the side to move; None where it is not known."""
        if self._solver is not None:
            stones = sum(map(sum, position.holes))
            return self._solver.solve(position).moves if stones <= SOLVED_STONES else None
        if self._tables is None:
            return None
        values = {}
        for move in position.legal_moves():
            after = position.play(move)
            outcome = after.outcome()
            if outcome is None:
                value = self._tables.value(after)
            elif outcome.termination is Termination.MAJORITY:
                value = self._beyond_goal(after)
            else:
                value = outcome.stores[after.to_move] - outcome.stores[after.to_move.other]
            if value is None:
                return None
            values[move] = value if after.to_move is position.to_move else -value
        return values

    def _beyond_goal(self, position: Position) -> int | None:
        """The difference as if the game went on after a store has reached the goal."""
        assert self._tables is not None
        bounds = self._tables.probe(position)
        if bounds is None or bounds.lower is None or not bounds.settled:
            return None
        return position.stores[position.to_move] - position.stores[position.to_move.other] + bounds.lower

    def only_moves(self, position: Position) -> Step | None:
        """The moves that are clearly best, or None where that is not so, not sure, or not worth a task."""
        if len(position.legal_moves()) < 2:
            return None
        values = self.exact_values(position)
        if values is not None:
            return exact_step(values)
        first = step_of(two_lines(self.quick, position, QUICK_NODES))
        if first is None:
            return None
        found = step_of(two_lines(self._sure, position, self.nodes))
        if found is None or found.accepted != first.accepted:
            return None
        if found.exact:
            return found
        if self._unlike is None or found.gap < LEAST_GAP + MARGIN:
            return None
        other = two_lines(self._unlike, position, self.nodes)
        if other[0].move != found.accepted[0] or _gap(other) < LEAST_GAP:
            return None
        gap = min(first.gap, found.gap, _gap(other))
        if self._deep is None:
            return Step(found.accepted, gap, False, found.goal)
        last = step_of(two_lines(self._deep, position, DEEP_NODES[self.rules.name]))
        if last is None or last.accepted != found.accepted:
            return None
        return last if last.exact else Step(last.accepted, min(gap, last.gap), False, last.goal)

    def answer(self, position: Position) -> int:
        """The best move of the opponent."""
        values = self.exact_values(position)
        line = self._searched(position)
        if values is not None and values[line.move] < max(values.values()):
            return max(values, key=lambda move: values[move])
        return line.move

    def _searched(self, position: Position) -> Line:
        self._sure.clear()
        return self._sure.analyse(position, Limits(nodes=self.nodes)).lines[0]


def exact_step(values: dict[int, int]) -> Step | None:
    """The step that exact values give; see `PuzzleSearch.only_moves`.

    Args:
        values: the final difference after each legal move, for the side to move.
    """
    best = max(values.values())
    accepted = tuple(move for move, value in values.items() if value == best)
    rest = max((value for value in values.values() if value < best), default=None)
    if rest is None or len(accepted) > MOST_ACCEPTED or best < 0 or rest > 0:
        return None
    if best - rest < LEAST_GAP and not _sign(best) > _sign(rest):
        return None
    goal = "stones" if _sign(best) == _sign(rest) else "win" if best > 0 else "save"
    return Step(accepted, best - rest, True, goal)


def step_of(lines: Sequence[Line]) -> Step | None:
    """The step that two lines of a search give; see `PuzzleSearch.only_moves`."""
    best, second = lines[:2]
    exact = all(line.exact or 1 in (line.win, line.loss) for line in (best, second))
    gap, points, others = _gap(lines), points_of(best), points_of(second)
    decided = exact and points > others
    if points < NOT_LOST or others >= DECIDED or (gap < LEAST_GAP and not decided):
        return None
    if exact:
        goal = "stones" if points == others else "win" if points == 1 else "save"
    else:
        goal = "win" if best.win == 1 else "save" if others <= LOST else "stones"
    return Step((best.move,), max(gap, 0.0), exact, goal)


def points_of(line: Line) -> float:
    """Points that the side to move may expect: 1 for a win, a half for a draw."""
    return line.win + line.draw / 2


def _gap(lines: Sequence[Line]) -> float:
    return lines[0].evaluation - lines[1].evaluation


def two_lines(engine: Engine, position: Position, nodes: int) -> tuple[Line, ...]:
    """The two best moves of a search that begins with nothing remembered."""
    engine.clear()
    return engine.analyse(position, Limits(nodes=nodes), lines=2).lines


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
