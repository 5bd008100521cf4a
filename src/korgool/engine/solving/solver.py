"""Exact values: `Solver` chooses between the book, tables, search and the listing of endings."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, NoReturn

from korgool.engine.solving.book import Book, shipped_book
from korgool.engine.solving.graph import ENDLESS, Graph, settled
from korgool.engine.solving.mangala_table import (
    MOST_STONES,
    MOST_TABLE_STONES,
    MangalaTable,
    bytes_of,
    played_out,
    refusal,
)
from korgool.engine.solving.search import Searcher, StoppedError
from korgool.engine.tables import Tables
from korgool.rules import Position, Rules, Side

USUAL_MEMORY = 1 << 30
"""Default memory of a solver, in bytes."""
LEAST_MEMORY = 16 << 20
"""Bytes below which no solver begins."""
Means = Literal["rules", "book", "table", "search", "listing"]
Progress = Callable[[str, int], object]
"""Told what is going on, in words, and a count of positions done in it."""
_RUNGS = (12, 16, 18, 20, 22, 24, 26)
_FIRST = ((12, 0), (16, 34), (18, 37), (20, 40), (22, 43))
_PATIENCE = 8


class BeyondLimitsError(Exception):
    """A position is not solved within the limits given; the message says which of them ended the work."""


@dataclass(frozen=True, slots=True)
class Solution:
    """Exact value of a position: the result of perfect play by both sides, played out to the end.

    Attributes:
        difference: stones in the store of the side to move less those of the opponent when the game is over. Endless
            play counts 0.
        moves: the same for each legal first move, by hole number, 1 to n; empty where the game is over.
        means: how it was found: by the `rules` alone, from the `book`, a `table`, by `search` above one, or by the
            `listing` of all positions that can follow.
        positions: how many positions were valued or visited for it.
        seconds: wall-clock time.
        endless: whether the value is 0 because a side that would lose otherwise chooses endless play.
    """

    difference: int
    moves: dict[int, int]
    means: Means
    positions: int
    seconds: float
    endless: bool = False

    @property
    def best(self) -> tuple[int, ...]:
        """The moves that keep the value, by hole number."""
        return tuple(move for move, difference in self.moves.items() if difference == self.difference)


@dataclass(frozen=True, slots=True)
class Perfect:
    """Value of perfect play, and moves that are proven to keep it.

    Attributes:
        difference: as in `Solution`.
        best: moves that keep it, by hole number, at least one. There may be others that the book or the time did not
            reach.
    """

    difference: int
    best: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A position that is searched, and where it comes from: after a move, if `move` is not 0, of `before`."""

    before: Position
    position: Position
    move: int = 0

    def told(self, lower: int, upper: int) -> str:
        """Sentence on the value for the side to move in `before`, from bounds of the stones still to be gained."""
        lower, upper = (_stores(self.position) + bound for bound in (lower, upper))
        if self.position.to_move is not self.before.to_move:
            lower, upper = -upper, -lower
        return f"the value{f' of hole {self.move}' if self.move else ''} is between {lower} and {upper}"


