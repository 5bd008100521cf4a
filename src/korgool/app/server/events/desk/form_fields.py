"""The fields of a form as the members of an action: texts become what the types of the members say.

A member of a member has a name with dots: `absence.round`, `games.0.white`. A field that was left empty is left out, so
that the member has its default. A list takes every field of its name, each line of it as a text or each word of it as a
number; `records.0` is the first of a list of texts as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from korgool.competition.codec import JsonError

Fields: TypeAlias = Mapping[str, Sequence[str]]
_YES, _NO = ("on", "true", "1"), ("", "off", "false", "0")


def members_of(kind: type, given: Fields) -> dict[str, Any]:
    """The members of an object of a class, as its JSON has them.

    Args:
        kind: a dataclass of the kind that the codec reads.
        given: the fields of the form by name; names that the class does not have are passed over.

    Raises:
        JsonError: a field holds something else than its member; the message names the member.
    """
    return _record(kind, given, "")


def flat(name: str, value: Any) -> dict[str, list[str]]:
    """The fields that give a member this value, which is as its JSON has it."""
    if isinstance(value, dict):
        return {key: held for part, one in value.items() for key, held in flat(f"{name}.{part}", one).items()}
    if isinstance(value, list):
        return {key: held for at, one in enumerate(value) for key, held in flat(f"{name}.{at}", one).items()}
    return {name: [("on" if value else "off") if isinstance(value, bool) else str(value)]}


def _record(kind: Any, given: Fields, place: str) -> dict[str, Any]:
    hints, found = get_type_hints(kind), {}
    for member in fields(kind):
        value = _value(hints[member.name], given, f"{place}{member.name}")
        if value is None and (member.default is not MISSING or member.default_factory is not MISSING):
            continue
        if value is None and NoneType not in get_args(hints[member.name]):
            value = "" if hints[member.name] is str else None
            if value is None:
                raise JsonError("the field is empty", f"{place}{member.name}")
        found[member.name] = value
    return found


def _value(type_: Any, given: Fields, place: str) -> Any:
    origin, inner = get_origin(type_), get_args(type_)
    if origin in (Union, UnionType):
        (one,) = [one for one in inner if one is not NoneType]
        filled = any(text.strip() for name in given if name.startswith(f"{place}.") for text in given[name])
        return _value(one, given, place) or None if filled or not is_dataclass(one) else None
    if origin is tuple:
        return _list(inner, given, place)
    if is_dataclass(type_):
        inside = any(name.startswith(f"{place}.") for name in given)
        return _record(type_, given, f"{place}.") if inside else None
    texts = given.get(place)
    if texts is None:
        return None
    return _single(type_, texts[-1], place)


def _list(inner: tuple[Any, ...], given: Fields, place: str) -> list[Any] | None:
    numbered = sorted({int(part) for name in given if (part := _index(name, place)) is not None})
    kinds = [inner[0]] * len(numbered) if inner[1:] == (...,) else list(inner)
    if numbered:
        found = [_value(kind, given, f"{place}.{at}") for kind, at in zip(kinds, numbered, strict=False)]
        return [one for one in found if one is not None and one != ""]
    if place not in given:
        return None
    one = inner[0]
    texts = [part.strip() for text in given[place] for part in (text.splitlines() if one is str else text.split())]
    return [_single(one, text, place) for text in texts if text]


def _index(name: str, place: str) -> str | None:
    """The number behind a place in a name: `2` of `games.2.white` for `games`."""
    part = name.removeprefix(f"{place}.").partition(".")[0]
    return part if name.startswith(f"{place}.") and part.isdecimal() and len(part) < 5 else None


def _single(type_: Any, text: str, place: str) -> Any:
    plain = text.strip()
    if type_ is bool:
        if plain.lower() not in _YES + _NO:
            raise JsonError(f"yes or no is needed, not {plain[:40]!r}", place)
        return plain.lower() in _YES
    if type_ is str or get_origin(type_) is Literal or (isinstance(type_, type) and issubclass(type_, Enum)):
        return text if type_ is str else plain
    if not plain:
        return None
    if not (plain.removeprefix("-").isascii() and plain.removeprefix("-").isdecimal() and len(plain) < 10):
        raise JsonError(f"a whole number is needed, not {plain[:40]!r}", place)
    return int(plain)
