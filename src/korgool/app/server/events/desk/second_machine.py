"""The second machine at the desk: who keeps the log, letting another one in, and lines that only a dead machine had."""

from __future__ import annotations

from litestar import MediaType, Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.events.desk.forms import Answer
from korgool.app.server.events.desk.frame import DeskPlace, ThePlace, desk_page
from korgool.app.server.events.group_addresses import group_address
from korgool.app.server.events.official_access import TheEventRegistry
from korgool.app.server.events.stand_by.api import TheStandBys, command_of, page_of
from korgool.app.server.events.stand_by.service import StandBys
from korgool.app.server.events.stand_by.strays import found, request_of, settled, stray, strays_of
from korgool.app.server.http.dependencies import Form, TheCaller, TheRateLimiter
from korgool.app.server.http.forms import see
from korgool.app.server.http.responses import AnyRequest, language_of, origin_of
from korgool.app.server.http.template_texts import qr_svg, time_ms
from korgool.app.server.people.checks import count_change
from korgool.competition.errors import CompetitionError
from korgool.languages import translations

_SCREEN = "second-machine"


@get("/second-machine", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def second_machine_page(request: AnyRequest, place: ThePlace, stand_bys: TheStandBys) -> Response[str]:
    """Who keeps the log of the event beside this machine, and how far each of them is."""
    place.permit_helpers()
    return await _page(request, place, stand_bys)


@post("/second-machine", action=Action.OFFICIATE)
async def let_in(
    request: AnyRequest,
    place: ThePlace,
    data: Form,
    stand_bys: TheStandBys,
    caller: TheCaller,
    rate_limiter: TheRateLimiter,
) -> Answer:
    """Let a second machine in; its code is on the answer, and never again."""
    place.permit_helpers()
    count_change(rate_limiter, caller)
    try:
        _, token = await stand_bys.make(place.event.event_id, data.get("name", "").strip() or "?")
    except RateLimitError:
        raise
    except CompetitionError as error:
        return await _page(request, place, stand_bys, problem=error.said(language_of(request)), status=422)
    return await _page(request, place, stand_bys, token=token)


@post("/second-machine/{machine_id:str}/end", action=Action.OFFICIATE)
async def end_machine(place: ThePlace, machine_id: FromPath[str], stand_bys: TheStandBys) -> Redirect:
    """End a second machine at once."""
    place.permit_helpers()
    await stand_bys.end(place.event.event_id, machine_id)
    return see(f"/events/{place.event.id}/desk/second-machine?done")


@post("/second-machine/lines", action=Action.OFFICIATE)
async def settle_line(
    request: AnyRequest, place: ThePlace, data: Form, event_registry: TheEventRegistry, stand_bys: TheStandBys
) -> Answer:
    """Enter a line anew that only a machine had which led before, or leave it out.

    Raises:
        ApiError: 404, there is no such line.
    """
    place.permit_helpers()
    mark, event = data.get("line", ""), place.event.event_id
    line = found(place.event.lead, mark)
    if line is None:
        raise ApiError(404, errors.NO_PAGE)
    if data.get("do") == "enter":
        group, asked = request_of(line)
        after = data.get("after", "")
        try:
            target = await event_registry.find(group_address(event, place.state, group) if group else event)
            known = int(after) if after.isascii() and after.isdecimal() and len(after) < 10 else target.seq
            await target.act(place.officer, known, [asked])
        except CompetitionError as error:
            return await _page(request, place, stand_bys, problem=error.said(language_of(request)), status=422)
    state = "entered" if data.get("do") == "enter" else "left"
    await event_registry.lead(event, lambda lead: settled(lead, mark, state))
    return see(f"/events/{place.event.id}/desk/second-machine?done")


async def _page(
    request: AnyRequest,
    place: DeskPlace,
    stand_bys: StandBys,
    *,
    token: str = "",
    problem: str = "",
    status: int = 200,
) -> Response[str]:
    event, gettext = place.event.event_id, translations(language_of(request)).gettext
    await place.event.fresh()
    lead, state, origin = place.event.lead, place.event.state, origin_of(request)
    here = []
    if lead.leader is not None:
        only = await stand_bys.lines_after(event, lead.leader.after)
        here = [stray(line, state, gettext) for line in only]
    url = page_of(origin, event, token) if token else ""
    return desk_page(
        request,
        place,
        _SCREEN,
        "second_machine.html",
        status,
        machines=await stand_bys.state(event),
        time_ms=time_ms,
        token=token,
        url=url,
        qr=qr_svg(url) if url else "",
        command=command_of(origin, event, token) if token else "",
        problem=problem,
        leader=lead.leader,
        only_here=here,
        strays=strays_of(lead, state, gettext),
        home=lead.home or origin,
    )


handlers = [second_machine_page, let_in, end_machine, settle_line]
