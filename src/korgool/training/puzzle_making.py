"""Make puzzles of games: look for positions with one clearly best move, and follow the line as long as it has one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from threading import local

from korgool.clusters import Pool
from korgool.engine import Tables
from korgool.engine.tables.files import SHIPPED
from korgool.rules import GAMES, Game, Position, Rules
from korgool.training.puzzle import MOST_OWN_MOVES, MOST_PLIES, Puzzle
from korgool.training.puzzle_rating import rating_of
from korgool.training.puzzle_search import PuzzleSearch, Step
from korgool.training.self_play import self_play_engine, self_play_game
from korgool.training.themes import themes_of


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game of a record.

    Attributes:
        start: where it begins.
        moves: hole numbers.
        name: for the source of its puzzles.
    """

    start: Position
    moves: tuple[int, ...]
    name: str


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """A game that the engine is to play with itself.

    Attributes:
        game: short name of the game.
        seed: of the series.
        number: in the series, from 0.
    """

    game: str
    seed: int
    number: int

    @property
    def name(self) -> str:
        """For the source of its puzzles."""
        return f"self-play {self.seed}, game {self.number}"


Task = RecordedGame | SelfPlay


def puzzles_of(game: Game, name: str, search: PuzzleSearch) -> list[Puzzle]:
    """The puzzles of a game, in its order.

    Args:
        game: the game, of the rules of `search`.
        name: of the game, for the source.
        search: looks for them.
    """
    found: list[Puzzle] = []
    shown = 0
    for ply, position in enumerate(game.positions):
        if ply < shown:
            continue  # the game follows a line that is found already
        puzzle = puzzle_at(position, search, f"{name}, ply {ply}")
        if puzzle is not None:
            found.append(puzzle)
            shown = ply + _followed(puzzle, game.moves[ply:])
    return found


def puzzle_at(position: Position, search: PuzzleSearch, source: str) -> Puzzle | None:
    """The puzzle of a position, with its whole line, themes and rating; None where no move is clearly the best."""
    first = search.only_moves(position)
    if first is None:
        return None
    steps, moves = _line(position, first, search)
    proof = "exact" if all(step.exact for step in steps) else "search"
    gap = round(min(step.gap for step in steps), 1)
    puzzle = Puzzle(position, moves, first.goal, proof, gap, source=source)
    themes = themes_of(puzzle)
    return replace(puzzle, themes=themes, rating=rating_of(puzzle, search.quick)) if themes else None


def _line(position: Position, step: Step, search: PuzzleSearch) -> tuple[list[Step], tuple[tuple[int, ...], ...]]:
    """The moves to find, with the answers between them, as long as one of them is clearly the best."""
    solver, steps, moves = position.to_move, [step], [step.accepted]
    kept = 1
    while len(steps) < MOST_OWN_MOVES and len(moves[-1]) == 1:
        position = position.play(moves[-1][0])
        while position.to_move is not solver and position.legal_moves() and len(moves) < MOST_PLIES:
            moves.append((search.answer(position),))
            position = position.play(moves[-1][0])
        if not position.legal_moves() or len(moves) >= MOST_PLIES:
            break
        following = search.only_moves(position)
        if following is None:
            break
        steps.append(following)
        moves.append(following.accepted)
        kept = len(moves)
    return steps, tuple(moves[:kept])


def _followed(puzzle: Puzzle, played: Sequence[int]) -> int:
    """Number of plies of the line that the game follows."""
    for count, (accepted, move) in enumerate(zip(puzzle.moves, played, strict=False)):
        if move not in accepted:
            return count
    return len(puzzle.moves)


_OWN = local()


def puzzles_of_task(task: Task, tables: Tables | None = None) -> list[Puzzle]:
    """The puzzles of one game; each thread has its own engines, and keeps them for the next game.

    Args:
        task: the game.
        tables: where its endings are looked up; without them in the tables of the package, so that the answer depends
            on the task alone and not on what a user has built.
    """
    rules = GAMES[task.game] if isinstance(task, SelfPlay) else task.start.rules
    tables = tables or package_tables(rules)
    made: dict[Tables, PuzzleSearch] = _OWN.__dict__.setdefault("searches", {})
    if tables not in made:
        made[tables] = PuzzleSearch(rules, tables)
    if isinstance(task, SelfPlay):
        game = self_play_game(rules, task.seed, task.number, self_play_engine(rules))
    else:
        game = Game(task.start, task.moves)
    return puzzles_of(game, task.name, made[tables])


@cache
def package_tables(rules: Rules) -> Tables:
    """The small tables that come with the package, for `puzzles_of_task`."""
    return Tables.open(rules, SHIPPED)


def make_puzzles(tasks: Iterable[Task], place: Pool, tables: Tables | None = None) -> Iterator[list[Puzzle]]:
    """The puzzles of many games, a list for each, in the order of the tasks; the same wherever they are made.

    Args:
        tasks: the games; they are taken as they are needed.
        place: where the work is done.
        tables: as `puzzles_of_task` has them; then all games have their rules, and the work is done in this process.
    """
    return place.in_turn(partial(puzzles_of_task, tables=tables), tasks)
