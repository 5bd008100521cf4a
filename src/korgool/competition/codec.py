"""Values of an event as JSON and back, strictly, by the types of their members.

The hash chain of an event file covers the text of every action, so the same value always gives the same text: members
in their order, no blanks, those left out that have their default.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from math import isfinite
from types import NoneType, UnionType
from typing import Any, Literal, NoReturn, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from korgool.competition.errors import CompetitionError

T = TypeVar("T")
TAG = "do"
"""The member that tells which class of a union an object is: its class attribute of this name."""
_Reader: TypeAlias = Callable[[Any], Any]
_LONGEST_NUMBER = 40
_DEEPEST = 100
"""Levels of lists and objects within each other, many more than any value has. Python has a limit of its own, which is
another in each release, and fails later, when the value is written."""
_BRACKETS = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)  # possessive: a text takes no memory
_WORDS = {NoneType: "null", bool: "true or false", int: "a whole number", float: "a number", str: "a text",
          list: "a list", dict: "an object"}  # fmt: skip


class JsonError(CompetitionError):
    """The text is not JSON, or does not hold a value of the requested type.

    Attributes:
        reason: the fault.
        place: the place of the fault, such as `games[0].white`; empty for the whole text.
    """

    def __init__(self, reason: str, place: str = "") -> None:
        self.reason, self.place = reason, place
        super().__init__(f"{place}: {reason}" if place else reason)

    def inside(self, part: str) -> JsonError:
        """The same error seen from one level further out: in member `settings`, or in item `[3]`."""
        joint = "" if not self.place or self.place.startswith("[") else "."
        return JsonError(self.reason, f"{part}{joint}{self.place}")


def to_json(value: object) -> str:
    """A value as JSON without blanks.

    Raises:
        ValueError: a number is infinite or none, which JSON cannot write.
    """
    return compact(plain(value))


def compact(value: Any) -> str:
    """Plain values (dicts, lists, texts, numbers) as JSON without blanks; errors as of `to_json`."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def plain(value: Any) -> Any:
    """A value as JSON has it: made of dicts, lists, texts, numbers, truth values and None."""
    kind: Any = type(value)
    if kind is str or kind is int or value is None or kind is bool or kind is float:
        return value
    if kind is tuple or kind is list:
        return [plain(one) for one in value]
    if isinstance(value, Mapping):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, Enum):
        return value.value
    found: dict[str, Any] = {TAG: tag} if (tag := getattr(kind, TAG, None)) else {}
    for name, default in _members(kind):
        held = getattr(value, name)
        # A tuple that was given is written also where it equals the default: logs of all versions hold it so, and a
        # line that is read and written again keeps its text and its hash.
        if held is default or (held == default and not isinstance(held, tuple)):
            continue
        found[name] = plain(held)
    return found


@cache
def _members(kind: Any) -> tuple[tuple[str, object], ...]:
    """The names of a class's members, each with its default or `MISSING`."""
    if not is_dataclass(kind):
        raise TypeError(f"{kind.__name__} has no form in JSON")
    return tuple((one.name, one.default) for one in fields(kind))


def from_json(text: str | bytes, type_: type[T], *, lenient: bool = False) -> T:
    """Read a value of a type from JSON.

    Args:
        text: JSON; bytes are UTF-8.
        type_: a dataclass, a union of tagged ones, or anything that their members can be: `str`, `int`, `float`,
            `bool`, `None`, `Any`, `Literal`, an enumeration, and tuples, lists, dicts and unions with None of these.
        lenient: pass over members that a class does not have, instead of refusing them.

    Raises:
        JsonError: the text is not JSON or holds something else; a member is missing, unknown, or there twice.
    """
    return from_plain(load(text), type_, lenient=lenient)


def from_plain(value: Any, type_: type[T], *, lenient: bool = False) -> T:
    """The value that `load` has read as lists, objects and so on; arguments and errors as of `from_json`."""
    wanted: Any = type_
    found: T = _reader(wanted, lenient)(value)
    return found


