"""Helpers of an event: giving roles and ending them, and the pages by which somebody comes with a link or a code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from litestar import MediaType, Response, Router, delete, get, post
from litestar.params import FromPath, PathParameter
from litestar.response import Redirect

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.api import NO_EVENT, NO_ROLE, read_body, refused
from korgool.app.server.events.dependencies import EventId, TheEvent, TheEventRegistry, TheOfficer
from korgool.app.server.events.event_registry import EventRegistry, is_id
from korgool.app.server.events.event_repository import GivenRole
from korgool.app.server.events.helper_roles import Invitation, tidy_name, usual_end_ms
from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.events.public_shapes import HelperMade, HelperTold
from korgool.app.server.events.record_schemas import takes
from korgool.app.server.http.dependencies import Form, TheCaller, TheRateLimiter
from korgool.app.server.http.forms import EMPTY, FieldError, needed, shown_again
from korgool.app.server.http.openapi import OFFICIAL, refusals
from korgool.app.server.http.responses import AnyRequest, origin_of, page, visitors_of
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.people.account.api import Ended
from korgool.app.server.people.checks import count_change
from korgool.app.server.people.dependencies import TheAuthentication
from korgool.app.server.people.sign_in.authentication import Authentication
from korgool.app.words.desk_texts import ROLE_NAMES
from korgool.competition.errors import CompetitionError
from korgool.competition.roles import POWERS, Boards, DeskRole, Officer
from korgool.competition.text_cleaning import clean


@dataclass(frozen=True, slots=True)
class NewHelper:
    """A role to be given.

    Attributes:
        role: which.
        boards: the first and the last board that it is confined to.
        until: when it ends, in UTC such as `2026-09-14T18:00:00Z`; by default with the last day of the event.
        name: what the log calls them; by default they say it themselves.
        account: the name of an account that gets the role, instead of a link and a code.
    """

    role: DeskRole
    boards: tuple[int, int] | None = None
    until: str | None = None
    name: str = ""
    account: str | None = None


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
    event_registry: TheEventRegistry,
    authentication: TheAuthentication,
    caller: TheCaller,
    rate_limiter: TheRateLimiter,
) -> HelperMade:
    """Give a role, to an account or to whoever has the link or the code of the answer, which are told this once."""
    asked: NewHelper = await read_body(request, NewHelper)
    count_change(rate_limiter, caller)
    try:
        made = await give(event_registry, authentication, event, officer, asked)
    except CompetitionError as error:
        raise refused(error) from error
    told = _told(made.given)
    if not made.token:
        return HelperMade(**told)
    return HelperMade(**told, token=made.token, url=link_of(request, event, made), code=made.code)


async def give(
    competitions: EventRegistry, keeper: Authentication, event: LiveEvent, officer: Officer, asked: NewHelper
) -> Invitation:
    """Give a role; to an account it has neither link nor code.

    Raises:
        ApiError: the official may not give it, or there is no such account.
        CompetitionError: the role cannot be given so.
    """
    helpers = competitions.helpers
    boards = None if asked.boards is None else Boards(*asked.boards)
    if asked.account is not None:
        account = await competitions.in_thread(lambda: keeper.directory.by_name(asked.account or ""))
        if account is None:
            raise ApiError(404, errors.NO_PLAYER)
        person = account.person
        return Invitation(
            await competitions.in_thread(
                lambda: helpers.give(event.id, officer, asked.role, person.id, asked.name or person.name, boards)
            )
        )
    until = usual_end_ms(event.state.event, now_ms()) if asked.until is None else _moment(asked.until)
    return await competitions.in_thread(
        lambda: helpers.invite(event.id, officer, asked.role, boards=boards, name=asked.name, until_ms=until)
    )


def link_of(request: AnyRequest, event: LiveEvent, made: Invitation) -> str:
    """The address by which somebody comes who was invited."""
    return f"{origin_of(request)}/events/{event.id}/join/{made.token}"


@get(
    "/{event_id:str}/helpers",
    action=Action.OFFICIATE,
    responses=refusals({403: NO_ROLE, 404: NO_EVENT}),
    security=OFFICIAL,
    summary="The roles at an event",
)
async def read_helpers(event: TheEvent, officer: TheOfficer, event_registry: TheEventRegistry) -> list[HelperTold]:
    """The roles of an event, also those that have ended; without links and codes, which nobody knows any more."""
    if not POWERS[officer.role].helpers:
        raise ApiError(403, errors.NO_ROLE)
    return [
        HelperTold(**_told(one)) for one in await event_registry.in_thread(lambda: event_registry.shelf.roles(event.id))
    ]


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
    event_registry: TheEventRegistry,
) -> Ended:
    """End a role at once; one that has ended already stays so."""
    return Ended(int(await event_registry.in_thread(lambda: event_registry.helpers.end(event.id, officer, helper_id))))


@get("/{event_id:str}/join/{token:str}", action=ANYBODY, media_type=MediaType.HTML)
async def join_page(
    request: AnyRequest, event_id: EventId, token: FromPath[str], event_registry: TheEventRegistry
) -> Response[str]:
    """What a link leads to: the event and the role, and the form with which one comes. Looking uses nothing up."""
    given = await _by_link(event_registry, event_id, token)
    return page(request, "join_event.html", form=EMPTY, **await _shown(event_registry, event_id, given, token))


@post("/{event_id:str}/join/{token:str}", action=ANYBODY)
async def join(
    request: AnyRequest, event_id: EventId, token: FromPath[str], data: Form, event_registry: TheEventRegistry
) -> Response[str] | Redirect:
    """Come by a link."""
    given = await _by_link(event_registry, event_id, token)
    try:
        return _entered(request, event_id, given, data.get("name", ""))
    except ApiError as problem:
        context = await _shown(event_registry, event_id, given, token)
        return shown_again(request, "join_event.html", problem, data, "name", **context)


@get("/join", action=ANYBODY, media_type=MediaType.HTML)
async def code_page(request: AnyRequest) -> Response[str]:
    """The form for a code; an address may name the event."""
    event = request.query_params.get("event", "")
    return page(request, "join_event.html", form=EMPTY, event=event if is_id(event) else "", token="")


@post("/join", action=ANYBODY)
async def join_by_code(
    request: AnyRequest, data: Form, event_registry: TheEventRegistry, caller: TheCaller
) -> Response[str] | Redirect:
    """Come by a code."""
    try:
        event, code = needed(data, "event", "code")
        id_ = _event_named(event)
        address = caller.address
        given = (
            await event_registry.in_thread(lambda: event_registry.helpers.by_code(id_, code, address))
            if is_id(id_)
            else None
        )
        if given is None:
            raise FieldError(errors.NO_INVITATION, "code", 404)
        return _entered(request, id_, given, data.get("name", ""))
    except ApiError as problem:
        return shown_again(request, "join_event.html", problem, data, event="", token="")


def _event_named(text: str) -> str:
    """The id in what somebody types or pastes: the id, or the address of any page of the event."""
    typed = clean(text).lower()
    found = re.search(r"/events/([^/?#\s]+)", typed)
    return found[1] if found else typed.strip("/")


async def _by_link(competitions: EventRegistry, id_: str, token: str) -> GivenRole:
    given = await competitions.in_thread(lambda: competitions.helpers.by_link(id_, token)) if is_id(id_) else None
    if given is None:
        raise ApiError(404, errors.NO_INVITATION)
    return given


async def _shown(competitions: EventRegistry, id_: str, given: GivenRole, token: str) -> dict[str, Any]:
    listed, officer = await competitions.listed(id_), given.officer
    return {"event": id_, "token": token, "title": listed.name, "role": ROLE_NAMES[officer.role], "officer": officer}


def _entered(request: AnyRequest, id_: str, given: GivenRole, name: str) -> Redirect:
    """Go on to the desk as an official.

    Raises:
        FieldError: nobody has said their name.
    """
    try:
        called = given.officer.name or tidy_name(name)
    except CompetitionError as error:
        raise refused(error) from None
    if not called:
        raise FieldError(errors.NAME_YOURSELF, "name")
    cookie = visitors_of(request).helper_cookie(request, id_, given.id, called, given.until_ms or 0)
    return Redirect(f"/events/{id_}/desk", status_code=303, cookies=[cookie])


def _told(given: GivenRole) -> dict[str, Any]:
    boards = given.officer.boards
    return {
        "id": given.id,
        "role": given.officer.role,
        "boards": None if boards is None else (boards.first, boards.last),
        "name": given.officer.name,
        "account": given.account is not None,
        "until": None if given.until_ms is None else _text(given.until_ms),
        "going": given.going,
    }


def _moment(text: str) -> int:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise CompetitionError(f"until: {text[:40]!r} is no time such as 2026-09-14T18:00:00Z") from None
    return round((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)


def _text(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


api = Router("/api/events", route_handlers=[invite, read_helpers, end_helper], tags=["events"])
pages = Router("/events", route_handlers=[join_page, join, code_page, join_by_code], include_in_schema=False)
