"""The emblem of the organiser at the desk: shown beside the papers, sent and removed by those who may."""

from __future__ import annotations

from typing import Final

from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.response import Redirect

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.desk.forms import known_line, refusal_of
from korgool.app.server.events.desk.frame import DeskPlace, ThePlace
from korgool.app.server.events.desk.papers import papers_form
from korgool.app.server.events.emblem_conversion import MOST_SENT
from korgool.app.server.events.official_access import BYTES_A_UNIT, TheEventRegistry
from korgool.app.server.events.sandbox import EMBLEM
from korgool.app.server.http.dependencies import TheCaller
from korgool.app.server.http.forms import see
from korgool.app.server.http.responses import AnyRequest
from korgool.competition.emblem import emblem_bytes, emblem_text
from korgool.competition.errors import CompetitionError, Message
from korgool.languages import N_

_BODY: Final = MOST_SENT + 100_000
"""Most bytes of a form with a picture."""
_COSTS: Final = {BYTES_A_UNIT: 50_000}
_NO_FILE: Final = N_("Choose a picture.")


@get("/papers/emblem", action=Action.OFFICIATE)
async def emblem(place: ThePlace) -> Response[bytes]:
    """The emblem.

    Raises:
        ApiError: 404, there is none.
    """
    place.permit(do.Publish, 404)
    if not place.state.emblem:
        raise ApiError(404, errors.NO_PAGE)
    headers = {"cache-control": "no-store"}
    return Response(emblem_bytes(place.state.emblem), media_type="image/jpeg", headers=headers)


@post("/papers/emblem", action=Action.OFFICIATE, request_max_body_size=_BODY, opt=_COSTS)
async def store_emblem(
    request: AnyRequest, place: ThePlace, event_registry: TheEventRegistry, caller: TheCaller
) -> Response[str] | Redirect:
    """Store a picture as the emblem, with `remove` none; or say why not.

    Raises:
        ApiError: 404, the role does not do that.
    """
    place.permit(do.SetEmblem, 404)
    form = await request.form()
    sent = form.get("picture")
    data = await sent.read(MOST_SENT + 1) if isinstance(sent, UploadFile) else b""
    line = known_line({name: [value] for name, value in form.items() if isinstance(value, str)})
    try:
        if form.get("remove"):
            picture = ""
        elif not data:
            raise CompetitionError(Message(_NO_FILE))
        else:
            picture = emblem_text(await event_registry.sandbox.open(caller, EMBLEM, data))
        await place.event.act(place.officer, line, [{"do": "emblem", "picture": picture}])
    except CompetitionError as error:
        why = refusal_of(error)
        return papers_form(request, DeskPlace(place.event, place.officer), {}, why.text, why.status)
    return see(f"/events/{place.event.id}/desk/papers?done#emblem")


handlers = [emblem, store_emblem]
