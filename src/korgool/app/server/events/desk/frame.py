"""Frame of the console: its screens, what comes next in the event, and what stands around every page."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Final

from litestar import Response
from litestar.di import NamedDependency, Provide

import korgool.competition.actions as do
from korgool.app.guide.pages import GuidePage, guide_page
from korgool.app.publishing import GroupLink
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.desk.calls import DeskCall, desk_calls
from korgool.app.server.events.group_addresses import group_address
from korgool.app.server.events.lead_repository import Leader
from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.events.official_access import TheEvent, TheOfficer
from korgool.app.server.http.responses import AnyRequest, language_of, page
from korgool.app.words.event_log import official_name
from korgool.competition.errors import said
from korgool.competition.event_state import EventState
from korgool.competition.roles import POWERS, Officer
from korgool.languages import N_, translations


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen of the console.

    Attributes:
        name: the name by which views know it.
        path: behind `/events/ID/desk`; empty for the first.
        title: as a message.
        guide: the page of the arbiter's guide beside it; empty if there is none.
        needs: kinds of actions; the navigation shows it to who may do one of them, and to everybody where it is empty.
    """

    name: str
    path: str
    title: str
    guide: str = ""
    needs: frozenset[type[do.Action]] = field(default=frozenset())

    def address(self, event: str) -> str:
        """Its address for an event, by id."""
        return f"/events/{event}/desk{self.path}"


SCREENS: Final = (
    Screen("overview", "", N_("Overview")),
    Screen("players", "/players", N_("Players"), "entries"),
    Screen("applications", "/applications", N_("Applications"), "applications", frozenset({do.Enter})),
    Screen("check-in", "/check-in", N_("Check-in"), "check-in", frozenset({do.Present})),
    Screen("pairing", "/pairing", N_("Pairing"), "round", frozenset({do.Pair})),
    Screen("results", "/round", N_("Results"), "results"),
    Screen("wall", "/wall", N_("Wall"), "screens", frozenset({do.SetClock})),
    Screen("standings", "/standings", N_("Standings"), "standings"),
    Screen("prizes", "/prizes", N_("Prizes"), "prizes"),
    Screen("warnings", "/warnings", N_("Warnings"), "warnings", frozenset({do.GiveWarning})),
    Screen("papers", "/papers", N_("Papers and files"), "papers", frozenset({do.Publish})),
    Screen("copies", "/copies", N_("Copies"), "copies", frozenset({do.Publish})),
    Screen("log", "/log", N_("Log"), "log"),
    Screen("helpers", "/helpers", N_("Helpers"), "helpers", frozenset({do.Appoint})),
    Screen("second-machine", "/second-machine", N_("Second machine"), "second-machine", frozenset({do.Appoint})),
    Screen("officials", "/officials", N_("Officials"), "", frozenset({do.Appoint})),
    Screen("settings", "/settings", N_("Regulations"), "settings"),
)
"""Every screen that the navigation leads to."""
BY_NAME: Final = {screen.name: screen for screen in SCREENS}


def screens_for(allowed: Set[type[do.Action]]) -> tuple[Screen, ...]:
    """The screens for somebody who may do these kinds of actions."""
    return tuple(screen for screen in SCREENS if not screen.needs or screen.needs & allowed)


@dataclass(frozen=True, slots=True)
class NextStep:
    """The next step of an event.

    Attributes:
        text: a message with places for `values`.
        values: what stands in them.
        path: the screen for it, behind `/events/ID/desk`; empty where nothing is left to do.
    """

    text: str
    values: Mapping[str, object] = field(default_factory=dict)
    path: str = ""


def next_step(state: EventState) -> NextStep:
    """The next step of the officials, by what the event lacks."""
    if state.event.system.of_teams and not state.teams:
        return NextStep(N_("Enter the teams"), path="/teams")
    if len(state.players) < 2:
        return NextStep(N_("Enter the players"), path="/players")
    number = len(state.rounds)
    if number and (missing := state.rounds[-1].missing):
        values = {"round": number, "n": len(missing)}
        return NextStep(N_("Round %(round)s: results still missing: %(n)s"), values, f"/round/{number}")
    if number < state.event.rounds:
        return NextStep(N_("Pair round %(round)s"), {"round": number + 1}, "/pairing")
    if number not in state.published:
        return NextStep(N_("Publish the final standings"), path="/standings")
    return NextStep(N_("All rounds are played, and the standings are published."))


DONE: Final = "The change is stored."
"""The notice of a page after an action: a message of the catalogues."""


