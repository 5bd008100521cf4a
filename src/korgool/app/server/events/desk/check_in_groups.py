"""The check-in over all groups of an event: one list and one search at the door of the hall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from litestar import MediaType, Response, get, post
from litestar.response import Redirect

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.desk.check_in import ExpectedPlayer, check_in, rounds_to_note
from korgool.app.server.events.desk.entries import found_players, searched_text
from korgool.app.server.events.desk.forms import (
    Answer,
    done,
    known_line,
    read_fields,
    refusal_of,
    refusal_page,
    whole_number,
)
from korgool.app.server.events.desk.frame import ThePlace, desk_page
from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.events.official_access import TheEventRegistry
from korgool.app.server.http.forms import see
from korgool.app.server.http.responses import AnyRequest, language_of
from korgool.app.words.event_texts import collation
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Player

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


@dataclass(frozen=True, slots=True)
class PersonAtDoor:
    """Somebody who is expected, in one group or in several.

    Attributes:
        seats: each group with what it expects of them.
    """

    seats: tuple[tuple[GroupAtDoor, ExpectedPlayer], ...]

    @property
    def player(self) -> Player:
        """The player, as their first group has them."""
        return self.seats[0][1].player

    @property
    def state(self) -> str:
        """`there` where all their groups have noted it, else `missing`."""
        return "there" if all(one.here for _, one in self.seats) else "missing"


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
    groups, found = [], set[int]()
    for event in await event_registry.groups(place.event):
        if (group := _at_door(event)) is not None:
            groups.append(group)
            found |= {one.id for one in found_players(event.state, sought)}
    people = sorted(_people(groups), key=lambda one: collation(one.player.name, language))
    return desk_page(
        request,
        place,
        "check-in",
        "check_in_groups.html",
        all_groups=True,
        at_door=groups,
        people=people,
        hidden={
            one.player.id for one in people if one.player.id not in found or (show and not sought and one.state != show)
        },
        counts={state: sum(one.state == state for one in people) for state in _VIEWS},
        show=show,
        asked=sought,
        may_note=do.Present in place.allowed,
        searched_text=searched_text,
        back=f"{path}{f'?show={show}' if show else ''}#q",
    )


@post("/check-in/groups", action=Action.OFFICIATE)
async def note_in_groups(request: AnyRequest, place: ThePlace, event_registry: TheEventRegistry) -> Answer:
    """Note that a player is there, or is not, in all groups that expect them, all or none.

    Raises:
        ApiError: 404, no group expects such a player.
    """
    place.permit(do.Present)
    given = await read_fields(request)
    player, id_ = whole_number(given.get("player", [""])[-1], 9), given.get("id", [""])[-1][:30]
    here = given.get("here", ["on"])[-1] == "on"
    groups = await event_registry.groups(place.event) if place.state.groups else ()
    at_door = [group for event in groups if (group := _at_door(event)) is not None]
    person = next((one for one in _people(at_door) if one.player.id == player), None)
    if person is None:
        raise ApiError(404, errors.NO_PLAYER)
    asked = [
        {"do": "present", "group": group.name, "round": group.round, "players": [player], "here": here}
        | ({"id": f"{id_}-{group.number}"} if id_ else {})
        for group, one in person.seats
        if one.here != here
    ]
    try:
        if asked:
            await place.event.act(place.officer, known_line(given), asked)
    except CompetitionError as problem:
        again = {name: given[name] for name in ("player", "here", "id", "back") if name in given}
        return refusal_page(request, place, again, refusal_of(problem), request.scope["path"])
    return done(request, place, given)


def _people(groups: Sequence[GroupAtDoor]) -> list[PersonAtDoor]:
    """Everybody who is expected once, with their groups in order."""
    seats: dict[int, list[tuple[GroupAtDoor, ExpectedPlayer]]] = {}
    for group in groups:
        for one in group.people:
            seats.setdefault(one.player.id, []).append((group, one))
    return [PersonAtDoor(tuple(found)) for found in seats.values()]


def _at_door(event: LiveEvent) -> GroupAtDoor | None:
    """A group whose players may be noted now, None after its last round."""
    state = event.state
    number = next(iter(rounds_to_note(state)), 0)
    if not number:
        return None
    people = tuple(one for one in check_in(state, number).people if one.state != "away")
    return GroupAtDoor(event.id, state.group, state.groups[state.group], number, people)


handlers = [page_of_groups, note_in_groups]
