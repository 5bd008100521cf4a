"""The wall of the hall at the desk: when a round begins, calls of boards, and announcements in words."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from litestar import MediaType, Response, get, post

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.desk.forms import (
    ActionRefusal,
    Answer,
    Fields,
    known_line,
    read_fields,
    refusal_of,
    refusal_page,
    whole_number,
)
from korgool.app.server.events.desk.frame import DeskPlace, ThePlace, desk_page
from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.events.official_access import TheEventRegistry
from korgool.app.server.http.forms import see
from korgool.app.server.http.responses import AnyRequest, language_of
from korgool.app.words.event_log import announced
from korgool.app.words.event_texts import zone_text
from korgool.app.words.round_clock import RoundClock, announcements, moment_ms, moment_text, round_clock, round_of_clock
from korgool.competition.codec import JsonError
from korgool.competition.errors import CompetitionError, Message
from korgool.competition.model import Settings
from korgool.languages import LANGUAGES, N_, translations

MINUTES: Final = (1, 2, 5, 10, 15, 30, 60)
"""Choices of how long an announcement stays."""
_TIME = re.compile(r"([01]?\d|2[0-3])[:.]([0-5]\d)", re.ASCII)
_HALF_A_DAY = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class GroupClock:
    """The clock of a group's round at the desk.

    Attributes:
        id: address of the group.
        name: empty in an event without groups.
        round: the round that it is about, 0 after the last one.
        clock: the clock, None where nobody knows when the round begins.
        phase: what holds now, see `RoundClock.phase`; empty without a clock.
        said: whether an official has said it, and not the timetable.
        here: whether it is the group of the page.
    """

    id: str
    name: str
    round: int
    clock: RoundClock | None
    phase: str
    said: bool
    here: bool


@dataclass(frozen=True, slots=True)
class ShownCall:
    """An announcement that is on the wall: its id in its group, the group's address and name, text and end."""

    id: int
    group: str
    name: str
    text: str
    until: int