def load(text: str | bytes) -> Any:
    """Read JSON as plain values: dicts, lists, texts, numbers, truth values and None.

    Raises:
        JsonError: the text is not JSON, or a member stands there twice.
    """
    try:
        plain_text = text.decode() if isinstance(text, bytes) else text
        if plain_text.count("[") + plain_text.count("{") > _DEEPEST and _depth(plain_text) > _DEEPEST:
            raise JsonError("it is nested too deeply")
        return json.loads(plain_text, object_pairs_hook=_object, parse_int=_whole, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise JsonError(f"it is not UTF-8: byte {error.start + 1} is {error.object[error.start]:#04x}") from None
    except json.JSONDecodeError as error:
        raise JsonError(f"it is not JSON: {error.msg.removesuffix(' at')} at character {error.pos + 1}") from None


def _depth(text: str) -> int:
    """Greatest depth of lists and objects within each other."""
    depth = deepest = 0
    for bracket in _BRACKETS.finditer(text):
        depth += (bracket[0] in "[{") - (bracket[0] in "]}")
        deepest = max(deepest, depth)
    return deepest


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise JsonError(f"the member {twice[:40]!r} stands there twice")
    return found


def _whole(text: str) -> int:
    if len(text) > _LONGEST_NUMBER:
        raise JsonError(f"{text[:10]}… is too large a number")
    return int(text)


def _no_number(text: str) -> NoReturn:
    raise JsonError(f"{text} is no number")


def _wrong(needed: str, value: Any) -> JsonError:
    shown = f"{value[:40]!r}" if isinstance(value, str) else _WORDS[type(value)]
    return JsonError(f"{needed} is needed, not {shown}")


@cache
def _reader(type_: Any, lenient: bool) -> _Reader:
    """Reader of a type: makes its values from plain ones."""
    if type_ is Any:
        return _anything
    if type_ is str:
        return _text
    if type_ is float:
        return _number
    if type_ in (int, bool, NoneType, None):
        return _exactly(NoneType if type_ is None else type_)
    origin, inner = get_origin(type_), get_args(type_)
    if origin is Literal:
        return _one_of({one: one for one in inner})
    if origin in (Union, UnionType):
        return _union(inner, lenient)
    if origin is tuple and inner[1:] != (...,):
        return _several(tuple(_reader(one, lenient) for one in inner))
    if origin in (tuple, list):
        return _list(origin, _reader(inner[0], lenient))
    if origin is dict:
        return _dict(_reader(inner[1], lenient))
    if isinstance(type_, type) and issubclass(type_, Enum):
        return _one_of({one.value: one for one in type_})
    if not is_dataclass(type_):
        raise TypeError(f"{type_!r} has no form in JSON")
    return _record(type_, lenient)


def _anything(value: Any) -> Any:
    """A value of any form, which can be written again: no half letters, no infinite numbers."""
    if type(value) is dict:
        for name, held in value.items():
            _text(name)
            try:
                _anything(held)
            except JsonError as error:
                raise error.inside(name) from None
    elif type(value) is list:
        for at, held in enumerate(value):
            try:
                _anything(held)
            except JsonError as error:
                raise error.inside(f"[{at}]") from None
    elif type(value) is str:
        _text(value)
    elif type(value) is float:
        _number(value)
    return value


def _text(value: Any) -> str:
    if type(value) is not str:
        raise _wrong("a text", value)
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise JsonError("the text holds half of a surrogate pair") from None
    return value


def _number(value: Any) -> float:
    if type(value) not in (int, float):
        raise _wrong("a number", value)
    if not isfinite(value):
        raise JsonError("the number is too large")
    return float(value)


def _exactly(kind: type) -> _Reader:
    def read(value: Any) -> Any:
        if type(value) is not kind:
            raise _wrong(_WORDS[kind], value)
        return value

    return read


def _one_of(options: Mapping[Any, Any]) -> _Reader:
    def read(value: Any) -> Any:
        if type(value) is not str or value not in options:
            raise _wrong(f"one of {', '.join(map(repr, options))}", value)
        return options[value]

    return read


def _union(inner: tuple[Any, ...], lenient: bool) -> _Reader:
    others = [one for one in inner if one is not NoneType]
    reads = _reader(others[0], lenient) if len(others) == 1 else _tagged(others, lenient)
    if len(others) == len(inner):
        return reads
    return lambda value: None if value is None else reads(value)


def _tagged(classes: list[Any], lenient: bool) -> _Reader:
    reads = {getattr(one, TAG): _reader(one, lenient) for one in classes}

    def read(value: Any) -> Any:
        if type(value) is not dict:
            raise _wrong("an object", value)
        if TAG not in value:
            raise JsonError("the member is missing", TAG)
        tag = value[TAG]
        if type(tag) is not str or tag not in reads:
            raise _wrong(f"one of {', '.join(map(repr, reads))}", tag).inside(TAG)
        return reads[tag]({name: held for name, held in value.items() if name != TAG})

    return read


def _items(value: Any) -> list[Any]:
    if type(value) is not list:
        raise _wrong("a list", value)
    return value


def _list(kind: type, reads: _Reader) -> _Reader:
    def read(value: Any) -> Any:
        found: list[Any] = []
        try:
            for held in _items(value):
                found.append(reads(held))
        except JsonError as error:
            raise error.inside(f"[{len(found)}]") if type(value) is list else error from None
        return kind(found)

    return read


def _several(reads: tuple[_Reader, ...]) -> _Reader:
    def read(value: Any) -> Any:
        if len(_items(value)) != len(reads):
            raise JsonError(f"a list of {len(reads)} is needed, not of {len(value)}")
        found: list[Any] = []
        try:
            for reads_one, held in zip(reads, value, strict=True):
                found.append(reads_one(held))
        except JsonError as error:
            raise error.inside(f"[{len(found)}]") from None
        return tuple(found)

    return read


def _dict(reads: _Reader) -> _Reader:
    def read(value: Any) -> Any:
        if type(value) is not dict:
            raise _wrong("an object", value)
        found = {}
        for name, held in value.items():
            _text(name)
            try:
                found[name] = reads(held)
            except JsonError as error:
                raise error.inside(name) from None
        return found

    return read


def _record(kind: Any, lenient: bool) -> _Reader:
    hints = get_type_hints(kind)
    reads = {one.name: _reader(hints[one.name], lenient) for one in fields(kind)}
    needed = [one.name for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING]

    def read(value: Any) -> Any:
        if type(value) is not dict:
            raise _wrong("an object", value)
        given: dict[str, Any] = {}
        name = ""
        try:
            for name, held in value.items():
                if name in reads:
                    given[name] = reads[name](held)
                elif not lenient:
                    raise JsonError(f"there is no such member; there are {', '.join(reads)}")
        except JsonError as error:
            raise error.inside(name) from None
        for name in needed:
            if name not in given:
                raise JsonError("the member is missing", name)
        try:
            return kind(**given)
        except ValueError as error:  # what the class itself refuses
            raise JsonError(str(error)) from None

    return read
