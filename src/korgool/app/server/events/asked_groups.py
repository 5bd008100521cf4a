"""The group that the actions of a request are for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from korgool.competition.codec import JsonError

GROUP = "group"
"""The member of an action that names its group."""


def asked_group(given: Sequence[object]) -> str | None:
    """The name of the group that the actions of a request are for, None where they name none.

    Raises:
        JsonError: they name several, or it is no text.
    """
    found: set[str] = set()
    for number, one in enumerate(given):
        if isinstance(one, Mapping) and (name := one.get(GROUP)) is not None:
            if not isinstance(name, str):
                raise JsonError("a text is needed", GROUP).inside(f"[{number}]").inside("actions")
            found.add(name)
    named = sum(isinstance(one, Mapping) and one.get(GROUP) is not None for one in given)
    if len(found) > 1 or 0 < named < len(given):
        raise JsonError("the actions of one request are of one group", "actions")
    return next(iter(found), None)
