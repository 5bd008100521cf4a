"""Addresses on the internet to which a push endpoint, or an event that is followed, may lead.

A person names the endpoint, and this server connects to it, from inside the network in which it runs. So a name is
resolved here, only public addresses are accepted, and the connection goes to the very address that was checked: a name
that points elsewhere a moment later leads nowhere else. Redirects are not followed.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from korgool.app.server.limits.caller import Network, trusted

LONGEST = 1_000
"""Characters of an endpoint, at most."""
_SECONDS = 5.0
_UNICAST = ipaddress.ip_network("2000::/3")
_TUNNELS = tuple(map(ipaddress.ip_network, ("2002::/16", "2001::/23", "64:ff9b::/96", "64:ff9b:1::/48")))
"""Addresses that carry another one, which may be private."""


class EndpointError(ValueError):
    """An endpoint to which nothing is sent; the message says why."""


@dataclass(frozen=True, slots=True)
class PushEndpoint:
    """The checked address of a push service.

    Attributes:
        host: the name, for TLS and the header.
        port: the port.
        target: path and query.
        address: the checked address to connect to.
        tls: whether the connection is encrypted.
    """

    host: str
    port: int
    target: str
    address: str
    tls: bool = True

    @property
    def name(self) -> str:
        """The value of the header Host."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.tls else 80) else f"{host}:{self.port}"


async def resolve_endpoint(endpoint: str, allowed: Sequence[Network] = (), *, plain: bool = False) -> PushEndpoint:
    """Resolve and check an endpoint.

    Args:
        endpoint: its URL.
        allowed: networks of the operator that are accepted although they are not public, and with any port.
        plain: whether these networks are also reached without TLS, by `http:`.

    Raises:
        EndpointError: it is no such URL, its name is not known, or it leads to an address that is not public.
    """
    tls = not (plain and endpoint.startswith("http:"))
    host, port, target = split(endpoint if tls else f"https:{endpoint.removeprefix('http:')}")
    port = 80 if not tls and port == 443 and ":443" not in endpoint else port
    try:
        async with asyncio.timeout(_SECONDS):
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, TimeoutError):
        raise EndpointError("the name of the endpoint is not known") from None
    for *_, told in found:
        address = str(told[0])
        if trusted(address, tuple(allowed)) or (tls and port == 443 and is_public(address)):
            return PushEndpoint(host, port, target, address, tls)
    raise EndpointError("the endpoint does not lead to a public address")


def split(endpoint: str) -> tuple[str, int, str]:
    """Host, port, and path with query of an endpoint.

    Raises:
        EndpointError: it is not an https URL as browsers give it.
    """
    if not (endpoint.isascii() and endpoint.isprintable()) or " " in endpoint or len(endpoint) > LONGEST:
        raise EndpointError("the endpoint is no URL")
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise EndpointError("the endpoint is no URL") from None
    if parts.scheme != "https" or not host or "@" in parts.netloc or "%" in host or "\\" in endpoint:
        raise EndpointError("the endpoint is no https URL")
    return host, 443 if port is None else port, (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def is_public(text: str) -> bool:
    """Return whether an address belongs to the public internet, and to no machine or network around this server."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(str(address.ipv4_mapped))
        if address not in _UNICAST or any(address in network for network in _TUNNELS):
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved
