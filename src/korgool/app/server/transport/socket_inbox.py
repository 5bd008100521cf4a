"""Carries what the client of a live connection says to the one who listens, without a task that waits for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from korgool.app.server.core.live_connection import ClientListener

Event = dict[str, Any]


class SocketInbox:
    """Takes the place of the queue from which an ASGI application reads.

    A waiting application keeps every coroutine between it and its connection alive, and a queue the lists of those who
    wait: kilobytes for a connection that says nothing. Here a task runs only while there is something to carry.

    Args:
        listener: who hears the messages, in order and one after the other, and then that the client has gone.
        begin: called when there is something to carry and nobody carries: it makes a task that awaits `deliver`.
    """

    __slots__ = ("_delivering", "_ended", "_listener", "_on_drained", "_start", "_waiting")

    def __init__(self, listener: ClientListener, begin: Callable[[], object]) -> None:
        self._listener = listener
        self._start = begin
        self._waiting: list[Event] = []
        self._delivering = False
        self._ended = False
        self._on_drained: Callable[[], object] | None = None

    def qsize(self) -> int:
        """Number of messages that wait, without the one that the listener handles at present."""
        return len(self._waiting)

    def empty(self) -> bool:
        """Return whether none waits."""
        return not self._waiting

    def put_nowait(self, message: Event) -> None:
        """Add a message; nothing comes after the one that the client has gone."""
        if self._ended:
            return
        self._ended = message["type"] == "websocket.disconnect"
        self._waiting.append(message)
        if not self._delivering:
            self._delivering = True
            self._start()

    def finish(self, on_drained: Callable[[], object]) -> None:
        """Call `on_drained` when the listener has answered everything that has come; at once if nothing waits."""
        if self._delivering and not self._ended:
            self._on_drained = on_drained
        else:
            on_drained()

    async def get(self) -> Event:
        """The next message; there must be one."""
        return self._waiting.pop(0)

    async def deliver(self, receive: Callable[[], Any]) -> None:
        """Let the listener hear every message that waits; `receive` takes the next one by `get`. When the client has
        gone, or the listener fails, nothing more is carried."""
        ended = True
        try:
            while self._waiting:
                message: Event = await receive()
                if message["type"] == "websocket.disconnect":
                    return
                await self._listener.hear(message.get("text") or "")
            ended = self._delivering = False
            if self._on_drained is not None:
                self._on_drained()
        finally:
            if ended:
                self._ended = True
                self._waiting.clear()
                self._listener.gone()
