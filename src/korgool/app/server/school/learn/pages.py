"""Pages to learn a game: the path of its stops, and the stops themselves."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import MediaType, Response, get
from litestar.params import FromPath, FromQuery

from korgool.app.rulebook import scenes_of
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.http.responses import AnyRequest, language_of, page
from korgool.app.server.http.return_address import local
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.play.board_picture import LowBoard
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.moving_boards import film
from korgool.app.server.school.learn.lesson_boards import (
    board_picture,
    first_json,
    lesson_json,
    path_json,
    read_boards,
    task_text,
)
from korgool.app.words.lessons import FIRST_MOVES
from korgool.rules import GAMES
from korgool.training.lessons import GAME_STOP, MOST_STARS, Stop, first_boards, path_of

_FIRST = "first"
"""The name of the way into a game in half a minute, as the name of a stop."""


@get("/learn", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def learn_page(request: AnyRequest, game_registry: TheGameRegistry) -> Response[str]:
    """The same as the next page, for the game that this site offers first."""
    return await _path_page(request, game_registry.settings.game)


@get("/learn/{game:str}", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def learn_game_page(request: AnyRequest, game: FromPath[str]) -> Response[str]:
    """The path of a game, its rules in one minute, and the ways on from there.

    It holds the boards of all stops: without a network it is shown for each of them.
    """
    return await _path_page(request, game)


@get("/learn/{game:str}/{stop:str}", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def stop_page(request: AnyRequest, game: FromPath[str], stop: FromPath[str]) -> Response[str]:
    """A stop of the path of a game; without scripts its boards are pictures with the answers below."""
    path = path_of(game) if game in GAMES else ()
    at = next((index for index, one in enumerate(path) if one.name == stop), None)
    if at is None:
        raise ApiError(404, errors.NO_PAGE)
    language, here = language_of(request), path[at]
    first = here.boards[0] if here.boards else None
    return page(
        request,
        "lesson.html",
        game=game,
        path=path,
        stop=here,
        stop_number=at + 1,
        following=path[at + 1] if at + 1 < len(path) else None,
        back="",
        most=MOST_STARS,
        board=LowBoard.start(game) if first is None else board_picture(first.question.position, first.question.move),
        task="" if first is None else task_text(first, language),
        boards=list(read_boards(here, language)),
        lessons=f'{{"{here.name}":{lesson_json(game, here.name, language)}}}',
    )


@get("/learn/{game:str}/first", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def first_moves_page(request: AnyRequest, game: FromPath[str], to: FromQuery[str] = "") -> Response[str]:
    """A board of each of the first four stops, for who is invited to a game; `to` is where they go on."""
    if game not in GAMES:
        raise ApiError(404, errors.NO_PAGE)
    language, back = language_of(request), local(to, f"/learn/{game}")
    here = Stop(_FIRST, FIRST_MOVES, first_boards(game))
    question = here.boards[0].question
    return page(
        request,
        "lesson.html",
        game=game,
        path=[here],
        stop=here,
        stop_number=0,
        following=None,
        back=back,
        most=MOST_STARS,
        board=board_picture(question.position),
        task=task_text(here.boards[0], language),
        boards=list(read_boards(here, language)),
        lessons=f'{{"{_FIRST}":{first_json(game, language)}}}',
    )


def minute_values(game: str) -> dict[str, Any]:
    """Values of a page with the film of a game.

    Raises:
        ApiError: 404, there is no such game.
    """
    if game not in GAMES:
        raise ApiError(404, errors.NO_PAGE)
    return {"game": game, "board": LowBoard.start(game), "scenes": film(scenes_of(game))}


async def _path_page(request: AnyRequest, game: str) -> Response[str]:
    values = minute_values(game)
    lessons = await asyncio.to_thread(path_json, game, language_of(request))
    return page(
        request,
        "learn.html",
        **values,
        path=path_of(game),
        game_stop=GAME_STOP,
        most=MOST_STARS,
        lessons=lessons,
    )


handlers = [learn_page, learn_game_page, first_moves_page, stop_page]
