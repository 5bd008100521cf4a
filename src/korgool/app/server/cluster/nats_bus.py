"""News by NATS, for a site whose database shall carry nothing but games; see `bus.py`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg

from korgool.app.server.cluster.bus import GATHER_SECONDS, packed

_LOG = logging.getLogger(__name__)
_SUBJECT = "korgool.news"
_MOST_BYTES = 500_000
"""Half of what a NATS server takes in one message if it is not told otherwise."""
_MOST_WAITING = 20_000
_AGAIN_SECONDS = 0.5
_TOGETHER_SECONDS = 0.002
"""In which all that one transaction has written is said."""


class NatsBus:
    """A connection to NATS on the event loop. It connects again by itself, and what is said meanwhile is lost.

    Args:
        address: `nats://HOST:PORT`, several with commas between them.
    """

    def __init__(self, address: str) -> None:
        self._servers = address.split(",")
        self._client: Client | None = None
        self._items: list[bytes] = []
        self._flushing: asyncio.Task[None] | None = None
        self._connecting: asyncio.Task[None] | None = None

    @property
    def connected(self) -> bool:
        """True if the NATS server is connected."""
        return self._client is not None and self._client.is_connected

    def open(self, hear: Callable[[bytes], None]) -> None:
        """Begin to connect."""
        self._connecting = asyncio.create_task(self._connect(hear))

    def send(self, item: bytes) -> None:
        """Publish soon, with all that is said within the same moments."""
        if len(self._items) < _MOST_WAITING:
            self._items.append(item)
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.create_task(self._flush())

    async def close(self) -> None:
        """Disconnect."""
        if self._connecting is not None:
            self._connecting.cancel()
        if self._flushing is not None:
            await asyncio.wait([self._flushing], timeout=1)
        if self._client is not None:
            await self._client.close()

    async def _connect(self, hear: Callable[[bytes], None]) -> None:
        async def heard(message: Msg) -> None:
            hear(message.data)

        async def failed(error: Exception) -> None:
            _LOG.warning("NATS: %s", error or type(error).__name__)

        while True:
            try:
                self._client = await nats.connect(
                    self._servers,
                    error_cb=failed,
                    max_reconnect_attempts=-1,
                    reconnect_time_wait=_AGAIN_SECONDS,
                    connect_timeout=2,
                    pending_size=0,
                    no_echo=True,
                )
                await self._client.subscribe(_SUBJECT, cb=heard)
            except (OSError, nats.errors.Error) as error:
                _LOG.warning("NATS is not there: %s", error)
                await asyncio.sleep(_AGAIN_SECONDS)
            else:
                return

    async def _flush(self) -> None:
        while self._items:
            await asyncio.sleep(_TOGETHER_SECONDS)
            items, self._items = self._items, []
            if self._client is None or not self._client.is_connected:
                return
            try:
                for payload in packed(items, _MOST_BYTES):
                    await self._client.publish(_SUBJECT, payload)
            except (OSError, nats.errors.Error) as error:
                _LOG.warning("news by NATS are lost: %s", error)
            await asyncio.sleep(GATHER_SECONDS)
