"""Whether moves reach the disk, asked as often as anybody likes."""

from __future__ import annotations

import asyncio
import time

from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.writer import StorageError

_SECONDS = 2.0
"""How long an answer holds."""


class WriteHealth:
    """The health of a storage."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._found: tuple[float, StorageError | None] | None = None
        self._asking = asyncio.Lock()

    async def examine(self) -> None:
        """Check that moves reach the disk; the result is kept for a few seconds.

        Raises:
            StorageError: they do not reach it.
        """
        async with self._asking:
            if self._found is None or time.monotonic() - self._found[0] >= _SECONDS:
                problem = None
                try:
                    await asyncio.to_thread(self._storage.check)
                except StorageError as error:
                    problem = error
                self._found = time.monotonic(), problem
            problem = self._found[1]
        if problem is not None:
            raise problem