@get("/wall", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def wall_page(request: AnyRequest, place: ThePlace, event_registry: TheEventRegistry) -> Response[str]:
    """The clocks of the rounds, and what is announced, with the forms for both."""
    now, state, language = now_ms(), place.state, language_of(request)
    gettext = translations(language).gettext
    clocks, calls = [], []
    for event in await event_registry.groups(place.event):
        clocks.append(_group_clock(event, place, now))
        for id_ in announcements(event.state, now):
            one = event.state.announcements[id_]
            name = event.state.groups.get(event.state.group, "")
            calls.append(ShownCall(id_, event.id, name, announced(one, language, gettext), moment_ms(one.until)))
    return desk_page(
        request,
        place,
        "wall",
        "wall.html",
        clocks=clocks,
        own=next((one for one in clocks if one.here), None),
        calls=sorted(calls, key=lambda one: one.until, reverse=True),
        may_set=do.SetClock in place.allowed,
        may_call=do.Announce in place.allowed,
        once=secrets.token_hex(8),
        minutes=MINUTES,
        zone=zone_text(state.event.zone, datetime.fromtimestamp(now / 1000, UTC).replace(tzinfo=None)),
        languages=LANGUAGES,
        language=language,
        back=f"/events/{place.event.id}/desk/wall",
    )


def _group_clock(event: LiveEvent, place: DeskPlace, now: int) -> GroupClock:
    state = event.state
    clock, number = round_clock(state, now), round_of_clock(state)
    return GroupClock(
        id=event.id,
        name=state.groups.get(state.group, ""),
        round=number,
        clock=clock,
        phase="" if clock is None else clock.phase(now),
        said=number in state.clocks,
        here=state.group == place.state.group,
    )


@post("/wall/clock", action=Action.OFFICIATE)
async def set_clock(request: AnyRequest, place: ThePlace, event_registry: TheEventRegistry) -> Answer:
    """Set the clock of the round of this group, or with `all` of every group that has one to come or to play."""
    place.permit(do.SetClock)
    given = await read_fields(request)
    groups = await event_registry.groups(place.event) if "all" in given else [place.event]
    try:
        asked = [
            {"do": "clock", "round": number, "id": _id(given, event)}
            | ({"group": event.state.groups[event.state.group]} if event.state.groups else {})
            | _beginning(given, event.state.event)
            for event in groups
            if event.id == place.event.id or _follows(event, _last(given, "what"))
            if (number := round_of_clock(event.state))
        ]
        if asked:
            await place.event.act(place.officer, known_line(given), asked)
    except JsonError as problem:
        return refusal_page(request, place, given, ActionRefusal(422, problem.message), request.scope["path"])
    except CompetitionError as problem:
        return refusal_page(request, place, given, refusal_of(problem), request.scope["path"])
    return see(f"/events/{place.event.id}/desk/wall?done")


def _follows(event: LiveEvent, what: str) -> bool:
    """Return whether another group is set too where all are: never one whose round has begun at its own time."""
    now, state = now_ms(), event.state
    clock = round_clock(state, now)
    if what in ("later", "earlier", "timetable"):
        return clock is not None
    begun = clock is not None and clock.runs and clock.begins <= now
    return not begun and (what != "now" or round_of_clock(state) == len(state.rounds))


@post("/wall/call", action=Action.OFFICIATE)
async def call(request: AnyRequest, place: ThePlace) -> Answer:
    """Call boards, or announce a text in one or several languages."""
    place.permit(do.Announce)
    given = await read_fields(request)
    kind = _last(given, "kind")
    asked: dict[str, Any] = {"do": "announce", "kind": kind, "id": _id(given, place.event)}
    asked["minutes"] = whole_number(_last(given, "minutes"), 3) or 0
    try:
        if kind == "text":
            texts = {code: _last(given, f"text.{code}") for code in LANGUAGES}
            asked["words"] = [{"language": code, "text": text} for code, text in texts.items() if text]
        else:
            asked["boards"] = read_boards(_last(given, "boards"))
        await place.event.act(place.officer, known_line(given), [asked])
    except JsonError as problem:
        return refusal_page(request, place, given, ActionRefusal(422, problem.message), request.scope["path"])
    except CompetitionError as problem:
        return refusal_page(request, place, given, refusal_of(problem), request.scope["path"])
    return see(f"/events/{place.event.id}/desk/wall?done#calls")


def read_boards(text: str) -> list[int]:
    """The boards in a text such as `3, 7 12-14`.

    Raises:
        CompetitionError: it names none, or holds something else.
    """
    found: list[int] = []
    for part in re.split(r"[\s,;]+", text.strip()):
        ends = [whole_number(one, 4) for one in re.split(r"[-–]", part)]
        first, last = ends[0], ends[-1]
        if len(ends) > 2 or first is None or last is None or not first <= last <= first + 100:
            raise CompetitionError(Message(N_("Write boards as numbers, such as 3, 7, 12-14.")))
        found += range(first, last + 1)
    return found


def _beginning(given: Fields, settings: Settings) -> dict[str, Any]:
    """Beginning of the round, as an action says it.

    Raises:
        CompetitionError: a number or a time is missing or no such one.
    """
    what = _last(given, "what")
    if what in ("now", "timetable"):
        return {"seconds": 0} if what == "now" else {}
    if what in ("later", "earlier"):
        return {"shift": (300 if what == "later" else -300)}
    if what == "at":
        return {"begins": moment_text(clock_moment(_last(given, "time"), settings.zone, now_ms()))}
    minutes = whole_number(_last(given, "minutes"), 4)
    if minutes is None:
        raise CompetitionError(Message(N_("Say in how many minutes the round begins.")))
    return {"seconds": 60 * minutes}


def clock_moment(text: str, zone: str, now: int) -> int:
    """The moment of a time of day such as `10:05` by the clocks of a zone: of those of any day, the nearest to now.

    Raises:
        CompetitionError: it is no time, or this computer does not know the zone.
    """
    found = _TIME.fullmatch(text.strip())
    if found is None:
        raise CompetitionError(Message(N_("Write the time as hours and minutes, such as 10:05.")))
    try:
        here = datetime.fromtimestamp(now / 1000, ZoneInfo(zone))
    except (LookupError, ValueError, OSError):
        raise CompetitionError(Message(N_("The regulations do not name the time zone of the place."))) from None
    at = here.replace(hour=int(found[1]), minute=int(found[2]), second=0, microsecond=0)
    if abs(here - at) > _HALF_A_DAY:
        at += timedelta(days=1) if at < here else timedelta(days=-1)
    return round(at.timestamp() * 1000)


def _last(given: Fields, name: str) -> str:
    values: Sequence[str] = given.get(name, ("",))
    return values[-1].strip()


def _id(given: Fields, event: LiveEvent) -> str:
    """The id of an action: a form that is sent twice does it once."""
    once = _last(given, "once")
    return f"{once}-{event.state.group}" if re.fullmatch(r"[0-9a-f]{16}", once) else ""


handlers = [wall_page, set_clock, call]
