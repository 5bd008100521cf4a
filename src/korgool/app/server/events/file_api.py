"""An event as a file: taken out, and brought in from elsewhere."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Literal

from litestar import MediaType, Response, Router, get, post
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.api import NO_EVENT, NO_ROLE, refused
from korgool.app.server.events.messages import EventBrought
from korgool.app.server.events.official_access import TheEvent, TheOfficer
from korgool.app.server.events.openapi_schemas import ANY_EVENT, JSON
from korgool.app.server.events.stored_book import StoredBook
from korgool.app.server.events.uploads.service import UPLOAD_LIMIT, EventUploads, keep_sent
from korgool.app.server.http.dependencies import TheCaller, ThePrincipal
from korgool.app.server.http.openapi import BYTES, OFFICIAL, operation, refusals
from korgool.app.server.http.responses import AnyRequest, origin_of
from korgool.competition.actions import Forget
from korgool.competition.errors import CompetitionError
from korgool.competition.json_export import write_json
from korgool.competition.roles import POWERS, DeskRole, Officer
from korgool.competition.storage.carried import ID
from korgool.competition.storage.event_file import EventFile
from korgool.competition.storage.transfer import transfer

TheEventUploads = NamedDependency[EventUploads]
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
    large=True,
    operation_class=operation(takes=_FORMS),
    responses=refusals({422: "this is no event, or its log cannot stand"}, command=True),
    security=OFFICIAL,
    summary="Make an event from a file",
)
async def upload(
    request: AnyRequest, event_uploads: TheEventUploads, principal: ThePrincipal, caller: TheCaller
) -> EventBrought:
    """Make an event from an event file or its JSON, sent as the body; who asks is its organiser.

    The id that the file carries is kept where it is free here. A copy that a server has written, or the log that a
    browser has kept, then also brings the roles of helpers with their links and codes, and the log has one more line,
    which says that the event is led here. Only officials see the event until one of them makes it public.
    """
    organiser = Officer(principal.person.id, principal.person.name, DeskRole.ORGANISER)
    with tempfile.TemporaryDirectory(prefix="korgool-") as folder:
        sent = await keep_sent(Path(folder, "event"), request.stream())
        try:
            made = await event_uploads.take(caller, organiser, sent, origin_of(request))
            seq = made.event.seq
            head = await made.event.with_book(lambda book: book.head(seq))
        except CompetitionError as error:
            raise refused(error) from error
    return EventBrought(made.event.id, seq, made.carried, str(head))


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
