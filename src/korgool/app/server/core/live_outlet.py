"""A live connection as those who write to it and hear from it know it: the transport gives it, games use it."""

from __future__ import annotations

from typing import Protocol


class ClientListener(Protocol):
    """One who hears what the client of a connection says."""

    async def hear(self, text: str) -> None:
        """A message has come; the next one waits until this one has been heard."""

    def gone(self) -> None:
        """The connection has ended: nothing more comes."""


class Outlet(Protocol):
    """A connection into which messages are written at once."""

    def listen(self, listener: ClientListener) -> None:
        """Let `listener` hear what the client says from now on."""

    def push(self, message: bytes) -> bool:
        """Write a text message; False if the connection has ended, or its client does not read."""

    def shut(self, code: int, reason: str) -> None:
        """Close the connection."""

    def lag_ms(self) -> int:
        """What the way there and back takes at present, in milliseconds, as the server has measured it."""

    def silent_ms(self) -> int:
        """Milliseconds since the last byte came, an answer to a ping included."""
