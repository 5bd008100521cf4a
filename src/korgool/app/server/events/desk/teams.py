"""The teams of an event at the desk, with their players by board."""

from __future__ import annotations

from litestar import MediaType, Response, get

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.events.desk.frame import ThePlace, desk_page
from korgool.app.server.http.responses import AnyRequest
from korgool.competition.event_state import EventState
from korgool.competition.model import Player, Team


def free_players(state: EventState, team: Team | None) -> list[Player]:
    """The players of a team and those of none, by number."""
    others = {id_ for one in state.teams.values() if team is None or one.id != team.id for id_ in one.players}
    return sorted((one for one in state.players.values() if one.id not in others), key=lambda one: one.number)


@get("/teams", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def teams_page(request: AnyRequest, place: ThePlace) -> Response[str]:
    """The teams, and the form for another."""
    state = place.state
    return desk_page(
        request,
        place,
        "players",
        "teams.html",
        teams=sorted(state.teams.values(), key=lambda one: one.number),
        free=lambda team: free_players(state, team or None),
        may_enter=do.SetTeam in place.allowed,
    )


handlers = [teams_page]
