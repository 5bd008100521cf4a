"""The first screen of the console: what stands, what is missing, and who does not play in the next round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from litestar import MediaType, Response, get

from korgool.accounts import Action
from korgool.app.server.events.desk.frame import ThePlace, desk_page
from korgool.app.server.http.responses import AnyRequest
from korgool.competition.audit import remarks
from korgool.competition.event_state import EventState
from korgool.competition.model import ByeKind, Player


@dataclass(frozen=True, slots=True)
class EventProgress:
    """The progress of an event.

    Attributes:
        playing: players who are to be paired in the round that comes next.
        absent: players who asked to miss it, with the bye that they have.
        left: players who withdrew or were excluded.
        missing: the boards of the last round without a result.
        boards: how many it has.
    """

    playing: int
    absent: Sequence[tuple[Player, ByeKind]]
    left: Sequence[Player]
    missing: Sequence[int]
    boards: int


def stand(state: EventState) -> EventProgress:
    """The progress of an event."""
    coming = len(state.rounds) + 1
    players = sorted(state.players.values(), key=lambda one: one.number)
    left = [one for one in players if one.until is not None and one.until < coming]
    here = [one for one in players if one not in left]
    absent = [(one, bye) for one in here if (bye := one.bye(coming)) is not None]
    last = state.rounds[-1] if state.rounds else None
    return EventProgress(
        playing=len(here) - len(absent),
        absent=absent,
        left=left,
        missing=last.missing if last else (),
        boards=len(last.games) if last else 0,
    )


@get("/", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def overview(request: AnyRequest, place: ThePlace) -> Response[str]:
    """The progress of the event."""
    return desk_page(
        request, place, "overview", "overview.html", stand=stand(place.state), remarks=remarks(place.state)
    )
