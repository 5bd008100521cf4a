"""The fields of a JSON object, read strictly.

A name twice, a shape that is not asked for, or a number beyond all reason is refused with the name of the field.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn

from korgool.conduct.events import By
from korgool.notation.moves import quoted
from korgool.rules import Side

LONGEST_LINE = 65_536
"""Bytes that a line of a log may have."""
LATEST = 10**10
"""Seconds that a time may have: more than three hundred years."""
COMMON = frozenset({"at", "by", "do"})
"""Fields that every event has."""
_LONGEST_TEXT = 400


def action_name(action: type) -> str:
    """The word by which a log calls a class of action: `clock_fault` for `ClockFault`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", action.__name__).lower()


class EventError(ValueError):
    """A line is not a valid event; the message names the field that is wrong and the values it may have."""


def load(line: str | bytes) -> dict[str, Any]:
    """The JSON object of a line, its whole numbers as `int` and others as `Decimal`.

    Raises:
        EventError: the line is too long, is no JSON object, or says a thing twice.
    """
    if len(line) > LONGEST_LINE:
        raise EventError(f"the line is longer than {LONGEST_LINE} bytes, which are enough for any event")
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        found = json.loads(
            text,
            parse_float=_decimal,
            parse_int=_whole,
            parse_constant=_no_number,
            object_pairs_hook=_object,
        )
    except UnicodeDecodeError as error:
        raise EventError(f"the line is not UTF-8: byte {error.start + 1} is {error.object[error.start]:#04x}") from None
    except json.JSONDecodeError as error:
        raise EventError(f"the line is not JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise EventError("the line is nested too deeply") from None
    if not isinstance(found, dict):
        raise EventError(f"a line is a JSON object, not {kind_of(found)}")
    return found


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        raise EventError(f"{quoted(text)} is too large a number") from None


def _whole(text: str) -> int:
    if len(text) > 18:
        raise EventError(f"{quoted(text)} is too large a number")
    return int(text)


def _no_number(text: str) -> NoReturn:
    raise EventError(f"{text} is no number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise EventError(f"the field {quoted(twice)} stands twice")
    return found


def kind_of(value: Any) -> str:
    """Type of a JSON value, for messages."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    names = {str: "a text", int: "a number", Decimal: "a number", list: "a list", dict: "an object"}
    return names[type(value)]


class Fields:
    """The fields of a JSON object, taken out one by one with their shape checked.

    Args:
        name: what the object is, for messages.
        values: its fields.
    """

    def __init__(self, name: str, values: dict[str, Any]) -> None:
        self.name, self.values = name, values

    def only(self, allowed: Iterable[str]) -> None:
        """Raise if any other field is left."""
        names = set(allowed)
        unknown = [name for name in self.values if name not in names]
        if unknown:
            extra = ", ".join(sorted(names - COMMON)) or "nothing beside at, by and do"
            raise EventError(f"{self.name} has no field {', '.join(map(quoted, unknown[:3]))}; it takes {extra}")

    def _wrong(self, name: str, needed: str) -> EventError:
        value = self.values.get(name)
        shown = str(value).lower()[:40] if isinstance(value, int | Decimal) else kind_of(value)
        if isinstance(value, str):
            shown = quoted(value)
        return EventError(f"{self.name}: {name!r} must be {needed}, not {shown}")

    def required(self, name: str) -> None:
        """Refuse an object without this field."""
        if name not in self.values:
            raise EventError(f"{self.name} lacks {name!r}")

    def choice(self, name: str, options: tuple[str, ...]) -> str:
        """One of some words; the field must be there."""
        self.required(name)
        value = self.values[name]
        if not isinstance(value, str) or value not in options:
            raise self._wrong(name, f"one of {', '.join(options)}")
        return str(value)

    def text(self, name: str, most: int = _LONGEST_TEXT) -> str | None:
        """A printable text that is not empty, or None where there is none."""
        value = self.values.get(name)
        if value is None:
            return None
        if not isinstance(value, str) or not value.strip() or not value.isprintable() or len(value) > most:
            raise self._wrong(name, f"a text of 1 to {most} printable characters")
        return value

    def whole(self, name: str, least: int, most: int) -> int | None:
        """A whole number in a range, or None where there is none."""
        value = self.values.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise self._wrong(name, f"a whole number from {least} to {most}")
        return value

    def seconds(self, name: str) -> int | None:
        """A time in seconds as whole milliseconds, halves rounded to even, or None where there is none."""
        value = self.values.get(name)
        if value is None and name != "at":
            return None
        if isinstance(value, bool) or not isinstance(value, int | Decimal) or not 0 <= value <= LATEST:
            raise self._wrong(name, f"seconds from 0 to {LATEST}")
        if isinstance(value, int):
            return value * 1000
        return int(value.quantize(_MILLISECOND) * 1000)

    def flag(self, name: str) -> bool | None:
        """True or false, or None where there is neither."""
        value = self.values.get(name)
        if value is not None and not isinstance(value, bool):
            raise self._wrong(name, "true or false")
        return value

    def side(self, name: str) -> Side | None:
        """A player, or None where there is none."""
        if self.values.get(name) is None:
            return None
        return By(self.choice(name, ("white", "black"))).side

    def inner(self, name: str) -> Fields | None:
        """An object within, or None where there is none."""
        value = self.values.get(name)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self._wrong(name, "an object")
        return Fields(f"{name!r}", value)


_MILLISECOND = Decimal("0.001")
