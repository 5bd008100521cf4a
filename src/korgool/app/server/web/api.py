"""The web API for programs: states, commands, live events, evaluations. It is described at /openapi."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from litestar import MediaType, Response, Router, WebSocket, get, post, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect
from litestar.openapi import ResponseSpec
from litestar.params import Parameter

from korgool.app.server import messages
from korgool.app.server.close_codes import COME_AGAIN, NO_SUCH_GAME, TOO_MANY
from korgool.app.server.games import wire
from korgool.app.server.games.followers import Follower
from korgool.app.server.games.live_game import LiveGame, clock_now
from korgool.app.server.games.running_games import Hall
from korgool.app.server.limits import Caller
from korgool.app.server.limits.frame_rates import Meter
from korgool.app.server.messages import RefusedError
from korgool.app.server.storage.writer import StorageError
from korgool.app.server.web.answers import AnyRequest
from korgool.engine.review import expected_differences

GameId = Annotated[str, Parameter(description="address of the game, 12 letters and digits", max_length=40)]


class MoveCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sow hole `hole`, 1 to n, in the game at version `version`."""

    hole: int
    version: int


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Act in the game at version `version`."""

    version: int


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An empty object."""


class DeviceOffer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a page may send on a live connection: whether its device thinks for the engine from now on."""

    thinks: bool


class Address(msgspec.Struct, frozen=True):
    """The address of a game."""

    id: str


class Evaluation(msgspec.Struct, frozen=True):
    """The engine's evaluation of the position after `ply` plies.

    `evaluation` is the expected difference of the stores when play stops, in stones, from White's view.
    """

    ply: int
    evaluation: float


class Health(msgspec.Struct, frozen=True):
    """The server and its database are working."""

    status: str


class Detail(msgspec.Struct, frozen=True):
    """Why a request is refused, in the language of the request."""

    detail: str


_OFFER = msgspec.json.Decoder(DeviceOffer)
_REFUSALS = {
    400: ResponseSpec(Detail, description="the body is not the JSON of this command"),
    403: ResponseSpec(
        Detail, description="not the visitor's game, another site's page, or no x-csrftoken of the visitor"
    ),
    404: ResponseSpec(Detail, description="no such game"),
    429: ResponseSpec(Detail, description="too many requests; the header retry-after tells the seconds to wait"),
    409: ResponseSpec(Detail, description="the game is not at that version any more, or the time was up"),
    422: ResponseSpec(Detail, description="the rules or the state of the game do not allow it"),
    503: ResponseSpec(Detail, description="it could not be put on disk and did not happen"),
}


@get("/games/{game_id:str}", summary="State of a game")
async def read_game(game_id: GameId, hall: Hall, visitor: str | None, caller: Caller) -> wire.GameStateMessage:
    """The current state; `legal` and `previews` are for the visitor who may act."""
    live = await hall.find(game_id)
    live.attend(caller)
    return live.state(live.viewer(visitor))


@post("/games/{game_id:str}/move", status_code=200, responses=_REFUSALS, summary="Sow a hole")
async def move(game_id: GameId, data: MoveCommand, hall: Hall, visitor: str | None) -> wire.EventMessage:
    """Make a move; the answer comes when it is on disk. 409: the game has moved on. 422: the move is illegal."""
    return await (await hall.find(game_id)).move(visitor, data.hole, data.version)


@post("/games/{game_id:str}/reply", status_code=200, responses=_REFUSALS, summary="The engine's move")
async def reply(game_id: GameId, data: MoveCommand, hall: Hall, visitor: str | None) -> wire.EventMessage:
    """Play the engine's move that the visitor's device found. 409: too late. 422: not a legal move of the engine."""
    return await (await hall.find(game_id)).reply(visitor, data.hole, data.version)


@post("/games/{game_id:str}/undo", status_code=200, responses=_REFUSALS, summary="Take back")
async def undo(game_id: GameId, data: Command, hall: Hall, visitor: str | None) -> wire.EventMessage:
    """Take back to the position in which the visitor last moved."""
    return await (await hall.find(game_id)).undo(visitor, data.version)


@post("/games/{game_id:str}/resign", status_code=200, responses=_REFUSALS, summary="Resign")
async def resign(game_id: GameId, data: Command, hall: Hall, visitor: str | None) -> wire.EventMessage:
    """Resign."""
    return await (await hall.find(game_id)).resign(visitor, data.version)


@post("/games/{game_id:str}/claim", status_code=200, responses=_REFUSALS, summary="Claim a draw")
async def claim(game_id: GameId, data: Command, hall: Hall, visitor: str | None) -> wire.EventMessage:
    """Claim a draw by recurrence of the position within 73 moves (WNG-TK §V)."""
    return await (await hall.find(game_id)).claim(visitor, data.version)


@post("/games/{game_id:str}/rematch", status_code=200, responses=_REFUSALS, summary="Rematch")
async def rematch(game_id: GameId, data: Nothing, hall: Hall, visitor: str | None, caller: Caller) -> Address:
    """Start a new game with sides swapped; a repeated request returns the same game."""
    return Address(await (await hall.find(game_id)).ask_rematch(visitor, caller))


@get("/games/{game_id:str}/evaluations", summary="Evaluations of a finished game")
async def read_evaluations(game_id: GameId, hall: Hall, caller: Caller) -> Response[list[Evaluation]]:
    """One value for each position, from the start to the difference of the result. 409 while the game goes on."""
    found = msgspec.json.decode(await hall.evaluations(game_id, caller), type=list[Evaluation])
    game = (await hall.find(game_id)).play.game
    told = expected_differences(game, [one.evaluation for one in found])
    return Response([Evaluation(ply, round(one, 2)) for ply, one in enumerate(told)], media_type=MediaType.JSON)


@websocket("/games/{game_id:str}/live")
async def follow(
    socket: WebSocket[object, object, State],
    game_id: str,
    hall: Hall,
    visitor: str | None,
    caller: Caller,
    since: str | None = None,
) -> None:
    """Every event after `since`, in order and without gaps, then each new one; without `since`, the state first.

    A client that has sent `{"thinks": true}` is asked for the engine's moves.
    """
    await socket.accept()
    after = int(since) if since is not None and since.isascii() and since.isdigit() and len(since) < 10 else None
    try:
        live = await hall.find(game_id)
        viewer = live.viewer(visitor)
        follower, entries = live.follow(viewer, after, caller)
    except RefusedError as problem:
        code = {404: NO_SUCH_GAME, 429: TOO_MANY}.get(problem.status, COME_AGAIN)
        await socket.close(code, str(problem))
        return
    meter = socket.scope["state"].get("meter")  # only our own server provides it
    if isinstance(meter, Meter):
        meter.admit(caller, player=viewer is not None)
    reading = asyncio.create_task(_read(socket, live, follower))
    try:
        if entries is not None and after is not None:
            clock = wire.clock_state(live.play, clock_now())
            missed = await hall.reading.run(caller, wire.missed, live.play.terms, entries, after, viewer, clock)
            for message in missed:
                await socket.send_data(message, mode="text")
        sending = asyncio.create_task(_send(socket, follower))
        await asyncio.wait({reading, sending}, return_when=asyncio.FIRST_COMPLETED)
        ended = sending.done() and not sending.exception()
        sending.cancel()
        if ended and not reading.done():
            await socket.close(*follower.end)
    finally:
        live.leave(follower)
        reading.cancel()


async def _send(socket: WebSocket[object, object, State], follower: Follower) -> None:
    while (message := await follower.queue.get()) is not None:
        await socket.send_data(message, mode="text")


async def _read(socket: WebSocket[object, object, State], live: LiveGame, follower: Follower) -> None:
    """Return when the client has gone. Of its messages, only offers to think matter."""
    try:
        while True:
            said = await socket.receive_data("text")
            try:
                live.offer(follower, _OFFER.decode(said).thinks)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                continue
    except WebSocketDisconnect:
        return


@get("/healthz", summary="Health")
async def health(hall: Hall) -> Health:
    """200 if a recent test write has reached the disk; 503 if it has not, or the disk is full."""
    try:
        await hall.examine()
    except StorageError as error:
        raise RefusedError(503, messages.NOT_REACHED) from error
    return Health("ok")


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
    route_handlers=[read_game, move, reply, undo, resign, claim, rematch, read_evaluations, follow],
    tags=["games"],
)
