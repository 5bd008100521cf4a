"""The photograph of a player at the desk: shown to those who may change entries, and sent by them."""

from __future__ import annotations

from base64 import b64encode
from typing import Final

from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath
from litestar.response import Redirect

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.desk.entries import found_player, shown_player
from korgool.app.server.events.desk.forms import known_line, refusal_of
from korgool.app.server.events.desk.frame import DeskPlace, ThePlace
from korgool.app.server.events.official_access import BYTES_A_UNIT, TheEventRegistry
from korgool.app.server.events.photo_conversion import MOST_SENT
from korgool.app.server.events.sandbox import PHOTO
from korgool.app.server.http.dependencies import TheCaller
from korgool.app.server.http.forms import see
from korgool.app.server.http.responses import AnyRequest
from korgool.competition.errors import CompetitionError, Message
from korgool.languages import N_

_BODY: Final = MOST_SENT + 100_000
"""Most bytes of a form with a picture."""
_COSTS: Final = {BYTES_A_UNIT: 50_000}
_NO_FILE: Final = N_("Choose a picture.")


@get("/players/{player_id:str}/photo", action=Action.OFFICIATE)
async def photo(place: ThePlace, player_id: FromPath[str]) -> Response[bytes]:
    """The photograph, whether the public sees it or not.

    Raises:
        ApiError: 404, there is none, or the role does not change entries.
    """
    place.permit(do.SetPhoto, 404)
    player = found_player(place.state, player_id)
    jpeg = await place.event.with_book(lambda book: book.photo(player.id))
    if jpeg is None:
        raise ApiError(404, errors.NO_PAGE)
    return Response(jpeg, media_type="image/jpeg", headers={"cache-control": "no-store"})


@post("/players/{player_id:str}", action=Action.OFFICIATE, request_max_body_size=_BODY, opt=_COSTS)
async def store_photo(
    request: AnyRequest, place: ThePlace, event_registry: TheEventRegistry, caller: TheCaller, player_id: FromPath[str]
) -> Response[str] | Redirect:
    """Store a picture as the photograph of a player, in place of an earlier one; or say why not.

    Raises:
        ApiError: 404, there is no such player, or the role does not change entries.
    """
    place.permit(do.SetPhoto, 404)
    player = found_player(place.state, player_id)
    form = await request.form()
    sent = form.get("picture")
    data = await sent.read(MOST_SENT + 1) if isinstance(sent, UploadFile) else b""
    line = known_line({name: [value] for name, value in form.items() if isinstance(value, str)})
    try:
        if not data:
            raise CompetitionError(Message(_NO_FILE))
        jpeg = await event_registry.sandbox.open(caller, PHOTO, data)
        asked = {"do": "photo", "player": player.id, "picture": b64encode(jpeg).decode()}
        await place.event.act(place.officer, line, [asked])
    except CompetitionError as error:
        why = refusal_of(error)
        now = DeskPlace(place.event, place.officer)
        return await shown_player(request, now, found_player(now.state, player_id), why.status, problem=why.text)
    return see(f"/events/{place.event.id}/desk/players/{player.id}?done#photo")


handlers = [photo, store_photo]
