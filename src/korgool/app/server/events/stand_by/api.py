"""Second machines for programs: letting one in, and the log as it goes there, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Response, Router, delete, get, post
from litestar.di import NamedDependency
from litestar.params import PathParameter, QueryParameter

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.api import NO_EVENT, NO_ROLE, read_body, refused
from korgool.app.server.events.event_registry import is_id
from korgool.app.server.events.official_access import EventId, TheEvent, TheEventRegistry, TheOfficer, officer_of
from korgool.app.server.events.openapi_schemas import takes
from korgool.app.server.events.stand_by.leadership import MOST_STRAYS, Leadership
from korgool.app.server.events.stand_by.repository import StandByRow
from korgool.app.server.events.stand_by.service import LONGEST_WAIT, Question, StandBys
from korgool.app.server.http.dependencies import TheCaller, TheRateLimiter
from korgool.app.server.http.openapi import BYTES, OFFICIAL, operation, refusals
from korgool.app.server.http.responses import AnyRequest, origin_of
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.http.site_names import bearer
from korgool.app.server.http.visitors import principal_of
from korgool.app.server.people.checks import count_change, count_sign_in
from korgool.app.server.people.messages import Ended
from korgool.app.server.people.sign_in.identification import STAND_BY
from korgool.competition.codec import load
from korgool.competition.errors import CompetitionError
from korgool.competition.roles import POWERS, Officer
from korgool.competition.storage.line import Line

TheStandBys = NamedDependency[StandBys]
TheLeadership = NamedDependency[Leadership]
LINES = "application/x-ndjson"
STRAYS_LIMIT = 8 * 1024 * 1024
_REFUSED = {401: "the token is wrong, or its machine was ended", 403: NO_ROLE, 404: NO_EVENT}
_LOG_REFUSED = {409: "what the machine holds is not the beginning of this log", 422: "there are too many machines"}


@dataclass(frozen=True, slots=True)
class NewStandBy:
    """A second machine to be let in."""

    name: str = ""


class StrayLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a log, as `Line` has it."""

    at: int
    time: str
    by: str
    reason: str
    action: str
    chain: str
    details: str = ""


class Strays(msgspec.Struct, frozen=True):
    """Lines that only a machine has which led before, with its proof."""

    machine: str
    lines: Annotated[tuple[StrayLine, ...], msgspec.Meta(max_length=MOST_STRAYS)]
    proof: str


class StandByMade(msgspec.Struct, frozen=True):
    """A second machine that may come.

    Attributes:
        id: by which it is ended.
        token: it brings this; it is told only once.
        url: the page by which a browser becomes the second machine.
        command: the command by which another computer does.
    """

    id: str
    token: str
    url: str
    command: str


@post(
    "/",
    action=Action.OFFICIATE,
    status_code=201,
    operation_class=takes(NewStandBy),
    responses=refusals({403: NO_ROLE, 404: NO_EVENT, 422: "there are too many"}, command=True),
    security=OFFICIAL,
    summary="Let a second machine in",
)
async def make_stand_by(
    request: AnyRequest,
    event: TheEvent,
    officer: TheOfficer,
    stand_bys: TheStandBys,
    caller: TheCaller,
    rate_limiter: TheRateLimiter,
) -> StandByMade:
    """Make the token of a second machine, which gets every line of the log; for the organiser and the chief arbiter."""
    if not POWERS[officer.role].helpers:
        raise ApiError(403, errors.NO_ROLE)
    wanted: NewStandBy = await read_body(request, NewStandBy)
    count_change(rate_limiter, caller)
    try:
        row, token = await stand_bys.make(event.event_id, wanted.name)
    except CompetitionError as error:
        raise refused(error) from error
    origin = origin_of(request)
    return StandByMade(row.id, token, page_of(origin, event.event_id, token), command_of(origin, event.event_id, token))


@delete(
    "/{machine_id:str}",
    action=Action.OFFICIATE,
    status_code=200,
    responses=refusals({403: NO_ROLE, 404: NO_EVENT}, command=True),
    security=OFFICIAL,
    summary="End a second machine",
)
async def end_stand_by(
    machine_id: Annotated[str, PathParameter(description="id of the machine", max_length=40)],
    event: TheEvent,
    officer: TheOfficer,
    stand_bys: TheStandBys,
) -> Ended:
    """End a second machine at once: it gets no more lines. What it holds stays there."""
    if not POWERS[officer.role].helpers:
        raise ApiError(403, errors.NO_ROLE)
    return Ended(int(await stand_bys.end(event.event_id, machine_id)))


@get(
    "/lines",
    action=ANYBODY,
    operation_class=operation(gives={LINES: BYTES}),
    responses=refusals(_REFUSED | _LOG_REFUSED),
    security=OFFICIAL,
    summary="The lines of a log for a second machine",
)
async def read_lines(
    request: AnyRequest,
    event_id: EventId,
    event_registry: TheEventRegistry,
    stand_bys: TheStandBys,
    after: Annotated[int, QueryParameter(ge=0, description="the last line that is safe at the machine")] = 0,
    chain: Annotated[str, QueryParameter(max_length=64, description="its hash; empty for line 0")] = "",
    snapshot: Annotated[
        str | None, QueryParameter(description="version of the snapshot that the machine holds")
    ] = None,
    wait: Annotated[float, QueryParameter(ge=0, le=LONGEST_WAIT, description="seconds to wait for a line")] = 0.0,
    name: Annotated[str, QueryParameter(max_length=60, description="what the desk calls the machine")] = "",
    kind: Annotated[str, QueryParameter(pattern="^(machine|browser)$", description="machine or browser")] = "machine",
    address: Annotated[str, QueryParameter(max_length=200, description="where it would serve afterwards")] = "",
) -> Response[bytes]:
    """The lines after a number, as JSON Lines after a head; where there is none, the answer waits for one.

    The question says that all lines up to `after` are safe at the machine: the desk shows so.
    """
    row = await _opened(request, event_id, event_registry, stand_bys)
    if isinstance(row, Officer):
        try:
            account = principal_of(request).person.id or row.who
            row = await stand_bys.of_account(event_id, account, name or row.name)
        except CompetitionError as error:
            raise refused(error) from error
    question = Question(after, chain, snapshot, wait, name, kind, address)
    return Response(await stand_bys.ask(row, question), media_type=LINES, headers={"cache-control": "no-store"})


