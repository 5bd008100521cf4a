"""Perfect play by the rules of a whole game, with its goal and its past, by two ways that know no tables and no bounds.

`literal` goes through all that two players can do, claims of a draw included, with `korgool.rules.Game` as the referee.
`winners` gathers backwards from the ended games and takes every earlier position for a draw; it reaches further.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from korgool.rules import Game, Position, Side


class TooLongError(Exception):
    """There are too many ways to go on."""


def literal(game: Game, most: int = 200_000) -> int:
    """1 if White wins, -1 if Black does, 0 for a draw. Where a draw may be claimed, one of the two will do so.

    Raises:
        TooLongError: more than `most` positions, each counted as often as play comes to it.
    """
    left = most

    def value(low: int, high: int) -> int:
        nonlocal left
        left -= 1
        if left < 0:
            raise TooLongError
        outcome = game.outcome()
        if outcome is not None:
            return 0 if outcome.winner is None else 1 if outcome.winner is Side.WHITE else -1
        if game.claims():
            return 0
        white = game.position.to_move is Side.WHITE
        best = -1 if white else 1
        for move in game.position.legal_moves():
            game.play(move)
            found = value(low, high)
            game.undo()
            if white:
                best, low = max(best, found), max(low, found)
            else:
                best, high = min(best, found), min(high, found)
            if low >= high or best == (1 if white else -1):
                break
        return best

    return value(-1, 1)


@dataclass
class Winners:
    """Who wins, and how far each won position is from the end."""

    winner: dict[Position, Side]
    distance: dict[Position, int]


def winners(start: Position, earlier: Iterable[Position] = ()) -> Winners:
    """All that can follow from a position: who wins each; what is not named is a draw.

    Args:
        start: the present position.
        earlier: positions in which somebody claims a draw.
    """
    drawn = set(earlier)
    children: dict[Position, list[Position]] = {}
    found = Winners({}, {})
    listed = [start]
    for position in listed:  # which grows meanwhile
        if position in children:
            continue
        outcome = position.outcome()
        children[position] = []
        if outcome is not None:
            if outcome.winner is not None:
                found.winner[position], found.distance[position] = outcome.winner, 0
        elif position not in drawn:
            children[position] = [position.play(move) for move in position.legal_moves()]
            listed += children[position]
    parents: dict[Position, list[Position]] = {position: [] for position in children}
    for position, following in children.items():
        for child in following:
            parents[child].append(position)
    waiting = list(found.winner)
    losing = {position: len(following) for position, following in children.items()}
    for position in waiting:  # in the order of their distance
        side = found.winner[position]
        for parent in parents[position]:
            if parent in found.winner:
                continue
            losing[parent] -= parent.to_move is not side
            if parent.to_move is side or not losing[parent]:
                found.winner[parent] = side
                found.distance[parent] = found.distance[position] + 1
                waiting.append(parent)
    return found
