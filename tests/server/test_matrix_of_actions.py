"""Every action × every role × every group and event: who may do what is what the table of powers says, and no more.

The actions are generated from their types, so a new one is tried as soon as it exists.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from enum import Enum
from pathlib import Path
from typing import Any, Literal

import pytest

from korgool.app.server.events.action_requests import LOGGED, RequestedAction, read_request
from korgool.competition.model import ByeKind
from korgool.competition.roles import POWERS, DeskRole

from .members import Browser, Site, on_site
from .support import Json
from .test_event_doors import somebody, tried
from .test_event_groups import championship

KINDS: dict[str, Any] = {kind.do: kind for kind in RequestedAction.__args__}
NOBODY = 99
GIVEN = tuple(role for role in DeskRole if role in POWERS)


def sample(kind: Any) -> Any:
    """A value of a type as JSON, about players and boards that do not exist."""
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return None
    if origin is Literal:
        return inside[0]
    if origin is tuple:
        return [] if Ellipsis in inside else [sample(one) - at for at, one in enumerate(inside)]
    if kind is ByeKind:
        return ByeKind.ZERO.value  # the one that a helper at the check-in may give
    if isinstance(kind, type) and issubclass(kind, Enum):
        return next(iter(kind)).value
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        needed = (
            one.name
            for one in dataclasses.fields(kind)
            if one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING
        )
        return {name: sample(hints[name]) for name in needed}
    return {int: NOBODY, str: "x"}[kind]


def test_there_is_an_action_of_every_kind() -> None:
    assert KINDS.keys() <= LOGGED.keys()
    for do, kind in KINDS.items():
        (read,) = read_request([{"do": do, **sample(kind)}])
        assert type(read.action) is kind


async def asked(browser: Browser, event: str, do: str, group: str = "") -> int:
    """The status of an action of a kind."""
    one: Json = {"do": do, "reason": "r", **sample(KINDS[do])} | ({"group": group} if group else {})
    if do == "group":
        one.pop("group", None)
    answer = await tried(browser, event, one, after=2)
    assert answer.status_code != 500, (do, answer.text)
    assert answer.status_code != 400, (do, answer.text)  # it was read, so it was judged
    return answer.status_code


@pytest.mark.parametrize("role", GIVEN)
def test_a_role_may_do_what_its_powers_name_in_every_group_and_nothing_elsewhere(
    tmp_path: Path, role: DeskRole
) -> None:
    async def test(site: Site) -> None:
        maker, browser, stranger = [await somebody(site, name) for name in ("Maker", "Helper", "Stranger")]
        own, foreign = await championship(maker), await championship(maker)
        boards = [1, 1] if role is DeskRole.SECTOR else None
        await maker.told("POST", f"/api/events/{own}~3/helpers", {"role": role, "account": "Helper", "boards": boards})
        wrong = []
        powers = {kind.do for kind in POWERS[role].actions}
        for do in KINDS:
            allowed = LOGGED[do].do in powers
            for address, group in ((own, ""), (f"{own}~3", ""), (own, "Women")):
                found = await asked(browser, address, do, group)
                if (found == 403) == allowed:
                    wrong.append((do, address, group, found))
            for who, address in (
                (browser, foreign),
                (browser, f"{foreign}~3"),
                (stranger, own),
                (stranger, f"{own}~3"),
            ):
                if (found := await asked(who, address, do)) != 403:
                    wrong.append((do, address, "foreign", found))
        assert wrong == []

    on_site(tmp_path, test)
