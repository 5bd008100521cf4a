"""The schemas of values that `competition.codec` reads and writes, in the description of the API.

Litestar knows structs and asks for the type of a body in the handler's signature. Handlers of events read their bodies
themselves, strictly and in a thread, so an operation is told here what it takes.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from litestar.openapi.spec import Components, Operation

from korgool.app.publishing.event_data import Snapshot
from korgool.app.server.events.action_requests import describe_requests
from korgool.app.server.http.openapi import operation
from korgool.competition.actions import AnyAction
from korgool.competition.json_export import Everything, Version1
from korgool.competition.json_schema import Schemas

JSON = "application/json"
ANY_EVENT, PUBLIC_EVENT, LOGGED = "EventJson", "PublicEvent", "LoggedAction"
"""Names of schemas: an event as one JSON object, what is public of one, and an action as the log has it."""
_TAKEN: list[type] = []


class RecordComponents(Components):
    """The components of the description, with the schemas of these values besides those that Litestar makes."""

    def to_schema(self) -> dict[str, Any]:
        """All of them, by name."""
        found = super().to_schema()
        made, records = found.get("schemas", {}), _schemas()
        if both := made.keys() & records.keys():
            raise RuntimeError(f"two schemas have one name: {', '.join(sorted(both))}")
        return found | {"schemas": dict(sorted((made | records).items()))}


@cache
def _schemas() -> dict[str, Any]:
    schemas = Schemas()
    describe_requests(schemas)
    schemas.name(AnyAction, LOGGED, before="Log")
    schemas.name(Snapshot, PUBLIC_EVENT)
    versions = [schemas.name(Everything, f"{ANY_EVENT}2"), schemas.name(Version1, f"{ANY_EVENT}1")]
    schemas.named[ANY_EVENT] = {"anyOf": versions, "description": "An event as one JSON object, in any version."}
    for kind in _TAKEN:
        schemas.of(kind)
    return schemas.named


def takes(kind: type) -> type[Operation]:
    """An operation whose requests hold JSON of a class, as `events.api.read_body` reads it."""
    _TAKEN.append(kind)
    return operation(takes={JSON: kind.__name__})
