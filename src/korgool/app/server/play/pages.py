"""The pages, and the forms that work without scripts."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Response, get, post
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, PathParameter
from litestar.response import Redirect

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.headers import LANGUAGE_COOKIE
from korgool.app.server.http.dependencies import (
    Form,
    KnownVisitor,
    TheCaller,
    TheSite,
    TheVisitor,
)
from korgool.app.server.http.openapi import refusals
from korgool.app.server.http.page_variables import variables_of
from korgool.app.server.http.responses import AnyRequest, page, visitors_of
from korgool.app.server.http.return_address import local
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.http.template_texts import safe_json
from korgool.app.server.notices.dependencies import TheNotices
from korgool.app.server.play.api import GameId
from korgool.app.server.play.board_picture import BoardPicture
from korgool.app.server.play.challenges.api import TheChallengeService, drawn
from korgool.app.server.play.commands import COMMANDS, DEMANDS, Said, check
from korgool.app.server.play.dependencies import TheGameRegistry, players_of
from korgool.app.server.play.game_records import DIALECT_WORDS, record_of
from korgool.app.server.play.new_game_form import read_form
from korgool.app.server.play.rule_pictures import lessons_of
from korgool.app.server.play.waiting_repository import WaitingList
from korgool.app.words.online_games import CLAIM_BUTTONS
from korgool.conduct.claims import ClaimKind
from korgool.languages import LANGUAGES
from korgool.rules import GAMES

_PATIENCE = 3.0
"""Seconds that a page without scripts waits for the engine before it says that the engine is thinking."""


@post("/games", action=Action.CHALLENGE, include_in_schema=False)
async def new_game(data: Form, game_registry: TheGameRegistry, visitor: KnownVisitor, caller: TheCaller) -> Redirect:
    """Start a game and go to its page. A valid token implies a visitor."""
    address = await game_registry.start(read_form(data, visitor), caller)
    return Redirect(f"/games/{address}", status_code=303)


@get("/games/{game_id:str}", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False)
async def game_page(
    request: AnyRequest,
    game_id: GameId,
    game_registry: TheGameRegistry,
    challenge_service: TheChallengeService,
    visitor: TheVisitor,
    caller: TheCaller,
    notices: TheNotices,
) -> Response[str]:
    """The game."""
    running = await game_registry.met(game_id)
    running.attend(caller)
    if visitor is not None and running.broadcast.may_see_all(visitor):
        await running.join(visitor)
    challenge = await asyncio.to_thread(challenge_service.repository.of_game, game_id)
    state = running.broadcast.state(visitor)
    waiting = variables_of(request)["waiting"]
    return page(
        request,
        "game.html",
        game=state.game,
        state=msgspec.to_builtins(state),
        state_json=safe_json(state),
        board=BoardPicture.of(state),
        lessons=lessons_of(state.game),
        goal=GAMES[state.game].goal or GAMES[state.game].total // 2 + 1,
        choices=running.game.terms.rules.numbers() if state.rules else (),
        dialects=DIALECT_WORDS,
        opened=running.game.opened,
        claims=CLAIM_BUTTONS,
        lot=None if challenge is None else await drawn(request, challenge),
        notices={"push": notices.push is not None, "mail": notices.mailer is not None},
        # What this game wants is seen on its own page.
        waiting_count=waiting.beside(game_id).count if isinstance(waiting, WaitingList) else 0,
    )


@post("/games/{game_id:str}/{command:str}", action=Action.PLAY, thing=players_of, include_in_schema=False)
async def act(
    game_id: GameId,
    command: FromPath[str],
    data: Form,
    game_registry: TheGameRegistry,
    visitor: TheVisitor,
    caller: TheCaller,
) -> Redirect:
    """A command from a page without scripts; back to the game, or on to its rematch."""
    if command not in COMMANDS or command == "reply":
        raise ApiError(404, errors.NO_PAGE)
    running = await game_registry.find(game_id)
    hole, version = (_number(data, name) if name in data else None for name in ("hole", "version"))
    what: Any = data.get("what", ClaimKind.RECURRENCE.online) if command == "claim" else None
    if what is not None and what not in DEMANDS:
        raise ApiError(422, errors.BAD_FIELD, field="what", value=repr(what[:40]), choices=", ".join(DEMANDS))
    said = check(Said(hole=hole, version=version, offer="offer" in data, what=what), command)
    await running.act(visitor, said, caller)
    if command == "rematch" and running.game.rematch:
        return Redirect(f"/games/{running.game.rematch}", status_code=303)
    if command == "move" and running.engine is not None:
        await running.engine.moved(_PATIENCE)
    return Redirect(f"/games/{game_id}", status_code=303)


Dialect = Annotated[
    str, PathParameter(description="of the record", max_length=40, schema_extra={"enum": list(DIALECT_WORDS)})
]


@get(
    "/games/{game_id:str}/record/{dialect:str}",
    action=Action.WATCH,
    responses={
        200: ResponseSpec(str, generate_examples=False, description="the record", media_type="text/plain"),
        **refusals({404: "no such game or dialect", 409: "the dialect cannot express the game"}),
    },
    summary="Record of a game",
    tags=["games"],
)
async def record(
    request: AnyRequest,
    game_id: GameId,
    dialect: Dialect,
    game_registry: TheGameRegistry,
    site: TheSite,
    visitor: TheVisitor,
) -> Response[bytes]:
    """The game's record as a file, as far as it is played and who asks may see it."""
    running = await game_registry.met(game_id)
    name, text = record_of(running, visitor, dialect, game_registry.register, site=site.origin(request))
    return Response(
        text.encode(),
        media_type="text/plain",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


@post("/language", action=ANYBODY, include_in_schema=False)
async def choose_language(request: AnyRequest, data: Form, notices: TheNotices, visitor: TheVisitor) -> Redirect:
    """Keep the chosen language in a cookie and go back; what tells the visitor of their turn speaks it too."""
    if data.get("language") not in LANGUAGES:
        raise ApiError(400, errors.NO_LANGUAGE)
    if visitor is not None:
        await notices.speak(visitor, data["language"])
    cookie = visitors_of(request).cookie(request, LANGUAGE_COOKIE, data["language"])
    return Redirect(local(data.get("next", "/")), status_code=303, cookies=[cookie])


def _number(data: dict[str, Any], field: str) -> int:
    value = str(data.get(field, ""))
    if not (value.isascii() and value.isdigit() and len(value) < 10):
        raise ApiError(422, errors.BAD_FIELD, field=field, value=repr(value[:40]), choices="0, 1, 2, …")
    return int(value)


handlers = [new_game, game_page, act, record, choose_language]
