"""Values of any public class, made from the types of its fields."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import inspect
import pathlib
import types
import typing
from collections import abc, deque
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import korgool

ROOMS = ("rules", "notation", "engine", "conduct", "competition", "live", "accounts", "languages", "glicko")
"""The library: every room but the application."""


def public_classes() -> list[type]:
    """Every class that a module of the library defines under a public name, in the order of their full names."""
    found: dict[str, type] = {}
    for room in ROOMS:
        name = f"korgool.{room}"
        module = import_module(name)
        inside = walk_packages(module.__path__, f"{name}.") if hasattr(module, "__path__") else ()
        for one in [name, *(info.name for info in inside)]:
            if "._" in one or one.endswith("__main__"):
                continue
            try:
                members = vars(import_module(one))
            except ImportError:  # an extra that is not installed
                continue
            for public, value in members.items():
                if inspect.isclass(value) and value.__module__ == one and not public.startswith("_"):
                    found[f"{one}.{public}"] = value
    return [found[name] for name in sorted(found)]


class UnmadeError(Exception):
    """No value of a type can be made from the type alone."""


def values(cls: type, own: abc.Mapping[type, abc.Sequence[object]], depth: int = 0) -> list[Any]:
    """One or two values of a class, which differ where there are two.

    Args:
        cls: the class.
        own: values of classes whose fields have to fit each other.
        depth: how many classes lie around it.

    Raises:
        UnmadeError: a field has a type of which nothing is known, or the values do not fit each other.
    """
    if cls in own:
        return list(own[cls])
    if issubclass(cls, enum.Enum):
        return list(cls)
    if depth > 8:
        raise UnmadeError(f"{cls} lies within itself")
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        names: abc.Sequence[str] = cls._fields
    elif dataclasses.is_dataclass(cls):
        names = [field.name for field in dataclasses.fields(cls) if field.init]
    else:
        raise UnmadeError(f"{cls} is neither a dataclass nor an enumeration")
    hints = _hints(cls)
    choices = {name: _of_type(hints[name], own, depth + 1) for name in names}
    made = []
    for number in range(2 if choices else 1):
        try:
            made.append(cls(**{name: some[number % len(some)] for name, some in choices.items()}))
        except (ValueError, TypeError, ArithmeticError, AttributeError, AssertionError) as error:
            raise UnmadeError(f"{cls}: {error}") from error
    return made


@cache
def _hints(cls: type) -> dict[str, Any]:
    """The types of its fields, also those that a module imports for type checkers alone."""
    known: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        known |= vars(import_module(base.__module__)) if base.__module__.startswith("korgool") else {}
    names = {public: value for public, value in vars(korgool).items() if inspect.isclass(value)}
    return typing.get_type_hints(cls, {**names, **known})


_PLAIN: dict[Any, list[Any]] = {
    int: [3, 4],
    float: [0.25, 0.5],
    str: ["a", "b"],
    bytes: [b"a", b"b"],
    bool: [False, True],
    object: ["a", 1],
    Any: ["a", 1],
    type(None): [None],
    datetime.date: [datetime.date(2026, 1, 2), datetime.date(2026, 1, 3)],
    datetime.time: [datetime.time(9), datetime.time(10)],
    datetime.datetime: [
        datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC),
        datetime.datetime(2026, 1, 3, tzinfo=datetime.UTC),
    ],
    datetime.timedelta: [datetime.timedelta(1), datetime.timedelta(2)],
    pathlib.Path: [pathlib.Path("a"), pathlib.Path("b")],
}

_SEQUENCES: dict[Any, abc.Callable[..., Any]] = {
    tuple: tuple,
    list: list,
    deque: deque,
    abc.Sequence: tuple,
    abc.Collection: tuple,
    abc.Iterable: tuple,
    frozenset: frozenset,
    set: set,
    abc.Set: frozenset,
}


def _inside(hint: Any, own: abc.Mapping[type, abc.Sequence[object]], depth: int) -> list[Any]:
    """What a container holds; nothing where a class would lie within itself."""
    try:
        return _of_type(hint, own, depth)[:2]
    except UnmadeError:
        return []


def _of_type(hint: Any, own: abc.Mapping[type, abc.Sequence[object]], depth: int) -> list[Any]:
    """Two values of a type as annotations write it, or one where it has no more."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, typing.TypeVar):
        return _PLAIN[str]
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return list(arguments)
    if origin is typing.Annotated:
        return _of_type(arguments[0], own, depth)
    if origin in (typing.Union, types.UnionType):
        some: list[Any] = []
        for one in arguments:
            try:
                some += _of_type(one, own, depth)[:1]
            except UnmadeError:
                continue
        if some:
            return some[:2]
        raise UnmadeError(str(hint))
    if origin is tuple and arguments and arguments[-1] is not Ellipsis:
        parts = [_of_type(one, own, depth) for one in arguments]
        return [tuple(part[number % len(part)] for part in parts) for number in (0, 1)]
    if origin in _SEQUENCES:
        kind = _SEQUENCES[origin]
        return [kind([one]) for one in _inside(arguments[0], own, depth)] or [kind()]
    if origin in (dict, abc.Mapping):
        keys, items = (_inside(one, own, depth) for one in arguments)
        return [{key: item} for key, item in zip(keys, items, strict=False)] or [{}]
    if origin is abc.Callable or hint is abc.Callable:
        return [len, abs]
    if origin is type:
        return [int, str]
    if inspect.isclass(hint):
        return values(hint, own, depth)
    raise UnmadeError(str(hint))
