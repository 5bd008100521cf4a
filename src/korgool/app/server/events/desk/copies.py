"""The screen about copies at the desk: the stick of the server's machine, and copies that a browser saves by itself."""

from __future__ import annotations

from typing import Final

from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency
from litestar.response import Redirect

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.copies.service import EventCopies, closed_rounds
from korgool.app.server.events.desk.frame import DeskPlace, ThePlace, desk_page
from korgool.app.server.events.official_access import TheEventRegistry
from korgool.app.server.http.forms import see
from korgool.app.server.http.responses import AnyRequest
from korgool.competition.roles import DeskRole

TheEventCopies = NamedDependency[EventCopies]
_WHOLE: Final = (DeskRole.ORGANISER, DeskRole.CHIEF, DeskRole.DEPUTY)
"""The roles that may have the whole event as a file."""
_SLOW_MS: Final = 15_000
"""Milliseconds after which a copy that is under way is shown as late."""


@get("/copies", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def copies_page(
    request: AnyRequest, place: ThePlace, event_copies: TheEventCopies, event_registry: TheEventRegistry
) -> Response[str]:
    """The last copy, what is wrong with the next one, and the ways to save one."""
    _permit(place)
    groups = await event_registry.groups(await event_registry.find(place.event.event_id))
    held = event_copies.state(place.event.event_id)
    return desk_page(
        request,
        place,
        "copies",
        "copies.html",
        folder=event_copies.folder,
        held=held,
        late=bool(held.since_ms) and not held.problem and now_ms() - held.since_ms > _SLOW_MS,
        closed=closed_rounds([one.state for one in groups]),
        seq=max(one.seq for one in groups),
        file=place.event.event_id,
    )


@post("/copies", action=Action.OFFICIATE)
async def save_copy(place: ThePlace, event_copies: TheEventCopies) -> Redirect:
    """Write a copy into the folder now."""
    _permit(place)
    event_copies.ask(place.event.event_id)
    return see(f"/events/{place.event.id}/desk/copies")


def _permit(place: DeskPlace) -> None:
    if place.officer.role not in _WHOLE:
        raise ApiError(404, errors.NO_PAGE)


handlers = [copies_page, save_copy]
