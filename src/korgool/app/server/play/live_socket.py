"""The live connection of a game: commands in, acknowledgements and events out. docs/protocol.md describes it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, FromQuery

from korgool.accounts import Action, Thing, refusal
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.live_connection import COME_AGAIN, NO_SUCH_GAME, SIGNED_OUT, TOO_MANY
from korgool.app.server.core.principal import Credential
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.dependencies import TheCaller, TheSessionConnections, TheVisitor
from korgool.app.server.http.responses import language_of
from korgool.app.server.http.session_connections import SessionConnections
from korgool.app.server.http.visitors import principal_of
from korgool.app.server.limits.rate_limiter import FrameLimiter
from korgool.app.server.play.commands import Said, check, check_id
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.live_session import LiveSession
from korgool.app.server.play.phrases import Say
from korgool.app.server.play.subscribers import Subscriber


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a live connection hears about its own command: `ack` or `refused`, with the id that it gave.

    Attributes:
        version: the version of the command's first event, or the present one.
        ack: the id of a command that is on disk; empty where it had none.
        refused: the id of a command that was refused; empty where it had none.
        status: the HTTP status that says the same as the refusal.
        detail: why it was refused, in the language of the connection.
        clause: the clause it rests on.
    """

    version: int
    ack: str | None = None
    refused: str | None = None
    status: int = 0
    detail: str = ""
    clause: str | None = None


class Pong(msgspec.Struct, frozen=True):
    """The answer to a ping: what the client sent, and the server's time in milliseconds since 1970."""

    pong: float
    now: int


class Ping(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="ping"):
    """Asks for a pong; `sent` comes back with it. An `id` may come with it as with every command, and says nothing."""

    sent: float = 0
    id: str | None = None


