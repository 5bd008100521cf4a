"""Following events of other sites: the page on which one says so, and the same for programs."""

from __future__ import annotations

from dataclasses import dataclass

from litestar import MediaType, Response, Router, get, post
from litestar.di import NamedDependency
from litestar.response import Redirect

from korgool.accounts import Action
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.core.principal import Principal
from korgool.app.server.events.api import read_body
from korgool.app.server.events.event_registry import is_id
from korgool.app.server.events.following.remote_fetch import FetchError
from korgool.app.server.events.following.repository import FollowedRow
from korgool.app.server.events.following.service import FollowedEvents
from korgool.app.server.events.messages import EventFollowed
from korgool.app.server.events.openapi_schemas import takes
from korgool.app.server.http.dependencies import Form, TheCaller, ThePrincipal
from korgool.app.server.http.forms import EMPTY, FieldError, Filled, needed, see
from korgool.app.server.http.openapi import OFFICIAL, refusals
from korgool.app.server.http.responses import AnyRequest, language_of, page
from korgool.app.server.limits import Caller
from korgool.app.words.event_words import problem_text

TheFollowedEvents = NamedDependency[FollowedEvents]
_LONGEST = 1_000
"""Characters of an address that are shown again."""


@dataclass(frozen=True, slots=True)
class ToFollow:
    """The address of an event on another site."""

    address: str


@get("/events/follow", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def follow_page(
    request: AnyRequest, followed_events: TheFollowedEvents, principal: ThePrincipal
) -> Response[str]:
    """The events that one lets be followed, with what is wrong with them, and the form for another one."""
    return _page(request, await followed_events.of(principal.person.id))


@post("/events/follow", action=Action.OFFICIATE)
async def follow(
    request: AnyRequest,
    data: Form,
    followed_events: TheFollowedEvents,
    principal: ThePrincipal,
    caller: TheCaller,
) -> Response[str] | Redirect:
    """Follow an event; its page opens.

    Raises:
        ApiError: too many were followed in a short time.
    """
    try:
        [address] = needed(data, "address")
        row = await _follow(request, followed_events, caller, principal, address)
    except RateLimitError:
        raise
    except ApiError as problem:
        text = data.get("address", "")[:_LONGEST]
        about = problem.field if isinstance(problem, FieldError) else ""
        filled = Filled({"address": text}, problem.said(language_of(request)), about)
        return _page(request, await followed_events.of(principal.person.id), filled, problem.status)
    return see(f"/events/{row.id}")


@post("/events/unfollow", action=Action.OFFICIATE)
async def unfollow(data: Form, followed_events: TheFollowedEvents, principal: ThePrincipal) -> Redirect:
    """Follow an event no more; its pages here are gone.

    Raises:
        ApiError: 404, it is none of who asks.
    """
    id_ = data.get("id", "")
    await followed_events.stop(id_ if is_id(id_) else "", principal.person.id)
    return see("/events/follow")


@post(
    "/api/events/follow",
    action=Action.OFFICIATE,
    status_code=201,
    operation_class=takes(ToFollow),
    responses=refusals(
        {400: "this is no address", 422: "no event is found there, or the account follows too many"}, command=True
    ),
    security=OFFICIAL,
    summary="Follow an event of another site",
    tags=["events"],
)
async def follow_for_programs(
    request: AnyRequest,
    followed_events: TheFollowedEvents,
    principal: ThePrincipal,
    caller: TheCaller,
) -> EventFollowed:
    """Show the event at an address of another site here from now on, as it goes on there."""
    wanted = await read_body(request, ToFollow)
    row = await _follow(request, followed_events, caller, principal, wanted.address)
    return EventFollowed(row.id, row.name)


async def _follow(
    request: AnyRequest, followed_events: FollowedEvents, caller: Caller, principal: Principal, address: str
) -> FollowedRow:
    """Follow an event; raises ApiError with the reason in words."""
    try:
        return await followed_events.follow(caller, principal.person.id, address)
    except FetchError as error:
        raise FieldError(problem_text(error.problem, error.status, language_of(request)), "address") from None


def _page(request: AnyRequest, rows: object, form: Filled = EMPTY, status: int = 200) -> Response[str]:
    language = language_of(request)

    def trouble(row: FollowedRow) -> str:
        kind, _, code = row.problem.partition(" ")
        return problem_text(kind, code, language) if kind else ""

    return page(request, "follow_event.html", status, rows=rows, trouble=trouble, form=form)


router = Router("/", route_handlers=[follow_page, follow, unfollow], include_in_schema=False)
