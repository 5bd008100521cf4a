"""Photographs of scoresheets at the desk, for the officials who enter the results of their boards."""

from __future__ import annotations

from litestar import Response, get
from litestar.params import FromPath, FromQuery

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.desk.forms import whole_number
from korgool.app.server.events.desk.frame import DeskPlace, ThePlace
from korgool.app.server.events.desk.results import round_of, sees_photos
from korgool.app.server.events.official_access import TheEventRegistry
from korgool.app.server.events.tables.codes import Seat
from korgool.app.server.events.tables.service import TheTablePhones
from korgool.competition.model import PairedGame


@get("/round/{number:str}/sheets/{board:str}/photo", action=Action.OFFICIATE)
async def sheet_photo(
    place: ThePlace,
    number: FromPath[str],
    board: FromPath[str],
    table_phones: TheTablePhones,
    event_registry: TheEventRegistry,
    side: FromQuery[str] = "white",
) -> Response[bytes]:
    """The photograph from the seat of White, or of `side=black`.

    Raises:
        ApiError: 404, there is none, or the official does not enter the result of the board.
    """
    at = round_of(place, number)
    game = _game(place, at, board)
    seat = Seat(place.state.group, at, game.board, "black" if side == "black" else "white")
    event = place.event.event_id
    jpeg = await event_registry.in_thread(lambda: table_phones.photos.picture(event, seat, game))
    if jpeg is None:
        raise ApiError(404, errors.NO_PAGE)
    return Response(jpeg, media_type="image/jpeg", headers={"cache-control": "no-store"})


def _game(place: DeskPlace, round_: int, text: str) -> PairedGame:
    board = whole_number(text, 4)
    found = next((one for one in place.state.round(round_).games if one.board == board), None)
    if found is None or not sees_photos(place.officer, found.board):
        raise ApiError(404, errors.NO_PAGE)
    return found


handlers = [sheet_photo]
