"""The games between people that anybody may watch: those that go on, and those of the last day."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec
from litestar import Router, get

from korgool.accounts import Action
from korgool.app.server.http.openapi import refusals
from korgool.app.server.http.responses import AnyRequest, english_names
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.game_repository import PublicGame


class ListedGame(msgspec.Struct, frozen=True):
    """A game between people as watchers may know of it.

    Attributes:
        id: its address.
        game: the rules by their short name.
        white: what White is called.
        black: what Black is called.
        control: the time control as text, `none`, or days for a turn such as `3d`.
        conduct: `friendly` or `competition`.
        rated: whether it counts for ratings.
        plies: how many plies stand; None where watchers see the game later than its players.
        result_text: None while it goes on.
        started: ISO 8601 in UTC.
    """

    id: str
    game: str
    white: str
    black: str
    control: str
    conduct: Literal["friendly", "competition"]
    rated: bool
    plies: int | None
    result_text: str | None
    started: str


@get("/running", action=Action.WATCH, responses=refusals(), summary="Games between people that go on")
async def read_running(request: AnyRequest, game_registry: TheGameRegistry) -> list[ListedGame]:
    """At most 100, the newest first."""
    called = english_names(request)
    return [_listed(game, called) for game in (await public_games(game_registry))[0]]


@get("/finished", action=Action.WATCH, responses=refusals(), summary="Games between people that ended within a day")
async def read_finished(request: AnyRequest, game_registry: TheGameRegistry) -> list[ListedGame]:
    """At most 100, the newest first."""
    called = english_names(request)
    return [_listed(game, called) for game in (await public_games(game_registry))[1]]


async def public_games(game_registry: GameRegistry) -> tuple[list[PublicGame], list[PublicGame]]:
    """The games in progress and the finished ones, after the names in them have been read."""
    running, finished = await game_registry.public_games()
    await game_registry.register.learn({who for game in (*running, *finished) for who in (game.white, game.black)})
    return running, finished


def _listed(game: PublicGame, called: Callable[[str], str]) -> ListedGame:
    return ListedGame(
        game.id,
        game.game,
        called(game.white),
        called(game.black),
        game.clock,
        "competition" if game.conduct == "competition" else "friendly",
        game.rated,
        game.plies,
        game.result_text,
        game.started,
    )


router = Router("/api", route_handlers=[read_running, read_finished], tags=["games"])
