"""The search for Chylymov's position: best play that goes round for ever.

WNG-TK §V and §X name a drawn position that "recurs in 73 moves" and show none. In such a position, without a tuz, a
draw by endless play is the outcome, and neither side can force an end that would be as good for it. `find_drawn`
lists all positions of that kind with a number of stones on the board, and every way in which best play can go round.
"""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from korgool.engine.tables.native import TableError, native
from korgool.engine.tables.probing import Tables
from korgool.rules import Position

_RANGE = 1 << 22
_BATCH = 4096


@dataclass(frozen=True, slots=True)
class Cycle:
    """A way to go round.

    Attributes:
        position: where it begins, White to move.
        moves: holes, 1 to n, from that position until the very same one stands on the board again.
        forced: whether each of these moves is the only one that does not lose.
    """

    position: Position
    moves: tuple[int, ...]
    forced: bool

    @property
    def recurrence(self) -> int:
        """Moves of each player until the position recurs."""
        return len(self.moves) // 2


@dataclass(frozen=True, slots=True)
class Drawn:
    """The positions of one layer that endless play alone draws, with one content of the stores.

    Attributes:
        stones: on the board.
        stores: of the side to move and of the other at the first kind of position; the second kind has them exchanged.
        positions: how many there are, of both kinds, colours not told apart.
        cycles: shortest ways round, so many that every position which can come back stands on one. None
            where there are too many positions to look for ways.
    """

    stones: int
    stores: tuple[int, int]
    positions: int
    cycles: tuple[Cycle, ...] | None


def find_drawn(
    tables: Tables, stones: int, *, most: int = 20000, progress: Callable[[float], None] = lambda done: None
) -> Iterator[Drawn]:
    """The positions of a layer that endless play alone draws, for each content of the stores that can be.

    Args:
        tables: with this layer and everything below it that a capture or a new tuz leads to.
        stones: on the board.
        most: look for ways round only among so many positions; more are counted.
        progress: called with the part of the layer that has been looked through, up to 1.

    Raises:
        TableError: the layer is not there.
    """
    rules = tables.rules
    if stones < 1 or not tables.has(stones, 0):
        raise TableError(f"there is no table of {rules.title} with {stones} stones and no tuz; build it first")
    stored = rules.total - stones
    highest = min(stored, rules.goal - 1) if rules.goal else stored
    contents = [(own, stored - own) for own in range(-(-stored // 2), highest + 1)]
    for number, (own, other) in enumerate(contents):
        kinds = sorted({(own, other), (other, own)})
        positions = sum(len(batch) for kind in kinds for batch in _drawn(tables, stones, kind))
        if 0 < positions <= most:
            drawn = [
                replace(tables.position(stones, 0, index), stores=kind)
                for kind in kinds
                for batch in _drawn(tables, stones, kind)
                for index in batch
            ]
            yield Drawn(stones, (own, other), positions, tuple(_cycles(tables, drawn)))
        elif positions:
            yield Drawn(stones, (own, other), positions, None)
        progress((number + 1) / len(contents))


def _drawn(tables: Tables, stones: int, stores: tuple[int, int]) -> Iterator[list[int]]:
    lib, start, indices = native(), ctypes.c_uint64(0), (ctypes.c_uint64 * _BATCH)()
    count = int(lib.kg_table_count(tables.address, stones, 0))
    while start.value < count:
        end = min(count, start.value + _RANGE)  # in pieces, so that Ctrl-C is heard
        size = lib.kg_tables_drawn(tables.address, stones, *stores, ctypes.byref(start), end, indices, _BATCH)
        yield indices[:size]


def holding_moves(tables: Tables, position: Position) -> list[int]:
    """The moves after which a drawn position is still a draw, as far as the tables know."""
    holding = []
    for number in position.legal_moves():
        after = position.play(number)
        outcome = after.outcome()
        if (outcome.winner is None) if outcome is not None else tables.result(after) == 0:
            holding.append(number)
    return holding


def _seen_by_mover(position: Position) -> Position:
    """The same position with White to move."""
    if position.to_move == 0:
        return position
    return replace(
        position,
        holes=position.holes[::-1],
        stores=position.stores[::-1],
        tuz=position.tuz[::-1],
        to_move=position.to_move.other,
    )


def _cycles(tables: Tables, drawn: list[Position]) -> Iterator[Cycle]:
    numbers = {_key(at): number for number, at in enumerate(drawn)}
    holding = [holding_moves(tables, at) for at in drawn]
    follows = [
        {move: number for move in moves if (number := numbers.get(_key(_seen_by_mover(at.play(move))))) is not None}
        for at, moves in zip(drawn, holding, strict=True)
    ]
    _leave_what_can_come_back(follows)
    told = set[int]()
    for start in range(len(drawn)):
        way = None if start in told else _way_back(start, follows)
        if way is not None:
            told.update(at for at, _ in way)
            forced = all(len(holding[at]) == 1 for at, _ in way)
            yield _closed(drawn[start], [move for _, move in way], forced)


def _key(position: Position) -> tuple[tuple[int, ...], ...]:
    """Cheaper to look up than a position, which has its rules with it."""
    return *position.holes, position.stores


def _leave_what_can_come_back(follows: list[dict[int, int]]) -> None:
    """Take out the moves of positions that nothing leads to, or that lead to nothing, again and again."""
    leading: list[set[int]] = [set() for _ in follows]
    for at, after in enumerate(follows):
        for number in after.values():
            leading[number].add(at)
    waiting = [at for at, after in enumerate(follows) if not after or not leading[at]]
    gone = set[int]()
    while waiting:
        at = waiting.pop()
        if at in gone:
            continue
        gone.add(at)
        for number in follows[at].values():
            leading[number].discard(at)
            if not leading[number]:
                waiting.append(number)
        follows[at] = {}
        for before in leading[at]:
            follows[before] = {move: number for move, number in follows[before].items() if number != at}
            if not follows[before]:
                waiting.append(before)
        leading[at] = set()


def _way_back(start: int, follows: list[dict[int, int]]) -> list[tuple[int, int]] | None:
    """The shortest way from a position back to it as the side to move sees it: numbers of positions and their moves."""
    came: dict[int, tuple[int, int]] = {}
    waiting = deque([start])
    while waiting:
        at = waiting.popleft()
        for move, after in follows[at].items():
            if after == start:
                way = [(at, move)]
                while way[-1][0] != start:
                    way.append(came[way[-1][0]])
                return way[::-1]
            if after not in came:
                came[after] = (at, move)
                waiting.append(after)
    return None


def _closed(start: Position, moves: list[int], forced: bool) -> Cycle:
    """After an odd number of plies the other side sees what the first one saw; then it goes round twice."""
    return Cycle(start, tuple(moves if len(moves) % 2 == 0 else moves * 2), forced)
