"""The web API for programs: states, commands, live events, evaluations. It is described at /openapi."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import MediaType, Response, Router, get, post
from litestar.params import JSONBody, PathParameter

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.http.dependencies import TheCaller, TheVisitor, check_body
from korgool.app.server.http.openapi import GUEST, answer, refusals
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.limits.deadline_pool import pools
from korgool.app.server.play import state_messages
from korgool.app.server.play.commands import COMMANDS, Said, check
from korgool.app.server.play.dependencies import TheGameRegistry, players_of
from korgool.app.server.play.game_events import GameEvent
from korgool.app.server.play.live_socket import follow
from korgool.app.server.storage.writer import StorageError, WriteFailure
from korgool.engine.review import expected_differences

GameId = Annotated[
    str,
    PathParameter(
        description="address of the game, 12 letters and digits",
        max_length=40,
        schema_extra={"pattern": "^[A-Za-z0-9]{12}$"},
    ),
]
CommandName = Annotated[
    str, PathParameter(description="what to do", max_length=40, schema_extra={"enum": list(COMMANDS)})
]


class Evaluation(msgspec.Struct, frozen=True):
    """The engine's evaluation of a position.

    Attributes:
        ply: how many plies have been played.
        evaluation: the expected difference of the stores when play stops, in stones, from White's view.
    """

    ply: int
    evaluation: float


class Health(msgspec.Struct, frozen=True, omit_defaults=True):
    """The server and its database are working.

    Attributes:
        status: `ok`.
        workers: how many worker processes are alive, where the server leaves searches to them; while there are none,
            it searches by itself.
    """

    status: str
    workers: int | None = None


_NO_GAME = "no such game"
_TROUBLES = {
    WriteFailure.FULL: errors.DISK_FULL,
    WriteFailure.SILENT: errors.DATABASE_SILENT,
    WriteFailure.LOST: errors.DATABASE_LOST,
    WriteFailure.REFUSED: errors.NOT_REACHED,
}
_NOT_STORED = "it could not be put on disk and did not happen"


@get("/games/{game_id:str}", action=Action.WATCH, responses=refusals({404: _NO_GAME}), summary="State of a game")
async def read_game(
    game_id: GameId, game_registry: TheGameRegistry, visitor: TheVisitor, caller: TheCaller
) -> state_messages.GameStateMessage:
    """The current state; `legal` and `previews` are for the player who may act."""
    running = await game_registry.met(game_id)
    running.attend(caller)
    return running.broadcast.state(visitor)


@post(
    "/games/{game_id:str}/{command:str}",
    action=Action.PLAY,
    thing=players_of,
    status_code=200,
    responses={
        200: answer(GameEvent, "the event, on disk; of the kind `none` where nothing had to happen"),
        **refusals(
            {
                403: "not a player of this game, another site's page, or no token of the visitor",
                404: _NO_GAME,
                409: "the game has moved on, or the time was up",
                422: "the rules or the state of the game do not allow it",
                503: _NOT_STORED,
            },
            command=True,
        ),
    },
    security=GUEST,
    summary="Act in a game",
)
async def act(
    game_id: GameId,
    command: CommandName,
    data: JSONBody[Said],
    game_registry: TheGameRegistry,
    visitor: TheVisitor,
    caller: TheCaller,
) -> Response[bytes]:
    """Do what a live connection does with `do`: the answer is the event, when it is on disk.

    A move and a reply need `hole` and `version`, a claim needs `what`; other commands need nothing.
    """
    if command not in COMMANDS:
        raise ApiError(404, errors.NO_PAGE)
    answer = await (await game_registry.find(game_id)).act(visitor, check(data, command), caller)
    return Response(answer.event, media_type=MediaType.JSON)


@get(
    "/games/{game_id:str}/evaluations",
    action=Action.WATCH,
    responses=refusals({404: _NO_GAME, 409: "the game goes on, or was never begun"}),
    summary="Evaluations of a finished game",
)
async def read_evaluations(
    game_id: GameId, game_registry: TheGameRegistry, visitor: TheVisitor, caller: TheCaller
) -> Response[list[Evaluation]]:
    """One value for each position, from the start to the difference of the result. 409 while the game goes on."""
    found = await game_registry.evaluations(game_id, caller)
    game = (await game_registry.find(game_id)).broadcast.seen(visitor).game.game()
    told = expected_differences(game, found)
    return Response([Evaluation(ply, round(one, 2)) for ply, one in enumerate(told)], media_type=MediaType.JSON)


@get(
    "/healthz",
    action=ANYBODY,
    responses=refusals({503: "nothing can be written, something hangs, or the server stops"}),
    summary="Health",
)
async def health(game_registry: TheGameRegistry) -> Health:
    """200 if a recent test write has reached the disk; 503 with the reason if it has not, if all threads of a pool
    are lost to jobs that do not end, or if the server is about to stop."""
    if game_registry.leaving:
        raise ApiError(503, errors.LEAVING)
    stuck = [pool.name for pool in pools() if pool.stuck]
    if stuck:
        raise ApiError(503, errors.STUCK, pools=", ".join(stuck))
    try:
        await game_registry.health.examine()
    except StorageError as error:
        raise ApiError(503, _TROUBLES[error.trouble]) from error
    return Health("ok", game_registry.work.workers)


router = Router(
    "/api",
    before_request=check_body,
    route_handlers=[read_game, act, read_evaluations, follow],
    tags=["games"],
)
