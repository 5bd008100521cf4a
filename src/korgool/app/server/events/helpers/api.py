"""Roles at an event for programs: giving them, listing them and ending them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from litestar import Router, delete, get, post
from litestar.di import NamedDependency
from litestar.params import PathParameter

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.api import NO_EVENT, NO_ROLE, read_body, refused
from korgool.app.server.events.event_repository import GivenRole
from korgool.app.server.events.helpers.service import HelperRoles, Invitation, NewHelper
from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.events.messages import HelperMade, HelperTold
from korgool.app.server.events.official_access import TheEvent, TheOfficer
from korgool.app.server.events.openapi_schemas import takes
from korgool.app.server.http.dependencies import TheCaller
from korgool.app.server.http.openapi import OFFICIAL, refusals
from korgool.app.server.http.responses import AnyRequest, origin_of
from korgool.app.server.people.messages import Ended
from korgool.competition.errors import CompetitionError
from korgool.competition.roles import POWERS

TheHelperRoles = NamedDependency[HelperRoles]


@post(
    "/{event_id:str}/helpers",
    action=Action.OFFICIATE,
    status_code=201,
    operation_class=takes(NewHelper),
    responses=refusals(
        {
            400: "this is no role",
            403: NO_ROLE,
            404: f"{NO_EVENT}, or no such account",
            422: "the role cannot be given so",
        },
        command=True,
    ),
    security=OFFICIAL,
    summary="Give a role at an event",
)
async def invite(
    request: AnyRequest,
    event: TheEvent,
    officer: TheOfficer,
    helper_roles: TheHelperRoles,
    caller: TheCaller,
) -> HelperMade:
    """Give a role, to an account or to whoever has the link or the code of the answer, which are told this once."""
    asked: NewHelper = await read_body(request, NewHelper)
    try:
        made = await helper_roles.give(caller, event, officer, asked)
    except CompetitionError as error:
        raise refused(error) from error
    members = _members(made.given)
    if not made.token:
        return HelperMade(**members)
    return HelperMade(**members, token=made.token, url=link_of(request, event, made), code=made.code)


def link_of(request: AnyRequest, event: LiveEvent, made: Invitation) -> str:
    """The address by which somebody comes who was invited."""
    return f"{origin_of(request)}/events/{event.event_id}/join/{made.token}"


@get(
    "/{event_id:str}/helpers",
    action=Action.OFFICIATE,
    responses=refusals({403: NO_ROLE, 404: NO_EVENT}),
    security=OFFICIAL,
    summary="The roles at an event",
)
async def read_helpers(event: TheEvent, officer: TheOfficer, helper_roles: TheHelperRoles) -> list[HelperTold]:
    """The roles of an event, also those that have ended; without links and codes, which nobody knows any more."""
    if not POWERS[officer.role].helpers:
        raise ApiError(403, errors.NO_ROLE)
    return [HelperTold(**_members(role)) for role in await helper_roles.roles(event.event_id)]


@delete(
    "/{event_id:str}/helpers/{helper_id:str}",
    action=Action.OFFICIATE,
    status_code=200,
    responses=refusals({403: NO_ROLE, 404: NO_EVENT}, command=True),
    security=OFFICIAL,
    summary="End a role at an event",
)
async def end_helper(
    helper_id: Annotated[str, PathParameter(description="id of the role", max_length=40)],
    event: TheEvent,
    officer: TheOfficer,
    helper_roles: TheHelperRoles,
) -> Ended:
    """End a role at once; one that has ended already stays so."""
    return Ended(int(await helper_roles.end(event.event_id, officer, helper_id)))


def _members(given: GivenRole) -> dict[str, Any]:
    boards = given.officer.boards
    return {
        "id": given.id,
        "role": given.officer.role,
        "boards": None if boards is None else (boards.first, boards.last),
        "name": given.officer.name,
        "account": given.account is not None,
        "until": None if given.until_ms is None else _utc(given.until_ms),
        "going": given.going,
    }


def _utc(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


router = Router("/api/events", route_handlers=[invite, read_helpers, end_helper], tags=["events"])
