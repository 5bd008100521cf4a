"""Proofs about a game: its winner from here if both sides play perfectly, by the rules that people play by.

Endgame tables and the solver value a position as if it had no past and as if play went on beyond the goal. A game has
both: a store of 82 ends it, and a position that stood on the board before may be claimed as a draw. So a value becomes
a proof only here, and what is not certain under the rules of the game is not proven.

The past can only turn a win into a draw: whoever can hold a draw without it still can. So a draw is proven whatever
happened before, and a win only if it can be forced without any earlier position coming again.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

from korgool.engine.solving import BeyondLimitsError, Solver
from korgool.engine.solving.graph import ENDLESS, Graph, settled
from korgool.engine.solving.mangala_table import refusal
from korgool.engine.tables import TableError, Tables
from korgool.rules import Position, Rules, Side

_LOG = logging.getLogger(__name__)
SECONDS = 5.0
"""The most seconds that one proof may take."""
MEMORY = 128 << 20
"""The most bytes for the positions that are listed, or for the tables of the solver."""
MOST_POSITIONS = 5_000
"""Positions that are looked at, at most, to see whether a win can do without those that stood before."""
REACH = {"toguz": (8, 9, 11), "mangala": (28, 0, 0), "castle": (11, 13, 16), "bestemshe": (14, 0, 0)}
"""Stones on the board, without a tuz, with one and with two, from which `SECONDS` and `MEMORY` mostly suffice.

