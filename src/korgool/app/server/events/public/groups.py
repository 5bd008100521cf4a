"""The groups of an event for programs: the list of them, and by name the standings and rounds of each."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, Router, get
from litestar.params import PathParameter, QueryParameter

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.messages import CountedResult, EventGroup, Medals
from korgool.app.server.events.official_access import EventId, TheEventRegistry, readable
from korgool.app.server.events.public.pages import BOARDS, LINES, ThePublicPages, public_data
from korgool.app.server.http.openapi import refusals
from korgool.app.server.http.responses import AnyRequest
from korgool.competition.across_groups import CountryOrder, counted_names, medals
from korgool.competition.errors import CompetitionError

GroupName = Annotated[str, PathParameter(description="name of the group, in any case", max_length=60)]


@get(
    "/",
    action=Action.WATCH,
    responses=refusals({404: "no such event"}),
    summary="The groups of an event",
)
async def read_groups(request: AnyRequest, event_id: EventId, event_registry: TheEventRegistry) -> list[EventGroup]:
    """The groups, the first one first; an event without groups is one of its own name.

    Everything at `/api/events/ID` is there for a group too, with its `id` in place of the event's.
    """
    event = await readable(request, event_id)
    found = []
    for one in await event_registry.groups(event):
        state, settings = one.state, one.state.event
        found.append(
            EventGroup(
                id=one.id, name=state.groups.get(state.group, settings.name), title=settings.name, game=settings.game,
                system=settings.system.value, rounds=settings.rounds, sex=settings.sex,
                from_year=settings.from_year or None, to_year=settings.to_year or None,
                players=len(state.players), teams=len(state.teams), paired=len(state.rounds),
                missing=list(state.rounds[-1].missing) if state.rounds else [], over=state.over,
            )
        )  # fmt: skip
    return found


@get(
    "/{name:str}/standings",
    action=Action.WATCH,
    responses={200: LINES, **refusals({404: "no such event or group"})},
    summary="The standings of a group",
)
async def read_group_standings(
    request: AnyRequest,
    event_id: EventId,
    name: GroupName,
    event_registry: TheEventRegistry,
    public_pages: ThePublicPages,
) -> Response[bytes]:
    """A line for each competitor, as `korgool event standings --group NAME --json` prints it."""
    address = await _address(request, event_registry, event_id, name)
    return await public_data(request, address, public_pages, "standings")


@get(
    "/{name:str}/rounds/{number:str}",
    action=Action.WATCH,
    responses={200: BOARDS, **refusals({404: "no such event, group or round"})},
    summary="A round of a group",
)
async def read_group_round(
    request: AnyRequest,
    event_id: EventId,
    name: GroupName,
    number: Annotated[str, PathParameter(description="from 1", max_length=4)],
    event_registry: TheEventRegistry,
    public_pages: ThePublicPages,
) -> Response[bytes]:
    """The boards with their results, then the byes, as `korgool event round --group NAME --json` prints them."""
    address = await _address(request, event_registry, event_id, name)
    return await public_data(request, address, public_pages, f"rounds/{number}")


@get(
    "/medals",
    action=Action.WATCH,
    responses=refusals({404: "no such event"}),
    summary="The medals of federations over all groups",
)
async def read_medals(
    request: AnyRequest,
    event_id: EventId,
    event_registry: TheEventRegistry,
    by: Annotated[CountryOrder, QueryParameter(description="what orders them first")] = CountryOrder.MEDALS,
    best: Annotated[
        int | None, QueryParameter(description="how many count in each group, 0 for all", ge=0, le=99)
    ] = None,
) -> list[Medals]:
    """A line for each federation, as `korgool event medals --json` prints it."""
    event = await readable(request, event_id)
    states = [one.state for one in await event_registry.groups(event)]
    return [
        Medals(
            *(one.rank, one.federation or None, one.gold, one.silver, one.bronze, one.medals),
            points=one.points / 2,
            players=one.players,
            counted=[
                CountedResult(group, name, held.rank, held.points / 2)
                for group, name, held in counted_names(states, one)
            ],
        )
        for one in await event_registry.in_thread(lambda: medals(states, best=best, order=by))
    ]


async def _address(request: AnyRequest, event_registry: Any, event_id: str, name: str) -> str:
    """The address of a group by its name.

    Raises:
        ApiError: 404, there is no such event that the reader may see, or no such group.
    """
    event = await readable(request, event_id)
    try:
        found: str = (await event_registry.group(event, name)).id
    except CompetitionError:
        raise ApiError(404, errors.NO_PAGE) from None
    return found


router = Router(
    "/api/events/{event_id:str}/groups",
    route_handlers=[read_groups, read_group_standings, read_group_round],
    tags=["events"],
)
medals_router = Router("/api/events/{event_id:str}", route_handlers=[read_medals], tags=["events"])
