"""Callers as the limits count them: by session and by address."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Network = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a request.

    Attributes:
        address: the result of `address_key` for the network address; empty if it is not known.
        session: the name of the session or account, None if there is none.
    """

    address: str
    session: str | None = None


@lru_cache(maxsize=4096)
def address_key(host: str) -> str:
    """The key of one address: an IPv4 address, or the /64 of an IPv6 address, which is what one connection is usually
    given.

    An IPv4 address inside an IPv6 one (`::ffff:192.0.2.1`) is that IPv4 address. Text that is not an address is
    returned as it is.
    """
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host[:64]
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Network((int(address) >> 64 << 64, 64)))
    return str(address)


def parse_network(text: str) -> Network:
    """An address or network such as `10.0.0.1`, `10.0.0.0/8` or `fd00::/8`.

    Raises:
        ValueError: it is neither, or bits are set outside the mask.
    """
    try:
        return ip_network(text.strip())
    except ValueError as error:
        raise ValueError(f"{text[:60]!r} is no address or network; write one like 10.0.0.1 or 10.0.0.0/8") from error


def is_address(host: str) -> bool:
    """Return whether this is an IPv4 or IPv6 address."""
    try:
        ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


def trusted(host: str, networks: tuple[Network, ...]) -> bool:
    """Return whether an address is in one of the networks; False for text that is not an address."""
    if not networks:
        return False
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return any(address in network for network in networks)