class Solver:
    """Exact values of positions of one game. What it has found helps it with the next position.

    It is not thread-safe.

    Args:
        rules: the game. A goal such as 82 is played over.
        memory: the most bytes for tables.
        workers: threads that fill tables.
        book: whether the shipped book may answer.
        tables: endgame tables of the same rules; only games that the solver has no table of its own for use them.

    Raises:
        ValueError: too little memory, or rules that the kernel cannot play.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        memory: int = USUAL_MEMORY,
        workers: int = 1,
        book: bool = True,
        tables: Tables | None = None,
    ) -> None:
        if memory < LEAST_MEMORY:
            raise ValueError(f"a solver needs {LEAST_MEMORY >> 20} MiB at least, not {memory / (1 << 20):.3g}")
        self.rules = rules
        self._open = played_out(rules)
        self._memory = memory
        self._workers = workers
        self._acyclic = refusal(rules) is None
        self._book: Book | None = shipped_book(rules) if book and self._acyclic else None
        self._table: MangalaTable | None = None
        self._searcher: Searcher | None = None
        self._graph: Graph | None = None
        self._tables = tables

    def __repr__(self) -> str:
        return f"<Solver of {self.rules.title} within {self._memory >> 20} MiB>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a solver is memory at work and not copied or pickled: make another with Solver(rules)")

    def solve(
        self, position: Position, *, seconds: float | None = None, on_progress: Progress | None = None
    ) -> Solution:
        """The value of a position and of every legal move.

        Args:
            position: one of these rules.
            seconds: the most wall-clock time, about; no bound without it.
            on_progress: see `Progress`.

        Raises:
            BeyondLimitsError: time or memory do not suffice.
            ValueError: it is a position of another game.
        """
        began = time.monotonic()
        deadline = None if seconds is None else began + seconds
        position = self._checked(position)
        children = {move: position.play(move) for move in position.legal_moves()}
        if not children:
            return Solution(_final(position), {}, "rules", 0, time.monotonic() - began)
        if not self._acyclic:
            return self._listed(position, children, began, deadline, on_progress)
        before = self._work()
        moves, means = {}, set[Means]()
        for move, child in children.items():
            value, how = self._valued(child, deadline, on_progress, _Asked(position, child, move))
            means.add(how)
            moves[move] = value if child.to_move is position.to_move else -value
        hardest: Means = next(how for how in ("search", "table", "book", "rules") if how in means)
        return Solution(max(moves.values()), moves, hardest, self._work() - before, time.monotonic() - began)

    def difference(
        self, position: Position, *, seconds: float | None = None, on_progress: Progress | None = None
    ) -> int:
        """The value alone, which may take less time than `solve`; arguments and errors as there."""
        deadline = None if seconds is None else time.monotonic() + seconds
        open_position = self._checked(position)
        if self._acyclic:
            return self._valued(open_position, deadline, on_progress)[0]
        return self.solve(position, seconds=seconds, on_progress=on_progress).difference

    def perfect(
        self, position: Position, *, seconds: float | None = None, on_progress: Progress | None = None
    ) -> Perfect:
        """Moves that keep the value, which takes less time than the value of every move.

        What the book holds is answered at once, with moves after which it goes on if there are any. Else all such
        moves are looked for, after the first no longer than it took to find that one.

        Args:
            position: one that is not over; the other arguments are those of `solve`.

        Raises:
            BeyondLimitsError: time or memory do not suffice for a single move.
            ValueError: the game is over, or it is another game.
        """
        began = time.monotonic()
        deadline = None if seconds is None else began + seconds
        if not position.legal_moves():
            raise ValueError("the game is over, there is nothing to choose")
        if not self._acyclic:
            solution = self.solve(position, seconds=seconds, on_progress=on_progress)
            return Perfect(solution.difference, solution.best)
        position = self._checked(position)
        children = {move: position.play(move) for move in position.legal_moves()}
        value, means = self._valued(position, deadline, on_progress)
        known = {move: self._known(child) for move, child in children.items()}
        best = [move for move, found in known.items() if found == _seen(position, children[move], value)]
        if best and means == "book":
            further = [move for move in best if self._goes_on(children[move], position.to_move)]
            return Perfect(value, tuple(further or best))
        unknown = [move for move, found in known.items() if found is None]
        for move in sorted(unknown, key=lambda move: self._promise(position, children[move]), reverse=True):
            if not best and unknown == [move]:
                best.append(move)
                break
            try:
                keeps = self._keeps(value, _Asked(position, children[move], move), deadline, on_progress)
            except BeyondLimitsError:
                if best:
                    break
                raise
            unknown.remove(move)
            if keeps and not best:
                enough = 2 * time.monotonic() - began
                deadline = enough if deadline is None else min(deadline, enough)
            if keeps:
                best.append(move)
        return Perfect(value, tuple(sorted(best)))

    def prepare(self, stones: int, stopped: Callable[[], bool]) -> bool:
        """Make the table ahead of the first question: mangala only, other games have none.

        Args:
            stones: of its positions, on the board; fewer where the memory does not hold so many.
            stopped: asked now and then; True ends the work.

        Returns:
            Whether there is nothing left to make.
        """
        if not self._acyclic:
            return True
        table, _ = self._held()
        stones = min(stones, table.capacity)
        return table.stones >= stones or table.grow(stones, workers=self._workers, stopped=stopped)

    def _checked(self, position: Position) -> Position:
        asked, own = (
            replace(rules, threefold=0, recurrence=0, drawn_position=False) for rules in (position.rules, self.rules)
        )
        if asked != own:
            raise ValueError(f"this solver is for {self.rules.title} with other options than those of the position")
        return replace(position, rules=self._open)

    def _work(self) -> int:
        return 0 if self._searcher is None else self._searcher.nodes

    # mangala: book, table, search

    def _valued(
        self, position: Position, deadline: float | None, on_progress: Progress | None, asked: _Asked | None = None
    ) -> tuple[int, Means]:
        """The final difference for the side to move; `asked` tells where the position comes from."""
        known = self._known(position)
        if known is not None:
            return known, "book" if position.outcome() is None else "rules"
        table, searcher = self._held()
        asked = asked or _Asked(position, position)
        found = self._asked(asked, lambda stopped: searcher.value(position, stopped=stopped), deadline, on_progress)
        board = sum(map(sum, position.holes))
        return _stores(position) + found, "table" if board <= table.stones else "search"

    def _known(self, position: Position) -> int | None:
        """The final difference for the side to move where the rules or the book tell it."""
        if position.outcome() is not None:
            return _final(position)
        found = None if self._book is None else self._book.value(position)
        return None if found is None else _stores(position) + found

    def _goes_on(self, position: Position, side: Side) -> bool:
        """Return whether the book goes on: all answers of the opponent, or a further move of the same turn."""
        known = [self._known(position.play(move)) is not None for move in position.legal_moves()]
        return any(known) if position.to_move is side else all(known)

    def _promise(self, position: Position, child: Position) -> int:
        """Upper bound of a move's gain, as far as earlier searches know."""
        lower, upper = self._held()[1].known(child)
        return _stores(child) + upper if child.to_move is position.to_move else -_stores(child) - lower

    def _keeps(self, value: int, asked: _Asked, deadline: float | None, on_progress: Progress | None) -> bool:
        """Return whether a move keeps the value of a position."""
        child = asked.position
        searcher, same = self._held()[1], child.to_move is asked.before.to_move
        target = (value if same else 1 - value) - _stores(child)
        reached = self._asked(asked, lambda stopped: searcher.test(child, target, stopped), deadline, on_progress)
        return (reached >= target) is same

    def _asked(
        self,
        asked: _Asked,
        ask: Callable[[Callable[[], bool]], int],
        deadline: float | None,
        on_progress: Progress | None,
    ) -> int:
        """Answer of a search, above tables that grow while it takes long."""
        board = sum(map(sum, asked.position.holes))
        if board > MOST_STONES:
            raise BeyondLimitsError(f"there are {board} stones on the board, mangala has {MOST_STONES}")
        table, searcher = self._held()
        # With many stones a small table would only be a step on the way.
        first = max(rung for rung, least in _FIRST if board >= least and rung <= max(_RUNGS[0], table.capacity))
        self._grow(table, min(board, first, table.capacity), deadline, on_progress)

        def tired() -> bool:
            if on_progress is not None:
                on_progress("searching", searcher.nodes - start)
            late = deadline is not None and time.monotonic() > deadline
            return late or searcher.nodes - start > patience

        start = searcher.nodes
        while True:
            further = next((rung for rung in _RUNGS if table.stones < rung <= table.capacity), None)
            patience = searcher.nodes - start + bytes_of(further) // _PATIENCE if further else 1 << 62
            try:
                return ask(tired)
            except StoppedError:
                if deadline is not None and time.monotonic() > deadline:
                    raise BeyondLimitsError(
                        f"after {searcher.nodes - start:,} positions the time was over; "
                        f"{asked.told(*searcher.known(asked.position))}"
                    ) from None
                assert further is not None
                self._grow(table, further, deadline, on_progress)

    def _held(self) -> tuple[MangalaTable, Searcher]:
        if self._table is None or self._searcher is None:
            entries = self._memory // 4
            capacity = next(
                stones for stones in range(MOST_TABLE_STONES, 0, -1) if bytes_of(stones) <= self._memory - entries
            )
            self._table = MangalaTable(self.rules, capacity)
            self._searcher = Searcher(self._table, entries)
        return self._table, self._searcher

    def _grow(self, table: MangalaTable, stones: int, deadline: float | None, on_progress: Progress | None) -> None:
        if stones <= table.stones or stones > table.capacity:
            return

        def part(done: int) -> None:
            if on_progress is not None:
                on_progress(f"table of {stones} stones", done)

        def late() -> bool:
            return deadline is not None and time.monotonic() > deadline

        if not table.grow(stones, workers=self._workers, on_part=part, stopped=late):
            raise BeyondLimitsError(f"the time was over while the table of {stones} stones was made")

    # the other games

    def _listed(
        self,
        position: Position,
        children: dict[int, Position],
        began: float,
        deadline: float | None,
        on_progress: Progress | None,
    ) -> Solution:
        graph = self._graph
        if graph is None or any(graph.bounds(known) is None for known in (position, *children.values())):
            graph = self._graph = Graph(self.rules, self._memory, self._tables)

            def late() -> bool:
                return deadline is not None and time.monotonic() > deadline

            def more(count: int) -> None:
                if on_progress is not None:
                    on_progress("listing positions", count)

            if not graph.value(position, stopped=late, on_positions=more):
                count, self._graph = graph.positions, None
                what = "the time was over" if late() else f"the memory of {self._memory >> 20} MiB was full"
                raise BeyondLimitsError(f"after listing {count:,} positions that can follow, {what}")
        moves = {}
        for move, child in children.items():
            difference = _settled(graph, child)
            moves[move] = difference if child.to_move is position.to_move else -difference
        value, stores = _settled(graph, position), _stores(position)
        lower, upper = graph.bounds(position) or (-ENDLESS, ENDLESS)
        endless = lower != upper and value == 0 and lower + stores < 0 < upper + stores
        return Solution(value, moves, "listing", graph.positions, time.monotonic() - began, endless)


def _stores(position: Position) -> int:
    return position.stores[position.to_move] - position.stores[position.to_move.other]


def _seen(position: Position, child: Position, value: int) -> int:
    """A value of a position for the side to move after one of its moves."""
    return value if child.to_move is position.to_move else -value


def _final(position: Position) -> int:
    """The difference of an ended game for the side to move."""
    outcome = position.outcome()
    assert outcome is not None
    return outcome.stores[position.to_move] - outcome.stores[position.to_move.other]


def _settled(graph: Graph, position: Position) -> int:
    bounds = graph.bounds(position)
    assert bounds is not None
    return settled(*bounds, _stores(position))
