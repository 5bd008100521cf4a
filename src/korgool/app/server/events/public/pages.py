"""The public pages of events: the pages of each, and the same as JSON and records for programs."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import urlencode

from litestar import MediaType, Response, Router, get
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, PathParameter
from litestar.response import Redirect

from korgool.accounts import Action
from korgool.app.publishing import LIVE_PAGE, MEDALS_PAGE, PUBLIC_PAGES
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.headers import LANGUAGE_COOKIE
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.boards.service import LiveBoards
from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.events.following.service import FollowedEvents
from korgool.app.server.events.group_addresses import event_of, group_address
from korgool.app.server.events.messages import BoardLine, LiveBoardLine, StandingsLine, WallCall, WallClock, WallState
from korgool.app.server.events.official_access import EventId, TheEventRegistry, readable
from korgool.app.server.events.openapi_schemas import JSON, PUBLIC_EVENT
from korgool.app.server.events.public.page_cache import (
    EventView,
    MadePage,
    PublicPages,
    copy_view,
    event_view,
    groups_view,
)
from korgool.app.server.http.middleware import takes_gzip
from korgool.app.server.http.openapi import operation, refusals
from korgool.app.server.http.responses import AnyRequest, language_of, origin_of, visitors_of
from korgool.app.words.event_log import announced
from korgool.app.words.round_clock import announcements, moment_ms, round_clock
from korgool.competition.errors import CompetitionError
from korgool.languages import LANGUAGES, translations

ThePublicPages = NamedDependency[PublicPages]
_LONGEST_QUERY = 60
_WALL_MS = 1000
"""A screen of the wall says the time in steps of so many milliseconds; its script asks for it exactly."""
_PATHS = tuple("/" + kind.name.replace("}", ":str}") if kind.name else "" for kind in PUBLIC_PAGES)
LINES = ResponseSpec(list[StandingsLine], generate_examples=False, description="a line for each competitor")
BOARDS = ResponseSpec(list[BoardLine], generate_examples=False, description="the boards, then the byes")


@get(
    [f"/events/{{event_id:str}}{path}" for path in _PATHS],
    action=Action.WATCH,
    media_type=MediaType.HTML,
    include_in_schema=False,
)
async def event_page(
    request: AnyRequest, event_id: FromPath[str], public_pages: ThePublicPages, event_registry: TheEventRegistry
) -> Response[Any]:
    """A page of an event; `language` chooses the language from here on, `q` searches, `round` and `board` lead on;
    with `group` the wall shows that group and no other one."""
    asked = request.query_params
    root = f"/events/{event_id}"
    name = request.scope["path"].removeprefix(root).strip("/")
    chosen = asked.get("language")
    language = chosen if chosen in LANGUAGES else language_of(request)
    event = await _find_view(request, event_id)
    if not name and (led := _paper_address(root, asked.get("round", ""), asked.get("board", ""))):
        return Redirect(led, status_code=303)
    query = asked.get("q", "").strip()[:_LONGEST_QUERY]
    one_group = ""
    if name.startswith("wall/") and (sought := asked.get("group")) and event.state.groups:
        address, one_group = _fixed_group(event, sought)
        if address != event.id:
            return Redirect(f"/events/{address}/wall/1?{urlencode({'group': one_group})}", status_code=303)
    walled = name.startswith("wall/")
    if name == MEDALS_PAGE and event.followed is None and event.state.groups:
        event = groups_view(event, await event_registry.groups(await readable(request, event_id)))
    if walled:
        event = await _hung(request, event, event_registry)
    if name.partition("/")[0] == LIVE_PAGE:
        event = await _with_boards(request, event)
    now = now_ms() // _WALL_MS * _WALL_MS if walled else 0
    tag = public_pages.tag(event, language, now)
    if not query and event.public and _is_current(request, tag):
        return _unchanged(tag)
    try:
        made = await public_pages.page(event, name, language, origin_of(request), query, one_group=one_group, now=now)
    except ApiError:
        if name.startswith("wall/") and name != "wall/1":  # the event has fewer screens by now
            return Redirect(f"{root}/wall/1", status_code=303)
        raise
    answer = _answer(request, made, "text/html; charset=utf-8", keep=event.public and not query)
    answer.headers["content-language"] = language
    if chosen in LANGUAGES:
        cookie = visitors_of(request).cookie(request, LANGUAGE_COOKIE, language)
        answer.cookies.append(cookie)
    return answer


@get("/events/{event_id:str}/boards/{board:str}", action=Action.WATCH, include_in_schema=False)
async def board_now(event_id: FromPath[str], board: FromPath[str], request: AnyRequest) -> Redirect:
    """Lead from the card on a table to its board in the round that is played."""
    event = await _find_view(request, event_id)
    rounds = len(event.state.rounds)
    root = f"/events/{event_id}"
    return Redirect(_paper_address(root, str(rounds), board) if rounds else root, status_code=303)


@get(
    "/wall",
    action=Action.WATCH,
    responses=refusals({404: "no such event"}),
    summary="The time, and what the wall of a hall shows beside the tables",
)
async def read_wall(request: AnyRequest, event_id: EventId, event_registry: TheEventRegistry) -> Response[WallState]:
    """The time of the server, by which a wall goes, the clocks of all groups, and what is announced now."""
    event, now = await _hung(request, await _find_view(request, event_id), event_registry), now_ms()
    language = language_of(request)
    gettext = translations(language).gettext
    clocks, calls = [], []
    for state in event.groups or (event.state,):
        name = state.groups.get(state.group, "")
        if (clock := round_clock(state, now)) is not None:
            clocks.append(WallClock(name, clock.round, clock.begins, clock.late, clock.runs))
        for id_ in announcements(state, now):
            one = state.announcements[id_]
            text = announced(one, language, gettext)
            calls.append(WallCall(id_, name, one.kind, list(one.boards), text, moment_ms(one.until)))
    return Response(WallState(now, event.shown_version, clocks, calls), headers={"cache-control": "no-store"})


@get("/events/{event_id:str}/wall", action=Action.WATCH, include_in_schema=False)
async def wall(event_id: FromPath[str], request: AnyRequest) -> Redirect:
    """The screens for the wall begin with the first; with `group`, the first of that group."""
    await _find_view(request, event_id)
    sought = request.query_params.get("group", "")[:_LONGEST_QUERY]
    fixed = f"?{urlencode({'group': sought})}" if sought else ""
    return Redirect(f"/events/{event_id}/wall/1{fixed}", status_code=303)


@get(
    "/standings",
    action=Action.WATCH,
    responses={200: LINES, **refusals({404: "no such event"})},
    summary="The standings of an event",
)
async def read_standings(request: AnyRequest, event_id: EventId, public_pages: ThePublicPages) -> Response[bytes]:
    """A line for each competitor, as `korgool event standings --json` prints it; with results as they come."""
    return await public_data(request, event_id, public_pages, "standings")


@get(
    "/rounds/{number:str}",
    action=Action.WATCH,
    responses={200: BOARDS, **refusals({404: "no such event or round"})},
    summary="A round of an event",
)
async def read_round(
    request: AnyRequest,
    event_id: EventId,
    number: Annotated[str, PathParameter(description="from 1", max_length=4)],
    public_pages: ThePublicPages,
) -> Response[bytes]:
    """The boards with their results, then the byes, as `korgool event round --json` prints them."""
    return await public_data(request, event_id, public_pages, f"rounds/{number}")


@get(
    "/live",
    action=Action.WATCH,
    responses={
        200: ResponseSpec(list[LiveBoardLine], generate_examples=False, description="a line for each board"),
        **refusals({404: "no such event"}),
    },
    summary="The boards of the running round",
)
async def read_live(request: AnyRequest, event_id: EventId, public_pages: ThePublicPages) -> Response[bytes]:
    """The boards on which somebody keeps the scoresheet, as they were before the delay of the event."""
    return await public_data(request, event_id, public_pages, LIVE_PAGE)


@get(
    "/games.pgn",
    action=Action.WATCH,
    responses={
        200: ResponseSpec(str, generate_examples=False, description="the games", media_type="text/plain"),
        **refusals({404: "no such event"}),
    },
    summary="All games of an event",
)
async def read_games(request: AnyRequest, event_id: EventId, public_pages: ThePublicPages) -> Response[bytes]:
    """The records of the games that were attached to the event, as one text."""
    return await public_data(request, event_id, public_pages, "games.pgn")


@get(
    "/public",
    action=Action.WATCH,
    responses={
        200: ResponseSpec(bytes, generate_examples=False, description="settings, players, teams and rounds"),
        **refusals({404: "no such event, or one that this site follows itself"}),
    },
    operation_class=operation(gives={JSON: PUBLIC_EVENT}),
    summary="What is public of an event, as another site follows it",
)
async def read_public(request: AnyRequest, event_id: EventId, public_pages: ThePublicPages) -> Response[bytes]:
    """Everything from which the public pages are made, and nothing else; ask again with the validator of the answer."""
    return await public_data(request, event_id, public_pages, "public")


@get(
    "/photos/{name:str}",
    action=Action.WATCH,
    responses={
        200: ResponseSpec(bytes, generate_examples=False, description="the picture", media_type="image/jpeg"),
        **refusals({404: "no such event, or no photo that it shows"}),
    },
    summary="The photo of a player",
)
async def read_photo(
    request: AnyRequest,
    event_id: EventId,
    name: Annotated[str, PathParameter(description="as the player's card names it", max_length=60)],
    public_pages: ThePublicPages,
) -> Response[bytes]:
    """A photograph of 240 by 320 pixels, where the regulations of the event show photographs."""
    event = await _find_view(request, event_id)
    made = await public_pages.photo(event, name)
    if event.public and _is_current(request, made.tag):
        return _unchanged(made.tag)
    headers = _headers(made.tag) if event.public else {"cache-control": "no-store"}
    return Response(made.body, media_type="image/jpeg", headers=headers)


async def _find_view(request: AnyRequest, id_: str) -> EventView:
    """An event of this site or another one, if the reader may see it.

    Raises:
        ApiError: 404.
    """
    followed_events: FollowedEvents = request.app.state.followed_events
    # Most readers come to an event that this process holds already: nothing is looked for in the database then.
    if followed_events.holds(id_) and (copied := await followed_events.find(id_)) is not None:
        return copy_view(copied)
    try:
        return event_view(await readable(request, id_))
    except ApiError:
        if (copied := await followed_events.find(id_)) is None:
            raise
        return copy_view(copied)


async def _hung(request: AnyRequest, event: EventView, event_registry: EventRegistry) -> EventView:
    """An event as the wall shows it: with all its groups, and with its live boards where it has some."""
    if event.followed is not None:
        return event
    live_boards: LiveBoards = request.app.state.live_boards
    boards = await live_boards.shown(event.id, event.state) if event.state.event.live.boards else None
    if event.state.groups:
        event = groups_view(event, await event_registry.groups(await readable(request, event.id)))
    return replace(event, boards=boards)


async def _with_boards(request: AnyRequest, event: EventView) -> EventView:
    """The same with the boards of its running round; an event of another site has none here."""
    if event.followed is not None:
        return event
    live_boards: LiveBoards = request.app.state.live_boards
    view = event_view(await readable(request, event.id))
    return replace(view, boards=await live_boards.shown(view.id, view.state))


async def public_data(request: AnyRequest, event_id: str, public_pages: PublicPages, name: str) -> Response[bytes]:
    """The data of an event as programs read it, by the name that `PublicPages.data` gives it."""
    event = await _find_view(request, event_id)
    if name == LIVE_PAGE:
        event = await _with_boards(request, event)
    tag = public_pages.tag(event, "")
    if event.public and _is_current(request, tag):
        return _unchanged(tag)
    made = await public_pages.data(event, name)
    kind = "text/plain; charset=utf-8" if name.endswith(".pgn") else "application/json"
    return _answer(request, made, kind, keep=event.public)


def _paper_address(root: str, number: str, board: str) -> str:
    """Address of a round, or of a board of it, that a code on paper names; empty for none."""
    if not (number.isascii() and number.isdigit() and len(number) < 4):
        return ""
    place = f"#b{int(board)}" if board.isascii() and board.isdigit() and len(board) < 6 else ""
    return f"{root}/rounds/{int(number)}{place}"


def _fixed_group(event: EventView, sought: str) -> tuple[str, str]:
    """The address and the name of a group by its name.

    Raises:
        ApiError: 404, there is no such group.
    """
    try:
        group = event.state.group_named(sought)
    except CompetitionError:
        raise ApiError(404, errors.NO_PAGE) from None
    return group_address(event_of(event.id), event.state, group), event.state.groups[group]


def _is_current(request: AnyRequest, tag: str) -> bool:
    return f'"{tag}"' in request.headers.get("if-none-match", "")


def _headers(tag: str) -> dict[str, str]:
    """For what anybody may keep, but has to ask about before showing it again."""
    return {"cache-control": "no-cache", "etag": f'W/"{tag}"', "vary": "accept-encoding, accept-language, cookie"}


def _unchanged(tag: str) -> Response[Any]:
    return Response(b"", status_code=304, headers=_headers(tag))


def _answer(request: AnyRequest, made: MadePage, kind: str, *, keep: bool) -> Response[bytes]:
    headers = _headers(made.tag) if keep else {"cache-control": "no-store", "vary": "accept-encoding"}
    body = made.body
    if takes_gzip(request.headers.get("accept-encoding", "")):
        headers["content-encoding"], body = "gzip", made.packed
    return Response(body, media_type=kind, headers=headers)


router = Router(
    "/api/events/{event_id:str}",
    route_handlers=[read_wall, read_standings, read_round, read_live, read_games, read_public, read_photo],
    tags=["events"],
)
handlers = [event_page, board_now, wall]
