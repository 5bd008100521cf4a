"""The page on which a helper keeps the scoresheet of a board, and the list of the boards of a round."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import MediaType, Response, Router, get

from korgool.accounts import Action
from korgool.app.server.events.boards.api import Board, permitted_game, tell_sheet
from korgool.app.server.events.boards.messages import SheetTold
from korgool.app.server.events.boards.service import TheLiveBoards
from korgool.app.server.events.official_access import TheEvent, TheOfficer
from korgool.app.server.http.responses import AnyRequest, page
from korgool.app.server.play.board_picture import BoardPicture
from korgool.competition.board_sheet import Keeper
from korgool.rules import Rules


@get("/sheet", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def sheet_page(
    request: AnyRequest, event: TheEvent, officer: TheOfficer, board: Board, live_boards: TheLiveBoards
) -> Response[str]:
    """The scoresheet of a board in the round that is played, for an official of that board."""
    game = permitted_game(event, officer, board, live_boards)
    sheet = await tell_sheet(live_boards, event, game, "")
    desk = f"/events/{event.id}/desk"
    return kept_page(
        request,
        sheet,
        event.state.event.rules(),
        "official",
        address=f"/api/events/{event.id}/boards/{board}/sheet",
        here=f"{desk}/boards/{board}/sheet",
        back=f"{desk}/round/{sheet.round}#board-{board}",
        results=f"{desk}/round/{sheet.round}/results",
        seq=event.seq,
    )


def kept_page(
    request: AnyRequest, sheet: SheetTold, rules: Rules, by: Keeper, *, address: str, **context: Any
) -> Response[str]:
    """The page of a scoresheet for a device.

    Args:
        request: who asks.
        sheet: as it stands.
        rules: of the game.
        by: whose device it is.
        address: where the sheet is read and written.
        context: `here` and `back`, addresses of this page and of the one before; of an official `results` and `seq`, of
            a player `report`: where the result is entered.
    """
    told = msgspec.json.encode(sheet).decode().replace("<", "\\u003c")
    values = {"sheet": sheet, "told": told, "by": by, "address": address, "report": "", **context}
    return page(request, "board_sheet.html", game=rules.name, board=BoardPicture.at(rules.start()), **values)


router = Router("/events/{event_id:str}/desk/boards/{board:int}", route_handlers=[sheet_page], include_in_schema=False)
