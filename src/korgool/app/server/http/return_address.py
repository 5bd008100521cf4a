"""Return addresses: paths of this site that are safe to redirect to, and the page that a request belongs to."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote, urlsplit

from korgool.app.server.http.site_names import SAFE, Connection, Site

ENTRANCES: Final = frozenset({"/sign-in", "/sign-up", "/sign-up/passkey", "/recovery"})
"""The pages by which one comes in; each hands on where the reader goes from there."""
_LONGEST = 2000
"""Characters of an address."""


def local(path: str, otherwise: str = "/") -> str:
    """The path, with its query, if it stays on this site and is safe in a header, otherwise the other one."""
    harmless = path.startswith("/") and not path.startswith("//") and path.isascii() and path.isprintable()
    return path if harmless and "\\" not in path and len(path) <= _LONGEST else otherwise


def onward(connection: Connection) -> str:
    """The address at which a reader goes on who signs in instead of what they asked for.

    That is the page that they asked for, with its query; where they sent a form, the page on which it stood; and where
    they are on their way in already, what that page hands on.
    """
    path = connection.scope["path"]
    if path in ENTRANCES:
        return local(connection.query_params.get("next", ""))
    if connection.scope.get("method") not in SAFE:
        return referring_page(connection)
    query = connection.scope["query_string"].decode("latin-1")
    return local(quote(path, safe="/:@!$&'()*+,;=~") + (f"?{query}" if query else ""))


def came_from(connection: Connection) -> str:
    """The page at which a reader goes on who comes in by this one; empty where nothing led them here."""
    return onward(connection) if "next" in connection.query_params else ""


def referring_page(connection: Connection) -> str:
    """The page of this site on which a form stood, by what the browser says; `/` where it says nothing."""
    site: Site = connection.app.state.site
    try:
        referer = urlsplit(connection.headers.get("referer", ""))
    except ValueError:
        return "/"
    own = {urlsplit(site.origin(connection)).netloc, connection.headers.get("host", "")}
    if referer.netloc not in own or referer.path in ENTRANCES:
        return "/"
    return local(referer.path + (f"?{referer.query}" if referer.query else ""))
