"""A puzzle: a position in which one move is clearly the best, the line that follows, and the JSON Lines form of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Any

import msgspec

from korgool.rules import GAMES, Position, Side, Sowing

MOST_OWN_MOVES = 5
"""Moves of the solver in a puzzle, at most; each sowing of an extra turn counts."""
MOST_PLIES = 24
"""Plies of a puzzle's line, at most."""
LEAST_GAP = 4.0
"""Stones by which the accepted moves are better than all others, unless the result of the game depends on them."""
GOALS = ("win", "save", "stones")
"""The tasks: win where nothing else does, hold a game that is lost otherwise, or gain the most stones."""
PROOFS = ("exact", "search")
"""Proofs of a puzzle: by tables or the solver, or by searches that confirm each other."""
LONGEST_LINE = 10_000
"""Bytes of one puzzle as JSON, at most."""
_LONGEST_SOURCE = 200
_MEMBERS = ("id", "game", "position", "moves", "goal", "proof", "gap", "themes", "rating", "source")


class PuzzleError(ValueError):
    """A text that is no puzzle, with the reason."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A task for one side.

    Attributes:
        start: the position; whoever is to move there solves it. Its rules are those of one of the four games.
        moves: for each ply the moves that may be played, hole numbers: those accepted of the solver, and the one answer
            of the opponent. Whose ply it is follows from the board, as plies of an extra turn follow each other. Only
            the last ply, which is the solver's, may have several; the line goes on with the first one.
        goal: one of `GOALS`.
        proof: one of `PROOFS`.
        gap: stones by which an accepted move is better than the best other one; the least in the line.
        themes: names of `korgool.training.themes`.
        rating: the lowest rating of the engine that finds the whole line in half of its tries.
        source: where the position comes from.
    """

    start: Position
    moves: tuple[tuple[int, ...], ...]
    goal: str
    proof: str
    gap: float
    themes: tuple[str, ...] = ()
    rating: int = 0
    source: str = ""

    @property
    def id(self) -> str:
        """The game and a number made of the position, the same in every set and every process."""
        return puzzle_id(self.start)

    @property
    def game(self) -> str:
        """Short name of the game."""
        return self.start.rules.name

    @property
    def solver(self) -> Side:
        """The side that is to find the moves."""
        return self.start.to_move

    def sowings(self) -> tuple[Sowing, ...]:
        """The line, stone by stone.

        Raises:
            PuzzleError: it cannot be played, or is no line of a puzzle; the message names the ply.
        """
        if not 1 <= len(self.moves) <= MOST_PLIES:
            raise PuzzleError(f"a line has 1 to {MOST_PLIES} plies, not {len(self.moves)}")
        position, line, own = self.start, list[Sowing](), 0
        for ply, accepted in enumerate(self.moves, 1):
            last, solves = ply == len(self.moves), position.to_move is self.solver
            own += solves
            legal = position.legal_moves()
            if not legal:
                raise PuzzleError(f"ply {ply}: the game is over there")
            if not accepted or len(set(accepted)) < len(accepted):
                raise PuzzleError(f"ply {ply}: the moves {list(accepted)} are none, or name one twice")
            for move in accepted:
                if move not in legal:
                    raise PuzzleError(f"ply {ply}: {position.problem(move)}")
            if len(accepted) > 1 and not (last and solves):
                raise PuzzleError(f"ply {ply}: several moves are accepted at the end alone")
            if solves and len(accepted) == len(legal):
                raise PuzzleError(f"ply {ply}: no move is left that would be wrong")
            if last and not solves:
                raise PuzzleError("the line ends with a move of the opponent")
            line.append(position.sow(accepted[0]))
            position = line[-1].after
        if own > MOST_OWN_MOVES:
            raise PuzzleError(f"the solver has {own} moves to find, and {MOST_OWN_MOVES} is the most")
        return tuple(line)

    def to_json(self) -> dict[str, Any]:
        """The members of the JSON form, in their order."""
        gap = int(self.gap) if self.gap == int(self.gap) else self.gap
        values = (self.id, self.game, str(self.start), [list(accepted) for accepted in self.moves], self.goal,
                  self.proof, gap, list(self.themes), self.rating, self.source)  # fmt: skip
        return dict(zip(_MEMBERS, values, strict=True))


