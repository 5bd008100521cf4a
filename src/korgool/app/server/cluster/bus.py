"""News between the processes of one site: what one of them has written, told to the others at once.

Nothing rests on it. A message may be lost, doubled or late: whoever hears nothing reads the database, only later. So
everything here is dropped rather than kept, and a bus that is away costs nobody but those who wait for news.

`News` is what the rooms of the server use: they tell something of a kind about a topic, and listen to kinds. How it
travels is a `Bus`: PostgreSQL's NOTIFY here, NATS in `nats_bus.py`.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import msgspec
from sqlalchemy.engine import URL

if TYPE_CHECKING:
    import psycopg

_LOG = logging.getLogger(__name__)
Handler: TypeAlias = Callable[[str, str], None]
"""Called on the event loop with a topic and what is said about it; an empty text says: look yourself."""
Cares: TypeAlias = Callable[[str], bool]
MOST_BYTES = 7_900
"""PostgreSQL takes 8,000 bytes in one message, less one."""
_MOST_WAITING = 20_000
_CHANNEL = "korgool"
_AGAIN_SECONDS = 0.5
_LOOK_SECONDS = 0.25
GATHER_SECONDS = 0.01
"""Seconds for which news are collected before they are sent together: each message wakes every process."""


class Bus(Protocol):
    """Carries messages between processes, and may lose them."""

    @property
    def connected(self) -> bool:
        """True if news arrive, as far as the bus knows."""

    def open(self, hear: Callable[[bytes], None]) -> None:
        """Begin; call `hear` with what any process has sent, this one included, from whichever thread it comes to."""

    def send(self, item: bytes) -> None:
        """Send the JSON of one thing; called on the event loop."""

    async def close(self) -> None:
        """End."""


class News:
    """News between the processes of a site. All methods run on the event loop.

    Args:
        sender: this process.
        bus: how it travels; None where nothing does.
    """

    def __init__(self, sender: str = "", bus: Bus | None = None) -> None:
        self._sender = sender
        self._bus = bus
        self._handlers: dict[str, list[tuple[Handler, Cares]]] = {}

    @property
    def connected(self) -> bool:
        """True if news arrive, as far as this process knows."""
        return self._bus is not None and self._bus.connected

    def open(self) -> None:
        """Begin to hear."""
        if self._bus is not None:
            self._bus.open(partial(self._sift, asyncio.get_running_loop()))

    def listen(self, kind: str, handler: Handler, cares: Cares = lambda _: True) -> None:
        """Call `handler` with the topic and the text of what other processes tell of a kind.

        Args:
            kind: the kind.
            handler: called on the event loop.
            cares: whether a topic is of interest, called in any thread; for other topics the event loop is not woken.
        """
        self._handlers.setdefault(kind, []).append((handler, cares))

    def tell(self, kind: str, topic: str, said: str = "") -> None:
        """Tell all other processes something, if that is possible."""
        if self._bus is None or not self._bus.connected:
            return
        item = msgspec.json.encode(NewsItem(self._sender, kind, topic, said))
        if len(item) > MOST_BYTES - 2:
            item = msgspec.json.encode(NewsItem(self._sender, kind, topic, ""))
        self._bus.send(item)

    async def close(self) -> None:
        """Tell and hear nothing more."""
        if self._bus is not None:
            await self._bus.close()

    def _sift(self, loop: asyncio.AbstractEventLoop, payload: bytes) -> None:
        """Leave out what this process has said itself and what nobody here cares for. To wake the event loop costs more
        than to read most news."""
        try:
            items = _ITEMS.decode(payload)
        except msgspec.DecodeError:
            _LOG.warning("news that nobody understands: %r", payload[:80])
            return
        heard = [
            (handler, item)
            for item in items
            if item.sender != self._sender
            for handler, cares in self._handlers.get(item.kind, ())
            if cares(item.topic)
        ]
        if heard:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._hear, heard)

    def _hear(self, heard: Iterable[tuple[Handler, NewsItem]]) -> None:
        for handler, item in heard:
            try:
                handler(item.topic, item.said)
            except Exception:
                _LOG.exception("news of the kind %s failed", item.kind)


class NewsItem(NamedTuple):
    """One thing that a process tells.

    Attributes:
        sender: which process.
        kind: of what kind it is.
        topic: what it is about.
        said: what it says; empty for "look yourself".
    """

    sender: str
    kind: str
    topic: str
    said: str


_ITEMS = msgspec.json.Decoder(list[NewsItem])


def packed(items: Iterable[bytes], most: int = MOST_BYTES) -> Iterator[bytes]:
    """Items as messages of at most so many bytes, many in each."""
    pack: list[bytes] = []
    size = 2
    for item in items:
        if pack and size + len(item) + 1 > most:
            yield b"[" + b",".join(pack) + b"]"
            pack, size = [], 2
        pack.append(item)
        size += len(item) + 1
    if pack:
        yield b"[" + b",".join(pack) + b"]"


class PostgresBus:
    """NOTIFY of PostgreSQL: one connection listens, another one tells, each in a thread of its own.

    Telling is a transaction of its own that waits for no disk (`synchronous_commit=off`): inside the transactions of
    moves NOTIFY would take a lock from all of them until each is on disk.
    """

    def __init__(self, url: URL) -> None:
        self._url = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._waiting: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._threads: list[threading.Thread] = []
        self._connected = False

    @property
    def connected(self) -> bool:
        """True if the listening connection is open."""
        return self._connected

    def open(self, hear: Callable[[bytes], None]) -> None:
        """Begin to listen."""
        self._threads = [
            threading.Thread(target=self._listen, args=(hear,), name="korgool-news", daemon=True),
            threading.Thread(target=self._tell, name="korgool-telling", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def send(self, item: bytes) -> None:
        """Tell all who listen."""
        if self._waiting.qsize() < _MOST_WAITING:
            self._waiting.put(item)

    async def close(self) -> None:
        """End both threads."""
        self._ended.set()
        self._waiting.put(None)
        for thread in self._threads:
            await asyncio.to_thread(thread.join)

    def _connect(self) -> psycopg.Connection[Any]:
        import psycopg

        options = "-c synchronous_commit=off"
        return psycopg.connect(self._url, autocommit=True, connect_timeout=5, options=options)

    def _listen(self, hear: Callable[[bytes], None]) -> None:
        import psycopg

        while not self._ended.is_set():
            try:
                with self._connect() as connection:
                    connection.execute(f"LISTEN {_CHANNEL}")
                    self._connected = True
                    while not self._ended.is_set():
                        for news in connection.notifies(timeout=_LOOK_SECONDS):
                            hear(news.payload.encode())
            except psycopg.Error as error:
                _LOG.warning("no news from the database: %s", " ".join(str(error).split())[:200])
            self._connected = False
            self._ended.wait(_AGAIN_SECONDS)

    def _tell(self) -> None:
        import psycopg

        while not self._ended.is_set():
            try:
                with self._connect() as connection:
                    while (first := self._waiting.get()) is not None:
                        self._ended.wait(GATHER_SECONDS)
                        for payload in packed(self._drained(first)):
                            connection.execute("SELECT pg_notify(%s, %s)", (_CHANNEL, payload.decode()))
                return
            except psycopg.Error as error:
                _LOG.warning("no news to the database: %s", " ".join(str(error).split())[:200])
                self._ended.wait(_AGAIN_SECONDS)

    def _drained(self, first: bytes) -> Iterator[bytes]:
        """Send also what has come in the meantime."""
        yield first
        while not self._waiting.empty():
            item = self._waiting.get()
            if item is None:
                self._waiting.put(None)
                return
            yield item