class DeviceOffer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the device behind a live connection thinks for the engine from now on."""

    thinks: bool


class Named(msgspec.Struct, frozen=True):
    """The name of a message that says nothing else of use."""

    id: str = ""


_DECODERS: tuple[msgspec.json.Decoder[Any], ...] = (
    msgspec.json.Decoder(Said),
    msgspec.json.Decoder(Ping | Say),
    msgspec.json.Decoder(DeviceOffer),
)
_NAMED = msgspec.json.Decoder(Named)
_ENCODE = msgspec.json.Encoder().encode


@websocket("/games/{game_id:str}/live", opt={"action": Action.WATCH})
async def follow(
    socket: WebSocket[object, object, State],
    game_id: FromPath[str],
    game_registry: TheGameRegistry,
    visitor: TheVisitor,
    caller: TheCaller,
    session_connections: TheSessionConnections,
    since: FromQuery[str | None] = None,
) -> None:
    """Every event after `since`, in order and without gaps, then each new one; without `since`, the state first.

    Commands are answered when they are on disk. A client that has sent `{"thinks": true}` is asked for the engine's
    moves.
    """
    after = int(since) if since is not None and since.isascii() and since.isdigit() and len(since) < 10 else None
    given = socket.scope["state"]  # only our own server provides an outlet, and measures the way
    outlet = given.get("outlet")
    who = principal_of(socket)
    # A token that is only for looking has no seat here, nor has an account that is locked.
    seat = visitor if refusal(who.actor, Action.PLAY, Thing((who.person,))) is None else None
    try:
        # Names are read before the handshake is answered: whoever plays is known before their first message can come.
        found: LiveSession | ApiError = await game_registry.met(game_id)
    except ApiError as problem:
        found = problem
    await socket.accept()
    try:
        if isinstance(found, ApiError):
            raise found
        subscriber = found.follow(seat, after, caller, outlet, visitor)
    except ApiError as problem:
        code = {404: NO_SUCH_GAME, 429: TOO_MANY}.get(problem.status, COME_AGAIN)
        await socket.close(code, str(problem))
        return
    meter = given.get("meter")
    if isinstance(meter, FrameLimiter):
        meter.admit(caller, player=subscriber.plays)
    client = _Client(found, subscriber, language_of(socket), session_connections, who.known)
    if outlet is not None:
        outlet.listen(client)  # the connection goes on when this call, and all that it needed, has ended
        return
    try:
        await _queued(socket, subscriber, client)
    finally:
        client.gone()


async def _queued(socket: WebSocket[object, object, State], subscriber: Subscriber, client: _Client) -> None:
    """Read and send at the same time, until one of the two ends."""
    reading = asyncio.create_task(_read_on(socket, client))
    sending = asyncio.create_task(_send(socket, subscriber))
    try:
        await asyncio.wait({reading, sending}, return_when=asyncio.FIRST_COMPLETED)
        if sending.done() and not sending.exception() and not reading.done():
            await socket.close(*subscriber.end)
    finally:
        sending.cancel()
        if not client.acting:  # otherwise it ends by itself, when what it does is on disk
            reading.cancel()


async def _read_on(socket: WebSocket[object, object, State], client: _Client) -> None:
    with suppress(WebSocketDisconnect):
        while True:
            await client.hear(await socket.receive_data("text"))


async def _send(socket: WebSocket[object, object, State], subscriber: Subscriber) -> None:
    while (message := await subscriber.queue.get()) is not None:
        await socket.send_data(message, mode="text")


class _Client:
    """Messages from the client of one connection: each is dealt with before the next.

    Attributes:
        acting: whether a command of it is being carried out.
    """

    __slots__ = ("_connections", "_follower", "_key", "_language", "_running", "acting")

    def __init__(
        self,
        running: LiveSession,
        subscriber: Subscriber,
        language: str,
        connections: SessionConnections,
        known: Credential | None,
    ) -> None:
        self._running = running
        self._follower = subscriber
        self._language = language
        self._connections = connections
        self._key = "" if known is None else known.key
        self.acting = False
        if known is not None:
            connections.admit(self._key, known.actor.person.id, self, self._signed_out)

    async def hear(self, text: str) -> None:
        """Do what the client says, and answer."""
        self.acting = True
        answer = await self._answer(text)
        self.acting = False
        if answer is not None:
            self._running.broadcast.subscribers.tell(self._follower, _ENCODE(answer))

    def gone(self) -> None:
        """The client has gone."""
        if self._key:
            self._connections.leave(self._key, self)
        self._running.broadcast.leave(self._follower)

    def _signed_out(self) -> None:
        self._follower.close(SIGNED_OUT, "signed out")
        self._running.broadcast.leave(self._follower)

    async def _answer(self, text: str) -> Reply | Pong | None:
        """Do what a message says, and what the client hears about that."""
        name, who, running = "", self._follower.who, self._running
        try:
            said = _read(text)
            if isinstance(said, Ping):
                return Pong(said.sent, now_ms())
            if isinstance(said, DeviceOffer):
                running.broadcast.subscribers.offer(self._follower, said.thinks)
                return None
            name = said.id or ""
            if isinstance(said, Say):
                check_id(said.id)
                running.broadcast.say(who, said)
                return Reply(running.broadcast.seen(who).version, ack=name)
            answer = await running.perform(who, check(said), self._follower.caller)
        except ApiError as problem:
            version, detail = running.broadcast.seen(who).version, problem.said(self._language)
            return Reply(
                version, refused=name or _name_of(text), status=problem.status, detail=detail, clause=problem.clause
            )
        return Reply(answer.version, ack=name)


def _name_of(text: str) -> str:
    """The id that a message gives although it is not understood, so that its sender knows which one was refused."""
    try:
        return _NAMED.decode(text).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""


def _read(text: str) -> Said | Say | Ping | DeviceOffer:
    """Return the content of a message.

    Raises:
        ApiError: 400, with what is wrong in a message of the name in `do`.
    """
    problems = []
    for decoder in _DECODERS:
        try:
            said: Said | Say | Ping | DeviceOffer = decoder.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            problems.append(str(error))
        else:
            return said
    named = problems[1] if "`$.do`" in problems[0] and "`$.do`" not in problems[1] else problems[0]
    raise ApiError(400, errors.NO_COMMAND, reason=named)
