"""Scoresheets of boards for the phones of the players, who hold the codes of their seats."""

from __future__ import annotations

from typing import Annotated

from litestar import MediaType, Response, Router, get, post
from litestar.params import FromPath, PathParameter
from litestar.response import Redirect

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.api import refused
from korgool.app.server.events.boards.api import WRITTEN, Device, tell_sheet, write_entries
from korgool.app.server.events.boards.messages import SheetRefused, SheetRequest, SheetTold
from korgool.app.server.events.boards.pages import kept_page
from korgool.app.server.events.boards.service import LiveBoards, TheLiveBoards
from korgool.app.server.events.official_access import EventId
from korgool.app.server.events.openapi_schemas import takes
from korgool.app.server.events.tables.service import TableSeat, TheTablePhones
from korgool.app.server.http.dependencies import Form, TheCaller
from korgool.app.server.http.forms import see
from korgool.app.server.http.openapi import refusals
from korgool.app.server.http.responses import AnyRequest
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.limits import Caller
from korgool.competition.errors import CompetitionError
from korgool.competition.model import PairedGame
from korgool.competition.result_entry import read_entry

SeatCode = Annotated[str, PathParameter(description="code of a seat, from the card of its table", max_length=40)]
_NO_SEAT = {404: "there is no such code, or nobody sits opposite", 410: "the code is of a round that is over"}


@get("/{event_id:str}/table/{code:str}/sheet", action=ANYBODY, media_type=MediaType.HTML)
async def seat_page(
    request: AnyRequest,
    event_id: FromPath[str],
    code: FromPath[str],
    table_phones: TheTablePhones,
    live_boards: TheLiveBoards,
    caller: TheCaller,
) -> Response[str]:
    """The scoresheet of a board on the phone of a player."""
    seat = await table_phones.seat(event_id, code, caller)
    sheet = await tell_sheet(live_boards, seat.event, _game(live_boards, seat), "")
    answer = kept_page(
        request,
        sheet,
        seat.state.event.rules(),
        seat.side,
        address=f"/api{seat.address}/sheet",
        here=f"/events/{seat.event.event_id}/table",
        back=seat.address,
        report=f"{seat.address}/sheet/report",
    )
    answer.headers["cache-control"] = "no-store"
    return answer


@post("/{event_id:str}/table/{code:str}/sheet/report", action=ANYBODY)
async def report_sheet(
    request: AnyRequest,
    event_id: FromPath[str],
    code: FromPath[str],
    data: Form,
    table_phones: TheTablePhones,
    live_boards: TheLiveBoards,
    caller: TheCaller,
) -> Redirect:
    """Report the result of the scoresheet as the player of a seat, as if it had been typed at the table.

    Raises:
        ApiError: 409, the game is not over on the sheet, or another result stands; 422, the event does not allow it.
    """
    seat = await table_phones.seat(event_id, code, caller)
    sheet = await live_boards.sheet(seat.event, _game(live_boards, seat))
    if not sheet.settled or sheet.result_text() != data.get("result", ""):
        raise ApiError(409, errors.SHEET_CHANGED)
    try:
        result = read_entry(sheet.result_text(), seat.state.event)
        await table_phones.report(seat, caller, data.get("id", "")[:40], result)
    except CompetitionError as error:
        raise refused(error) from error
    return see(seat.address)


@get(
    "/{event_id:str}/table/{code:str}/sheet",
    action=ANYBODY,
    responses=refusals(_NO_SEAT),
    summary="The scoresheet of a seat",
)
async def read_seat(
    event_id: EventId,
    code: SeatCode,
    table_phones: TheTablePhones,
    live_boards: TheLiveBoards,
    caller: TheCaller,
    device: Device = "",
) -> SheetTold:
    """The scoresheet of a board, without any delay: for whoever holds the code of one of its seats."""
    seat = await table_phones.seat(event_id, code, caller)
    return await tell_sheet(live_boards, seat.event, _game(live_boards, seat), device)


@post(
    "/{event_id:str}/table/{code:str}/sheet",
    action=ANYBODY,
    status_code=200,
    operation_class=takes(SheetRequest),
    responses={**refusals(_NO_SEAT, command=True), **WRITTEN},
    summary="Write to the scoresheet of a seat",
)
async def write_seat(
    request: AnyRequest,
    event_id: EventId,
    code: SeatCode,
    table_phones: TheTablePhones,
    live_boards: TheLiveBoards,
    caller: TheCaller,
) -> Response[SheetTold | SheetRefused]:
    """Write entries in their order up to the first one that is refused. One whose id is known happens once."""
    seat = await table_phones.seat(event_id, code, caller)
    own = Caller(caller.address, f"table {seat.event.event_id} {seat.code}")
    return await write_entries(request, live_boards, seat.event, _game(live_boards, seat), seat.side, own)


def _game(live_boards: LiveBoards, seat: TableSeat) -> PairedGame:
    return live_boards.game(seat.event, seat.board, seat.round)


pages = Router("/events", route_handlers=[seat_page, report_sheet], include_in_schema=False)
doors = Router("/api/events", route_handlers=[read_seat, write_seat], tags=["events"])
