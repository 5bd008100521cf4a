"""Variables of every page that are read before its handler runs, because making a page waits for nothing."""

from __future__ import annotations

from collections.abc import Mapping

from korgool.app.server.http.site_names import Connection

_PLACE = "page_variables"
_NONE: Mapping[str, object] = {"waiting": None, "waiting_count": 0, "waiting_tag": ""}


def remember_variables(connection: Connection, variables: Mapping[str, object]) -> None:
    """Give the page of this request variables: `waiting`, what waits for its reader; `waiting_count`, how much that is;
    and `waiting_tag`, a text that changes with it, empty where nothing can come."""
    connection.scope["state"][_PLACE] = variables


def variables_of(connection: Connection) -> Mapping[str, object]:
    """The variables of a page; those of somebody for whom nothing waits, where nobody has looked."""
    found: Mapping[str, object] = connection.scope.get("state", {}).get(_PLACE, _NONE)
    return found
