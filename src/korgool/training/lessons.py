"""The lessons of each game: a path of stops, each with a few boards to act on. They are data: `lessons/GAME.toml`.

A board says its position, what is asked and one sentence; what is right follows from the rules (`questions.py`). Titles
and sentences are English messages of the catalogues.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from korgool.rules import GAMES, Position, Rules
from korgool.training.questions import Question, Way

_FOLDER = Path(__file__).parent / "lessons"
MOST_STARS = 3
MOST_WORDS = 12
"""Words of a board's sentence, in every language."""
GAME_STOP = "game"
"""The name of the last stop of each path: a first game, without boards."""
FIRST_STOPS = 4
"""Stops of which somebody who waits for a game is shown one board each."""


class LessonError(ValueError):
    """Lessons that do not hold; the message names the stop and the board."""


@dataclass(frozen=True, slots=True)
class Board:
    """A board to act on.

    Attributes:
        question: what is asked.
        task: the sentence, a message that may name `%(hole)s`, the hole that is sown.
    """

    question: Question
    task: str


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop of a path.

    Attributes:
        name: its name in addresses, of small letters and hyphens.
        title: a message.
        boards: in their order; none at the stop that is a game.
    """

    name: str
    title: str
    boards: tuple[Board, ...]


@cache
def path_of(game: str) -> tuple[Stop, ...]:
    """The path of a game, by its short name.

    Raises:
        KeyError: there is no such game.
        LessonError: its lessons do not hold; a test reads them all.
    """
    return read_path((_FOLDER / f"{game}.toml").read_text(encoding="utf-8"), GAMES[game])


def first_boards(game: str) -> tuple[Board, ...]:
    """The way into a game in half a minute: of the first four stops the first board that is answered by sowing.

    Raises:
        KeyError: there is no such game.
    """
    stops = [stop for stop in path_of(game) if stop.boards][:FIRST_STOPS]
    return tuple(next(board for board in stop.boards if board.question.way is Way.HOLE) for stop in stops)


def read_path(text: str, rules: Rules) -> tuple[Stop, ...]:
    """The stops of a file of lessons; raises LessonError with the stop and the board that is wrong."""
    try:
        told = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LessonError(str(error)) from error
    stops = tuple(_stop(one, rules) for one in told.get("stop", ()))
    names = [stop.name for stop in stops]
    if len(set(names)) < len(names) or names[-1:] != [GAME_STOP]:
        raise LessonError(f"stops need names of their own, and the last is {GAME_STOP!r}: {', '.join(names)}")
    return stops


def stars(mistakes: int) -> int:
    """The stars of a stop: one less for each mistake."""
    return max(0, MOST_STARS - mistakes)


def _stop(told: dict[str, object], rules: Rules) -> Stop:
    name, title, boards = told.get("name"), told.get("title"), told.get("board", [])
    if not isinstance(name, str) or not isinstance(title, str) or not isinstance(boards, list):
        raise LessonError(f"a stop has a name, a title and boards: {str(told)[:100]}")
    return Stop(name, title, tuple(_board(one, rules, f"{name}, board {at}") for at, one in enumerate(boards, 1)))


def _board(told: dict[str, object], rules: Rules, where: str) -> Board:
    if unknown := told.keys() - {"position", "ask", "move", "at", "task"}:
        raise LessonError(f"{where}: unknown {', '.join(sorted(unknown))}")
    try:
        text = str(told.get("position", ""))
        position = Position.parse(text, rules) if text else rules.start()
        question = Question(str(told["ask"]), position, int(str(told.get("move", 0))), str(told.get("at", "")))
        return Board(question, str(told["task"]))
    except KeyError as error:
        raise LessonError(f"{where}: {error} is missing") from error
    except ValueError as error:
        raise LessonError(f"{where}: {error}") from error
