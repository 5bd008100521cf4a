"""Puzzles as a page needs them: what every first move does, the answers, and why the right move is right.

The solver has the lower row on every page: where Black solves, both sides are exchanged, which the rules allow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from hashlib import blake2b
from secrets import SystemRandom

import msgspec

from korgool.app.server.play.game_events import Trace, trace
from korgool.app.server.play.moving_boards import View, view_after, view_of
from korgool.app.words.games import STONE_GAMES
from korgool.app.words.puzzles import GOAL_WORDS, theme_word
from korgool.app.words.reasons import reasons_text
from korgool.engine.reasons import reasons
from korgool.languages import translations
from korgool.rules import Position, Side, Sowing
from korgool.training.puzzle import Puzzle
from korgool.training.puzzle_set import PuzzleSet, shipped_set

SERIES = 8
"""Puzzles that a page brings along."""
NEAR = 60
"""A rated puzzle is one of so many whose ratings are nearest to the solver's."""


class Shown(msgspec.Struct, frozen=True):
    """A move as the board plays it."""

    trace: Trace
    after: View


class Step(msgspec.Struct, frozen=True):
    """A move to find.

    Attributes:
        before: the board.
        right: the accepted holes.
        moves: by hole, what each legal move does.
        answer: the opponent's plies after the right move, none at the end.
        why: the reasons for the right move, a sentence or empty.
    """

    before: View
    right: tuple[int, ...]
    moves: dict[str, Shown]
    answer: tuple[Shown, ...]
    why: str


class PuzzleTask(msgspec.Struct, frozen=True):
    """A puzzle for the script of its page."""

    id: str
    game: str
    rating: int
    task: str
    themes: tuple[str, ...]
    steps: tuple[Step, ...]


def seen_by_solver(puzzle: Puzzle) -> Puzzle:
    """The same puzzle with the solver as White."""
    start = puzzle.start
    if start.to_move is Side.WHITE:
        return puzzle
    white, black = start.holes
    stores, tuz = (start.stores[1], start.stores[0]), (start.tuz[1], start.tuz[0])
    return replace(puzzle, start=replace(start, holes=(black, white), stores=stores, tuz=tuz, to_move=Side.WHITE))


def task_of(puzzle: Puzzle, language: str) -> PuzzleTask:
    """All that a page needs to let somebody solve a puzzle."""
    catalogue = translations(language, puzzle.game in STONE_GAMES)
    gettext = catalogue.gettext
    seen = seen_by_solver(puzzle)
    names = tuple(gettext(theme_word(theme, puzzle.game)) for theme in puzzle.themes)
    task = gettext(GOAL_WORDS[puzzle.goal])
    return PuzzleTask(puzzle.id, puzzle.game, puzzle.rating, task, names, tuple(_steps(seen, language)))


def tasks_json(puzzles: Sequence[Puzzle], language: str) -> str:
    """The tasks as JSON that can stand in a page."""
    told = msgspec.json.encode([task_of(puzzle, language) for puzzle in puzzles]).decode()
    return told.replace("<", "\\u003c")


def _steps(puzzle: Puzzle, language: str) -> Iterator[Step]:
    line = puzzle.sowings()
    boards = [puzzle.start, *(sowing.after for sowing in line)]
    for at, (board, accepted) in enumerate(zip(boards, puzzle.moves, strict=False)):
        if board.to_move is not puzzle.solver:
            continue
        rest = line[at + 1 :]
        answer = [one for one, _ in zip(rest, _until(rest, puzzle.solver), strict=False)]
        found = reasons(board, accepted[0], [one.hole for one in rest])
        catalogue = translations(language, puzzle.game in STONE_GAMES)
        yield Step(
            view_of(board),
            accepted,
            {str(move): _shown(board, move) for move in board.legal_moves()},
            tuple(Shown(trace(one), view_after(one)) for one in answer),
            reasons_text(catalogue, found, puzzle.game),
        )


def _until(sowings: Sequence[Sowing], solver: Side) -> Iterator[None]:
    for sowing in sowings:
        if sowing.mover is solver:
            return
        yield None


def _shown(board: Position, move: int) -> Shown:
    sowing = board.sow(move)
    return Shown(trace(sowing), view_after(sowing))


def of_the_day(game: str, day: date) -> Puzzle | None:
    """The puzzle of a game and a day, the same for all; each comes once before one comes again."""
    puzzles = shipped_set(game)
    if not puzzles:
        return None
    return puzzles[_order(game)[day.toordinal() % len(puzzles)]]


@cache
def _order(game: str) -> Sequence[int]:
    """The places of the puzzles, shuffled, and the same everywhere."""
    return sorted(range(len(shipped_set(game) or ())), key=lambda at: blake2b(f"{game} {at}".encode()).digest())


def series(puzzles: PuzzleSet, theme: str | None, begin: int) -> tuple[list[Puzzle], int]:
    """A few puzzles of a theme or of all, the easiest first, and where the next ones begin; 0 after the last."""
    places = range(len(puzzles)) if theme is None else puzzles.of_theme(theme)
    begin = begin if 0 <= begin < len(places) else 0
    following = begin + SERIES
    return [puzzles[at] for at in places[begin:following]], following if following < len(places) else 0


def rated_series(puzzles: PuzzleSet, rating: int, random: SystemRandom) -> list[Puzzle]:
    """A few puzzles near a rating, by lot."""
    places = sorted(range(len(puzzles)), key=lambda at: abs(puzzles.rating(at) - rating))[:NEAR]
    return [puzzles[at] for at in random.sample(places, min(SERIES, len(places)))]
