"""Live connections as the transport provides them and games use them, and the codes with which they are closed.

`docs/protocol.md` documents the codes for clients.
"""

from __future__ import annotations

from typing import Protocol

COME_AGAIN = 1012
"""This process no longer holds the game in memory, or the server is stopping: connect again."""
SIGNED_OUT = 4401
"""The session or the token with which the connection was begun has ended, or its account was locked."""
NO_SUCH_GAME = 4404
TOO_SLOW = 4408
REPLACED = 4409
"""The same player has opened more connections to this game than are allowed, and this was the oldest."""
TOO_MANY = 4429
"""Too many messages, or too many watchers; the reason says which."""
REFUSED = 4000
"""With the status added: the handshake is refused with that status, and there is no live connection to close."""


class ClientListener(Protocol):
    """Receives the messages of a connection's client."""

    async def hear(self, text: str) -> None:
        """Handle a message; the next one waits until this returns."""

    def gone(self) -> None:
        """Learn that the connection has ended."""


class Outlet(Protocol):
    """A connection into which messages are written at once."""

    def listen(self, listener: ClientListener) -> None:
        """Pass the client's messages to `listener` from now on."""

    def push(self, message: bytes) -> bool:
        """Write a text message; False if the connection has ended, or its client does not read."""

    def shut(self, code: int, reason: str) -> None:
        """Close the connection."""

    def lag_ms(self) -> int:
        """Round-trip time in milliseconds, as the server has measured it last."""

    def silent_ms(self) -> int:
        """Milliseconds since the last byte came, an answer to a ping included."""
