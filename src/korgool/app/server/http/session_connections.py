"""Live connections of people with a session or a token: they are cut when it ends, in whichever process that was."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from sqlalchemy.exc import SQLAlchemyError

from korgool.app.server.core.principal import EndedCredentials
from korgool.app.server.core.wall_clock import now_ms

_LOG = logging.getLogger(__name__)
_LOOK_SECONDS = 0.5
_CLOCKS_MS = 60_000
"""The clocks of two hosts differ by less."""


class SessionConnections:
    """The live connections of this process. All methods run on the event loop.

    Args:
        ended: reads what has ended since a time, in milliseconds since 1970; it blocks.
    """

    def __init__(self, ended: Callable[[int], EndedCredentials]) -> None:
        self._ended = ended
        self._open: dict[str, dict[object, tuple[str, Callable[[], None]]]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._awake = asyncio.Event()
        self._ends = False

    def open(self) -> None:
        """Begin to look for what has ended."""
        self._looking = asyncio.create_task(self._look())

    async def close(self) -> None:
        """Look no more."""
        self._ends = True
        self._awake.set()  # not cancelled: a look under way comes to its end
        if self._looking is not None:
            await self._looking

    def admit(self, key: str, account: str, connection: object, cut: Callable[[], None]) -> None:
        """Cut a connection when its session or token ends, or its account is locked.

        Args:
            key: the id of the session or the token.
            account: whose it is.
            connection: what stands for the connection.
            cut: closes it.
        """
        self._open.setdefault(key, {})[connection] = account, cut

    def leave(self, key: str, connection: object) -> None:
        """A connection has ended by itself."""
        mine = self._open.get(key, {})
        mine.pop(connection, None)
        if not mine:
            self._open.pop(key, None)

    def look(self) -> None:
        """Something has ended in this process: look at once."""
        self._awake.set()

    async def _look(self) -> None:
        while not self._ends:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_SECONDS):
                    await self._awake.wait()
            self._awake.clear()
            try:
                if self._open:
                    await self._cut()
            except SQLAlchemyError as error:
                _LOG.warning("ended sessions could not be read: %s", " ".join(str(error).split())[:200])

    async def _cut(self) -> None:
        ended = await asyncio.to_thread(self._ended, now_ms() - _CLOCKS_MS)
        for key, mine in list(self._open.items()):
            gone = [one for one, (account, _) in mine.items() if key in ended.keys or account in ended.accounts]
            cuts = [mine.pop(one)[1] for one in gone]
            if not mine:
                del self._open[key]
            for cut in cuts:
                cut()
