"""The description of the API at /openapi: what the docstrings say of fields, who may ask, and every refusal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from litestar.openapi import ResponseSpec
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import (
    Components,
    OpenAPIMediaType,
    Operation,
    Reference,
    RequestBody,
    Schema,
    SecurityScheme,
)
from litestar.openapi.spec.enums import OpenAPIFormat, OpenAPIType
from litestar.plugins import OpenAPISchemaPlugin
from litestar.types.empty import Empty
from litestar.typing import FieldDefinition

import korgool
from korgool.competition.json_schema import documentation, reference

if TYPE_CHECKING:
    from litestar._openapi.schema_generation import SchemaCreator

GUEST: list[dict[str, list[str]]] = [{"guest": []}]
"""Security of commands: somebody must send them."""
OFFICIAL: list[dict[str, list[str]]] = [{"account": ["event"]}]
"""Security of officials' routes; a session or a helper's cookie serves as well."""
_ANYBODY: list[dict[str, list[str]]] = [{}, *GUEST]
"""Security of everything else: none, but the principal may be somebody."""
_ABOUT = """\
Games of toguz korgool, mangala and bestemshe, between people and against the engine.

A program becomes somebody by `POST /api/guests`, and sends the token of that answer with everything that it asks for.
An official of an event sends a token of an account with the scope `event`; a browser's session, or the cookie of
somebody who came by a helper's link, serves as well.
A refusal is `{"detail": reason}`, in the language of the request, with `clause` where a rule is the reason.

A game is followed on a WebSocket, `/api/games/ID/live?since=VERSION`, which OpenAPI cannot describe: the server sends
the same events as `POST /api/games/ID/COMMAND` answers (`GameEvent`), and takes the same commands (`Said`, with `do`).
The manual's page on protocols tells the rest.
"""
BYTES = ""
"""In place of the name of a schema: bytes of no form."""
_EVERY = {
    400: "the address or its query cannot be understood",
    401: "the token in `Authorization` was not made by this server",
    403: "who asks may not do this: it needs an account, or the token is not for it",
    421: "the server does not answer under this name",
    429: "too many requests; the header `retry-after` tells the seconds to wait",
    503: "the stored games cannot be reached, so nothing happened; the header `retry-after` tells the seconds to wait",
}
_COMMANDS = {
    400: "the body is not the JSON of this command",
    403: "a page of another site asks, somebody without a token, or somebody who may not do this",
    413: "the body is too large",
}


class Detail(msgspec.Struct, frozen=True):
    """Why a request is refused.

    Attributes:
        detail: the reason, in the language of the request.
        clause: the clause that it rests on, where a rule is the reason.
    """

    detail: str
    clause: str | msgspec.UnsetType = msgspec.UNSET


def answer(kind: type[msgspec.Struct], about: str) -> ResponseSpec:
    """An answer as JSON, without the made-up examples that Litestar would add."""
    return ResponseSpec(kind, generate_examples=False, description=about)


def refusals(about: dict[int, str] | None = None, *, command: bool = False) -> dict[int, ResponseSpec]:
    """A refusal of a route, for its description.

    Args:
        about: what its own statuses mean; what it says of those that every route has replaces their meaning.
        command: whether it changes something, and so must be sent by somebody, or has a body.
    """
    statuses = _EVERY | (_COMMANDS if command else {}) | (about or {})
    return {status: answer(Detail, text) for status, text in sorted(statuses.items())}


def refer(name: str) -> Reference:
    """The reference to a schema of that name."""
    return Reference(reference(name)["$ref"])


def operation(*, takes: Mapping[str, str] | None = None, gives: Mapping[str, str] | None = None) -> type[Operation]:
    """An operation that Litestar cannot see into.

    Args:
        takes: what its requests hold: names of schemas by media type, or `BYTES`.
        gives: the same for its answer 200.
    """

    @dataclass
    class DescribedOperation(Operation):
        def __post_init__(self) -> None:
            if takes is not None:
                self.request_body = RequestBody(required=True, content=_content(takes))
            if gives is not None and self.responses is not None:
                self.responses["200"].content = _content(gives)  # type: ignore[union-attr]

    return DescribedOperation


def _content(names: Mapping[str, str]) -> dict[str, OpenAPIMediaType]:
    binary = Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.BINARY)
    return {kind: OpenAPIMediaType(schema=binary if name == BYTES else refer(name)) for kind, name in names.items()}


class StructSchemas(OpenAPISchemaPlugin):
    """Describes structs: their fields in the words of their docstrings, and whether unknown fields are refused."""

    @staticmethod
    def is_plugin_supported_field(field_definition: FieldDefinition) -> bool:
        """Return whether it is one struct."""
        return not field_definition.is_union and field_definition.is_subclass_of(msgspec.Struct)

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: SchemaCreator) -> Schema:
        """The schema of a struct."""
        struct = field_definition.type_
        hints = field_definition.get_type_hints(include_extras=True)
        known = msgspec.structs.fields(struct)
        names = {field.name: field.encode_name for field in known}
        properties = {
            names[field.name]: FieldDefinition.from_annotation(
                hints[field.name],
                name=names[field.name],
                default=Empty if field.default in {msgspec.NODEFAULT, msgspec.UNSET} else field.default,
            )
            for field in known
        }
        required = [field.encode_name for field in known if field.required]
        schema = schema_creator.create_component_schema(field_definition, required=required, property_fields=properties)
        assert schema.properties is not None
        schema.description, about = documentation(struct)
        for field in known:
            described = schema.properties[field.encode_name]
            _count_items(described)
            described.description = about.get(field.name)
            for name, value in _extra(hints[field.name]):
                setattr(described, name, value)
        if msgspec.inspect.type_info(struct).forbid_unknown_fields:  # type: ignore[attr-defined]
            schema.additional_properties = False
        return schema


def _count_items(schema: object) -> None:
    """Say how many values the tuples of a schema have, which Litestar leaves open."""
    if not isinstance(schema, Schema):
        return
    if schema.prefix_items:
        schema.min_items = schema.max_items = len(schema.prefix_items)
        if all(one == schema.prefix_items[0] for one in schema.prefix_items):
            schema.items, schema.prefix_items = schema.prefix_items[0], None
    for inner in (schema.items, schema.additional_properties, *(schema.one_of or ())):
        _count_items(inner)


def _extra(hint: Any) -> Iterable[tuple[str, Any]]:
    """Keywords that `msgspec.Meta` adds to the schema of a field."""
    for one in getattr(hint, "__metadata__", ()):
        if isinstance(one, msgspec.Meta):
            limits: dict[Literal["min_length", "max_length"], Any] = {
                "min_length": one.min_length,
                "max_length": one.max_length,
            }
            yield from ((name, value) for name, value in limits.items() if value is not None)
            yield from (one.extra_json_schema or {}).items()


def openapi_config(components: type[Components]) -> OpenAPIConfig:
    """The configuration of the application's description.

    Args:
        components: the class of its components, which may add schemas to those that Litestar makes.
    """
    guest = SecurityScheme(type="http", scheme="bearer", description="the token of a guest, from `POST /api/guests`")
    account = SecurityScheme(
        type="http",
        scheme="bearer",
        description="a token of an account with the scope that is named, from `POST /api/account/tokens`",
    )
    return OpenAPIConfig(
        title="Korgool",
        version=korgool.__version__,
        description=_ABOUT,
        path="/openapi",
        render_plugins=[JsonRenderPlugin(path=["/", "/openapi.json"])],
        security=_ANYBODY,
        components=components(security_schemes={"guest": guest, "account": account}),
        use_handler_docstrings=True,
    )
