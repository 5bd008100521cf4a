"""Who gets which prize and why, and what the event changes in ratings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import groupby

from litestar import MediaType, Response, get

from korgool.accounts import Action
from korgool.app.server.web.answers import AnyRequest, language_of
from korgool.app.server.web.desk.frame import ThePlace, desk_page
from korgool.app.words.event_texts import half
from korgool.app.words.event_words import event_words
from korgool.app.words.prize_words import amount_name, category_name, fund_name, prize_reason
from korgool.app.words.regulations import regulations
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.prizes import Award, PrizeList, prizes
from korgool.competition.ratings import RatingChange, rating_changes
from korgool.languages import translations


@get("/prizes", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def prizes_page(request: AnyRequest, place: ThePlace) -> Response[str]:
    """The prizes by category, each with its reason, and the rating changes."""
    state, language = place.state, language_of(request)
    gettext = translations(language).gettext
    found: PrizeList | None = None
    changes: tuple[RatingChange, ...] = ()
    problem = ""
    try:
        found = await asyncio.to_thread(prizes, state)
        changes = await asyncio.to_thread(rating_changes, state)
    except CompetitionError as error:  # a category without a date to count ages from
        problem = error.message
    fund = state.event.fund
    categories = groupby(found.awards if found is not None else (), key=lambda one: one.category)
    return desk_page(
        request,
        place,
        "prizes",
        "prizes.html",
        w=event_words(language),
        problem=problem,
        found=found,
        fund=fund_name(fund, gettext) if fund.prizes else "",
        sharing=[one.text for one in regulations(state.event, language) if one.about == "fund"][1:],
        categories=[
            (category_name(category, gettext), [_award(state, one, gettext) for one in held])
            for category, held in categories
        ],
        left=[
            (category_name(one.category, gettext), one.place, one.thing or fund.amount_text(one.amount, "\u00a0"))
            for one in (found.left if found is not None else ())
        ],
        remainder=fund.amount_text(found.remainder, "\u00a0") if found is not None and found.remainder else "",
        changes=[_change(state, one) for one in changes if one.games],
    )


def _award(state: EventState, award: Award, gettext: Callable[[str], str]) -> dict[str, object]:
    fund = state.event.fund
    player = state.players[award.winner] if isinstance(award.winner, int) else None
    return {
        "rank": award.rank,
        "number": player.number if player else "",
        "name": player.name if player else award.winner,
        "prize": amount_name(fund, award),
        "why": prize_reason(fund, award, gettext),
    }


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
