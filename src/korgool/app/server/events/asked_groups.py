"""The groups that the actions of a request are for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from korgool.competition.codec import JsonError

GROUP = "group"
"""The member of an action that names its group."""


def asked_group(given: Sequence[object]) -> str | None:
    """The name of the one group that all actions of a request are for; None where they name none or several.

    Raises:
        JsonError: it is no text.
    """
    found: set[str | None] = set()
    for number, one in enumerate(given):
        name = one.get(GROUP) if isinstance(one, Mapping) else None
        if name is not None and not isinstance(name, str):
            raise JsonError("a text is needed", GROUP).inside(f"[{number}]").inside("actions")
        found.add(name)
    return found.pop() if len(found) == 1 else None
