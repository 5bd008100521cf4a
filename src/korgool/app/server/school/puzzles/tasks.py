"""Puzzles as a page needs them: what every first move does, what refutes the wrong ones, the answers, and why the right
move is right.

The solver has the lower row on every page: where Black solves, both sides are exchanged, which the rules allow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache, lru_cache
from gettext import NullTranslations
from hashlib import blake2b

import msgspec

from korgool.app.server.http.template_texts import safe_json
from korgool.app.server.play.moving_boards import Ply, View, ply_of, view_of
from korgool.app.server.school.puzzles.refutations import refutation, refuter
from korgool.app.words.games import STONE_GAMES
from korgool.app.words.puzzles import GOAL_WORDS, theme_word
from korgool.app.words.reasons import reason_text, reasons_text
from korgool.engine.reasons import Reason, ReasonKind, faults, reasons
from korgool.glicko import Glicko
from korgool.languages import translations
from korgool.rules import Position, Side, Sowing
from korgool.training.puzzle import Puzzle
from korgool.training.puzzle_answer import first_puzzle
from korgool.training.puzzle_set import PuzzleSet, shipped_set

SERIES = 8
"""Puzzles that a page brings along."""
_SEEN = (ReasonKind.ALLOWS_WIN, ReasonKind.ALLOWS_TUZ, ReasonKind.ALLOWS)
_REMEMBERED = 2_000
"""Puzzles whose boards are remembered; each takes some 4 kB."""


class WrongMove(msgspec.Struct, frozen=True):
    """What speaks against a move.

    Attributes:
        why: a sentence without its subject, or empty.
        answer: what the opponent plays then; empty where the game is over.
    """

    why: str
    answer: tuple[Ply, ...]


class Step(msgspec.Struct, frozen=True):
    """A move to find.

    Attributes:
        before: the board.
        right: the accepted holes.
        moves: by hole, what each legal move does.
        wrong: by hole, what speaks against each that is not accepted.
        answer: the opponent's plies after the right move, none at the end.
        why: the reasons for the right move, a sentence without its subject, or empty.
    """

    before: View
    right: tuple[int, ...]
    moves: dict[str, Ply]
    wrong: dict[str, WrongMove]
    answer: tuple[Ply, ...]
    why: str


class PuzzleTask(msgspec.Struct, frozen=True):
    """A puzzle for the script of its page; `rating` and `deviation` are those of today, `steps` a list of `Step`."""

    id: str
    game: str
    rating: int
    deviation: int
    task: str
    themes: tuple[str, ...]
    steps: msgspec.Raw


def today() -> date:
    """The day of the puzzle of the day; it begins everywhere at the same moment."""
    return datetime.now(UTC).date()


def seen_by_solver(puzzle: Puzzle) -> Puzzle:
    """The same puzzle with the solver as White."""
    start = puzzle.start
    if start.to_move is Side.WHITE:
        return puzzle
    white, black = start.holes
    stores, tuz = (start.stores[1], start.stores[0]), (start.tuz[1], start.tuz[0])
    return replace(puzzle, start=replace(start, holes=(black, white), stores=stores, tuz=tuz, to_move=Side.WHITE))


def task_of(puzzle: Puzzle, language: str, rating: Glicko | None = None) -> PuzzleTask:
    """All that a page needs to let somebody solve a puzzle.

    Args:
        puzzle: the puzzle.
        language: of its sentences.
        rating: how hard it has turned out to be; None for its rating from the engine.
    """
    gettext = translations(language, puzzle.game in STONE_GAMES).gettext
    now = rating or first_puzzle(puzzle.rating)
    names = tuple(gettext(theme_word(theme, puzzle.game)) for theme in puzzle.themes)
    task = gettext(GOAL_WORDS[puzzle.goal])
    steps = _steps_of(puzzle, language)
    return PuzzleTask(puzzle.id, puzzle.game, round(now.rating), round(now.deviation), task, names, steps)


def tasks_json(puzzles: Sequence[Puzzle], language: str, ratings: Mapping[str, Glicko] | None = None) -> str:
    """The tasks as JSON that can stand in a page. What is not remembered takes some ms of a search for each puzzle.

    Args:
        puzzles: the puzzles.
        language: of their sentences.
        ratings: by id, of those that have been answered.
    """
    known = ratings or {}
    return safe_json([task_of(puzzle, language, known.get(puzzle.id)) for puzzle in puzzles])


@lru_cache(maxsize=_REMEMBERED)
def _steps_of(puzzle: Puzzle, language: str) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(tuple(_steps(seen_by_solver(puzzle), language))))


def _steps(puzzle: Puzzle, language: str) -> Iterator[Step]:
    line = puzzle.sowings()
    boards = [puzzle.start, *(sowing.after for sowing in line)]
    for at, (board, accepted) in enumerate(zip(boards, puzzle.moves, strict=False)):
        if board.to_move is not puzzle.solver:
            continue
        rest = line[at + 1 :]
        answer = [one for one, _ in zip(rest, _until(rest, puzzle.solver), strict=False)]
        right = (accepted[0], *(one.hole for one in rest))
        legal = board.legal_moves()
        yield Step(
            view_of(board),
            accepted,
            {str(move): ply_of(board.sow(move)) for move in legal},
            {str(move): _wrong(board, move, right, language) for move in legal if move not in accepted},
            tuple(map(ply_of, answer)),
            reasons_text(_catalogue(puzzle.game, language), reasons(board, right[0], right[1:]), puzzle.game),
        )


def _wrong(board: Position, move: int, right: tuple[int, ...], language: str) -> WrongMove:
    game, sowing = board.rules.name, board.sow(move)
    line = refuter(game).line(sowing.after)
    answer = refutation(sowing, line)
    found: Sequence[Reason] = faults(board, move, right[0], line, right[1:])
    # What is shown comes first: the words are about the hole that the opponent plays.
    found = sorted(found, key=lambda one: not (answer and one.kind in _SEEN and one.hole == answer[0].hole))
    why = reason_text(_catalogue(game, language), found[0], game) if found else ""
    return WrongMove(why, tuple(map(ply_of, answer)))


def _catalogue(game: str, language: str) -> NullTranslations:
    return translations(language, game in STONE_GAMES)


def _until(sowings: Sequence[Sowing], solver: Side) -> Iterator[None]:
    for sowing in sowings:
        if sowing.mover is solver:
            return
        yield None


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
