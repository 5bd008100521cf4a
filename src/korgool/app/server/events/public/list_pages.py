"""The list of events for the public, the same as a calendar file, and the entrance for officials."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

from litestar import MediaType, Response, get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from korgool.accounts import Action
from korgool.app.publishing.page_making import dates
from korgool.app.server.events.official_access import TheEventRegistry
from korgool.app.server.events.public.calendar import MEDIA_TYPE, calendar
from korgool.app.server.events.public.event_list import EventFilter, EventList, EventTime, grouped
from korgool.app.server.http.dependencies import ThePrincipal
from korgool.app.server.http.responses import AnyRequest, language_of, origin_of, page
from korgool.app.words.event_texts import half
from korgool.languages import translations
from korgool.rules import GAMES

TheEventList = NamedDependency[EventList]
Field = Annotated[str, QueryParameter(max_length=80)]


@get("/events", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False)
async def events_page(
    request: AnyRequest,
    event_registry: TheEventRegistry,
    event_list: TheEventList,
    principal: ThePrincipal,
    game: Field = "",
    country: Field = "",
    year: Field = "",
) -> Response[str]:
    """The public events: those that go on, the next ones, the past ones; first those in which one has a role."""
    own = await event_registry.of(principal.person.id) if principal.session is not None else ()
    events = await event_list.read()
    wanted = read_filter(game, country, year)
    today = datetime.now(UTC).date()
    shown = grouped([one for one in events if wanted.keeps(one)], today)
    language = language_of(request)
    return page(
        request,
        "events.html",
        own=own,
        wanted=wanted,
        games=[name for name in GAMES if name in {one.game for one in events} | {wanted.game}],
        countries=_choices([one.country for one in events], wanted.country),
        years=sorted({one.year for one in events} | ({wanted.year} - {0}), reverse=True),
        groups=[(time.value, shown[time]) for time in EventTime if shown[time]],
        hidden=len(events) - sum(map(len, shown.values())),
        dated=any(one.first_day for group in shown.values() for one in group),
        today=today,
        points=half,
        dates=lambda one: dates(one.begins, one.ends, language),
    )


@get("/events/calendar.ics", action=Action.WATCH, include_in_schema=False)
async def events_calendar(
    request: AnyRequest,
    event_list: TheEventList,
    game: Field = "",
    country: Field = "",
    year: Field = "",
    only: Field = "",
) -> Response[str]:
    """The same events, or one of them, as a calendar file."""
    wanted = read_filter(game, country, year)
    events = [one for one in await event_list.read() if wanted.keeps(one) and only in ("", one.id)]
    name = translations(language_of(request)).gettext("Events")
    text = calendar(events, origin_of(request), f"Korgool · {name}")
    headers = {"content-disposition": 'attachment; filename="events.ics"', "cache-control": "no-cache"}
    return Response(text, media_type=MEDIA_TYPE, headers=headers)


@get("/events/officials", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False)
async def officials_page(
    request: AnyRequest, event_registry: TheEventRegistry, principal: ThePrincipal
) -> Response[str]:
    """Ways of officials: a new event, their desks, help at an event, following one of another site."""
    own = await event_registry.of(principal.person.id) if principal.session is not None else ()
    return page(request, "events_officials.html", own=own)


def read_filter(game: str, country: str, year: str) -> EventFilter:
    """The filter of an address; what cannot be read excludes nothing."""
    number = int(year) if year.isascii() and year.isdigit() and len(year) == 4 else 0
    return EventFilter(game if game in GAMES else "", country.strip(), number)


def _choices(values: Sequence[str], chosen: str) -> list[str]:
    return sorted({*values, chosen} - {""})


handlers = [events_page, events_calendar, officials_page]
