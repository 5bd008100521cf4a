"""The part of what stands beside a log that is taken from a file: roles with their links and codes, and their keys.

A file may come from anyone with an account, so everything is read again as what it should be, and the rest left out:
one role that cannot be takes no other with it. Roles of accounts are left out too, for a file must not put an event
before somebody who knows nothing of it, and the event is not public here before an official says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from korgool.app.server.events.helpers.service import MOST_ROLES, tidy_name
from korgool.competition.errors import CompetitionError
from korgool.competition.roles import Boards, DeskRole

_SECRET: Final = re.compile("[0-9a-f]{64}")
"""A key, and the digest of a link or a code."""
_ROLE_ID: Final = re.compile("[A-Za-z0-9_-]{1,16}")
_MEMBERS: Final = (
    *("id", "account", "link", "code", "role", "first_board", "last_board", "name"),
    *("made_ms", "until_ms", "ended_ms"),
)
_LAST_MS: Final = 253_370_764_800_000
"""The year 9999 begins: what is later is a day in no calendar."""
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
    found: dict[str, Any] = {"roles": _roles(parts.get("roles"))}
    tables = parts.get("tables")
    if isinstance(tables, str) and _SECRET.fullmatch(tables):
        found["tables"] = tables
    address = snapshot.get("address")
    home = address if isinstance(address, str) and (address == origin or (hall and _is_place(address))) else ""
    return {
        "secret": secret,
        "parts": found,
        "address": home,
        "peers": [home] if home not in ("", origin) else [],
    }


def going_roles(snapshot: object) -> int:
    """Number of roles by link or code that a snapshot brings and that nobody has ended."""
    roles = beside_of(snapshot, origin="", hall=True).get("parts", {}).get("roles", ())
    return sum(one["ended_ms"] is None for one in roles)


def _roles(given: object) -> list[dict[str, Any]]:
    """The roles that can be; of two with the same id, link or code the first, and those that go on before others."""
    seen: set[tuple[str, str]] = set()
    found = []
    for one in given if isinstance(given, list) else []:
        row = _role(one)
        own = set() if row is None else {(name, row[name]) for name in ("id", "link", "code") if row[name] is not None}
        if row is not None and not own & seen:
            seen |= own
            found.append(row)
    return sorted(found, key=lambda row: row["ended_ms"] is not None)[:MOST_ROLES]


def _role(given: object) -> dict[str, Any] | None:
    """A role by link or code as it is stored; None for one of an account, and for what cannot be one."""
    if not isinstance(given, Mapping) or given.get("account") is not None:
        return None
    row: dict[str, Any] = {name: given.get(name) for name in _MEMBERS}
    if not all(isinstance(row[name], str) for name in ("role", "id", "name")) or not _ROLE_ID.fullmatch(row["id"]):
        return None
    digests = [row[name] for name in ("link", "code") if row[name] is not None]
    if not all(isinstance(text, str) and _SECRET.fullmatch(text) for text in digests):
        return None
    times = [row["made_ms"], *(row[name] for name in ("until_ms", "ended_ms") if row[name] is not None)]
    if not all(type(time) is int and 0 <= time < _LAST_MS for time in times):
        return None
    boards = row["first_board"], row["last_board"]
    if boards != (None, None) and not all(type(board) is int for board in boards):
        return None
    try:
        if boards != (None, None):
            Boards(*boards)
        return row | {"role": DeskRole(row["role"]).value, "name": tidy_name(row["name"])}
    except (ValueError, CompetitionError):
        return None


def _is_place(address: str) -> bool:
    try:
        parts = urlsplit(address)
        known = parts.scheme in ("http", "https") and bool(parts.hostname)
        return (
            known
            and len(address) <= _LONGEST
            and address.isprintable()
            and address == f"{parts.scheme}://{parts.netloc}"
        )
    except ValueError:
        return False
