"""Reads limits from a TOML file."""

from __future__ import annotations

import math
import tomllib
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from korgool.app.server.limits.service_limits import LimitsError, ServiceLimits
from korgool.app.server.limits.token_bucket import Rate

_DEFAULTS = {one.name: one.default for one in fields(ServiceLimits)}
_MOST = 1_000_000_000


def read_limits(path: Path) -> ServiceLimits:
    """The limits with the changes in a file; the others keep their defaults, and `"off"` switches one off.

    Raises:
        LimitsError: the file cannot be read or has invalid contents; the message names file, key and reason.
    """
    try:
        found = tomllib.loads(path.read_bytes().decode())
    except OSError as error:
        raise LimitsError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise LimitsError(f"{path}: is no TOML: {error}") from None
    values: dict[str, Any] = {}
    for key, value in found.items():
        if key not in _DEFAULTS:
            near = get_close_matches(key, _DEFAULTS, 1)
            advice = f"did you mean {near[0]}?" if near else "the manual lists all under 'Limits'"
            raise LimitsError(f"{path}: {key[:60]}: there is no such limit; {advice}")
        try:
            values[key] = None if value == "off" else _value(value, _DEFAULTS[key])
        except ValueError as error:
            raise LimitsError(f"{path}: {key}: {error}") from None
    return ServiceLimits(**values)


def _value(value: object, default: object) -> object:
    if isinstance(default, Rate):
        if not isinstance(value, str):
            raise ValueError("a rate is wanted, like '10/s, burst 400', or 'off'")
        return Rate.parse(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("a number is wanted, or 'off'")
    if not math.isfinite(value) or not 0 < value <= _MOST:
        raise ValueError(f"{value} cannot be; numbers go from above 0 to {_MOST:,}")
    if isinstance(default, int):
        if value != int(value):
            raise ValueError(f"{value} is no whole number")
        return int(value)
    return float(value)
