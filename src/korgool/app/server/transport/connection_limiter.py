"""Counts open connections, in total and by address, and decides which idle one is closed to make room for a new one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from korgool.app.server.limits import Caller, RateLimiter, ServiceLimits, address_key
from korgool.app.server.limits.caller import Network, trusted
from korgool.app.server.transport.request_scheduler import RequestScheduler

try:
    import resource
except ImportError:  # Windows knows no such limit
    resource = None  # type: ignore[assignment]

RESERVED = 128
"""File descriptors reserved for everything else: the database, static files, and connections just accepted."""
_DESCRIPTORS = 65_536


class Connection(Protocol):
    """What this module needs to know about a connection."""

    address: str
    """As `address_key` makes it; empty for a trusted proxy, whose connections stand for many addresses."""

    @property
    def idle(self) -> bool:
        """Whether no complete request is being answered, so that closing the connection loses nothing."""

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


class ConnectionLimiter:
    """What all connections of a server share.

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
