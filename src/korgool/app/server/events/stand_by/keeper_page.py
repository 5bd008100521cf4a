"""The page on which a browser keeps the log of an event, and leads it on elsewhere if its machine is lost."""

from __future__ import annotations

from litestar import MediaType, Response, get
from litestar.params import FromPath

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.event_registry import is_id
from korgool.app.server.http.responses import AnyRequest, page
from korgool.app.server.http.rights import ANYBODY


@get("/events/{event_id:str}/stand-by", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def keeper_page(request: AnyRequest, event_id: FromPath[str]) -> Response[str]:
    """The page, the same for every event, whether there is one or not: what opens it is known to the browser alone.

    Raises:
        ApiError: 404, no event can have this id.
    """
    if not is_id(event_id):
        raise ApiError(404, errors.NO_EVENT)
    return page(request, "event_keeper.html", id=event_id)


handlers = [keeper_page]
