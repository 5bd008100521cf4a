"""The part of what stands beside a log that is taken from a file: roles with their links and codes, and their keys.

A file may come from anyone with an account, so everything is read again as what it should be, and the rest left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from korgool.app.server.events.helpers.service import MOST_ROLES
from korgool.competition.roles import DeskRole

_SECRET: Final = re.compile("[0-9a-f]{64}")
_TEXTS: Final = {"id": 16, "account": 24, "link": 64, "code": 64, "name": 60}
_NUMBERS: Final = {"first_board": 2**31, "last_board": 2**31, "made_ms": 2**53, "until_ms": 2**53, "ended_ms": 2**53}
"""The longest texts of a role, and below what its numbers are."""
_LONGEST: Final = 200


def beside_of(snapshot: object, *, origin: str, hall: bool) -> dict[str, Any]:
    """Part of a snapshot that is taken; empty without the key from which the codes follow.

    Args:
        snapshot: as a file carries it.
        origin: the address of this site.
        hall: whether the site is one in a hall, which may ask other machines in its network.
    """
    if not isinstance(snapshot, Mapping):
        return {}
    secret, parts = snapshot.get("secret"), snapshot.get("parts")
    if not isinstance(secret, str) or not _SECRET.fullmatch(secret) or not isinstance(parts, Mapping):
        return {}
    given = parts.get("roles")
    rows = [role for one in (given if isinstance(given, list) else []) if (role := _role(one)) is not None]
    found: dict[str, Any] = {"roles": rows[:MOST_ROLES]}
    tables = parts.get("tables")
    if isinstance(tables, str) and 0 < len(tables) <= _LONGEST:
        found["tables"] = tables
    address = snapshot.get("address")
    home = address if isinstance(address, str) and (address == origin or (hall and _is_place(address))) else ""
    return {
        "secret": secret,
        "parts": found,
        "public": snapshot.get("public") is True,
        "address": home,
        "peers": [home] if home not in ("", origin) else [],
    }


def going_roles(snapshot: object) -> int:
    """Number of roles by link or code that a snapshot brings and that nobody has ended."""
    roles = beside_of(snapshot, origin="", hall=True).get("parts", {}).get("roles", ())
    return sum(one["ended_ms"] is None and one["account"] is None for one in roles)


def _role(given: object) -> dict[str, Any] | None:
    if not isinstance(given, Mapping) or given.get("role") not in set(DeskRole):
        return None
    row: dict[str, Any] = {"role": str(given["role"])}
    for name, most in _TEXTS.items():
        text = given.get(name)
        if text is not None and (not isinstance(text, str) or len(text) > most or "\0" in text):
            return None
        row[name] = text
    for name, below in _NUMBERS.items():
        number = given.get(name)
        if number is not None and (type(number) is not int or not 0 <= number < below):
            return None
        row[name] = number
    if not row["id"] or row["name"] is None or row["made_ms"] is None:
        return None
    return row


def _is_place(address: str) -> bool:
    try:
        parts = urlsplit(address)
        known = parts.scheme in ("http", "https") and bool(parts.hostname)
        return known and len(address) <= _LONGEST and address == f"{parts.scheme}://{parts.netloc}"
    except ValueError:
        return False
