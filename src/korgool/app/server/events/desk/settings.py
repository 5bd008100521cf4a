"""The regulations of an event at the desk: in words, and as a form; and the making of an event."""

from __future__ import annotations

from typing import Any, Final

from litestar import MediaType, Response, Router, get, post
from litestar.response import Redirect

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.events.applications.pages import TheApplications
from korgool.app.server.events.desk.forms import ActionRefusal, Answer, act_on_fields, flat, read_fields, refusal_page
from korgool.app.server.events.desk.frame import ThePlace, desk_page
from korgool.app.server.events.official_access import TheEventRegistry
from korgool.app.server.events.stored_book import StoredBook
from korgool.app.server.events.tables.service import TheTablePhones
from korgool.app.server.http.dependencies import Form, TheCaller, ThePrincipal, TheRateLimiter
from korgool.app.server.http.forms import EMPTY, Filled, see
from korgool.app.server.http.responses import AnyRequest, language_of, page
from korgool.app.server.people.checks import count_change
from korgool.app.words.event_words import event_words
from korgool.app.words.regulations import practice_words, preset_title, regulations
from korgool.app.words.tiebreaks import tiebreak_name
from korgool.competition.codec import plain
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Settings, System
from korgool.competition.practice import practice_entries, practice_settings
from korgool.competition.presets import PRESETS, find_preset
from korgool.competition.prize_fund import fund_text, read_fund
from korgool.competition.roles import POWERS, DeskRole, Officer
from korgool.competition.standings import TIEBREAKS
from korgool.competition.storage.book import Book
from korgool.languages import N_

_MOST_TIEBREAKS: Final = 8
"""Fields for tie-breaks on the form."""


def form_words(settings: Settings, language: str) -> dict[str, Any]:
    """Values of the form of regulations in a language: its labels, and the tie-breaks to choose from."""
    labels, teams = event_words(language), settings.system.of_teams
    codes = [code for code, one in TIEBREAKS.items() if (one.whom in ("all", "teams" if teams else "players"))]
    return {
        "settings": settings,
        "systems": [(one.value, labels[f"system {one.value}"]) for one in System],
        "labels": labels,
        "tiebreaks": [(code, f"{code}: {tiebreak_name(code, language, teams=teams)}") for code in codes],
        "prizes": fund_text(settings.fund) if settings.fund.prizes else "",
        "times": {one.round: one.begins for one in settings.timetable},
        "places": max(_MOST_TIEBREAKS, len(settings.tiebreaks) + 1),
    }


@get("/settings", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def settings_page(request: AnyRequest, place: ThePlace) -> Response[str]:
    """The regulations in words, and the form to change them."""
    settings, language = place.state.event, language_of(request)
    return desk_page(
        request,
        place,
        "settings",
        "settings.html",
        sentences=regulations(settings, language),
        may_change=do.Change in place.allowed,
        may_group=do.AddGroup in place.allowed,
        may_show=POWERS[place.officer.role].helpers,
        may_forget=do.Forget in place.allowed,
        public=place.event.public,
        **form_words(settings, language),
    )


@post("/settings", action=Action.OFFICIATE)
async def change_settings(request: AnyRequest, place: ThePlace) -> Answer:
    """Change the regulations: prizes as one text, and times only for rounds that have one."""
    given = await read_fields(request)
    old = place.state.event.fund
    try:
        text = "\n".join(given.get("prizes", [fund_text(old)])).strip() or "none"
        fund = read_fund(text, sharing=old.sharing, several=old.several)
    except CompetitionError as problem:
        return refusal_page(request, place, given, ActionRefusal(422, problem.message))
    members = {name: values for name, values in given.items() if name != "prizes"}
    for at in {name.split(".")[2] for name in members if name.startswith("settings.timetable.")}:
        if not "".join(members.get(f"settings.timetable.{at}.begins", ())).strip():
            members = {name: held for name, held in members.items() if not name.startswith(f"settings.timetable.{at}.")}
    return await act_on_fields(request, place, {**members, **flat("settings.fund", plain(fund))})


@post("/settings/public", action=Action.OFFICIATE)
async def show_event(place: ThePlace, data: Form, event_registry: TheEventRegistry) -> Redirect:
    """Let anybody read the event, or only its officials.

    Raises:
        ApiError: 403, the role does not have it.
    """
    place.permit_helpers()
    await event_registry.show(place.event, public=data.get("public") == "on")
    return see(f"/events/{place.event.id}/desk/settings?done")


@post("/settings/forget", action=Action.OFFICIATE)
async def forget_all(
    place: ThePlace, data: Form, applications: TheApplications, table_phones: TheTablePhones
) -> Redirect:
    """Remove the personal data of all players, and with `names` all of what is not public.

    Raises:
        ApiError: 403, the role does not have it.
    """
    place.permit(do.Forget)
    officer, reason = place.officer, " ".join(data.get("reason", "").split())[:500]

    def forget(book: StoredBook) -> None:
        book.who = officer.who
        remove = book.forget if "names" in data else book.remove_personal
        remove(by=officer.name, reason=reason)

    await place.event.with_book(forget)
    await applications.clear(place.event)
    await table_phones.clear_photos(place.event)
    return see(f"/events/{place.event.id}/desk/settings?done")


@get("/new", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def new_event(request: AnyRequest) -> Response[str]:
    """The form for a new event."""
    return _new(request)


@post("/new", action=Action.OFFICIATE)
async def make_event(
    request: AnyRequest,
    data: Form,
    principal: ThePrincipal,
    event_registry: TheEventRegistry,
    caller: TheCaller,
    rate_limiter: TheRateLimiter,
) -> Response[str] | Redirect:
    """Make an event by a preset, or one for practice; its desk opens.

    Raises:
        ApiError: too many were made.
    """
    count_change(rate_limiter, caller)
    maker = Officer(principal.person.id, principal.person.name, DeskRole.ORGANISER)
    if "practice" in data:
        words = practice_words(language_of(request))
        made = await event_registry.take(maker, lambda book: _practise(book, maker, words))
        return see(f"/events/{made.id}/desk")
    try:
        made = await event_registry.make(maker, _settings(data))
    except CompetitionError as error:
        return _new(request, Filled(data, error.said(language_of(request))), 422)
    return see(f"/events/{made.id}/desk/settings")


def _practise(book: Book, maker: Officer, words: Any) -> None:
    book.do(do.Open(practice_settings(words)), by=maker.name)
    book.do(*(do.Enter(entry) for entry in practice_entries(words)), by=maker.name)


def _settings(data: dict[str, str]) -> Settings:
    """The regulations that a form asks for; raises CompetitionError for what cannot be."""
    rounds = data.get("rounds", "").strip()
    if not (rounds.isascii() and rounds.isdecimal() and len(rounds) < 4):
        raise CompetitionError(N_("an event has 1 to 99 rounds, not {rounds}"), rounds=repr(rounds[:20]))
    texts = {name: " ".join(data.get(name, "").split())[:300] for name in ("place", "organiser", "begins", "ends")}
    return find_preset(data.get("preset", "")).settings(
        " ".join(data.get("name", "").split())[:300], rounds=int(rounds), **texts
    )


def _new(request: AnyRequest, form: Filled = EMPTY, status: int = 200) -> Response[str]:
    language = language_of(request)
    presets = [(name, preset_title(one, language)) for name, one in PRESETS.items()]
    return page(request, "desk/new.html", status, form=form, presets=presets)


handlers = [settings_page, change_settings, show_event, forget_all]
making = Router(
    "/events",
    route_handlers=[new_event, make_event],
    include_in_schema=False,
)
"""The pages on which an event is made."""