def puzzle_id(start: Position) -> str:
    """The id of the puzzle with that position."""
    return f"{start.rules.name}-{start.key >> 16:012x}"


def read_puzzle(text: str | bytes) -> Puzzle:
    """Read one line of JSON, and play its line by the rules.

    Raises:
        PuzzleError: it is no puzzle; the message says why.
    """
    if len(text) > LONGEST_LINE:
        raise PuzzleError(f"a puzzle has {LONGEST_LINE:,} bytes at most")
    try:
        said = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise PuzzleError(f"it is no JSON: {error}") from None
    if not isinstance(said, dict):
        raise PuzzleError("a puzzle is a JSON object")
    missing = [name for name in _MEMBERS if name not in said]
    if missing:
        raise PuzzleError(f"it lacks {', '.join(missing)}")
    strange = [str(name)[:40] for name in said if name not in _MEMBERS]
    if strange:
        raise PuzzleError(f"it has members that are not known: {', '.join(strange[:5])}")
    puzzle = Puzzle(
        _start(said["game"], said["position"]),
        tuple(tuple(_whole(move, "a move") for move in _list(ply, "a ply")) for ply in _list(said["moves"], "moves")),
        _one_of(said["goal"], GOALS, "goal"),
        _one_of(said["proof"], PROOFS, "proof"),
        _gap(said["gap"]),
        tuple(_text(theme, "a theme") for theme in _list(said["themes"], "themes")),
        _whole(said["rating"], "rating"),
        _text(said["source"], "source"),
    )
    if not 0 <= puzzle.rating <= 9999:
        raise PuzzleError(f"a rating is 0 to 9999, not {puzzle.rating}")
    if len(puzzle.source) > _LONGEST_SOURCE:
        raise PuzzleError(f"a source has {_LONGEST_SOURCE} characters at most")
    if puzzle.id != said["id"]:
        raise PuzzleError(f"the id of this position is {puzzle.id}, not {str(said['id'])[:40]!r}")
    puzzle.sowings()
    return puzzle


def read_puzzles(stream: IO[bytes]) -> Iterator[tuple[int, Puzzle | PuzzleError]]:
    """The puzzles of a file, one at a time, each with its line from 1; an error stands for a line that is none.

    Memory is bounded by one line of `LONGEST_LINE` bytes; a longer one is an error, and the next one is read.
    """
    number = 0
    while line := stream.readline(LONGEST_LINE + 2):
        number += 1
        whole = line.endswith(b"\n") or len(line) <= LONGEST_LINE
        while not line.endswith(b"\n") and (rest := stream.readline(1 << 16)):
            whole, line = False, rest
        if not whole:
            yield number, PuzzleError(f"a puzzle has {LONGEST_LINE:,} bytes at most")
        elif line.strip():
            try:
                yield number, read_puzzle(line)
            except PuzzleError as error:
                yield number, error


def write_puzzles(puzzles: Iterable[Puzzle]) -> Iterator[bytes]:
    """Each puzzle as one line of JSON."""
    for puzzle in puzzles:
        yield msgspec.json.encode(puzzle.to_json()) + b"\n"


def _start(game: object, text: object) -> Position:
    name = _one_of(game, tuple(GAMES), "game")
    try:
        return Position.parse(_text(text, "position"), GAMES[name])
    except ValueError as error:
        raise PuzzleError(f"position: {error}") from None


def _one_of(value: object, known: tuple[str, ...], what: str) -> str:
    if value not in known or not isinstance(value, str):
        raise PuzzleError(f"{what} is one of {', '.join(known)}, not {str(value)[:40]!r}")
    return value


def _list(value: object, what: str) -> list[Any]:
    if not isinstance(value, list) or len(value) > 64:
        raise PuzzleError(f"{what} is a list of at most 64, not {str(value)[:40]!r}")
    return value


def _whole(value: object, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise PuzzleError(f"{what} is a whole number, not {str(value)[:40]!r}")
    return value


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise PuzzleError(f"{what} is a text, not {str(value)[:40]!r}")
    return value


def _gap(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise PuzzleError(f"gap is a number of stones, 0 or more, not {str(value)[:40]!r}")
    return float(value)
