"""Applications at the desk: when anybody may apply, who waits, yes, no and questions; and people of earlier events."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from typing import Final
from zoneinfo import ZoneInfo

from litestar import MediaType, Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.applications.model import OPEN, EntryWindow
from korgool.app.server.events.applications.pages import TheApplications
from korgool.app.server.events.desk.entries import as_new
from korgool.app.server.events.desk.forms import read_fields, whole_number
from korgool.app.server.events.desk.frame import DeskPlace, ThePlace, desk_page
from korgool.app.server.events.official_access import TheEventRegistry
from korgool.app.server.http.forms import see
from korgool.app.server.http.responses import AnyRequest, language_of, origin_of
from korgool.app.server.http.template_texts import qr_svg
from korgool.app.words.event_log import in_words
from korgool.app.words.event_texts import collation, zone_text
from korgool.competition.codec import plain
from korgool.competition.eligibility import check_limits, same_person
from korgool.competition.errors import CompetitionError, said
from korgool.competition.model import Player
from korgool.competition.practice import is_practice
from korgool.languages import N_, translations

_REMARKS: Final = {
    "entered": N_("Entered already: %(name)s"),
    "similar": N_("Like somebody who is entered: %(name)s"),
    "twice": N_("Another one that waits: %(name)s"),
    "before": N_("Took part before: %(name)s"),
}
_STATES: Final = {
    "entered": N_("entered"),
    "refused": N_("refused"),
    "withdrawn": N_("withdrawn by the applicant"),
}
_MOST_EVENTS: Final = 30


@get("/applications", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def applications_page(request: AnyRequest, place: ThePlace, applications: TheApplications) -> Response[str]:
    """Who waits for an answer, and when anybody may apply."""
    place.permit(do.Enter, 404)
    return await _page(request, place, applications)


@post("/applications/windows", action=Action.OFFICIATE)
async def set_windows(request: AnyRequest, place: ThePlace, applications: TheApplications) -> Response[str] | Redirect:
    """Say when anybody may apply; a group without times is not open."""
    place.permit(do.Enter)
    given = {name: values[-1] for name, values in (await read_fields(request)).items()}
    found, zone = list[EntryWindow](), _zone(place)
    try:
        for group in await applications.groups(place.event):
            opens, closes = (given.get(f"{name}-{group.id}", "").strip() for name in ("opens", "closes"))
            most = whole_number(given.get(f"most-{group.id}", "").strip() or "0", 4)
            if most is None:
                raise CompetitionError(N_("The number of players is a whole number."))
            if opens or closes:
                found.append(EntryWindow(group.id, _moment(opens, zone), _moment(closes, zone), most))
        await applications.set_windows(place.event, found)
    except CompetitionError as error:
        return await _page(request, place, applications, error.said(language_of(request)), 422)
    return see(f"/events/{place.event.id}/desk/applications?done")


@post("/applications/decide", action=Action.OFFICIATE)
async def decide(request: AnyRequest, place: ThePlace, applications: TheApplications) -> Response[str] | Redirect:
    """Enter one or several applicants, refuse one, or ask one something."""
    place.permit(do.Enter)
    given = await read_fields(request)
    ids, what = given.get("id", ()), given.get("what", [""])[-1]
    words = given.get("words", [""])[-1]
    language, problems = language_of(request), list[str]()
    if what == "all":
        seen = await applications.seen(place.event, place.officer)
        clear = ("entered", "similar", "twice")
        ids = [one.id for one in seen if one.state in OPEN and not any(note.kind in clear for note in one.remarks)]
    for id_ in ids:
        try:
            if what == "no":
                await applications.refuse(place.event, id_, words)
            elif what == "ask":
                await applications.ask(place.event, id_, words)
            else:
                await applications.accept(
                    place.event, place.officer, id_, namesake="namesake" in given, within=what == "all"
                )
        except CompetitionError as error:
            gettext = translations(language).gettext
            problems.append(said(in_words(error.message, place.event.state, gettext), language))
    if problems:
        return await _page(request, place, applications, " ".join(dict.fromkeys(problems)), 422)
    return see(f"/events/{place.event.id}/desk/applications?done")


@get("/applications/{application_id:str}/paper", action=Action.OFFICIATE)
async def paper(
    place: ThePlace, application_id: FromPath[str], applications: TheApplications, event_registry: TheEventRegistry
) -> Response[bytes]:
    """The picture of the doctor's paper.

    Raises:
        ApiError: 404, there is none, or the role enters nobody.
    """
    place.permit(do.Enter, 404)
    id_ = place.event.event_id
    jpeg = await event_registry.in_thread(lambda: applications.repository.paper(id_, application_id))
    if jpeg is None:
        raise ApiError(404, errors.NO_PAGE)
    return Response(jpeg, media_type="image/jpeg", headers={"cache-control": "no-store"})


@get("/applications/last", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def last_time(request: AnyRequest, place: ThePlace, event_registry: TheEventRegistry) -> Response[str]:
    """The people of an earlier event of the same official, to be entered with two taps each or all at once."""
    place.permit(do.Enter, 404)
    return await _last(request, place, event_registry, request.query_params.get("event", "")[:40])


@post("/applications/last", action=Action.OFFICIATE)
async def take_over(request: AnyRequest, place: ThePlace, event_registry: TheEventRegistry) -> Response[str] | Redirect:
    """Enter the chosen people of an earlier event, all or none."""
    place.permit(do.Enter)
    given = await read_fields(request)
    event = given.get("event", [""])[-1]
    people = await _people(place, event_registry, event)
    chosen = {one.id for one in people} if "all" in given else {
        number for text in given.get("player", ()) if (number := whole_number(text, 8)) is not None
    }  # fmt: skip
    asked = [{"do": "enter", "entry": plain(as_new(one.entry))} for one in people if one.id in chosen]
    try:
        if not asked:
            raise CompetitionError(N_("Nobody is chosen."))
        await place.event.act(place.officer, (await place.event.fresh()).actions, asked)
    except CompetitionError as error:
        return await _last(request, place, event_registry, event, error.said(language_of(request)), 422)
    return see(f"/events/{place.event.id}/desk/players?done")


async def _last(
    request: AnyRequest, place: DeskPlace, event_registry: TheEventRegistry, event: str, problem: str = "",
    status: int = 200,
) -> Response[str]:  # fmt: skip
    listed = [one for one in await event_registry.of(place.officer.who) if one.id != place.event.event_id]
    people = await _people(place, event_registry, event)
    language = language_of(request)
    return desk_page(
        request,
        place,
        "applications",
        "last_time.html",
        status,
        guide="applications",
        events=listed[:_MOST_EVENTS],
        chosen=event,
        people=sorted(people, key=lambda one: collation(one.entry.name, language)),
        problem=problem,
    )


async def _people(place: DeskPlace, event_registry: TheEventRegistry, event: str) -> list[Player]:
    """Those of an earlier event who may play here and are not entered yet."""
    if event not in {one.id for one in await event_registry.of(place.officer.who)}:
        return []
    state, here = (await event_registry.find(event)).state, place.state
    if is_practice(state):
        return []
    found = []
    for one in state.people.values():
        if one.entry.removed or any(same_person(other.entry, one.entry) for other in here.people.values()):
            continue
        try:
            check_limits(here, one.entry)
        except CompetitionError:
            continue
        found.append(one)
    return found


async def _page(
    request: AnyRequest, place: DeskPlace, applications: TheApplications, problem: str = "", status: int = 200
) -> Response[str]:
    seen = await applications.seen(place.event, place.officer)
    groups = await applications.groups(place.event)
    url, zone = f"{origin_of(request)}/events/{place.event.event_id}/enter", _zone(place)
    return desk_page(
        request,
        place,
        "applications",
        "applications.html",
        status,
        all_groups=True,
        waiting=[one for one in seen if one.state in OPEN],
        done_with=[one for one in seen if one.state not in OPEN],
        windows=groups,
        names={one.id: one.name for one in groups},
        times={one.id: _times(one.window, zone) for one in groups},
        zone=zone_text(place.state.event.zone, datetime.now(UTC).replace(tzinfo=None)) or "UTC",
        remarks=_REMARKS,
        states=_STATES,
        url=url,
        qr=qr_svg(url),
        problem=problem,
        back=f"/events/{place.event.id}/desk/applications",
    )


def _zone(place: DeskPlace) -> tzinfo:
    """The time zone of the event, UTC where it is not known."""
    try:
        return ZoneInfo(place.state.event.zone) if place.state.event.zone else UTC
    except (LookupError, ValueError, OSError):
        return UTC


def _times(window: EntryWindow | None, zone: tzinfo) -> Mapping[str, str]:
    if window is None:
        return {"opens": "", "closes": "", "most": ""}
    opens, closes = (
        datetime.fromtimestamp(one / 1000, zone).strftime("%Y-%m-%dT%H:%M") for one in (window.opens, window.closes)
    )
    return {"opens": opens, "closes": closes, "most": str(window.most or "")}


def _moment(text: str, zone: tzinfo) -> int:
    try:
        found = datetime.strptime(text.replace(" ", "T")[:16], "%Y-%m-%dT%H:%M")
        return round(found.replace(tzinfo=zone).timestamp() * 1000)
    except (ValueError, OverflowError):
        raise CompetitionError(N_("Write when entries open and when they close, such as 2026-09-14 10:00.")) from None


handlers = [applications_page, set_windows, decide, paper, last_time, take_over]
