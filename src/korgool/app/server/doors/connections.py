"""The book of open connections: how many there are in all and of each address, and which one makes room for another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from korgool.app.server.doors.request_turns import Turns
from korgool.app.server.limits import Caller, ServiceLimits, Tally, address_key
from korgool.app.server.limits.caller import Network, trusted

try:
    import resource
except ImportError:  # Windows knows no such limit
    resource = None  # type: ignore[assignment]

RESERVED = 128
"""File descriptors for everything that is no connection: the database, static files, and connections just accepted."""
_DESCRIPTORS = 65_536


class Connection(Protocol):
    """What the book must know of a connection."""

    address: str
    """As `address_key` makes it; empty for a trusted proxy, whose connections stand for many addresses."""

    @property
    def idle(self) -> bool:
        """Whether no answer to a whole request is under way: it may be closed and nothing is lost."""

    def drop(self) -> None:
        """Close it at once."""


def raise_descriptors() -> int:
    """Let the process open as many files as it is allowed to; returns how many that are."""
    if resource is None:
        return _DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return _DESCRIPTORS if soft == resource.RLIM_INFINITY else soft


class Doors:
    """What all connections of a server share.

    Args:
        limits: what is allowed.
        proxies: the networks of proxies whose word about addresses is believed.
        descriptors: how many files the process may have open.
    """

    def __init__(self, limits: ServiceLimits, proxies: Sequence[Network] = (), descriptors: int = _DESCRIPTORS) -> None:
        self.limits = limits
        self.proxies = tuple(proxies)
        self.tally = Tally(limits)
        self.turns = Turns()
        self._open: dict[str, dict[Connection, None]] = {}
        self._count = 0
        room = max(descriptors // 2, descriptors - RESERVED)
        self.most = None if limits.connections is None else max(1, min(limits.connections, room))
        self.most_of_address = limits.address_connections
        if self.most is not None and self.most_of_address is not None:
            self.most_of_address = max(1, min(self.most_of_address, self.most // 2))

    def __len__(self) -> int:
        return self._count

    def key_of(self, host: str) -> str:
        """Under which key a peer's connections are counted; empty for a trusted proxy."""
        return "" if trusted(host, self.proxies) else address_key(host)

    def admit(self, connection: Connection) -> bool:
        """Write a new connection into the book; False if there is no room and it must be closed.

        Where an address has too many, an idle one of its own is closed for it; where all together are too many, an idle
        one of the address that has most.
        """
        address = connection.address
        own = len(self._open.get(address, ()))
        if address and self.most_of_address is not None and own >= self.most_of_address:
            if not self._make_room(address):
                return False
        elif self.most is not None and self._count >= self.most:
            crowd = max(self._open, key=lambda key: len(self._open[key]))
            if len(self._open[crowd]) <= own + 1 or not self._make_room(crowd):
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
        """It is closed; twice does no harm."""
        own = self._open.get(connection.address, {})
        if connection in own:
            del own[connection]
            self._count -= 1
            if not own:
                del self._open[connection.address]

    def replace(self, old: Connection, new: Connection) -> None:
        """The same connection goes on by another protocol."""
        own = self._open.get(old.address, {})
        if old in own:
            del own[old]
            own[new] = None

    def caller(self, host: str, session: str | None = None) -> Caller:
        """Who is counted for a request from `host`."""
        return Caller(address_key(host), session)
