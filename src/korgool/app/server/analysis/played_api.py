"""The explorer of the analysis board: what has been played on this site at the end of a line."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Router, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from korgool.accounts import Action
from korgool.app.server.analysis.api import LineCommand, among, count_boards, walk
from korgool.app.server.analysis.played_games import PlayedGames, Whose
from korgool.app.server.http.dependencies import TheCaller, TheVisitor, check_body
from korgool.app.server.http.openapi import refusals
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.game_events import one_of
from korgool.training.explorer import Played


class PlayedCommand(LineCommand, frozen=True, forbid_unknown_fields=True):
    """Say what was played at the end of a line: in the last games between people on this site, or in one's own."""

    whose: Annotated[str, one_of(*Whose)] = Whose.SITE.value


class PlayedMoveMessage(msgspec.Struct, frozen=True):
    """A move as it was played.

    Attributes:
        move: the hole.
        games: in how many games.
        white: how many of them White has won.
        draws: how many were drawn.
        black: how many Black has won.
        last: the date of the latest game.
    """

    move: int
    games: int
    white: int
    draws: int
    black: int
    last: str | None


class PlayedGameMessage(msgspec.Struct, frozen=True):
    """A game in which the position stood: its address, its result and its date."""

    id: str
    result: str
    date: str | None


class PlayedMessage(msgspec.Struct, frozen=True):
    """Moves and games of a position: the moves, the most frequent first, and some of the games, the newest first."""

    moves: tuple[PlayedMoveMessage, ...]
    games: tuple[PlayedGameMessage, ...]


@post(
    "/played",
    action=Action.WATCH,
    status_code=200,
    open=True,
    responses=refusals({422: "no such game or position, or a ply that cannot be played"}, command=True),
    summary="What was played in a position",
)
async def played_moves(
    data: JSONBody[PlayedCommand],
    game_registry: TheGameRegistry,
    played_games: NamedDependency[PlayedGames],
    visitor: TheVisitor,
    caller: TheCaller,
) -> PlayedMessage:
    """Moves that were played at the end of a line on this site, in games by the usual rules."""
    among("whose", data.whose, list(Whose))
    count_boards(game_registry, caller, len(data.moves))
    start, sowings = await game_registry.reading.run(caller, walk, data)
    position = sowings[-1].after if sowings else start
    return _message(await played_games.ask(Whose(data.whose), visitor, position, caller))


def _message(played: Played) -> PlayedMessage:
    moves = (PlayedMoveMessage(one.move, one.games, one.white, one.draws, one.black, one.last) for one in played.moves)
    games = (PlayedGameMessage(one.event or "", one.result, one.date) for one in played.games)
    return PlayedMessage(tuple(moves), tuple(games))


router = Router("/api/analysis", before_request=check_body, route_handlers=[played_moves], tags=["analysis"])
