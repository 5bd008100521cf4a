"""Drills: many small questions about positions of random games, to be answered in a minute.

Questions are made from a seed: a page of one day has the same for everybody, and a test has the same twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from random import Random

from korgool.rules import GAMES, Position, Rules, Side
from korgool.training.questions import READER, Question, last_count, winning_count

SECONDS = 60
"""The time of a drill."""


class Drill(StrEnum):
    """Kind of drill; each is the name of a question as well."""

    LANDING = "landing"
    """Naming the place where the last stone falls."""
    PARITY = "parity"
    """Saying whether the number it makes on the other side is even or odd."""
    REACH = "reach"
    """Saying whether a move brings the reader's store to the stones that win: 82, 26, or 25 of 48."""
    HOME = "home"
    """Counting the moves that leave all stones at home."""


def questions(game: str, drill: Drill, seed: int, count: int) -> list[Question]:
    """Questions of a drill, different from each other.

    Args:
        game: its short name.
        drill: what is asked.
        seed: the same seed gives the same questions.
        count: how many.
    """
    chance = Random(f"{game} {drill} {seed}")
    found: dict[tuple[Position, int], Question] = {}
    for position in _positions(GAMES[game], chance):
        move = chance.choice(position.legal_moves())
        asked = _asked(drill, position, move, chance)
        if asked is not None:
            found.setdefault((asked.position, 0 if drill is Drill.HOME else move), asked)
        if len(found) == count:
            return list(found.values())
    raise AssertionError("there are always more games")


def _positions(rules: Rules, chance: Random) -> Iterator[Position]:
    """Positions of random games with White to move, about every fifth turn."""
    while True:
        position = rules.start()
        while position.outcome() is None:
            if position.to_move is READER and not chance.randrange(5):
                yield position
            position = position.play(chance.choice(position.legal_moves()))


def _asked(drill: Drill, position: Position, move: int, chance: Random) -> Question | None:
    """A question about a move, where the position is good for one."""
    sowing = position.sow(move)
    if drill is Drill.PARITY and (sowing.last.side is not Side.BLACK or not last_count(sowing)):
        return None
    if drill is Drill.LANDING and not sowing.last.hole:
        return None
    if drill is Drill.REACH:
        near = _near_goal(position, move, chance)
        return None if near is None else Question(drill, near, move)
    return Question(drill, position, move)


def _near_goal(position: Position, move: int, chance: Random) -> Position | None:
    """The position with the reader near the winning count, so that it has to be counted.

    None where the move wins no stones, or ends the game by an empty side: what is left on the board counts then too.
    """
    goal, together = winning_count(position.rules), sum(position.stores)
    after = position.sow(move).after
    won = after.stores[READER] - position.stores[READER]
    own = goal - won + chance.choice((-3, -2, -1, 0, 0, 1))
    if not won or not 0 <= own < goal or not 0 <= together - own < goal or after.outcome() is not None:
        return None
    return replace(position, stores=(own, together - own))
