"""The pages of a table of an event: the form for a code, and the page of a player's seat."""

from __future__ import annotations

from litestar import MediaType, Response, Router, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.tables.service import TablePhones, TheTablePhones
from korgool.app.server.events.tables.view import table_view
from korgool.app.server.http.dependencies import Form, TheCaller
from korgool.app.server.http.forms import EMPTY, needed, see, shown_again
from korgool.app.server.http.responses import AnyRequest, page
from korgool.app.server.http.rights import ANYBODY


@get("/{event_id:str}/table", action=ANYBODY, media_type=MediaType.HTML)
async def code_page(request: AnyRequest, event_id: FromPath[str], table_phones: TheTablePhones) -> Response[str]:
    """The form for a code that stands on a card."""
    title = await table_phones.title(event_id)
    return page(request, "table_code.html", form=EMPTY, event_id=event_id, title=title)


@post("/{event_id:str}/table", action=ANYBODY)
async def come_by_code(
    request: AnyRequest, event_id: FromPath[str], data: Form, table_phones: TheTablePhones, caller: TheCaller
) -> Response[str] | Redirect:
    """Go to the page of a seat by its code."""
    title = await table_phones.title(event_id)
    try:
        (code,) = needed(data, "code")
        found = await table_phones.seat(event_id, code, caller)
    except ApiError as problem:
        context = {"event_id": event_id, "title": title}
        return shown_again(request, "table_code.html", problem, data, "code", **context)
    return see(found.address)


@get("/{event_id:str}/table/{code:str}", action=ANYBODY, media_type=MediaType.HTML)
async def table_page(
    request: AnyRequest, event_id: FromPath[str], code: FromPath[str], table_phones: TheTablePhones, caller: TheCaller
) -> Response[str]:
    """The page of a seat. Looking changes nothing."""
    return await _page(request, table_phones, event_id, code, caller, "table.html")


@get("/{event_id:str}/table/{code:str}/part", action=ANYBODY, media_type=MediaType.HTML, counts=False)
async def table_part(
    request: AnyRequest, event_id: FromPath[str], code: FromPath[str], table_phones: TheTablePhones, caller: TheCaller
) -> Response[str]:
    """What changes on the page of a seat, which asks for it again and again."""
    return await _page(request, table_phones, event_id, code, caller, "table_part.html")


async def _page(
    request: AnyRequest, table_phones: TablePhones, event_id: str, code: str, caller: TheCaller, template: str
) -> Response[str]:
    seat = await table_phones.seat(event_id, code, caller)
    answer = page(request, template, table=table_view(seat))
    answer.headers["cache-control"] = "no-store"
    return answer


router = Router(
    "/events",
    route_handlers=[code_page, come_by_code, table_page, table_part],
    include_in_schema=False,
)
