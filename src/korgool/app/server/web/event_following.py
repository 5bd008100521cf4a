"""Following events of other sites: the page on which one says so, and the same for programs."""

from __future__ import annotations

from dataclasses import dataclass

from litestar import MediaType, Response, Router, get, post
from litestar.response import Redirect

from korgool.accounts import Action
from korgool.app.server.competitions.competitions import is_id
from korgool.app.server.competitions.fetching import FetchError
from korgool.app.server.competitions.following import Following
from korgool.app.server.messages import RefusedError
from korgool.app.server.storage.followed_shelf import FollowedRow
from korgool.app.server.web.accounts import count_change
from korgool.app.server.web.answers import AnyRequest, language_of, page
from korgool.app.server.web.description import OFFICIAL, refusals
from korgool.app.server.web.event_shapes import EventFollowed
from korgool.app.server.web.events_api import read_body
from korgool.app.server.web.forms import EMPTY, FieldError, Filled, needed, see
from korgool.app.server.web.given import Form, TheCaller, TheFollowing, TheHall, TheWho
from korgool.app.server.web.record_schemas import takes
from korgool.app.words.event_words import problem_text

_LONGEST = 1_000
"""Characters of an address that are shown again."""


@dataclass(frozen=True, slots=True)
class ToFollow:
    """The address of an event on another site."""

    address: str


@get("/events/follow", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def follow_page(request: AnyRequest, following: TheFollowing, who: TheWho) -> Response[str]:
    """The events that one lets be followed, with what is wrong with them, and the form for another one."""
    return _page(request, await following.of(who.person.id))


@post("/events/follow", action=Action.OFFICIATE)
async def follow(
    request: AnyRequest, data: Form, following: TheFollowing, who: TheWho, caller: TheCaller, hall: TheHall
) -> Response[str] | Redirect:
    """Follow an event; its page opens.

    Raises:
        RefusedError: too many were followed in a short time.
    """
    count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
    try:
        [address] = needed(data, "address")
        row = await _follow(following, who.person.id, address, language_of(request))
    except RefusedError as problem:
        text = data.get("address", "")[:_LONGEST]
        about = problem.field if isinstance(problem, FieldError) else ""
        filled = Filled({"address": text}, problem.said(language_of(request)), about)
        return _page(request, await following.of(who.person.id), filled, problem.status)
    return see(f"/events/{row.id}")


@post("/events/unfollow", action=Action.OFFICIATE)
async def unfollow(data: Form, following: TheFollowing, who: TheWho) -> Redirect:
    """Follow an event no more; its pages here are gone.

    Raises:
        RefusedError: 404, it is none of who asks.
    """
    id_ = data.get("id", "")
    await following.stop(id_ if is_id(id_) else "", who.person.id)
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
    request: AnyRequest, following: TheFollowing, who: TheWho, caller: TheCaller, hall: TheHall
) -> EventFollowed:
    """Show the event at an address of another site here from now on, as it goes on there."""
    wanted = await read_body(request, ToFollow)
    count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
    row = await _follow(following, who.person.id, wanted.address, language_of(request))
    return EventFollowed(row.id, row.name)


async def _follow(following: Following, maker: str, address: str, language: str) -> FollowedRow:
    """Raises RefusedError with the reason in words."""
    try:
        return await following.follow(maker, address)
    except FetchError as error:
        raise FieldError(problem_text(error.problem, error.status, language), "address") from None


def _page(request: AnyRequest, rows: object, form: Filled = EMPTY, status: int = 200) -> Response[str]:
    language = language_of(request)

    def trouble(row: FollowedRow) -> str:
        kind, _, code = row.problem.partition(" ")
        return problem_text(kind, code, language) if kind else ""

    return page(request, "follow_event.html", status, rows=rows, trouble=trouble, form=form)


pages = Router("/", route_handlers=[follow_page, follow, unfollow], include_in_schema=False)
