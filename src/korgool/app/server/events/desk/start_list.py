"""The start list over all groups of an event: everybody once, with their groups, entered and found in one place."""

from __future__ import annotations

from dataclasses import dataclass

from litestar import MediaType, Response, get
from litestar.response import Redirect

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.events.desk.entries import found_players, searched_text
from korgool.app.server.events.desk.frame import ThePlace, desk_page
from korgool.app.server.events.group_addresses import group_address
from korgool.app.server.events.official_access import TheEventRegistry
from korgool.app.server.http.forms import see
from korgool.app.server.http.responses import AnyRequest, language_of
from korgool.app.words.event_texts import collation
from korgool.competition.model import Player


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """Somebody in the list.

    Attributes:
        player: who, as their first group has them.
        groups: the address of each of their groups, its name, and their number there.
        others: the ids and names of the groups in which they are not.
        out: whether they are withdrawn or excluded in all their groups.
    """

    player: Player
    groups: tuple[tuple[str, str, int], ...]
    others: tuple[tuple[int, str], ...]
    out: bool


@get("/players/all", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def start_list(
    request: AnyRequest, place: ThePlace, event_registry: TheEventRegistry
) -> Response[str] | Redirect:
    """Everybody of all groups by name, the form for another, and the groups that somebody may join."""
    names, language = place.state.groups, language_of(request)
    if not names:
        return see(request.scope["path"].removesuffix("/all"))
    asked = request.query_params.get("q", "").strip()[:100]
    states = [event.state for event in await event_registry.groups(place.event)]
    found = {one.id for state in states for one in found_players(state, asked)}
    people: dict[int, list[tuple[int, Player]]] = {}
    for state in states:
        for player in state.players.values():
            people.setdefault(player.id, []).append((state.group, player))
    addresses = {id_: group_address(place.event.event_id, place.state, id_) for id_ in names}
    listed = [
        ListedPlayer(
            held[0][1],
            tuple((addresses[group], names[group], player.number) for group, player in held),
            tuple((group, name) for group, name in names.items() if group not in dict(held)),
            all(player.excluded or player.until is not None for _, player in held),
        )
        for id_, held in people.items()
        if id_ in found
    ]
    return desk_page(
        request,
        place,
        "players",
        "start_list.html",
        all_groups=True,
        people=sorted(listed, key=lambda one: collation(one.player.name, language)),
        all_count=len(people),
        addresses=addresses,
        asked=asked,
        may_enter=do.Enter in place.allowed,
        searched_text=searched_text,
    )


handlers = [start_list]
