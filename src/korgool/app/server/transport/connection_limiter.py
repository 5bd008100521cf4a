"""Limits on open connections, in total and by address, which idle one makes room for a new one, and the order in which
the requests of several addresses are parsed."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import uvicorn

from korgool.app.server.limits import Caller, RateLimiter, ServiceLimits, address_key
from korgool.app.server.limits.caller import Network, trusted

try:
    import resource
except ImportError:  # Windows knows no such limit
    resource = None  # type: ignore[assignment]

Work = Callable[[], None]
ROUNDS = 3
"""Rounds of the loop from one turn of an address to its next. If nobody else has anything to do, they take no time;
otherwise the requests of others, which pass through several rounds each, meet a crowd's request in only one of them."""
RESERVED = 128
"""File descriptors reserved for everything else: the database, static files, and connections just accepted."""
_DESCRIPTORS = 65_536


class Connection(Protocol):
    """An open connection, as far as this module needs it."""

    address: str
    """As `address_key` makes it; empty for a trusted proxy, whose connections stand for many addresses."""

    @property
    def idle(self) -> bool:
        """True if no complete request is being answered, so that closing the connection loses nothing."""

    def drop(self) -> None:
        """Close it at once."""


def raise_descriptors() -> int:
    """Raise the limit of open files as far as the process is allowed to, and return it."""
    if resource is None:
        return _DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return _DESCRIPTORS if soft == resource.RLIM_INFINITY else soft


class RequestScheduler:
    """Lets addresses take turns: in a few rounds of the event loop, one request of each address is parsed, in order.

    Without this, thirty simultaneous requests of one address would be parsed and answered in one go while everybody
    else waits.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, deque[Work]] = {}
        self._served: set[str] = set()
        """The addresses that have had their turn in these rounds."""

    def take(self, address: str, work: Work) -> None:
        """Do the work now, or when it is this address's turn. An empty address stands for many and never waits."""
        if not address:
            work()
        elif address in self._served or address in self._waiting:
            self._waiting.setdefault(address, deque()).append(work)
        else:
            self._serve(address, work)

    def _serve(self, address: str, work: Work) -> None:
        if not self._served:
            self._wait(ROUNDS)
        self._served.add(address)
        work()

    def _wait(self, rounds: int) -> None:
        if rounds:
            asyncio.get_running_loop().call_soon(self._wait, rounds - 1)
        else:
            self._next_turns()

    def _next_turns(self) -> None:
        self._served.clear()
        for address, queue in list(self._waiting.items()):
            work = queue.popleft()
            if not queue:
                del self._waiting[address]
            try:
                self._serve(address, work)
            except Exception as error:
                asyncio.get_running_loop().call_exception_handler({"message": "reading failed", "exception": error})


class ConnectionLimiter:
    """Registers all open connections of a server and limits their number.

    Args:
        limits: what is allowed.
        proxies: the networks of proxies whose headers about addresses are trusted.
        descriptors: how many files the process may have open.

    Attributes:
        live: how many live connections there are.
    """

    def __init__(self, limits: ServiceLimits, proxies: Sequence[Network] = (), descriptors: int = _DESCRIPTORS) -> None:
        self.limits = limits
        self.proxies = tuple(proxies)
        self.rate_limiter = RateLimiter(limits)
        self.turns = RequestScheduler()
        self._open: dict[str, dict[Connection, None]] = {}
        self._count = 0
        self.live = 0
        room = max(descriptors // 2, descriptors - RESERVED)
        self.most = None if limits.connections is None else max(1, min(limits.connections, room))
        self.most_of_address = limits.address_connections
        if self.most is not None and self.most_of_address is not None:
            self.most_of_address = max(1, min(self.most_of_address, self.most // 2))

    def __len__(self) -> int:
        return self._count

    def key_of(self, host: str) -> str:
        """The key under which a peer's connections are counted; empty for a trusted proxy."""
        return "" if trusted(host, self.proxies) else address_key(host)

    def admit(self, connection: Connection) -> bool:
        """Register a new connection; return False if there is no room and it must be closed.

        If an address has too many connections, an idle one of its own is closed to make room; if there are too many in
        total, an idle one of the address that has most.
        """
        address = connection.address
        own = len(self._open.get(address, ()))
        if address and self.most_of_address is not None and own >= self.most_of_address:
            if not self._make_room(address):
                self.rate_limiter.refused["address_connections"] += 1
                return False
        elif self.most is not None and self._count >= self.most:
            crowd = max(self._open, key=lambda key: len(self._open[key]))
            if len(self._open[crowd]) <= own + 1 or not self._make_room(crowd):
                self.rate_limiter.refused["connections"] += 1
                return False
        self._open.setdefault(address, {})[connection] = None
        self._count += 1
        return True

    def _make_room(self, address: str) -> bool:
        for connection in self._open[address]:  # the oldest first
            if connection.idle:
                self.forget(connection)
                connection.drop()
                return True
        return False

    def forget(self, connection: Connection) -> None:
        """Forget a closed connection; doing so twice has no effect."""
        own = self._open.get(connection.address, {})
        if connection in own:
            del own[connection]
            self._count -= 1
            if not own:
                del self._open[connection.address]

    def replace(self, old: Connection, new: Connection) -> None:
        """Replace a connection by itself under another protocol."""
        own = self._open.get(old.address, {})
        if old in own:
            del own[old]
            own[new] = None

    def caller(self, host: str, session: str | None = None) -> Caller:
        """The caller to count for a request from `host`."""
        return Caller(address_key(host), session)


class ServerConfig(uvicorn.Config):
    """uvicorn's settings, with our limits."""

    def __init__(self, app: Any, limiter: ConnectionLimiter, **settings: Any) -> None:
        self.limiter = limiter
        super().__init__(app, **settings)


def later(seconds: float | None, work: Callable[[], object]) -> asyncio.TimerHandle | None:
    """Do `work` after so many seconds; with None never."""
    return None if seconds is None else asyncio.get_running_loop().call_later(seconds, work)
