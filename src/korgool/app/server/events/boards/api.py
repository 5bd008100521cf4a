"""Scoresheets of boards for the devices that keep them: an official's, by their role."""

from __future__ import annotations

from typing import Annotated

from litestar import MediaType, Response, Router, get, post
from litestar.params import PathParameter, QueryParameter

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.api import NO_EVENT, NO_ROLE, read_body
from korgool.app.server.events.boards.messages import SheetRefused, SheetRequest, SheetTold, told
from korgool.app.server.events.boards.service import LiveBoards, TheLiveBoards, Writer
from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.events.official_access import TheEvent, TheOfficer
from korgool.app.server.events.openapi_schemas import takes
from korgool.app.server.http.dependencies import TheCaller
from korgool.app.server.http.openapi import OFFICIAL, answer, refusals
from korgool.app.server.http.responses import AnyRequest, language_of
from korgool.app.server.limits import Caller
from korgool.competition.board_sheet import Keeper
from korgool.competition.model import PairedGame
from korgool.competition.roles import Officer

Board = Annotated[int, PathParameter(description="number of the board in the round that is played", ge=1, le=9999)]
Device = Annotated[str, QueryParameter(description="the name that the device has given itself", max_length=40)]
WRITTEN = {
    200: answer(SheetTold, "all is on disk"),
    409: answer(SheetRefused, "others have changed since what an entry is about; those before it are written"),
    422: answer(SheetRefused, "the rules, or the sheet, do not allow an entry; those before it are written"),
}


@get(
    "/sheet",
    action=Action.OFFICIATE,
    responses=refusals({403: NO_ROLE, 404: f"{NO_EVENT}, or no game at this board"}),
    security=OFFICIAL,
    summary="The scoresheet of a board",
)
async def read_sheet(
    event: TheEvent, officer: TheOfficer, board: Board, live_boards: TheLiveBoards, device: Device = ""
) -> SheetTold:
    """The scoresheet of a board in the round that is played, without any delay: for officials of that board."""
    game = permitted_game(event, officer, board, live_boards)
    return await tell_sheet(live_boards, event, game, device)


@post(
    "/sheet",
    action=Action.OFFICIATE,
    status_code=200,
    operation_class=takes(SheetRequest),
    responses={
        **refusals(
            {403: NO_ROLE, 404: f"{NO_EVENT}, or no game at this board", 410: "it is for a round that is over"},
            command=True,
        ),
        **WRITTEN,
    },
    security=OFFICIAL,
    summary="Write to the scoresheet of a board",
)
async def write_sheet(
    request: AnyRequest,
    event: TheEvent,
    officer: TheOfficer,
    board: Board,
    live_boards: TheLiveBoards,
    caller: TheCaller,
) -> Response[SheetTold | SheetRefused]:
    """Write entries in their order up to the first one that is refused. One whose id is known happens once."""
    game = permitted_game(event, officer, board, live_boards)
    return await write_entries(request, live_boards, event, game, "official", caller)


def permitted_game(event: LiveEvent, officer: Officer, board: int, live_boards: LiveBoards) -> PairedGame:
    """The game at a board whose scoresheet an official may keep.

    Raises:
        ApiError: 403, their role or their range of boards does not have it; 404, there is no game.
    """
    game = live_boards.game(event, board)
    if officer.refusal(do.Attach(len(event.state.rounds), board, ()), event.state) is not None:
        raise ApiError(403, errors.NO_ROLE)
    return game


async def tell_sheet(live_boards: LiveBoards, event: LiveEvent, game: PairedGame, device: str) -> SheetTold:
    """The scoresheet of a game for a device."""
    sheet = await live_boards.sheet(event, game)
    return told(event.state, len(event.state.rounds), game, sheet, device)


async def write_entries(
    request: AnyRequest, live_boards: LiveBoards, event: LiveEvent, game: PairedGame, by: Keeper, caller: Caller
) -> Response[SheetTold | SheetRefused]:
    """Write what the body of a request holds, as a device of somebody.

    Raises:
        ApiError: 400, the body is not this; 410, it is for a round that is over; 429.
    """
    asked: SheetRequest = await read_body(request, SheetRequest)
    live_boards.game(event, game.board, asked.round)
    written = await live_boards.write(event, game, Writer(by, asked.device), asked.entries, caller)
    sheet = told(event.state, len(event.state.rounds), game, written.sheet, asked.device)
    if written.refusal is None:
        return Response(sheet, media_type=MediaType.JSON)
    refused = SheetRefused(written.refusal.said(language_of(request)), written.done, sheet)
    return Response(refused, status_code=409 if written.refusal.conflict else 422, media_type=MediaType.JSON)


router = Router(
    "/api/events/{event_id:str}/boards/{board:int}", route_handlers=[read_sheet, write_sheet], tags=["events"]
)
