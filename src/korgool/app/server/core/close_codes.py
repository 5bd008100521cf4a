"""The codes with which the server closes a live connection. `docs/protocol.md` documents them for clients."""

from __future__ import annotations

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
