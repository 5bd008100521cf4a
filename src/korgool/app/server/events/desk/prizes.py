"""Who gets which prize and why, and what the event changes in ratings."""

from __future__ import annotations

import asyncio

from litestar import MediaType, Response, get

from korgool.accounts import Action
from korgool.app.server.events.desk.frame import ThePlace, desk_page
from korgool.app.server.http.responses import AnyRequest, language_of
from korgool.app.words.event_texts import half
from korgool.app.words.event_words import event_words
from korgool.app.words.prize_words import prize_tables
from korgool.app.words.regulations import regulations
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.ratings import RatingChange, rating_changes
from korgool.languages import translations


@get("/prizes", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def prizes_page(request: AnyRequest, place: ThePlace) -> Response[str]:
    """The prizes by category, each with its reason, and the rating changes."""
    state, language = place.state, language_of(request)
    gettext = translations(language).gettext
    found = await asyncio.to_thread(prize_tables, state, gettext)
    changes: tuple[RatingChange, ...] = ()
    problem = found.problem
    try:
        changes = await asyncio.to_thread(rating_changes, state)
    except CompetitionError as error:
        problem = problem or error.message
    return desk_page(
        request,
        place,
        "prizes",
        "prizes.html",
        w=event_words(language),
        problem=problem,
        found=found,
        sharing=[one.text for one in regulations(state.event, language) if one.about == "fund"][1:],
        changes=[_change(state, one) for one in changes if one.games],
    )


def _change(state: EventState, one: RatingChange) -> dict[str, object]:
    player = state.players[one.player]
    return {
        "number": player.number,
        "name": player.name,
        "rating": round(one.rating) or "",
        "games": one.games,
        "points": half(one.score),
        "change": f"{one.change:+.1f}".replace("-", "−") if one.rating else "",
        "after": round(one.after) or "",
    }
