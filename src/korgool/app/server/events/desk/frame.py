"""The frame of the console: which event, which official, and what stands around every screen."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from litestar import Response
from litestar.di import NamedDependency, Provide

import korgool.competition.actions as do
from korgool.app.guide.pages import GuidePage, guide_page
from korgool.app.server.events.dependencies import TheEvent, TheOfficer
from korgool.app.server.events.desk.navigation import BY_NAME, Screen, shown
from korgool.app.server.events.desk.next_step import NextStep, next_step
from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.http.responses import AnyRequest, language_of, page
from korgool.competition.errors import said
from korgool.competition.roles import POWERS, Officer

DONE: Final = "The change is stored."
"""What a page says after an action: a message of the catalogues."""


class DeskPlace:
    """An event before one of its officials: what every view of the console is given.

    It is no dataclass, because msgspec would look into one for what a request can hold.

    Attributes:
        competition: the event.
        officer: who looks at it, or acts.
        state: the event as the page shows it.
    """

    def __init__(self, competition: LiveEvent, officer: Officer) -> None:
        self.competition, self.officer, self.state = competition, officer, competition.state

    @property
    def allowed(self) -> frozenset[type[do.Action]]:
        """The kinds of actions that the official's role has."""
        return POWERS[self.officer.role].actions


@dataclass(frozen=True, slots=True)
class DeskFrame:
    """What the frame of a page says of its event.

    Attributes:
        id, name: of the event.
        who: the official, as their device names them beside what it keeps.
        seq: the last line of its log.
        round, rounds: how many rounds are paired, and planned.
        screens: those that the official may use.
        screen: the name of this one.
        step: what comes next.
        disputed: disputed games by round and board.
        here: the path of this page.
        guide: the page of the arbiter's guide for this screen, None if there is none.
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


def mark_of(officer: Officer) -> str:
    """What tells an official from others on their device, and does not say who they are."""
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
            competition room in the reader's language.
    """
    state = place.state
    frame = DeskFrame(
        id=place.competition.id,
        name=state.event.name,
        who=mark_of(place.officer),
        seq=state.actions,
        round=len(state.rounds),
        rounds=state.event.rounds,
        screens=shown(place.allowed),
        screen=screen,
        step=next_step(state),
        disputed=tuple(sorted(state.disputes)),
        here=request.scope["path"],
        guide=_guide(screen, guide, language_of(request)),
    )
    done = DONE if "done" in request.query_params else ""
    language = language_of(request)
    told: dict[str, object] = {"event": frame, "state": state, "officer": place.officer, "done": done}
    told["said"] = lambda text: said(text, language)
    return page(request, f"desk/{template}", status_code, **told, **context)


def _guide(screen: str, other: str, language: str) -> GuidePage | None:
    name = other or (BY_NAME[screen].guide if screen in BY_NAME else "")
    return guide_page(name, language) if name else None
