"""The principal of a connection: found once, before anything is decided, and kept for the rest of its handling."""

from __future__ import annotations

from korgool.app.server.core.principal import NOBODY, Principal
from korgool.app.server.http.site_names import Connection

_PLACE = "korgool_who"


def remember_principal(connection: Connection, who: Principal) -> None:
    """Keep for the rest of this connection's handling who it is; the log of the request hears of what kind."""
    connection.scope["state"] |= {_PLACE: who, "who": who.person.kind.value}


def found_principal(connection: Connection) -> Principal | None:
    """Who asks; None where nobody has found out, as with addresses that do not exist."""
    found: Principal | None = connection.scope.get("state", {}).get(_PLACE)
    return found


def principal_of(connection: Connection) -> Principal:
    """Who asks."""
    return found_principal(connection) or NOBODY
