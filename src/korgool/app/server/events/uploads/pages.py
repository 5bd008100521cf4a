"""The page on which an event comes from a file: what the file holds is shown first, and then it is taken."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from litestar import MediaType, Response, Router, get, post
from litestar.datastructures import UploadFile
from litestar.di import NamedDependency
from litestar.response import Redirect

from korgool.accounts import Action
from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.events.official_access import TheEventRegistry, officer_of
from korgool.app.server.events.uploads.service import ANOTHER, UPLOAD_LIMIT, EventUploads, SentFile, keep_sent
from korgool.app.server.http.dependencies import TheCaller, ThePrincipal
from korgool.app.server.http.forms import see
from korgool.app.server.http.responses import AnyRequest, language_of, origin_of, page
from korgool.competition.errors import CompetitionError, Message, said
from korgool.competition.file_summary import FileSummary
from korgool.competition.roles import DeskRole, Officer
from korgool.languages import N_

TheEventUploads = NamedDependency[EventUploads]
_BODY: Final = UPLOAD_LIMIT + 100_000
"""Most bytes of the form with its file."""
_PART: Final = 1 << 18
_NO_FILE: Final = N_("Choose a file.")


@dataclass(frozen=True, slots=True)
class AddressFound:
    """The address that a file carries.

    Attributes:
        id: empty for none.
        free: whether it is free here.
        mine: the event that has it, if who asks has a role there.
        same: whether that is the same event, and has at least the lines of the file.
    """

    id: str = ""
    free: bool = False
    mine: LiveEvent | None = None
    same: bool = False


@get("/upload", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def upload_page(request: AnyRequest) -> Response[str]:
    """The form for a file."""
    return _page(request)


@post("/upload", action=Action.OFFICIATE, status_code=200, request_max_body_size=_BODY, large=True)
async def upload_file(
    request: AnyRequest,
    event_uploads: TheEventUploads,
    event_registry: TheEventRegistry,
    principal: ThePrincipal,
    caller: TheCaller,
) -> Response[str] | Redirect:
    """Show what a file holds, or with `take` make an event of it; its desk opens.

    Raises:
        ApiError: too many were sent.
    """
    form = await request.form()
    file = form.get("file")
    if not isinstance(file, UploadFile) or not file.filename:
        return _page(request, 422, problem=Message(_NO_FILE))
    wanted = {name: value for name, value in form.items() if isinstance(value, str)}
    async with _kept(file) as sent:
        try:
            if "take" not in wanted:
                found = await event_uploads.look(caller, sent)
                address = await _address(request, event_uploads, event_registry, found)
                return _page(request, found=found, address=address, digest=sent.digest)
            if wanted.get("digest", sent.digest) != sent.digest:
                return _page(request, 409, problem=Message(ANOTHER))
            organiser = Officer(principal.person.id, principal.person.name, DeskRole.ORGANISER)
            made = await event_uploads.take(caller, organiser, sent, origin_of(request), saving="saving" in wanted)
        except CompetitionError as error:
            return _page(request, 422, problem=error.message)
    return see(f"/events/{made.event.id}/desk")


@asynccontextmanager
async def _kept(file: UploadFile) -> AsyncIterator[SentFile]:
    async def parts() -> AsyncIterator[bytes]:
        while part := await file.read(_PART):
            yield part

    with tempfile.TemporaryDirectory(prefix="korgool-") as folder:
        yield await keep_sent(Path(folder, "event"), parts())


async def _address(
    request: AnyRequest, event_uploads: EventUploads, event_registry: EventRegistry, found: FileSummary
) -> AddressFound:
    if not found.id or await event_uploads.is_free(found.id):
        return AddressFound(found.id, free=True)
    if await officer_of(request, found.id) is None:
        return AddressFound(found.id)
    event = await event_registry.find(found.id)
    return AddressFound(found.id, mine=event, same=await event_uploads.same_here(event, found))


def _page(
    request: AnyRequest,
    status: int = 200,
    *,
    found: FileSummary | None = None,
    address: AddressFound | None = None,
    digest: str = "",
    problem: str = "",
) -> Response[str]:
    language = language_of(request)
    return page(
        request,
        "events_upload.html",
        status,
        found=found,
        address=address,
        digest=digest,
        problem=said(problem, language),
        damage=said(found.damage, language) if found else "",
        most=UPLOAD_LIMIT,
    )


router = Router("/events", route_handlers=[upload_page, upload_file], include_in_schema=False)
"""The pages on which an event comes from a file."""
