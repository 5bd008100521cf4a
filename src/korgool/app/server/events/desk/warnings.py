"""Warnings and penalties: who has which, and what follows from the next one, said before it is given."""

from __future__ import annotations

from dataclasses import dataclass

from litestar import MediaType, Response, get
from litestar.params import FromPath
from litestar.response import Redirect

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.desk.forms import whole_number
from korgool.app.server.events.desk.frame import DeskPlace, ThePlace, desk_page
from korgool.app.server.http.forms import see
from korgool.app.server.http.responses import AnyRequest, language_of
from korgool.app.words.event_texts import half
from korgool.app.words.event_words import event_words
from korgool.competition.event_state import EventState
from korgool.competition.log.people_actions import AUTOMATIC_REASONS, POINT
from korgool.competition.model import Player
from korgool.competition.standings import standings
from korgool.languages import N_

CLAUSE = "WNG-TK §XIV:14"
"""The clause that says what the third and the fourth warning cost."""
REASONS = (
    (N_("Talking to others"), "WNG-TK §XIV:16"),
    (N_("Record of the game not kept"), "WNG-TK §XIV:17"),
    (N_("Rudeness towards a referee"), "WNG-TK §XIV:18"),
    (N_("Disturbing the event"), "WNG-TK §XIV:19"),
)
"""Usual reasons for a warning, each with its clause."""
_FOLLOWS = {
    1: N_("This is the first warning. Nothing follows from it yet."),
    2: N_("This is the second warning. The third one will cost a point."),
    3: N_("This is the third warning: a point is deducted at once."),
    4: N_("This is the fourth warning: the player is excluded from the event at once."),
}


@dataclass(frozen=True, slots=True)
class Consequence:
    """Consequence of the next warning of a player.

    Attributes:
        number: which warning it is.
        text: what follows from it, as a message.
        costs: half points that it costs.
        excludes: whether it ends the event for the player.
        points, after: half points before and after it.
        paired: the round that is paired already and stays as it is; 0 if there is none.
    """

    number: int
    text: str
    costs: int
    excludes: bool
    points: int
    after: int
    paired: int


def consequence(state: EventState, player: Player) -> Consequence:
    """Find the consequence of a warning that is given now (WNG-TK §XIV)."""
    number = len(player.warnings) + 1
    costs = POINT if number == 3 else 0
    rows = standings(state, tiebreaks=(), players=True)
    points = next(row.points for row in rows if row.competitor == player.id)
    paired = len(state.rounds) if state.rounds and not state.complete else 0
    return Consequence(number, _FOLLOWS[min(number, 4)], costs, number >= 4, points, points - costs, paired)


@get("/warnings", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def warnings_page(request: AnyRequest, place: ThePlace) -> Response[str] | Redirect:
    """Players with warnings and penalties, and the choice of a player, which leads to the page of the player."""
    chosen = request.query_params.get("player", "")
    if whole_number(chosen, 8) is not None:
        return see(f"/events/{place.event.id}/desk/warnings/{chosen}")
    players = sorted(place.state.players.values(), key=lambda one: one.number)
    return desk_page(
        request,
        place,
        "warnings",
        "warnings.html",
        w=event_words(language_of(request)),
        half=half,
        automatic=AUTOMATIC_REASONS,
        told=[one for one in players if one.warnings or one.penalties or one.excluded],
        choice=[one for one in players if _may_warn(place, one)],
        clause=CLAUSE,
    )


@get("/warnings/{number:str}", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def warn_page(request: AnyRequest, place: ThePlace, number: FromPath[str]) -> Response[str]:
    """A player before a warning: what they have, what follows, and the forms for it."""
    state = place.state
    player = next((one for one in state.players.values() if str(one.number) == number), None)
    if player is None:
        raise ApiError(404, errors.NO_PLAYER)
    return desk_page(
        request,
        place,
        "warnings",
        "warn.html",
        w=event_words(language_of(request)),
        half=half,
        player=player,
        next=consequence(state, player),
        reasons=REASONS,
        clause=CLAUSE,
        back=f"/events/{place.event.id}/desk/warnings",
        may_warn=_may_warn(place, player),
        may_penalise=do.Penalise in place.allowed,
        may_exclude=do.Exclude in place.allowed and not player.excluded,
        may_reinstate=do.Reinstate in place.allowed and player.excluded,
        may_cancel=do.CancelWarning in place.allowed and bool(player.warnings),
    )


def _may_warn(place: DeskPlace, player: Player) -> bool:
    return not player.excluded and place.officer.refusal(do.GiveWarning(player.id), place.state) is None


handlers = [warnings_page, warn_page]
