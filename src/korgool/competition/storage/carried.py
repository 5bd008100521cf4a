"""Knowledge of a server about an event beside its log, as an event file carries it elsewhere: its address, for one.

In a file it stands where the private parts of a line 0 would be, as a part named `server` without a salt. There is no
such line, so programs that know nothing of it leave it alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from korgool.competition.codec import JsonError, compact
from korgool.competition.storage.sealing import parts_of

PLACE: Final = 0
"""The number of the line beside whose place it stands."""
ID: Final = "id"
"""The member with the address: the event's id on the server that wrote the file."""
_PART: Final = "server"


def carried_text(beside: Mapping[str, Any]) -> str:
    """The text that carries it; empty for nothing."""
    return compact({_PART: ["", dict(beside)]}) if beside else ""


def read_carried(text: str) -> dict[str, Any]:
    """Read what a text carries; empty where it is nothing of the kind."""
    try:
        found = parts_of(text).get(_PART)
    except JsonError:
        return {}
    return found if isinstance(found, dict) else {}


def carried_id(beside: Mapping[str, Any]) -> str:
    """The id that is carried; empty for none."""
    found = beside.get(ID, "")
    return found if isinstance(found, str) else ""