@get(
    "/snapshot",
    action=ANYBODY,
    responses=refusals(_REFUSED),
    security=OFFICIAL,
    summary="What another machine needs beside the log",
)
async def read_snapshot(
    request: AnyRequest,
    event_id: EventId,
    event_registry: TheEventRegistry,
    stand_bys: TheStandBys,
    leadership: TheLeadership,
) -> Response[dict[str, Any]]:
    """What a machine needs to lead the event, and the log does not hold: roles with the digests of links and codes, the
    event's key, applications, the windows in which entries are open, and digests of personal data."""
    await _opened(request, event_id, event_registry, stand_bys)
    await leadership.met(event_id, origin_of(request))
    found = await stand_bys.snapshot(event_id, origin_of(request))
    return Response(found, media_type=MediaType.JSON, headers={"cache-control": "no-store"})


@get(
    "/personal/{player_id:int}",
    action=ANYBODY,
    responses=refusals(_REFUSED),
    security=OFFICIAL,
    summary="The personal data of a player for a second machine",
)
async def read_personal(
    request: AnyRequest,
    event_id: EventId,
    player_id: Annotated[int, PathParameter(description="id of the player")],
    event_registry: TheEventRegistry,
    stand_bys: TheStandBys,
) -> Response[dict[str, Any]]:
    """The personal data of a player, which is in no log, with the photograph."""
    await _opened(request, event_id, event_registry, stand_bys)
    held = await event_registry.in_thread(lambda: stand_bys.repository.personal_of(event_id, player_id))
    data = None if held is None else load(held)
    return Response(
        {"player": player_id, "data": data}, media_type=MediaType.JSON, headers={"cache-control": "no-store"}
    )


@get(
    "/leader",
    action=ANYBODY,
    responses=refusals({404: NO_EVENT}),
    summary="Which machine leads an event",
)
async def read_leader(
    event_id: EventId,
    leadership: TheLeadership,
    nonce: Annotated[str, QueryParameter(max_length=64, description="asks for a proof, which machines can check")] = "",
    at: Annotated[int | None, QueryParameter(ge=0, description="asks for the hash of a line too")] = None,
) -> Response[dict[str, Any]]:
    """What this machine knows of who leads the event, for people and for other machines."""
    if not is_id(event_id):
        raise ApiError(404, errors.NO_EVENT)
    return Response(await leadership.say(event_id, nonce, at), headers={"cache-control": "no-store"})


@post(
    "/strays", action=ANYBODY, status_code=200, open=True, request_max_body_size=STRAYS_LIMIT, include_in_schema=False
)
async def take_strays(
    request: AnyRequest,
    event_id: EventId,
    event_registry: TheEventRegistry,
    leadership: TheLeadership,
    caller: TheCaller,
    rate_limiter: TheRateLimiter,
) -> Response[dict[str, Any]]:
    """Take the lines that only a machine has which led before; it proves that it has the key of the event.

    Raises:
        ApiError: 404, it is no such machine; 429, the address has tried too often.
    """
    count_sign_in(rate_limiter, caller)  # before the body: anybody may send one
    await event_registry.listed(event_id)
    body = await request.body()
    try:
        sent = await event_registry.in_thread(lambda: msgspec.json.decode(body, type=Strays))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise ApiError(404, errors.NO_EVENT) from None
    lines = [Line(*msgspec.structs.astuple(one)) for one in sent.lines]
    if not await leadership.receive(event_id, sent.machine, lines, sent.proof):
        raise ApiError(404, errors.NO_EVENT)
    return Response({"lines": len(sent.lines)})


async def _opened(
    request: AnyRequest, event_id: str, event_registry: TheEventRegistry, stand_bys: StandBys
) -> StandByRow | Officer:
    """The machine that asks by its own token, or the organiser or the chief arbiter by that of an account.

    Raises:
        ApiError: 401, 403 or 404.
    """
    token = bearer(request) or ""
    if not is_id(event_id):
        raise ApiError(404, errors.NO_EVENT)
    if token.startswith(STAND_BY):
        return await stand_bys.opened(event_id, token)
    await event_registry.listed(event_id)
    officer = await officer_of(request, event_id)
    if officer is None or not POWERS[officer.role].helpers:
        raise ApiError(403, errors.NO_ROLE)
    return officer


def page_of(origin: str, event: str, token: str) -> str:
    """The page by which a browser becomes a second machine; no server is told what stands behind the `#`."""
    return f"{origin}/events/{event}/stand-by#{token}"


def command_of(origin: str, event: str, token: str) -> str:
    """The command by which another computer becomes a second machine."""
    return f"korgool event stand-by {origin}/events/{event} --token {token} --data stand-by"


router = Router(
    "/api/events/{event_id:str}/stand-by",
    route_handlers=[
        *(make_stand_by, end_stand_by, read_lines, read_snapshot, read_personal),
        *(read_leader, take_strays),
    ],
    tags=["events"],
)
