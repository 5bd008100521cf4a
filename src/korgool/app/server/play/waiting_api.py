"""The list of what waits for its reader, for programs and the scripts of pages, and the way to the next game in it."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from litestar import MediaType, Response, Router, get
from litestar.di import NamedDependency
from litestar.params import QueryParameter
from litestar.response import Redirect

from korgool.accounts import Action
from korgool.app.server.http.departures import departure
from korgool.app.server.http.dependencies import TheCaller, TheVisitor
from korgool.app.server.http.openapi import refusals
from korgool.app.server.http.responses import AnyRequest, names_for, origin_of, page
from korgool.app.server.play.waiting_games import WaitingGames, tag_of
from korgool.app.server.play.waiting_repository import WaitingList, Wanted
from korgool.live import write_clock

TheWaitingGames = NamedDependency[WaitingGames]
LONGEST_WAIT = 20
"""Seconds."""


class WaitingGameMessage(msgspec.Struct, frozen=True):
    """A game in which another person waits for the caller.

    Attributes:
        id: its address.
        url: its page.
        game: the rules by their short name.
        clock: the time control as text, `none`, or days for each turn such as `3d`.
        side: the caller's side.
        opponent: what the other person is called.
        wants: what it wants: to `come` to the board, to `move`, to answer the offer of a `draw` or of a `takeback`.
        due: until when, in milliseconds since 1970; None for ever.
    """

    id: str
    url: str
    game: str
    clock: str
    side: Literal["white", "black"]
    opponent: str
    wants: list[Wanted]
    due: int | None


class WaitingChallengeMessage(msgspec.Struct, frozen=True):
    """An open challenge that was made to the caller by name.

    Attributes:
        id: its address.
        url: its page.
        game: the rules by their short name.
        clock: as in a game.
        name: what its maker is called.
        expires: until when it is open, in milliseconds since 1970.
    """

    id: str
    url: str
    game: str
    clock: str
    name: str
    expires: int


class WaitingMessage(msgspec.Struct, frozen=True):
    """All that waits for the caller.

    Attributes:
        count: how many games and challenges.
        tag: changes whenever the lists do.
        games: the games, the one with the least time left first.
        challenges: the challenges, newest first.
    """

    count: int
    tag: str
    games: list[WaitingGameMessage]
    challenges: list[WaitingChallengeMessage]


@get("/waiting", action=Action.WATCH, responses=refusals(), summary="What waits for you")
async def read_waiting(
    request: AnyRequest,
    waiting_games: TheWaitingGames,
    visitor: TheVisitor,
    caller: TheCaller,
    wait: Annotated[int, QueryParameter(ge=0, le=LONGEST_WAIT, description="seconds to wait for another tag")] = 0,
    known: Annotated[str, QueryParameter(max_length=40, description="the tag that the caller knows")] = "",
) -> WaitingMessage:
    """Games in which it is your turn or an offer waits for your answer, and challenges made to you.

    With `wait` and `known`, the answer comes as soon as it has another tag than that.
    """
    if wait and visitor:
        async with departure(request) as gone:
            return message_of(request, await waiting_games.change(visitor, known, caller, wait, gone))
    return message_of(request, await waiting_games.of(visitor))


def message_of(request: AnyRequest, found: WaitingList) -> WaitingMessage:
    """The message of a list, in the language of the request."""
    called, origin = names_for(request), origin_of(request)
    return WaitingMessage(
        found.count,
        tag_of(found),
        [
            WaitingGameMessage(
                game.id,
                f"{origin}/games/{game.id}",
                game.game,
                game.clock,
                "white" if game.side == "white" else "black",
                called(game.opponent),
                list(game.wants),
                game.due_ms,
            )
            for game in found.games
        ],
        [
            WaitingChallengeMessage(
                challenge.id,
                f"{origin}/c/{challenge.id}",
                challenge.rules.name,
                write_clock(challenge.control),
                called(challenge.maker),
                challenge.expires,
            )
            for challenge in found.challenges
        ],
    )


@get("/games/next", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False, opt={"counts": False})
async def next_game(
    waiting_games: TheWaitingGames,
    visitor: TheVisitor,
    after: Annotated[str, QueryParameter(max_length=40)] = "",
) -> Redirect:
    """To the game that waits most for the visitor, other than `after`; to all of their games where none does."""
    found = await waiting_games.next_game(visitor, after)
    return Redirect("/games" if found is None else f"/games/{found.id}", status_code=303)


@get("/games/waiting", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False)
async def waiting_parts(request: AnyRequest) -> Response[str]:
    """The parts of pages that list what waits, for the script that keeps them up to date."""
    return page(request, "waiting_parts.html")


handlers = [next_game, waiting_parts]
router = Router("/api", route_handlers=[read_waiting], tags=["games"])
