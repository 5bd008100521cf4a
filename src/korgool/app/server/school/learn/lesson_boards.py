"""Lessons as a page needs them: texts in the reader's language, and every answer with the sowing that shows it.

The rules are asked here, once for each language; the scripts (`js/learn/`) know none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import msgspec

from korgool.app.server.http.template_texts import safe_json
from korgool.app.server.play.board_picture import LowBoard, Row
from korgool.app.server.play.game_events import NAMES, Trace, trace
from korgool.app.server.play.moving_boards import View, view_after, view_of
from korgool.app.words.games import STONE_GAMES
from korgool.app.words.lessons import ANSWER_WORDS, remark
from korgool.languages import translations
from korgool.rules import Position, Side
from korgool.training.lessons import Board, Stop, first_boards, path_of
from korgool.training.questions import Question, Way


class Shown(msgspec.Struct, frozen=True):
    """Effect of an answer on the board.

    Attributes:
        trace: the sowing.
        after: the board after it.
        remark: a sentence about it; may be empty.
    """

    trace: Trace
    after: View
    remark: str


class Choice(msgspec.Struct, frozen=True):
    """An answer on a button."""

    value: str
    text: str


class LessonBoard(msgspec.Struct, frozen=True):
    """A board of a stop, for the scripts.

    Attributes:
        task: the sentence.
        way: how it is answered, `hole`, `place` or `choice`.
        before: the board.
        turn: the side to move.
        legal: the holes that may be sown.
        position: its text.
        mark: the hole that is asked about; 0 for none.
        choices: the answers on buttons.
        right: the right answers.
        shown: for each hole what sowing it does; under the empty text, what the sowing does that is asked about.
    """

    task: str
    way: Way
    before: View
    turn: Literal["white", "black"]
    legal: tuple[int, ...]
    position: str
    mark: int
    choices: tuple[Choice, ...]
    right: tuple[str, ...]
    shown: dict[str, Shown]


@dataclass(frozen=True, slots=True)
class ReadBoard:
    """A board to be read where there are no scripts.

    Attributes:
        task: the sentence.
        picture: the board.
        answer: the right answers in words.
    """

    task: str
    picture: LowBoard
    answer: str


@lru_cache(maxsize=256)
def lesson_json(game: str, name: str, language: str) -> str:
    """The boards of a stop as JSON for a script element."""
    return safe_json([lesson_board(board, language) for board in stop_of(game, name).boards])


@lru_cache(maxsize=32)
def first_json(game: str, language: str) -> str:
    """The boards of the way into a game in half a minute, as JSON for a script element."""
    return safe_json([lesson_board(board, language) for board in first_boards(game)])


def path_json(game: str, language: str) -> str:
    """The boards of all stops of a game by their names, as JSON for a script element."""
    inner = ",".join(f'"{stop.name}":{lesson_json(game, stop.name, language)}' for stop in path_of(game))
    return f"{{{inner}}}"


def lesson_board(board: Board, language: str) -> LessonBoard:
    """A board for the scripts."""
    question = board.question
    position = question.position
    catalogue = translations(language, position.rules.name in STONE_GAMES)
    answers = question.answers if question.way is Way.HOLE else ("",)
    choices = question.answers if question.way is Way.CHOICE else ()
    sowings = {answer: question.shown(answer) for answer in answers}
    return LessonBoard(
        task_text(board, language),
        question.way,
        view_of(position),
        NAMES[position.to_move],
        position.legal_moves(),
        str(position),
        question.move,
        tuple(Choice(value, answer_text(question, value, language)) for value in choices),
        question.right,
        {key: Shown(trace(one), view_after(one), remark(catalogue, question, key)) for key, one in sowings.items()},
    )


def task_text(board: Board, language: str) -> str:
    """The sentence of a board."""
    gettext = translations(language, board.question.position.rules.name in STONE_GAMES).gettext
    text = gettext(board.task)
    return text % {"hole": board.question.move} if board.question.move else text


def answer_text(question: Question, answer: str, language: str) -> str:
    """An answer in words."""
    gettext = translations(language, question.position.rules.name in STONE_GAMES).gettext
    if answer in ANSWER_WORDS:
        return gettext(ANSWER_WORDS[answer])
    if question.way is Way.CHOICE:
        return answer
    side, _, hole = answer.rpartition(" ")
    if side == NAMES[Side.BLACK]:
        return gettext("The opponent's hole %(hole)s") % {"hole": hole}
    return gettext("Your hole %(hole)s") % {"hole": hole}


def read_boards(stop: Stop, language: str) -> Iterator[ReadBoard]:
    """The boards of a stop for a page without scripts."""
    for board in stop.boards:
        right = board.question.right
        answer = ", ".join(answer_text(board.question, one, language) for one in right)
        if len(right) == len(board.question.answers):
            answer = ""
        yield ReadBoard(task_text(board, language), board_picture(board.question.position, board.question.move), answer)


def board_picture(position: Position, mark: int = 0) -> LowBoard:
    """A board, White below, with a hole of the side to move marked."""
    row: Row = "near" if position.to_move is Side.WHITE else "far"
    return LowBoard(
        position.rules.name,
        position.holes,
        position.stores,
        tuz=(position.tuz[Side.BLACK], position.tuz[Side.WHITE]),
        marks=((row, mark), (row, mark)) if mark else None,
    )


def stop_of(game: str, name: str) -> Stop:
    """A stop by its name; raises KeyError."""
    return {stop.name: stop for stop in path_of(game)}[name]
