"""The page on which a player of a game blocks the other one, or reports them to the operator."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import MediaType, Response, Router, get, post
from litestar.response import Redirect

from korgool.accounts import Action, Person, PersonKind
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.http.dependencies import Form, TheCaller, ThePrincipal
from korgool.app.server.http.forms import EMPTY, FieldError, needed, see, shown_again
from korgool.app.server.http.responses import AnyRequest, page
from korgool.app.server.people.account.api import count_change
from korgool.app.server.people.account.page_frame import done_of
from korgool.app.server.people.blocks.api import block
from korgool.app.server.people.blocks.dependencies import TheBlocks
from korgool.app.server.people.blocks.repository import BlockRepository
from korgool.app.server.people.opponents import opponent
from korgool.app.server.people.report_reason import ReportReason
from korgool.app.server.people.reports.api import report
from korgool.app.server.people.reports.dependencies import TheReports
from korgool.app.server.people.reports.repository import MOST_WORDS, ReportRepository
from korgool.app.server.play.api import GameId
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.new_game_form import choice
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
    request: AnyRequest,
    game_id: GameId,
    principal: ThePrincipal,
    reports: TheReports,
    blocks: TheBlocks,
    game_registry: TheGameRegistry,
) -> Response[str]:
    """The forms, with what was reported of this game before."""
    other = await opponent(game_registry, game_id, principal.person)
    about = await _about(reports, blocks, principal.person, other, game_id)
    return page(request, "report.html", form=EMPTY, done=done_of(request), **about)


@post("/report", action=Action.REPORT)
async def make_report(
    request: AnyRequest,
    game_id: GameId,
    data: Form,
    principal: ThePrincipal,
    reports: TheReports,
    blocks: TheBlocks,
    caller: TheCaller,
    game_registry: TheGameRegistry,
) -> Response[str] | Redirect:
    """Report the other player to the operator."""
    other = await opponent(game_registry, game_id, principal.person)
    text = data.get("text", "")
    try:
        needed(data, "reason")
        reason = ReportReason(choice(data, "reason", list(REASONS)))
        if reason is ReportReason.OTHER and not text.strip():
            raise FieldError(errors.REPORT_EMPTY, "text")
        count_change(game_registry.rate_limiter.spend_both(("session_changes", "address_changes"), caller))
        await report(request, game_registry, reports, principal.person, other, game_id, reason, text)
    except ApiError as problem:
        about = await _about(reports, blocks, principal.person, other, game_id)
        about |= {"reason": data.get("reason", ""), "text": text[:MOST_WORDS]}
        return shown_again(request, "report.html", problem, data, **about)
    return see(f"/games/{game_id}/report?done=reported")


@post("/block", action=Action.BLOCK)
async def make_block(
    request: AnyRequest,
    game_id: GameId,
    data: Form,
    principal: ThePrincipal,
    reports: TheReports,
    blocks: TheBlocks,
    caller: TheCaller,
    game_registry: TheGameRegistry,
) -> Response[str] | Redirect:
    """Play no more with the other player."""
    other = await opponent(game_registry, game_id, principal.person)
    try:
        count_change(game_registry.rate_limiter.spend_both(("session_changes", "address_changes"), caller))
        await block(request, blocks, principal.person, other)
    except ApiError as problem:
        return shown_again(
            request, "report.html", problem, data, **await _about(reports, blocks, principal.person, other, game_id)
        )
    return see(f"/games/{game_id}/report?done=blocked")


async def _about(
    reports: ReportRepository, blocks: BlockRepository, who: Person, other: Person, game: str
) -> dict[str, Any]:
    sent = await asyncio.to_thread(reports.of, who.id, game)
    return {
        "game": game,
        "other": other.id,
        "member": who.kind is not PersonKind.VISITOR,
        "blocked": await asyncio.to_thread(blocks.has, who.id, other.id),
        "sent": sent,
        "reasons": REASONS,
        "reason": "" if sent is None else sent.reason.value,
        "text": "" if sent is None else sent.text,
        "most": MOST_WORDS,
    }


router = Router("/games/{game_id:str}", route_handlers=[report_page, make_report, make_block], include_in_schema=False)
