"""An event as a file: taken out, and brought in from elsewhere."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from litestar import MediaType, Response, Router, get, post
from litestar.params import QueryParameter

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.api import NO_EVENT, NO_ROLE, refused
from korgool.app.server.events.event_registry import is_id
from korgool.app.server.events.live_event import MOST_PLAYERS, TOO_MANY_PLAYERS
from korgool.app.server.events.messages import EventBrought
from korgool.app.server.events.official_access import TheEvent, TheEventRegistry, TheOfficer
from korgool.app.server.events.openapi_schemas import ANY_EVENT, JSON
from korgool.app.server.events.sandbox import EVENT
from korgool.app.server.events.stored_book import StoredBook
from korgool.app.server.http.dependencies import TheCaller, ThePrincipal, TheRateLimiter
from korgool.app.server.http.openapi import BYTES, OFFICIAL, operation, refusals
from korgool.app.server.http.responses import AnyRequest
from korgool.app.server.people.checks import count_change
from korgool.competition.actions import Forget
from korgool.competition.codec import from_plain
from korgool.competition.errors import CompetitionError
from korgool.competition.json_export import write_json
from korgool.competition.kept_log import SNAPSHOT
from korgool.competition.model import Personal
from korgool.competition.roles import POWERS, DeskRole, Officer
from korgool.competition.storage.book import Book, WholeLog, whole_log
from korgool.competition.storage.carried import ID, carried_id
from korgool.competition.storage.event_file import EventFile
from korgool.competition.storage.line import Line
from korgool.competition.storage.transfer import fill, transfer


class Upload(NamedTuple):
    """An event from elsewhere: its log, the personal data by the id of the player, the id that it had there, and what a
    server knew of it beside the log."""

    log: WholeLog
    personal: dict[int, Personal]
    id: str
    snapshot: object = None

    def write(self, book: Book) -> None:
        """Write it into an empty book; raises what `fill` raises."""
        fill(book, self.log, self.personal)


def read_upload(made: bytes) -> Upload:
    """Read what `sandbox_child.event` made. It takes seconds for a long log; the event is not locked meanwhile.

    Raises:
        CompetitionError: its log cannot stand, or it has too many players.
    """
    lines, personal, beside = json.loads(made)
    log = whole_log(Line(*line) for line in lines)
    if len(log.state.people) > MOST_PLAYERS:
        raise CompetitionError(TOO_MANY_PLAYERS, most=MOST_PLAYERS)
    held = {int(id_): from_plain(one, Personal) for id_, one in personal.items()}
    id_ = carried_id(beside)
    return Upload(log, held, id_ if is_id(id_) else "", beside.get(SNAPSHOT))


UPLOAD_LIMIT = 32 * 1024 * 1024
"""Bytes of an event file; 500 players in eleven rounds with all records take a tenth of it."""
_KIND = "application/vnd.sqlite3"
_FORMS = {_KIND: BYTES, JSON: ANY_EVENT}


@get(
    "/{event_id:str}/file",
    action=Action.OFFICIATE,
    operation_class=operation(gives=_FORMS),
    responses=refusals({403: NO_ROLE, 404: NO_EVENT}),
    security=OFFICIAL,
    summary="An event as a file",
)
async def download(
    event: TheEvent,
    officer: TheOfficer,
    form: Annotated[Literal["json", "file"], QueryParameter(description="an event file, or one JSON object")] = "file",
) -> Response[bytes]:
    """The event as an event file, or with `?form=json` as JSON, for the organiser and the arbiters above sectors.

    Personal data goes with it for those who may remove it.
    """
    if officer.role not in (DeskRole.ORGANISER, DeskRole.CHIEF, DeskRole.DEPUTY):
        raise ApiError(403, errors.NO_ROLE)
    personal, as_json = Forget in POWERS[officer.role].actions, form == "json"
    try:
        data = await event.with_book(lambda book: _written(book, personal=personal, as_json=as_json))
    except CompetitionError as error:
        raise refused(error) from error
    name = f"{event.event_id}.json" if as_json else f"{event.event_id}.korgool"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=MediaType.JSON if as_json else _KIND, headers=headers)


@post(
    "/file",
    action=Action.OFFICIATE,
    status_code=201,
    request_max_body_size=UPLOAD_LIMIT,
    operation_class=operation(takes=_FORMS),
    responses=refusals({422: "this is no event, or its log cannot stand"}, command=True),
    security=OFFICIAL,
    summary="Make an event from a file",
)
async def upload(
    request: AnyRequest,
    event_registry: TheEventRegistry,
    principal: ThePrincipal,
    caller: TheCaller,
    rate_limiter: TheRateLimiter,
) -> EventBrought:
    """Make an event from an event file or its JSON, sent as the body; who asks is its organiser.

    The id that the file carries is kept where it is free here.
    """
    count_change(rate_limiter, caller)
    organiser = Officer(principal.person.id, principal.person.name, DeskRole.ORGANISER)
    with tempfile.TemporaryDirectory(prefix="korgool-") as folder:
        path = Path(folder, "event")
        with path.open("wb") as file:
            async for part in request.stream():
                file.write(part)
        try:
            found = await event_registry.sandbox.open(caller, EVENT, b"", str(path))
            sent = await event_registry.in_thread(lambda: read_upload(found))
            made = await event_registry.take(organiser, sent.write, wanted=sent.id)
        except CompetitionError as error:
            raise refused(error) from error
    return EventBrought(made.id, made.seq, sent.id)


def _written(book: StoredBook, *, personal: bool, as_json: bool) -> bytes:
    book.refresh()
    if as_json:
        return write_json(book, personal=personal)
    with tempfile.TemporaryDirectory(prefix="korgool-") as folder:
        path = Path(folder, "event")
        path.touch()
        with EventFile.begin(path) as file:
            transfer(book, file, personal=personal)
            file.carry({ID: book.id})
        return path.read_bytes()


router = Router("/api/events", route_handlers=[download, upload], tags=["events"])
