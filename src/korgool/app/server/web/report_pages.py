"""The page on which a player of a game blocks the other one, or reports them to the operator."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import MediaType, Response, Router, get, post
from litestar.response import Redirect

from korgool.accounts import Action, Person, PersonKind
from korgool.app.server import messages
from korgool.app.server.games.new_game import choice
from korgool.app.server.messages import RefusedError
from korgool.app.server.people.doorkeeper import Doorkeeper
from korgool.app.server.people.reports import MOST_WORDS, ReportReason
from korgool.app.server.web.accounts import count_change
from korgool.app.server.web.answers import AnyRequest, page
from korgool.app.server.web.api import GameId
from korgool.app.server.web.blocks import block
from korgool.app.server.web.forms import EMPTY, FieldError, needed, see, shown_again
from korgool.app.server.web.given import Form, TheCaller, TheHall, TheKeeper, TheWho
from korgool.app.server.web.opponents import opponent
from korgool.app.server.web.own_pages import done_of
from korgool.app.server.web.reports import report
from korgool.languages import N_

REASONS = {
    ReportReason.NAME: N_("An offensive name"),
    ReportReason.HELP: N_("Moves of a program or of somebody else"),
    ReportReason.STALLING: N_("Leaving, or letting the time run"),
    ReportReason.ARRANGED: N_("Losing on purpose, or an agreed result"),
    ReportReason.OTHER: N_("Something else"),
}
"""What somebody can be reported for, in words."""


@get("/report", action=Action.REPORT, media_type=MediaType.HTML)
async def report_page(
    request: AnyRequest, game_id: GameId, who: TheWho, keeper: TheKeeper, hall: TheHall
) -> Response[str]:
    """The forms, with what was reported of this game before."""
    other = await opponent(hall, game_id, who.person)
    about = await _about(keeper, who.person, other, game_id)
    return page(request, "report.html", form=EMPTY, done=done_of(request), **about)


@post("/report", action=Action.REPORT)
async def make_report(
    request: AnyRequest, game_id: GameId, data: Form, who: TheWho, keeper: TheKeeper, caller: TheCaller, hall: TheHall
) -> Response[str] | Redirect:
    """Report the other player to the operator."""
    other = await opponent(hall, game_id, who.person)
    text = data.get("text", "")
    try:
        needed(data, "reason")
        reason = ReportReason(choice(data, "reason", list(REASONS)))
        if reason is ReportReason.OTHER and not text.strip():
            raise FieldError(messages.REPORT_EMPTY, "text")
        count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
        await report(request, hall, keeper, who.person, other, game_id, reason, text)
    except RefusedError as problem:
        about = await _about(keeper, who.person, other, game_id)
        about |= {"reason": data.get("reason", ""), "text": text[:MOST_WORDS]}
        return shown_again(request, "report.html", problem, data, **about)
    return see(f"/games/{game_id}/report?done=reported")


@post("/block", action=Action.BLOCK)
async def make_block(
    request: AnyRequest, game_id: GameId, data: Form, who: TheWho, keeper: TheKeeper, caller: TheCaller, hall: TheHall
) -> Response[str] | Redirect:
    """Play no more with the other player."""
    other = await opponent(hall, game_id, who.person)
    try:
        count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
        await block(request, keeper, who.person, other)
    except RefusedError as problem:
        return shown_again(request, "report.html", problem, data, **await _about(keeper, who.person, other, game_id))
    return see(f"/games/{game_id}/report?done=blocked")


async def _about(keeper: Doorkeeper, who: Person, other: Person, game: str) -> dict[str, Any]:
    sent = await asyncio.to_thread(keeper.reports.of, who.id, game)
    return {
        "game": game,
        "other": other.id,
        "member": who.kind is not PersonKind.VISITOR,
        "blocked": await asyncio.to_thread(keeper.blocks.has, who.id, other.id),
        "sent": sent,
        "reasons": REASONS,
        "reason": "" if sent is None else sent.reason.value,
        "text": "" if sent is None else sent.text,
        "most": MOST_WORDS,
    }


router = Router("/games/{game_id:str}", route_handlers=[report_page, make_report, make_block], include_in_schema=False)
