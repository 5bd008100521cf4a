"""The host names under which the server answers, and the origins from which a browser may send commands.

A name that is not allowed may belong to an attacker and point here (DNS rebinding), and it would appear in records. A
browser's command must come from a page of this site: what another site, or another name below the same domain, makes
the browser send is refused before anything else is checked.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from typing import Any
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.exceptions import PermissionDeniedException
from litestar.handlers.base import BaseRouteHandler

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.settings import ServerSettings, SettingsError

Connection = ASGIConnection[Any, Any, Any, Any]
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(\.(?!-)[a-z0-9_-]{1,63})*\.?")
_EVERYWHERE = {"0.0.0.0", "::", ""}


class Site:
    """The names of one server.

    Attributes:
        base: the origin that people use, such as `https://example.org`, or None if it was not set.
    """

    def __init__(self, settings: ServerSettings) -> None:
        """Read the settings.

        Raises:
            SettingsError: an allowed host or the base URL is invalid.
        """
        self.base = None if settings.base_url is None else _base(settings.base_url)
        told = [_allowed(host) for host in settings.allowed_hosts]
        if self.base is not None:
            told.append(urlsplit(self.base).hostname or "")
        self._names = frozenset(told) or _own_names(settings.host)
        self._names |= {_allowed(host) for host in settings.more_hosts}
        self._any_address = not told

    def allows(self, name: str) -> bool:
        """Return whether the server answers under this name or address.

        The names of this machine itself are always allowed. If no names were set, every literal address is allowed too:
        an attacker can make a name point here, but not an address.
        """
        name = name.lower().rstrip(".")
        if name in self._names or name == "localhost" or name.endswith(".localhost"):
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return self._any_address or address.is_loopback

    def secure(self, connection: Connection) -> bool:
        """Return whether the browser uses TLS, if only to a proxy in front of the server."""
        return self.over_tls(connection.scope["scheme"])

    def over_tls(self, scheme: str) -> bool:
        """The same for the scheme of a request as it has come."""
        return (scheme if self.base is None else urlsplit(self.base).scheme) in {"https", "wss"}

    def origin(self, connection: Connection) -> str:
        """The origin that the client uses for this server, for links that are kept."""
        if self.base is not None:
            return self.base
        return f"{'https' if self.secure(connection) else 'http'}://{connection.url.netloc}"

    async def check(self, connection: Connection, _: BaseRouteHandler) -> None:
        """Refuse unknown host names, and requests that another site makes a browser send.

        Raises:
            ApiError: with status 421 or 403.
            PermissionDeniedException: the same for a WebSocket, whose handshake is then refused.
        """
        socket = connection.scope["type"] == ScopeType.WEBSOCKET
        try:
            self._check_host(connection)
            if bearer(connection) is None and (socket or connection.scope.get("method") not in SAFE):
                self._check_origin(connection)
        except ApiError as problem:
            if socket:
                raise PermissionDeniedException(str(problem)) from None
            raise

    def _check_host(self, connection: Connection) -> None:
        hosts = connection.headers.getall("host", [])
        if not hosts and connection.scope.get("http_version") == "1.0":
            return
        name = _split(hosts[0])[0] if len(hosts) == 1 else None
        if name is None or not self.allows(name):
            shown = ", ".join(hosts)[:80]
            raise ApiError(421, errors.STRANGE_HOST, host=shown if shown.isprintable() else repr(shown))

    def _check_origin(self, connection: Connection) -> None:
        """Determine whether a browser's request comes from this site, by Sec-Fetch-Site or else by Origin.

        Programs other than browsers send neither header, and no page can make them send anything.
        """
        site, origin = connection.headers.get("sec-fetch-site"), connection.headers.get("origin")
        if site is not None:
            right = site in {"same-origin", "none"}
        elif origin is not None:
            right = self._own(origin, connection)
        else:
            right = True
        if not right:
            raise ApiError(403, errors.STRANGE_ORIGIN)

    def _own(self, origin: str, connection: Connection) -> bool:
        """Return whether an Origin is this site's, by the base URL or by the host name of the request.

        In the second case the scheme of the Origin is ignored, because a proxy may provide TLS.
        """
        if self.base is not None and origin == self.base:
            return True
        scheme, found, rest = origin.partition("://")
        if not found or scheme not in _PORTS:
            return False
        name, port = _split(rest)
        host = _split(connection.headers.get("host", ""))
        return name is not None and (name, port or _PORTS[scheme]) == (host[0], host[1] or _PORTS[scheme])


def bearer(connection: Connection) -> str | None:
    """The token that a program sends in the header `Authorization`; None if there is none, `""` if there are several.

    No page of another site can make a browser send this header: it would have to ask first, and is not allowed to.
    """
    found = [value.split(None, 1) for value in connection.headers.getall("authorization", [])]
    tokens = [parts[1].strip() if len(parts) == 2 else "" for parts in found if parts and parts[0].lower() == "bearer"]
    return None if not tokens else tokens[0] if len(tokens) == 1 else ""


def _split(host: str) -> tuple[str | None, int | None]:
    """Name and port of a Host header, or None if it is invalid. IPv6 addresses are in brackets."""
    found = re.fullmatch(r"(?:\[([0-9a-fA-F:.]{2,45})\]|([^\s:/@\[\]]{1,253}))(?::([0-9]{1,5}))?", host)
    if found is None:
        return None, None
    return (found[1] or found[2]).lower().rstrip("."), int(found[3]) if found[3] else None


def _base(url: str) -> str:
    """The origin of a base URL."""
    try:
        parts = urlsplit(url)
        port, name = parts.port, parts.hostname
    except ValueError:
        parts, port, name = urlsplit(""), None, None
    rest = parts.path.strip("/") or parts.query or parts.fragment or parts.username
    if parts.scheme not in {"http", "https"} or not name or rest or not _is_host(name):
        raise SettingsError(f"--base-url {url!r} is no address of a site; write https://NAME/, without a path")
    shown = f"[{name}]" if ":" in name else name
    return f"{parts.scheme}://{shown}" + ("" if port in {None, _PORTS[parts.scheme]} else f":{port}")


def _allowed(host: str) -> str:
    name = host.lower().strip("[]").rstrip(".")
    if not _is_host(name):
        raise SettingsError(f"--allowed-host {host!r} is no name of a host; write it without scheme, port and path")
    return name


def _is_host(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return len(name) <= 253 and _NAME.fullmatch(name) is not None
    return True


def _own_names(host: str) -> frozenset[str]:
    """The names under which a server that listens on `host` answers if none were set."""
    if host not in _EVERYWHERE:
        return frozenset({host.lower()})
    machine = socket.gethostname().lower()
    return frozenset({machine, f"{machine.partition('.')[0]}.local"})
