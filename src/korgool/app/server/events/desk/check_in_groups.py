"""The check-in over all groups of an event: one list and one search at the door of the hall."""

from __future__ import annotations

from dataclasses import dataclass

from litestar import MediaType, Response, get
from litestar.response import Redirect

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.events.desk.check_in import ExpectedPlayer, check_in, rounds_to_note
from korgool.app.server.events.desk.entries import found_players, searched_text
from korgool.app.server.events.desk.frame import ThePlace, desk_page
from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.events.official_access import TheEventRegistry
from korgool.app.server.http.forms import see
from korgool.app.server.http.responses import AnyRequest, language_of
from korgool.app.words.event_texts import collation

_VIEWS = ("missing", "there")


@dataclass(frozen=True, slots=True)
class GroupAtDoor:
    """A group with a round for which players are noted.

    Attributes:
        id: its address.
        number: its id in the event.
        name: its name.
        round: the first round for which somebody may be noted.
        people: those who play in it.
    """

    id: str
    number: int
    name: str
    round: int
    people: tuple[ExpectedPlayer, ...]


@get("/check-in/groups", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def page_of_groups(
    request: AnyRequest, place: ThePlace, event_registry: TheEventRegistry
) -> Response[str] | Redirect:
    """The players of all groups, each for the first round of its group; `show` and `q` choose some of them."""
    path = request.scope["path"]
    if not place.state.groups:
        return see(path.removesuffix("/groups"))
    asked, language = request.query_params, language_of(request)
    show = next((one for one in _VIEWS if one == asked.get("show", "")), "")
    sought = asked.get("q", "").strip()[:100]
    groups, found = [], set[tuple[int, int]]()
    for event in await event_registry.groups(place.event):
        if (group := _at_door(event)) is not None:
            groups.append(group)
            found |= {(group.number, one.id) for one in found_players(event.state, sought)}
    people = sorted(
        ((group, one) for group in groups for one in group.people),
        key=lambda line: (collation(line[1].player.name, language), line[0].number),
    )
    return desk_page(
        request,
        place,
        "check-in",
        "check_in_groups.html",
        all_groups=True,
        at_door=groups,
        people=people,
        hidden={
            (group.number, one.player.id)
            for group, one in people
            if (group.number, one.player.id) not in found or (show and not sought and one.state != show)
        },
        counts={state: sum(one.state == state for _, one in people) for state in _VIEWS},
        show=show,
        asked=sought,
        may_note=do.Present in place.allowed,
        searched_text=searched_text,
        back=f"{path}{f'?show={show}' if show else ''}#q",
    )


def _at_door(event: LiveEvent) -> GroupAtDoor | None:
    """A group whose players may be noted now, None after its last round."""
    state = event.state
    number = next(iter(rounds_to_note(state)), 0)
    if not number:
        return None
    people = tuple(one for one in check_in(state, number).people if one.state != "away")
    return GroupAtDoor(event.id, state.group, state.groups[state.group], number, people)


handlers = [page_of_groups]
