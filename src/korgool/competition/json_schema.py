"""JSON Schemas of the values that `codec` reads, made from the same types.

A schema accepts everything that `codec.from_json` accepts. It refuses what the codec refuses for its form, except for
what JSON Schema cannot say: that a member stands there twice, that 1.0 is no whole number, and that a number is too
long or a letter half of a surrogate pair. What a class refuses by itself (`__post_init__`) is in no schema.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from korgool.competition.codec import TAG, plain

Schema: TypeAlias = dict[str, Any]
PLACE = "#/components/schemas/"
"""The beginning of every reference, before the name."""
_SIMPLE: Mapping[Any, str] = {
    str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null", None: "null",
}  # fmt: skip
_MEMBER = re.compile(r"^ {4}(?P<names>\w+(?:, \w+)*): (?P<about>.+(?:\n {8}.+)*)", re.MULTILINE)
_NONE = re.compile(r"\bNone\b")


class Schemas:
    """The schemas of several types, which refer to each other by name.

    Attributes:
        named: the schema of every class met so far, by its name.
    """

    def __init__(self) -> None:
        self.named: dict[str, Schema] = {}
        self._names: dict[Any, str] = {}

    def name(self, type_: Any, name: str, *, before: str = "", more: Mapping[str, Schema] | None = None) -> Schema:
        """Give a class, or a union of tagged ones, a name of its own, and return the reference to it.

        Args:
            type_: what it is.
            name: by which others refer to it.
            before: what the names of the classes of a union begin with.
            more: members that each object of a union may have besides its own.
        """
        self._names[type_] = name
        if get_origin(type_) in (Union, UnionType):
            self.named[name] = self._tagged(get_args(type_), before, more or {})
            return reference(name)
        return self._record(type_, name)

    def of(self, type_: Any) -> Schema:
        """The schema of a type as `codec.from_json` takes it; classes are put into `named`, and referred to.

        In `Annotated[type, schema]`, the members of `schema` are added to the schema of the type.
        """
        origin, inner = get_origin(type_), get_args(type_)
        if origin is Annotated:
            more: Schema = inner[1]
            return self.of(inner[0]) | more
        if type_ is Any:
            return {}
        if type_ in _SIMPLE:
            return {"type": _SIMPLE[type_]}
        if origin is Literal:
            return {"type": "string", "enum": list(inner)}
        if origin in (Union, UnionType):
            return self._union(type_, inner)
        if origin is tuple and inner[1:] != (...,):
            return self._several(inner)
        if origin in (tuple, list):
            return {"type": "array", "items": self.of(inner[0])}
        if origin is dict:
            return {"type": "object", "additionalProperties": self.of(inner[1])}
        if isinstance(type_, type) and issubclass(type_, Enum):
            return {"type": "string", "enum": [one.value for one in type_]}
        if not (isinstance(type_, type) and is_dataclass(type_)):
            raise TypeError(f"{type_!r} has no form in JSON")
        return self._record(type_, self._names.get(type_, type_.__name__))

    def _union(self, type_: Any, inner: tuple[Any, ...]) -> Schema:
        if type_ in self._names:
            return reference(self._names[type_])
        others = [one for one in inner if one is not NoneType]
        found = self.of(others[0]) if len(others) == 1 else self._tagged(tuple(others), "", {})
        return found if len(others) == len(inner) else {"anyOf": [found, {"type": "null"}]}

    def _several(self, inner: tuple[Any, ...]) -> Schema:
        items = [self.of(one) for one in inner]
        alike = all(one == items[0] for one in items)
        schema: Schema = {"items": items[0]} if alike else {"prefixItems": items}
        return {"type": "array", **schema, "minItems": len(items), "maxItems": len(items)}

    def _tagged(self, kinds: tuple[Any, ...], before: str, more: Mapping[str, Schema]) -> Schema:
        found = {
            getattr(kind, TAG): self._record(kind, before + kind.__name__.removeprefix(before), tagged=True, more=more)
            for kind in kinds
        }
        mapping = {tag: one["$ref"] for tag, one in found.items()}
        return {"oneOf": list(found.values()), "discriminator": {"propertyName": TAG, "mapping": mapping}}

    def _record(
        self, kind: Any, name: str, *, tagged: bool = False, more: Mapping[str, Schema] | None = None
    ) -> Schema:
        if name in self.named:
            return reference(name)
        schema = self.named[name] = {"type": "object", "additionalProperties": False}
        about, _ = documentation(kind)
        if about:
            schema["description"] = about
        properties: dict[str, Schema] = {TAG: {"type": "string", "const": getattr(kind, TAG)}} if tagged else {}
        properties |= self._members(kind)
        schema["properties"] = properties | dict(more or {})
        needed = [TAG] if tagged else []
        needed += [one.name for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING]
        if needed:
            schema["required"] = needed
        return reference(name)

    def _members(self, kind: Any) -> dict[str, Schema]:
        hints, (_, about) = get_type_hints(kind, include_extras=True), documentation(kind)
        found = {}
        for one in fields(kind):
            member = found[one.name] = self.of(hints[one.name])
            if one.name in about:
                member["description"] = about[one.name]
            if one.default is not MISSING:
                member["default"] = plain(one.default)
        return found


def reference(name: str) -> Schema:
    """The schema that refers to another one by its name."""
    return {"$ref": PLACE + name}


@cache
def documentation(kind: type) -> tuple[str, dict[str, str]]:
    """Read what the docstring of a class says of it and of each member, with `null` for `None`."""
    text = inspect.getdoc(kind) or ""
    if text.startswith(f"{kind.__name__}("):  # what `dataclass` writes by itself
        text = ""
    about, _, members = text.partition("Attributes:\n")
    found = {
        name: _NONE.sub("null", " ".join(one["about"].split()))
        for one in _MEMBER.finditer(members)
        for name in one["names"].split(", ")
    }
    return _NONE.sub("null", about.strip()), found
