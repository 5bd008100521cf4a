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
from korgool.app.server import messages
from korgool.app.server.games import vacation_desk
from korgool.app.server.games.asked_terms import HANDICAPS_BETWEEN
from korgool.app.server.games.commands import COMMANDS, DEMANDS, Said, check
from korgool.app.server.games.new_game import CLOCKS, HANDICAPS, read_form
from korgool.app.server.games.perfect import perfect_games
from korgool.app.server.games.records import DIALECT_WORDS, record_of
from korgool.app.server.language_choice import LANGUAGE_COOKIE
from korgool.app.server.messages import RefusedError
from korgool.app.server.web.answers import AnyRequest, embeddable, page, visitors_of
from korgool.app.server.web.api import GameId
from korgool.app.server.web.board import BoardPicture
from korgool.app.server.web.challenge_pages import friend_clocks, summary
from korgool.app.server.web.challenges import drawn
from korgool.app.server.web.description import refusals
from korgool.app.server.web.given import (
    Form,
    KnownVisitor,
    TheCaller,
    TheDesk,
    TheHall,
    TheNotices,
    TheSite,
    TheVisitor,
)
from korgool.app.server.web.onward import local
from korgool.app.server.web.rights import ANYBODY, players_of
from korgool.app.words.online_games import CLAIM_BUTTONS
from korgool.conduct.claims import ClaimKind
from korgool.engine.levels import rating_ends
from korgool.engine.perfect import PERFECT
from korgool.languages import LANGUAGES

_PATIENCE = 3.0
"""Seconds that a page without scripts waits for the engine before it says that the engine is thinking."""


@get("/", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False)
async def home(request: AnyRequest, hall: TheHall, desk: TheDesk, visitor: TheVisitor) -> Response[str]:
    """The forms for a new game and for one with a friend, and the visitor's games and invitations."""
    invitations = [] if visitor is None else await desk.open_of(visitor)
    games = [] if visitor is None else await asyncio.to_thread(hall.storage.recent, visitor)
    await hall.register.learn({game.opponent for game in games} | {one.maker for one in invitations})
    return page(
        request,
        "home.html",
        first=hall.settings.game,
        games=games,
        perfect=PERFECT,
        perfect_games=perfect_games(),
        ratings=rating_ends(),
        clocks=CLOCKS,
        handicaps=HANDICAPS,
        vacation=None if visitor is None else await vacation_desk.card(hall.storage, visitor),
        invitations=[summary(request, one, visitor) for one in invitations],
        friend_clocks=friend_clocks(request),
        friend_handicaps=HANDICAPS_BETWEEN,
        may_rate=visitor is not None and await asyncio.to_thread(hall.storage.ratings.is_member, visitor),
    )


@post("/games", action=Action.CHALLENGE, include_in_schema=False)
async def new_game(data: Form, hall: TheHall, visitor: KnownVisitor, caller: TheCaller) -> Redirect:
    """Start a game and go to its page. A valid token implies a visitor."""
    address = await hall.start(read_form(data, visitor), caller)
    return Redirect(f"/games/{address}", status_code=303)


@get("/games/{game_id:str}", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False)
async def game_page(
    request: AnyRequest, game_id: GameId, hall: TheHall, visitor: TheVisitor, caller: TheCaller, notices: TheNotices
) -> Response[str]:
    """The game."""
    running = await hall.met(game_id)
    running.attend(caller)
    if visitor is not None and running.may_see_all(visitor):
        await running.join(visitor)
    challenge = await asyncio.to_thread(hall.storage.challenges.of_game, game_id)
    state = running.state(visitor)
    return page(
        request,
        "game.html",
        state=msgspec.to_builtins(state),
        state_json=embeddable(state),
        board=BoardPicture.of(state),
        choices=running.game.terms.rules.numbers() if state.rules else (),
        dialects=DIALECT_WORDS,
        claims=CLAIM_BUTTONS,
        lot=None if challenge is None else await drawn(request, challenge),
        notices={"push": notices.push is not None, "mail": notices.mailer is not None},
    )


@post("/games/{game_id:str}/{command:str}", action=Action.PLAY, thing=players_of, include_in_schema=False)
async def act(
    game_id: GameId, command: FromPath[str], data: Form, hall: TheHall, visitor: TheVisitor, caller: TheCaller
) -> Redirect:
    """A command from a page without scripts; back to the game, or on to its rematch."""
    if command not in COMMANDS or command == "reply":
        raise RefusedError(404, messages.NO_PAGE)
    running = await hall.find(game_id)
    hole, version = (_number(data, name) if name in data else None for name in ("hole", "version"))
    what: Any = data.get("what", ClaimKind.RECURRENCE.online) if command == "claim" else None
    if what is not None and what not in DEMANDS:
        raise RefusedError(422, messages.BAD_FIELD, field="what", value=repr(what[:40]), choices=", ".join(DEMANDS))
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
    request: AnyRequest, game_id: GameId, dialect: Dialect, hall: TheHall, site: TheSite, visitor: TheVisitor
) -> Response[bytes]:
    """The game's record as a file, as far as it is played and who asks may see it."""
    running = await hall.met(game_id)
    name, text = record_of(running, visitor, dialect, hall.register, site=site.origin(request))
    return Response(
        text.encode(),
        media_type="text/plain",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


@post("/language", action=ANYBODY, include_in_schema=False)
async def choose_language(request: AnyRequest, data: Form, notices: TheNotices, visitor: TheVisitor) -> Redirect:
    """Keep the chosen language in a cookie and go back; what tells the visitor of their turn speaks it too."""
    if data.get("language") not in LANGUAGES:
        raise RefusedError(400, messages.NO_LANGUAGE)
    if visitor is not None:
        await notices.speak(visitor, data["language"])
    cookie = visitors_of(request).cookie(request, LANGUAGE_COOKIE, data["language"])
    return Redirect(local(data.get("next", "/")), status_code=303, cookies=[cookie])


def _number(data: dict[str, Any], field: str) -> int:
    value = str(data.get(field, ""))
    if not (value.isascii() and value.isdigit() and len(value) < 10):
        raise RefusedError(422, messages.BAD_FIELD, field=field, value=repr(value[:40]), choices="0, 1, 2, …")
    return int(value)


handlers = [home, new_game, game_page, act, record, choose_language]
