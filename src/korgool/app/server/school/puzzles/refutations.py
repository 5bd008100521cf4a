"""Refutations of wrong tries: what the opponent plays then, found by a small search that is the same each time."""

from __future__ import annotations

from functools import cache
from threading import Lock

from korgool.engine import Engine, Limits
from korgool.rules import GAMES, Position, Sowing

NODES = 4_000
"""Positions looked at: enough to see what takes most, and a third of a millisecond."""
MOST = 3
"""Plies that are shown: extra turns follow each other."""
_TABLE_MIB = 1


class Refuter:
    """Searches for one game. Several threads may ask.

    Args:
        game: its short name.
    """

    def __init__(self, game: str) -> None:
        self._engine = Engine(GAMES[game], table_mib=_TABLE_MIB, tables=None)
        self._lock = Lock()

    def line(self, position: Position) -> tuple[int, ...]:
        """The moves expected in a position, empty where the game is over."""
        if not position.legal_moves():
            return ()
        with self._lock:
            self._engine.clear()
            return self._engine.analyse(position, Limits(nodes=NODES)).lines[0].pv


@cache
def refuter(game: str) -> Refuter:
    """The refuter of a game; it takes a few MiB."""
    return Refuter(game)


def refutation(sowing: Sowing, line: tuple[int, ...]) -> tuple[Sowing, ...]:
    """The beginning of a line after a wrong move: up to the end of the opponent's first turn.

    Args:
        sowing: the wrong move.
        line: the moves expected after it.
    """
    position, shown = sowing.after, list[Sowing]()
    for move in line[:MOST]:
        if shown and shown[-1].mover is not sowing.mover and position.to_move is sowing.mover:
            break
        if move not in position.legal_moves():
            break
        shown.append(position.sow(move))
        position = shown[-1].after
    return tuple(shown) if any(one.mover is not sowing.mover for one in shown) else ()
