"""Events for programs and scripts: making one, the actions of its officials, its log, and its file.

The bodies are those of `competition/`: regulations and actions as the log of an event file has them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, TypeAlias, cast

from litestar import MediaType, Response, Router, get, post, put
from litestar.params import QueryParameter

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.action_requests import MOST_ACTIONS, REQUEST_SCHEMA
from korgool.app.server.events.asked_groups import asked_group
from korgool.app.server.events.live_event import (
    CHANGED_MEANWHILE,
    ActionRefusedError,
    ConflictError,
    EnteredLine,
    LiveEvent,
)
from korgool.app.server.events.messages import (
    ActionRefusal,
    ActionsDone,
    Conflict,
    EventMade,
    EventShown,
    LogLine,
    LogLines,
)
from korgool.app.server.events.official_access import TheEvent, TheEventRegistry, TheOfficer
from korgool.app.server.events.openapi_schemas import takes
from korgool.app.server.events.stored_book import LedElsewhereError
from korgool.app.server.http.dependencies import TheCaller, ThePrincipal, TheRateLimiter
from korgool.app.server.http.openapi import OFFICIAL, answer, refusals
from korgool.app.server.http.responses import AnyRequest, language_of
from korgool.app.server.people.checks import count_change
from korgool.app.words.event_log import in_words
from korgool.app.words.event_log import told as told_line
from korgool.competition.actions import Amend, AnyAction, Enter, InGroup
from korgool.competition.codec import JsonError, from_json, plain
from korgool.competition.errors import CompetitionError, Message, said
from korgool.competition.json_schema import reference
from korgool.competition.log.group_actions import inner
from korgool.competition.model import Settings
from korgool.competition.roles import POWERS, DeskRole, Officer
from korgool.languages import translations

ACTIONS_LIMIT = 8 * 1024 * 1024
"""Bytes of one request of actions: 5,000 entries with all that is known of them."""
Asked: TypeAlias = Annotated[
    tuple[Any, ...],
    {"items": reference(REQUEST_SCHEMA), "minItems": 1, "maxItems": MOST_ACTIONS},  # what `read_request` reads
]
NO_EVENT = "no such event"
NO_ROLE = "who asks has no role at the event, or one that may not do this; or a page of another site asks"


@dataclass(frozen=True, slots=True)
class Batch:
    """Actions that are done all or not at all.

    Attributes:
        after: the last line of the log that their official knows of.
        actions: in their order; players, teams, officials and forms are named by their ids in the log.
    """

    after: int
    actions: Asked


@dataclass(frozen=True, slots=True)
class Visibility:
    """Whether anybody may read an event."""

    public: bool


@post(
    "/",
    action=Action.OFFICIATE,
    status_code=201,
    operation_class=takes(Settings),
    responses=refusals({400: "these are no regulations", 422: "the account has made too many events"}, command=True),
    security=OFFICIAL,
    summary="Make an event",
)
async def make_event(
    request: AnyRequest,
    event_registry: TheEventRegistry,
    principal: ThePrincipal,
    caller: TheCaller,
    rate_limiter: TheRateLimiter,
) -> EventMade:
    """Make an event from its regulations; who asks is its organiser, and nobody else sees it yet."""
    settings = await read_body(request, Settings)
    count_change(rate_limiter, caller)
    try:
        made = await event_registry.make(
            Officer(principal.person.id, principal.person.name, DeskRole.ORGANISER), settings
        )
    except CompetitionError as error:
        raise refused(error) from error
    return EventMade(made.id)


@post(
    "/{event_id:str}/actions",
    action=Action.OFFICIATE,
    status_code=200,
    request_max_body_size=ACTIONS_LIMIT,
    operation_class=takes(Batch),
    responses={
        **refusals({400: "something is no action", 404: NO_EVENT}, command=True),
        200: answer(ActionsDone, "all are on disk"),
        403: answer(ActionRefusal, f"the role does not have an action, or {NO_ROLE}"),
        409: answer(Conflict, "others have changed since what an action is about"),
        422: answer(ActionRefusal, "the event does not allow it"),
    },
    security=OFFICIAL,
    summary="Act at an event",
)
async def act(
    request: AnyRequest, event: TheEvent, officer: TheOfficer, event_registry: TheEventRegistry
) -> Response[ActionsDone | Conflict | ActionRefusal]:
    """Do actions, all or none; 409 tells what others have done to the same players, boards or pairings.

    A request whose answer was lost can be sent again if its actions have an `id`: it gets the same answer.
    """
    batch = await read_body(request, Batch)
    try:
        if (name := asked_group(batch.actions)) is not None:
            event = await event_registry.group(event, name)
    except CompetitionError as error:
        raise refused(error) from error
    try:
        return Response(ActionsDone(await event.act(officer, batch.after, batch.actions)), media_type=MediaType.JSON)
    except ConflictError as error:
        detail, since = _conflict(error, event, language_of(request)), [line(one, officer) for one in error.since]
        conflict = Conflict(detail, error.at, error.seq, since, disputed=error.disputed)
        return Response(conflict, status_code=409, media_type=MediaType.JSON)
    except ActionRefusedError as error:
        language = language_of(request)
        reason = in_words(error.message, event.state, translations(language).gettext)
        refusal = ActionRefusal(said(reason, language), error.at, event.seq, disputed=error.disputed)
        return Response(refusal, status_code=403 if error.forbidden else 422, media_type=MediaType.JSON)
    except CompetitionError as error:
        raise refused(error) from error


@get(
    "/{event_id:str}/log",
    action=Action.OFFICIATE,
    responses=refusals({403: NO_ROLE, 404: NO_EVENT}),
    security=OFFICIAL,
    summary="The log of an event",
)
async def read_log(
    event: TheEvent,
    officer: TheOfficer,
    after: Annotated[int, QueryParameter(description="the last line that is known already")] = 0,
) -> LogLines:
    """The lines of the log after a number, for officials."""
    await event.fresh()
    lines = await event.log(after) if event.seq > after else ()
    return LogLines(event.seq, [line(one, officer) for one in lines])


@put(
    "/{event_id:str}",
    action=Action.OFFICIATE,
    status_code=200,
    operation_class=takes(Visibility),
    responses=refusals({403: NO_ROLE, 404: NO_EVENT}, command=True),
    security=OFFICIAL,
    summary="Show or hide an event",
)
async def show_event(
    request: AnyRequest, event: TheEvent, officer: TheOfficer, event_registry: TheEventRegistry
) -> EventShown:
    """Let anybody read an event, or only its officials; for the organiser and the chief arbiter."""
    if not POWERS[officer.role].helpers:
        raise ApiError(403, errors.NO_ROLE)
    wanted = await read_body(request, Visibility)
    await event_registry.show(event, public=wanted.public)
    return EventShown(event.public)


async def read_body(request: AnyRequest, kind: type[Any]) -> Any:
    """The body of a request as a value of a dataclass.

    Raises:
        ApiError: 400, with the place of what is wrong.
    """
    event_registry: TheEventRegistry = request.app.state.event_registry
    body = await request.body()
    try:
        return await event_registry.in_thread(lambda: from_json(body, kind))
    except JsonError as error:
        raise refused(error) from None


def _conflict(error: ConflictError, event: LiveEvent, language: str) -> str:
    """One sentence about the last line of others, with its group where that is another one."""
    line, state = error.met, event.state
    action = line.action
    if line.group and not isinstance(action, InGroup) and line.group != state.groups.get(state.group):
        action = cast("AnyAction", InGroup(state.group_named(line.group), action))
    what = told_line(state, action, translations(language).gettext)
    return Message(CHANGED_MEANWHILE, name=line.by, at=line.at, what=what).said(language)


def refused(error: CompetitionError) -> ApiError:
    """The answer of the server to a refusal of the competition room, with its place."""
    status = 400 if isinstance(error, JsonError) else 423 if isinstance(error, LedElsewhereError) else 422
    return ApiError(status, "{reason}", reason=error)


def line(entered: EnteredLine, officer: Officer) -> LogLine:
    """A line of a log as clients get it.

    Who may not change entries sees of them what lists need, and no years of birth, numbers and consents.
    """
    action = inner(entered.action)
    if isinstance(action, (Enter, Amend)) and Amend not in POWERS[officer.role].actions:
        action = replace(action, entry=replace(action.entry, born=0, external="", consent=None))
    return LogLine(
        entered.at,
        entered.time,
        entered.by,
        entered.reason,
        entered.text,
        plain(action),
        list(entered.parts),
        entered.group,
    )


router = Router("/api/events", route_handlers=[make_event, act, read_log, show_event], tags=["events"])