Mangala is solved from its start, but nobody can claim a game that has hardly begun.
"""
_KEPT_TABLES = 8
Verdict: TypeAlias = Side | Literal["draw"] | None
"""The winner, or that nobody wins; None if it is not known."""
_Source: TypeAlias = Literal["tables", "solver"]


@dataclass(frozen=True, slots=True)
class Adjudication:
    """Certain knowledge about a game.

    Attributes:
        winner: who wins if both play perfectly, None for a draw.
        source: what proves it.
    """

    winner: Side | None
    source: _Source


class Adjudicator:
    """Finds proofs. `prove` is for one thread at a time; `within_reach` may be asked by any thread meanwhile."""

    def __init__(self) -> None:
        self._tables: dict[Rules, Tables | None] = {}
        self._solver: Solver | None = None

    def within_reach(self, position: Position) -> bool:
        """Return whether a search for a proof makes sense here; a few microseconds. False means that there is none."""
        rules = position.rules
        if position.outcome() is not None or not _goal_is_majority(position):
            return False
        tuz = 2 - position.tuz.count(None)
        board = sum(map(sum, position.holes))
        if board <= REACH.get(rules.name, (0, 0, 0))[tuz] or _out_of_reach(position) is not None:
            return True
        tables = self._tables.get(rules)
        return tables is not None and tables.has(board, tuz)

    def prove(self, positions: Sequence[Position], stopped: Callable[[], bool] = lambda: False) -> Adjudication | None:
        """The result of a game with perfect play from here on, or None where it is not proven.

        Args:
            positions: all positions of the game, the present one last.
            stopped: asked at least every second or so; True ends the search without a proof.
        """
        position = positions[-1]
        if not self.within_reach(position):
            return None
        deadline = time.monotonic() + SECONDS

        def late() -> bool:
            return stopped() or time.monotonic() > deadline

        ahead = _out_of_reach(position)
        if ahead is not None:
            return Adjudication(ahead, "solver")
        if refusal(position.rules) is None:
            return self._solved(position, late)
        return self._looked_up(positions, late)

    def forget(self) -> None:
        """Give back the memory of the solver."""
        self._solver = None

    def _solved(self, position: Position, late: Callable[[], bool]) -> Adjudication | None:
        """By the solver of mangala, whose games never come back to a position."""
        if self._solver is None or self._solver.rules != position.rules:
            self._solver = None  # given back before more is taken
            self._solver = Solver(position.rules, memory=MEMORY)

        def watch(_doing: str, _count: int) -> None:
            if late():
                raise _LateError

        try:
            difference = self._solver.difference(position, seconds=SECONDS, on_progress=watch)
        except (BeyondLimitsError, _LateError):
            return None
        mover = position.to_move
        return Adjudication(None if not difference else mover if difference > 0 else mover.other, "solver")

    def _looked_up(self, positions: Sequence[Position], late: Callable[[], bool]) -> Adjudication | None:
        """By the tables, or else by listing all that can follow."""
        position = positions[-1]
        values = PositionValues(position.rules, self._tables_of(position.rules))
        source: _Source = "tables"
        verdict = values.verdict(position)
        if verdict is None:
            source = "solver"
            if not values.extend(position, late):
                return None
            verdict = values.verdict(position)
        if verdict is None:
            return None
        if verdict == "draw":
            return Adjudication(None, source)
        return Adjudication(verdict, source) if _forced(positions, verdict, values.verdict, late) else None

    def _tables_of(self, rules: Rules) -> Tables | None:
        if rules not in self._tables:
            if len(self._tables) >= _KEPT_TABLES:
                del self._tables[next(iter(self._tables))]
            try:
                self._tables[rules] = Tables.usual(rules)
            except TableError as error:
                _LOG.warning("proofs do without the tables of %s: %s", rules.title, error)
                self._tables[rules] = None
        return self._tables[rules]


class _LateError(Exception):
    """The time of a proof is over, or nobody waits for it any more."""


class PositionValues:
    """Winners and final differences of positions of one game without a past, as far as tables and a listing know."""

    def __init__(self, rules: Rules, tables: Tables | None) -> None:
        self._tables = tables
        self._empty = partial(Graph, rules, MEMORY, tables)
        self._graph = self._empty()

    def extend(self, position: Position, late: Callable[[], bool]) -> bool:
        """List what can follow from a position; False if time or memory do not suffice."""
        if self._graph.value(position, stopped=late):
            return True
        self._graph = self._empty()  # what is listed has no values yet, or wrong ones
        return False

    def verdict(self, position: Position) -> Verdict:
        """Return the winner of a position."""
        outcome = position.outcome()
        if outcome is not None:
            return "draw" if outcome.winner is None else outcome.winner
        bounds = self._bounds(position)
        sure = self._tables.sure_gains(position) if self._tables is not None and self.in_tables(position) else None
        return None if bounds is None else _judged(position, *bounds, sure)

    def difference(self, position: Position) -> int | None:
        """The final difference of the stores for the side to move, a goal played over.

        None where it is not known, or where somebody surely wins and the other could then go on for ever.
        """
        winner, bounds, mover = self.verdict(position), self._bounds(position), position.to_move
        if winner is None:
            return None
        ahead = position.stores[mover] - position.stores[mover.other]
        if bounds is None:
            outcome = position.outcome()
            return None if outcome is None else outcome.stores[mover] - outcome.stores[mover.other]
        value = settled(*bounds, ahead)
        sign = 0 if winner == "draw" else 1 if winner is mover else -1
        return value if (value > 0) - (value < 0) == sign else None

    def in_tables(self, position: Position) -> bool:
        """Return whether the tables hold a position."""
        return self._tables is not None and self._tables.probe(position) is not None

    def _bounds(self, position: Position) -> tuple[int, int] | None:
        """As `Graph.bounds`, of a position in the tables too."""
        found = None if self._tables is None else self._tables.probe(position)
        if found is None:
            return self._graph.bounds(position)
        return (
            -ENDLESS if found.lower is None else found.lower,
            ENDLESS if found.upper is None else found.upper,
        )


def _judged(position: Position, lower: int, upper: int, sure: tuple[int, int] | None) -> Verdict:
    """Return the winner.

    Args:
        position: one whose goal, if there is one, is more than half of the stones.
        lower: the stones that the side to move gains more than the other, endless play counting as lost.
        upper: the same, endless play counting as won.
        sure: the stones that the side to move and the other can be sure to gain, or None where that is not known.
    """
    rules, mover = position.rules, position.to_move
    ahead = position.stores[mover] - position.stores[mover.other]
    if ahead + lower > 0:
        return mover  # with more than half of the stones in the end, so the other never reaches the goal
    if ahead + upper < 0:
        return mover.other
    if lower == upper:
        return "draw"
    # Somebody would rather go on for ever than let it end.
    board = sum(map(sum, position.holes))
    if rules.goal and max(position.stores) + board >= rules.goal:
        if sure is None:
            return None
        for side, gains in ((mover, sure[0]), (mover.other, sure[1])):
            if position.stores[side] + gains >= rules.goal:
                return side
        if rules.sweep == "nobody" or rules.goal != _total(position) // 2 + 1:
            return None  # a side might win without reaching the goal, or in one of the two ways
    return "draw" if rules.threefold else None  # without this rule, going on for ever need not be a draw


def _goal_is_majority(position: Position) -> bool:
    """Return whether only one side can reach the goal. If both can, the first one to do so wins."""
    goal = position.rules.goal
    return not goal or 2 * goal > _total(position)


def _total(position: Position) -> int:
    return sum(position.stores) + sum(map(sum, position.holes))


def _ends(position: Position) -> bool:
    """Return whether no position can come again from here on, so that every game ends.

    With a tuz a stone that is not taken moves on towards it; in mangala towards the store.
    """
    return position.tuz != (None, None) or refusal(position.rules) is None


def _out_of_reach(position: Position) -> Side | None:
    """The side whose store holds more than half of the stones, where the game is played out and surely ends."""
    most = max(position.stores)
    if 2 * most <= _total(position) or not _ends(position):
        return None
    return Side(position.stores.index(most))


def _forced(
    positions: Sequence[Position], side: Side, verdict: Callable[[Position], Verdict], late: Callable[[], bool]
) -> bool:
    """Return whether a side that wins a game without a past wins this one too.

    Stores and tuz never come back to what they were, so after any gain the past does not matter. Until then, an earlier
    position that comes again may be claimed as a draw (WNG-TK §V, §X). All that can follow until then is listed, only
    as far as the side keeps its win; then the positions from which it is forced are gathered backwards.
    """
    position = positions[-1]
    earlier = _earlier(positions)
    if not earlier:
        return True
    start = _key(position)
    if start in earlier:
        return False
    parents: dict[Hashable, list[Hashable]] = {start: []}
    missing: dict[Hashable, int] = {}
    """Number of moves of a position that must still turn out well before it is won; 0 if it is won."""
    waiting = deque([position])
    while waiting and missing.get(start) != 0:
        if len(parents) > MOST_POSITIONS or late():
            return False
        at = waiting.popleft()
        following = _following(at, side, verdict, earlier)
        if following is None:
            continue
        key = _key(at)
        for after in following:
            child = _key(after)
            if child not in parents:
                parents[child] = []
                waiting.append(after)
            parents[child].append(key)
        already = sum(missing.get(_key(after)) == 0 for after in following)
        # One move of the side itself is enough; of the other's moves all have to lead to the win.
        needed = min(1, len(following)) if at.to_move is side else len(following)
        missing[key] = max(0, needed - already)
        won = [key] if not missing[key] else []
        while won:
            for parent in parents[won.pop()]:
                if missing.get(parent):
                    missing[parent] -= 1
                    if not missing[parent]:
                        won.append(parent)
    return missing.get(start) == 0


def _following(
    at: Position, side: Side, verdict: Callable[[Position], Verdict], earlier: set[Hashable]
) -> list[Position] | None:
    """The next positions in which it is still open whether the past spoils the win; None where it does."""
    following = []
    for hole in at.legal_moves():
        after = at.play(hole)
        gained = (after.stores, after.tuz) != (at.stores, at.tuz) or after.outcome() is not None
        keeps = verdict(after) is side and (gained or _key(after) not in earlier)
        if at.to_move is side:
            if keeps and gained:
                return []
            if keeps:
                following.append(after)
        elif not keeps:
            return None
        elif not gained:
            following.append(after)
    return following if following or at.to_move is not side else None


def _earlier(positions: Sequence[Position]) -> set[Hashable]:
    """Positions of the past that can come again: none from before the last gain."""
    now = positions[-1]
    earlier: set[Hashable] = set()
    if _ends(now) or not (now.rules.threefold or now.rules.recurrence):
        return earlier
    for before in reversed(positions[:-1]):
        if (before.stores, before.tuz) != (now.stores, now.tuz):
            break
        earlier.add(_key(before))
    return earlier


def _key(position: Position) -> Hashable:
    """Cheaper than a position, and as good while stores and tuz stay the same."""
    return position.holes, position.to_move
