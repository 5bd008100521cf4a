"""Why the server closes a live connection: the codes of its close frames. `docs/protocol.md` tells them to clients."""

from __future__ import annotations

COME_AGAIN = 1012
"""The game leaves this process, or the server ends: connect again."""
NO_SUCH_GAME = 4404
TOO_SLOW = 4408
REPLACED = 4409
"""The same player has opened as many connections to this game as are kept: this was the oldest."""
TOO_MANY = 4429
"""Too many messages, or too many who watch; the reason says which."""
