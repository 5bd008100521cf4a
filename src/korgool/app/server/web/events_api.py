"""Events for programs and scripts: making one, the actions of its officials, its log, and its file.

The bodies are those of `competition/`: regulations and actions as the log of an event file has them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

from litestar import MediaType, Response, Router, get, post, put
from litestar.params import FromQuery, PathParameter

from korgool.accounts import Action
from korgool.app.server import messages
from korgool.app.server.competitions.competition import (
    CHANGED_MEANWHILE,
    ActionRefusedError,
    Competition,
    ConflictError,
    Entered,
)
from korgool.app.server.messages import RefusedError
from korgool.app.server.web.accounts import count_change
from korgool.app.server.web.answers import AnyRequest, language_of
from korgool.app.server.web.given import TheCaller, TheCompetitions, TheEvent, TheHall, TheOfficer, TheWho
from korgool.app.words.event_log import in_words
from korgool.app.words.event_log import told as told_line
from korgool.competition.actions import Amend, Enter
from korgool.competition.codec import JsonError, from_json, plain
from korgool.competition.errors import CompetitionError, Message, said
from korgool.competition.model import Settings
from korgool.competition.roles import POWERS, DeskRole, Officer
from korgool.languages import translations

ACTIONS_LIMIT = 8 * 1024 * 1024
"""Bytes of one request of actions: 5,000 entries with all that is known of them."""
EventId = Annotated[str, PathParameter(description="id of the event, 8 letters and digits", max_length=40)]
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Batch:
    """Actions that are done all or not at all, and the last line of the log that their official knows of."""

    after: int
    actions: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Visibility:
    """Whether anybody may read an event."""

    public: bool


@post("/", action=Action.OFFICIATE, status_code=201)
async def make_event(
    request: AnyRequest, competitions: TheCompetitions, who: TheWho, caller: TheCaller, hall: TheHall
) -> Json:
    """Make an event from its regulations; who asks is its organiser, and nobody else sees it yet."""
    settings = await read_body(request, Settings)
    count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
    try:
        made = await competitions.make(Officer(who.person.id, who.person.name, DeskRole.ORGANISER), settings)
    except CompetitionError as error:
        raise refused(error) from error
    return {"id": made.id}


@post("/{event_id:str}/actions", action=Action.OFFICIATE, status_code=200, request_max_body_size=ACTIONS_LIMIT)
async def act(request: AnyRequest, event: TheEvent, officer: TheOfficer) -> Response[Json]:
    """Do actions, all or none; 409 tells what others have done to the same players, boards or pairings."""
    batch = await read_body(request, Batch)
    try:
        return Response({"seq": await event.act(officer, batch.after, batch.actions)}, media_type=MediaType.JSON)
    except ConflictError as error:
        told = {
            "detail": _conflict(error, event, language_of(request)),
            "action": error.at,
            "seq": error.seq,
            "since": [line(one, officer) for one in error.since],
        }
        return Response(told, status_code=409, media_type=MediaType.JSON)
    except ActionRefusedError as error:
        language = language_of(request)
        reason = in_words(error.message, event.state, translations(language).gettext)
        told = {"detail": said(reason, language), "action": error.at, "seq": event.seq}
        return Response(told, status_code=403 if error.forbidden else 422, media_type=MediaType.JSON)
    except CompetitionError as error:
        raise refused(error) from error


@get("/{event_id:str}/log", action=Action.OFFICIATE)
async def read_log(event: TheEvent, officer: TheOfficer, after: FromQuery[int] = 0) -> Json:
    """The lines of the log after a number, for officials."""
    await event.fresh()
    lines = await event.log(after) if event.seq > after else ()
    return {"seq": event.seq, "lines": [line(one, officer) for one in lines]}


@put("/{event_id:str}", action=Action.OFFICIATE, status_code=200)
async def show_event(request: AnyRequest, event: TheEvent, officer: TheOfficer, competitions: TheCompetitions) -> Json:
    """Let anybody read an event, or only its officials."""
    if not POWERS[officer.role].helpers:
        raise RefusedError(403, messages.NO_ROLE)
    wanted = await read_body(request, Visibility)
    await competitions.show(event, public=wanted.public)
    return {"public": event.public}


async def read_body(request: AnyRequest, kind: type[Any]) -> Any:
    """The body of a request as a value of a dataclass.

    Raises:
        RefusedError: 400, with the place of what is wrong.
    """
    competitions: TheCompetitions = request.app.state.competitions
    body = await request.body()
    try:
        return await competitions.in_thread(lambda: from_json(body, kind))
    except JsonError as error:
        raise refused(error) from None


def _conflict(error: ConflictError, event: Competition, language: str) -> str:
    """What others have done meanwhile, as one sentence."""
    line = error.met
    what = told_line(event.state, line.action, translations(language).gettext)
    return Message(CHANGED_MEANWHILE, name=line.by, at=line.at, what=what).said(language)


def refused(error: CompetitionError) -> RefusedError:
    """What the competition room refuses, as the server answers it, with its place."""
    status = 400 if isinstance(error, JsonError) else 422
    return RefusedError(status, "{reason}", reason=error)


def line(entered: Entered, officer: Officer) -> Json:
    """A line of a log as clients get it.

    Who may not change entries sees of them what lists need, and no years of birth, numbers and consents.
    """
    action = entered.action
    if isinstance(action, (Enter, Amend)) and Amend not in POWERS[officer.role].actions:
        action = replace(action, entry=replace(action.entry, born=0, external="", consent=None))
    return {
        "at": entered.at,
        "time": entered.time,
        "by": entered.by,
        "reason": entered.reason,
        "text": entered.text,
        "action": plain(action),
        "parts": [list(part) for part in entered.parts],
    }


router = Router("/api/events", route_handlers=[make_event, act, read_log, show_event], include_in_schema=False)