class DeskPlace:
    """An event before one of its officials: what every view of the console is given.

    It is no dataclass, because msgspec would look into one for what a request can hold.

    Attributes:
        event: the event.
        officer: who looks at it, or acts.
        state: the event as the page shows it.
    """

    def __init__(self, event: LiveEvent, officer: Officer) -> None:
        self.event, self.officer, self.state = event, officer, event.state

    @property
    def allowed(self) -> frozenset[type[do.Action]]:
        """The kinds of actions that the official's role has."""
        return POWERS[self.officer.role].actions

    def permit(self, action: type[do.Action], status: int = 403) -> None:
        """Refuse a request if the official's role does not have an action.

        Raises:
            ApiError: with the status 403, or 404 for a page that other roles do not see.
        """
        if action not in self.allowed:
            raise ApiError(status, errors.NO_ROLE if status == 403 else errors.NO_PAGE)

    def permit_helpers(self) -> None:
        """Refuse a request if the official's role may not give roles.

        Raises:
            ApiError: 403.
        """
        if not POWERS[self.officer.role].helpers:
            raise ApiError(403, errors.NO_ROLE)


@dataclass(frozen=True, slots=True)
class DeskFrame:
    """The event in the frame of a page.

    Attributes:
        id, name: of the event.
        who: the official, as their device names them beside what it keeps.
        seq: the last line of its log.
        round, rounds: how many rounds are paired, and planned.
        screens: those that the official may use.
        screen: the name of this one.
        step: what comes next.
        disputed: disputed games by round and board.
        calls: calls for a referee from tables of the last round, also of other groups.
        here: the path of this page.
        guide: the page of the arbiter's guide for this screen, None if there is none.
        groups: the groups of the event; empty where it has none.
        behind: the second machines that have fallen behind, for those who may let them in.
        leader: the machine that leads the event in place of this one.
        strays: lines that only a machine had which led before, and about which nobody has decided yet.
    """

    id: str
    name: str
    who: str
    seq: int
    round: int
    rounds: int
    screens: tuple[Screen, ...]
    screen: str
    step: NextStep
    disputed: tuple[tuple[int, int], ...]
    here: str
    guide: GuidePage | None
    groups: tuple[GroupLink, ...] = ()
    calls: tuple[DeskCall, ...] = ()
    behind: tuple[str, ...] = ()
    leader: Leader | None = None
    strays: int = 0


def mark_of(officer: Officer) -> str:
    """A mark that tells an official from others on their device without naming them."""
    return hashlib.sha256(f"official {officer.who}".encode()).hexdigest()[:16]


async def _place(event: TheEvent, officer: TheOfficer) -> DeskPlace:
    return DeskPlace(event, officer)


ThePlace = NamedDependency[DeskPlace]
PLACE: Final = {"place": Provide(_place)}
"""The dependency of the views of the console."""


def desk_page(
    request: AnyRequest, place: DeskPlace, screen: str, template: str, status_code: int = 200, *,
    guide: str = "", **context: object,
) -> Response[str]:  # fmt: skip
    """A page of the console.

    Args:
        request: what asks for it.
        place: the event and the official.
        screen: the name of the screen in the navigation.
        template: below `templates/desk/`; it extends `desk/base.html`.
        status_code: of the answer.
        guide: the page of the guide, where it is not that of the screen.
        context: what the template needs beside the frame, which stands in `event`; `said` says a message of the
            competition room in the reader's language, `official` the name of an official in a log.
    """
    state, helps = place.state, POWERS[place.officer.role].helpers
    frame = DeskFrame(
        id=place.event.id,
        name=state.event.name,
        who=mark_of(place.officer),
        seq=state.actions,
        round=len(state.rounds),
        rounds=state.event.rounds,
        screens=screens_for(place.allowed),
        screen=screen,
        step=next_step(state),
        disputed=tuple(sorted(state.disputes)),
        here=request.scope["path"],
        guide=_guide(screen, guide, language_of(request)),
        groups=_group_links(place, screen),
        calls=desk_calls(state, place.event, place.officer, request.app.state.event_registry),
        behind=request.app.state.stand_bys.behind(place.event.event_id) if helps else (),
        leader=place.event.leader,
        strays=sum(row.get("state") == "open" for row in place.event.lead.strays) if helps else 0,
    )
    done = DONE if "done" in request.query_params else ""
    language = language_of(request)
    told: dict[str, object] = {"event": frame, "state": state, "officer": place.officer, "done": done}
    told["said"] = lambda text: said(text, language)
    told["official"] = lambda name: official_name(name, translations(language).gettext)
    return page(request, f"desk/{template}", status_code, **told, **context)


def _group_links(place: DeskPlace, screen: str) -> tuple[GroupLink, ...]:
    """Links to this screen of every group."""
    state, id_ = place.state, place.event.event_id
    shown = BY_NAME.get(screen, SCREENS[0])
    return tuple(
        GroupLink(name, shown.address(group_address(id_, state, group)), here=group == state.group)
        for group, name in state.groups.items()
    )


def _guide(screen: str, other: str, language: str) -> GuidePage | None:
    name = other or (BY_NAME[screen].guide if screen in BY_NAME else "")
    return guide_page(name, language) if name else None
