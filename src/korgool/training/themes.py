"""Themes of puzzles: what a line shows, each as a predicate that is answered by the rules alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from korgool.rules import Position, Side, Sowing, Termination
from korgool.training.puzzle import Puzzle

FEW_MOVES = 2
"""An opponent with at most so many moves has hardly any left to wait with."""
ENDING_SHARE = 3
"""An ending has at most the total of the stones divided by this on the board."""


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A puzzle with its line played, which predicates look at.

    Attributes:
        puzzle: the puzzle.
        sowings: all plies of the line.
        own: those of the solver.
    """

    puzzle: Puzzle
    sowings: Sequence[Sowing]
    own: Sequence[Sowing]

    @property
    def first(self) -> Sowing:
        """The first move to find."""
        return self.sowings[0]

    @property
    def end(self) -> Position:
        """The position after the line."""
        return self.sowings[-1].after


Predicate = Callable[[ShownLine], bool]


def shown_line(puzzle: Puzzle) -> ShownLine:
    """Play the line of a puzzle.

    Raises:
        PuzzleError: it cannot be played.
    """
    sowings = puzzle.sowings()
    return ShownLine(puzzle, sowings, [one for one in sowings if one.mover is puzzle.solver])


def themes_of(puzzle: Puzzle) -> tuple[str, ...]:
    """The themes that hold, in the order of `THEMES`.

    Raises:
        PuzzleError: the line cannot be played.
    """
    line = shown_line(puzzle)
    return tuple(name for name, holds in THEMES.items() if holds(line))


def is_quiet(sowing: Sowing) -> bool:
    """Return whether a sowing wins nothing at once: no capture, no tuz, no stone into an own tuz, no extra turn."""
    fed = any(drop.tuz_owner is sowing.mover for drop in sowing.drops)
    return not (sowing.taken or sowing.tuz or sowing.extra_turn or fed)


def could_reach_goal(position: Position, side: Side) -> bool:
    """Return whether a side could reach the goal, 82 stones or 26, if it were its turn."""
    goal = position.rules.goal
    if not goal or position.outcome() is not None:
        return False
    asked = position if position.to_move is side else replace(position, to_move=side)
    return any(asked.play(move).stores[side] >= goal for move in asked.legal_moves())


def could_make_tuz(position: Position, side: Side) -> bool:
    """Return whether a side could make a tuz if it were its turn."""
    asked = position if position.to_move is side else replace(position, to_move=side)
    return any(asked.sow(move).tuz is not None for move in asked.legal_moves())


def _captures(line: ShownLine) -> bool:
    return any(one.taken and one.tuz is None for one in line.own)


def _makes_tuz(line: ShownLine) -> bool:
    return line.puzzle.game != "castle" and any(one.tuz is not None for one in line.own)


def _makes_castle(line: ShownLine) -> bool:
    return line.puzzle.game == "castle" and any(one.tuz is not None for one in line.own)


def _forbids_tuz(line: ShownLine) -> bool:
    opponent = line.puzzle.solver.other
    return could_make_tuz(line.puzzle.start, opponent) and not could_make_tuz(line.first.after, opponent)


def _feeds_tuz(line: ShownLine) -> bool:
    fed = any(drop.tuz_owner is line.puzzle.solver for drop in line.first.drops)
    return fed and not line.first.taken


def _about_ninth_hole(line: ShownLine) -> bool:
    if line.puzzle.start.rules.holes != 9:
        return False
    taken = {(side, hole) for one in line.own for side, hole, _ in one.captured}
    return line.first.hole == 9 or (line.puzzle.solver.other, 9) in taken


def _starves(line: ShownLine) -> bool:
    outcome, opponent = line.end.outcome(), line.puzzle.solver.other
    return (
        line.puzzle.start.rules.sweep == "owner"
        and outcome is not None
        and outcome.termination in (Termination.NO_MOVE, Termination.SIDE_EMPTY)
        and not any(line.end.holes[opponent])
    )


def _reaches_goal(line: ShownLine) -> bool:
    outcome, solver = line.end.outcome(), line.puzzle.solver
    if outcome is not None and outcome.termination is Termination.MAJORITY and outcome.winner is solver:
        return True
    opponent = solver.other
    return could_reach_goal(line.puzzle.start, opponent) and not could_reach_goal(line.first.after, opponent)


def _wins_tempo(line: ShownLine) -> bool:
    after = line.first.after
    return is_quiet(line.first) and 1 <= len(after.legal_moves()) <= FEW_MOVES and after.to_move is not line.first.mover


def _is_ending(line: ShownLine) -> bool:
    start = line.puzzle.start
    return line.puzzle.proof == "exact" and sum(map(sum, start.holes)) * ENDING_SHARE <= start.rules.total


def _empties_hole_opposite(line: ShownLine) -> bool:
    return any(side is one.mover for one in line.own for side, _, _ in one.captured)


THEMES: Mapping[str, Predicate] = {
    "capture": _captures,
    "make-tuz": _makes_tuz,
    "castle": _makes_castle,
    "forbid-tuz": _forbids_tuz,
    "feed-tuz": _feeds_tuz,
    "ninth-hole": _about_ninth_hole,
    "extra-turn": lambda line: any(one.extra_turn for one in line.own),
    "empty-hole": _empties_hole_opposite,
    "quiet": lambda line: is_quiet(line.first),
    "tempo": _wins_tempo,
    "starve": _starves,
    "count": _reaches_goal,
    "save": lambda line: line.puzzle.goal == "save",
    "ending": _is_ending,
}
"""Every theme with its predicate:

- `capture`: a move of the solver takes stones by making a hole even, or in mangala from the hole opposite;
- `make-tuz`, `castle`: a move of the solver makes a tuz, or a castle;
- `forbid-tuz`: the opponent could make a tuz (castle) in the position, and cannot after the first move;
- `feed-tuz`: the first move takes nothing but what falls into the solver's own tuz;
- `ninth-hole`: the first move is from hole 9, or a move takes the opponent's hole 9;
- `extra-turn`, `empty-hole`: a move of the solver ends in the own store, or takes by an own hole that was empty;
- `quiet`: the first move wins nothing at once;
- `tempo`: it is quiet and leaves the opponent one move or two;
- `starve`: the game ends because the opponent has no stones on their side;
- `count`: the last move reaches 82 stones, or 26; or the opponent could reach them at once, and cannot after the
  first move;
- `save`: every other move loses;
- `ending`: proven, with a third of the stones or fewer on the board.
"""
