"""The pages of a table of an event: the form for a code, and the page of a player's seat."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from litestar import MediaType, Response, Router, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath
from litestar.response import Redirect

from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.events.photo_conversion import MOST_SENT
from korgool.app.server.events.tables.report_form import read_report
from korgool.app.server.events.tables.service import TableSeat, TheTablePhones
from korgool.app.server.events.tables.view import CALL_REASONS, table_view
from korgool.app.server.http.dependencies import Form, TheCaller
from korgool.app.server.http.forms import EMPTY, needed, see, shown_again
from korgool.app.server.http.responses import AnyRequest, language_of, page
from korgool.app.server.http.rights import ANYBODY
from korgool.app.words.event_log import CALL_REASONS as CALL_NAMES
from korgool.competition.errors import CompetitionError, Message
from korgool.languages import N_

_LONGEST_ID = 40
_BODY: Final = MOST_SENT + 100_000
"""Most bytes of a form with a photograph."""


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
    seat = await table_phones.seat(event_id, code, caller)
    return _page(request, seat, "table.html", photographed=await table_phones.photographed(seat))


@get("/{event_id:str}/table/{code:str}/part", action=ANYBODY, media_type=MediaType.HTML, counts=False)
async def table_part(
    request: AnyRequest, event_id: FromPath[str], code: FromPath[str], table_phones: TheTablePhones, caller: TheCaller
) -> Response[str]:
    """What changes on the page of a seat, which asks for it again and again: 304 where nothing has."""
    seat = await table_phones.seat(event_id, code, caller)
    tag = f'"{table_view(seat).tag}-{language_of(request)}"'
    if request.headers.get("if-none-match") == tag:
        return Response("", status_code=304, headers={"etag": tag, "cache-control": "no-store"})
    answer = _page(request, seat, "table_part.html")
    answer.headers["etag"] = tag
    return answer


@post("/{event_id:str}/table/{code:str}/report", action=ANYBODY)
async def report(
    request: AnyRequest,
    event_id: FromPath[str],
    code: FromPath[str],
    data: Form,
    table_phones: TheTablePhones,
    caller: TheCaller,
) -> Response[str] | Redirect:
    """Report how the game has ended, or with `back` take the own report back."""
    seat = await table_phones.seat(event_id, code, caller)
    try:
        result = None if "back" in data else read_report(data, seat.state.event)
        await table_phones.report(seat, caller, _command(data), result)
    except (CompetitionError, ApiError) as problem:
        return _again(request, seat, data, problem)
    return _done(request, seat, data)


@post("/{event_id:str}/table/{code:str}/call", action=ANYBODY)
async def call(
    request: AnyRequest,
    event_id: FromPath[str],
    code: FromPath[str],
    data: Form,
    table_phones: TheTablePhones,
    caller: TheCaller,
) -> Response[str] | Redirect:
    """Call a referee to the board, or with an empty `about` say that nobody is needed any more."""
    seat = await table_phones.seat(event_id, code, caller)
    about = data.get("about", "")
    try:
        await table_phones.call(
            seat, caller, _command(data), about if about in CALL_REASONS else "other" if about else ""
        )
    except (CompetitionError, ApiError) as problem:
        return _again(request, seat, data, problem)
    return _done(request, seat, data)


@post("/{event_id:str}/table/{code:str}/photo", action=ANYBODY, request_max_body_size=_BODY)
async def send_photo(
    request: AnyRequest, event_id: FromPath[str], code: FromPath[str], table_phones: TheTablePhones, caller: TheCaller
) -> Response[str] | Redirect:
    """Send a photograph of the scoresheet; the report does not need it."""
    seat = await table_phones.seat(event_id, code, caller)
    form = await request.form()
    sent = form.get("photo")
    data = await sent.read(MOST_SENT + 1) if isinstance(sent, UploadFile) else b""
    template, status, problem = "table_photo.html" if "part" in form else "table.html", 200, ""
    try:
        if not data:
            raise CompetitionError(Message(N_("Choose a picture.")))
        await table_phones.photograph(seat, caller, data)
    except (CompetitionError, ApiError) as error:
        status = error.status if isinstance(error, ApiError) else 422
        problem = error.said(language_of(request))
    if not problem and "part" not in form:
        return see(f"{seat.address}#table-photo")
    there = await table_phones.photographed(seat)
    return _page(request, seat, template, status, photographed=there, photo_problem=problem)


def _command(data: Mapping[str, str]) -> str:
    """The id that a device has given to what it sends."""
    text = data.get("id", "")
    return text if len(text) <= _LONGEST_ID and text.isascii() and text.isprintable() else ""


def _done(request: AnyRequest, seat: TableSeat, data: Mapping[str, str]) -> Response[str] | Redirect:
    """The part of the page for a script, otherwise the way back to the page."""
    return _page(request, seat, "table_part.html") if "part" in data else see(seat.address)


def _again(
    request: AnyRequest, seat: TableSeat, data: Mapping[str, str], problem: CompetitionError | ApiError
) -> Response[str]:
    """The page with what was typed, and why it is not done."""
    status = problem.status if isinstance(problem, ApiError) else 422
    said = problem.said(language_of(request))
    answer = _page(request, seat, "table_part.html" if "part" in data else "table.html", status, data, said)
    if isinstance(problem, RateLimitError):
        answer.headers["retry-after"] = str(max(1, math.ceil(problem.wait)))
    return answer


def _page(
    request: AnyRequest,
    seat: TableSeat,
    template: str,
    status: int = 200,
    typed: Mapping[str, str] | None = None,
    problem: str = "",
    **more: object,
) -> Response[str]:
    table = table_view(seat)
    answer = page(
        request,
        template,
        status,
        table=table,
        game=table.game,
        typed={name: text[:20] for name, text in (typed or {}).items()},
        problem=problem,
        call_names=CALL_NAMES,
        **more,
    )
    answer.headers["cache-control"] = "no-store"
    return answer


router = Router(
    "/events",
    route_handlers=[code_page, come_by_code, table_page, table_part, report, call, send_photo],
    include_in_schema=False,
)
