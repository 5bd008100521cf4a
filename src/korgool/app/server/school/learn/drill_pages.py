"""The page of the drills of a game: its questions, made anew every day, are in the page and work without a network."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Literal

import msgspec
from litestar import MediaType, Response, get
from litestar.params import FromPath

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.responses import AnyRequest, language_of, page
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.http.template_texts import safe_json
from korgool.app.server.play.board_picture import LowBoard
from korgool.app.server.play.moving_boards import View, view_of
from korgool.app.server.school.learn.lesson_boards import Choice, answer_text
from korgool.app.words.games import STONE_GAMES
from korgool.app.words.lessons import DRILL_WORDS
from korgool.languages import translations
from korgool.rules import GAMES
from korgool.training.drills import SECONDS, Drill, questions
from korgool.training.questions import Question, Way, winning_count

_QUESTIONS = 40
"""Questions of a drill in the page: more than anybody answers in its time."""
_DAY_MS = 24 * 3600 * 1000


class DrillQuestion(msgspec.Struct, frozen=True):
    """A question of a drill, for the script.

    Attributes:
        task: the sentence.
        way: how it is answered, `place` or `choice`.
        before: the board, White to move.
        mark: the hole that is asked about; 0 for none.
        choices: the answers on buttons.
        right: the right answer.
    """

    task: str
    way: Literal["place", "choice"]
    before: View
    mark: int
    choices: tuple[Choice, ...]
    right: str


@get("/learn/{game:str}/drills", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def drills_page(request: AnyRequest, game: FromPath[str]) -> Response[str]:
    """The drills of a game: as many right answers as possible in a minute; the best is kept on the device."""
    if game not in GAMES:
        raise ApiError(404, errors.NO_PAGE)
    asked = await asyncio.to_thread(drills_json, game, language_of(request), now_ms() // _DAY_MS)
    return page(
        request,
        "drills.html",
        game=game,
        board=LowBoard.start(game),
        drills=[(drill.value, DRILL_WORDS[drill][0]) for drill in Drill],
        seconds=SECONDS,
        questions=asked,
    )


@lru_cache(maxsize=64)
def drills_json(game: str, language: str, seed: int) -> str:
    """The questions of all drills of a game as JSON for a script element."""
    made = {
        drill.value: [_told(one, drill, language) for one in questions(game, drill, seed, _QUESTIONS)]
        for drill in Drill
    }
    return safe_json(made)


def _told(question: Question, drill: Drill, language: str) -> DrillQuestion:
    rules = question.position.rules
    gettext = translations(language, rules.name in STONE_GAMES).gettext
    text = gettext(DRILL_WORDS[drill][1])
    values = {"hole": question.move, "goal": winning_count(rules)}
    choices = question.answers if question.way is Way.CHOICE else ()
    return DrillQuestion(
        text % values if "%(" in text else text,
        "place" if question.way is Way.PLACE else "choice",
        view_of(question.position),
        0 if drill is Drill.HOME else question.move,
        tuple(Choice(value, answer_text(question, value, language)) for value in choices),
        *question.right,
    )


handlers = [drills_page]
