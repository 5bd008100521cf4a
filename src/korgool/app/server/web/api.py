"""The web API for programs: states, commands, live events, evaluations. It is described at /openapi."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import MediaType, Response, Router, get, post
from litestar.params import JSONBody, PathParameter

from korgool.accounts import Action
from korgool.app.server import messages
from korgool.app.server.games import wire
from korgool.app.server.games.commands import COMMANDS, Said, check
from korgool.app.server.games.events import GameEvent
from korgool.app.server.limits.pool import pools
from korgool.app.server.messages import RefusedError
from korgool.app.server.storage.writer import StorageError, Trouble
from korgool.app.server.web.answers import AnyRequest
from korgool.app.server.web.description import GUEST, answer, refusals
from korgool.app.server.web.given import TheCaller, TheHall, TheVisitor
from korgool.app.server.web.live import follow
from korgool.app.server.web.rights import ANYBODY, players_of
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


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An empty object."""


_NO_GAME = "no such game"
_TROUBLES = {
    Trouble.FULL: messages.DISK_FULL,
    Trouble.SILENT: messages.DATABASE_SILENT,
    Trouble.LOST: messages.DATABASE_LOST,
    Trouble.REFUSED: messages.NOT_REACHED,
}
_NOT_STORED = "it could not be put on disk and did not happen"


@get("/games/{game_id:str}", action=Action.WATCH, responses=refusals({404: _NO_GAME}), summary="State of a game")
async def read_game(game_id: GameId, hall: TheHall, visitor: TheVisitor, caller: TheCaller) -> wire.GameStateMessage:
    """The current state; `legal` and `previews` are for the player who may act."""
    running = await hall.met(game_id)
    running.attend(caller)
    return running.state(visitor)


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
    game_id: GameId, command: CommandName, data: JSONBody[Said], hall: TheHall, visitor: TheVisitor, caller: TheCaller
) -> Response[bytes]:
    """Do what a live connection does with `do`: the answer is the event, when it is on disk.

    A move and a reply need `hole` and `version`, a claim needs `what`; other commands need nothing.
    """
    if command not in COMMANDS:
        raise RefusedError(404, messages.NO_PAGE)
    answer = await (await hall.find(game_id)).act(visitor, check(data, command), caller)
    return Response(answer.event, media_type=MediaType.JSON)


@get(
    "/games/{game_id:str}/evaluations",
    action=Action.WATCH,
    responses=refusals({404: _NO_GAME, 409: "the game goes on, or was never begun"}),
    summary="Evaluations of a finished game",
)
async def read_evaluations(
    game_id: GameId, hall: TheHall, visitor: TheVisitor, caller: TheCaller
) -> Response[list[Evaluation]]:
    """One value for each position, from the start to the difference of the result. 409 while the game goes on."""
    found = await hall.evaluations(game_id, caller)
    game = (await hall.find(game_id)).seen(visitor).game.game()
    told = expected_differences(game, found)
    return Response([Evaluation(ply, round(one, 2)) for ply, one in enumerate(told)], media_type=MediaType.JSON)


@get(
    "/healthz",
    action=ANYBODY,
    responses=refusals({503: "nothing can be written, something hangs, or the server stops"}),
    summary="Health",
)
async def health(hall: TheHall) -> Health:
    """200 if a recent test write has reached the disk; 503 with the reason if it has not, if all threads of a pool
    are lost to jobs that do not end, or if the server is about to stop."""
    if hall.leaving:
        raise RefusedError(503, messages.LEAVING)
    stuck = [pool.name for pool in pools() if pool.stuck]
    if stuck:
        raise RefusedError(503, messages.STUCK, pools=", ".join(stuck))
    try:
        await hall.health.examine()
    except StorageError as error:
        raise RefusedError(503, _TROUBLES[error.trouble]) from error
    return Health("ok", hall.work.workers)


async def check_body(request: AnyRequest) -> None:
    """Read the body of a command strictly: the framework would accept "7" as 7, and its errors are less precise."""
    field = request.route_handler.parsed_fn_signature.parameters.get("data")
    if field is None:
        return
    try:
        msgspec.json.decode(await request.body(), type=field.annotation)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RefusedError(400, messages.NO_COMMAND, reason=error) from None


router = Router(
    "/api",
    before_request=check_body,
    route_handlers=[read_game, act, read_evaluations, follow],
    tags=["games"],
)
