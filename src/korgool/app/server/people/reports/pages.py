"""The page on which a player of a game blocks the other one, or reports them to the operator."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Response, Router, get, post
from litestar.di import NamedDependency
from litestar.response import Redirect

from korgool.accounts import Action, Person, PersonKind
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.http.dependencies import Form, TheCaller, ThePrincipal
from korgool.app.server.http.forms import EMPTY, FieldError, needed, see, shown_again
from korgool.app.server.http.responses import AnyRequest, origin_of, page
from korgool.app.server.people.blocks.service import BlockService, opponent
from korgool.app.server.people.page_frame import done_of
from korgool.app.server.people.reports.repository import MOST_WORDS, ReportReason
from korgool.app.server.people.reports.service import ReportService
from korgool.app.server.play.api import GameId
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.new_game_form import choice
from korgool.languages import N_

TheReports = NamedDependency[ReportService]
TheBlocks = NamedDependency[BlockService]
REASONS = {
    ReportReason.NAME: N_("An offensive name"),
    ReportReason.HELP: N_("Moves of a program or of somebody else"),
    ReportReason.STALLING: N_("Leaving, or letting the time run"),
    ReportReason.ARRANGED: N_("Losing on purpose, or an agreed result"),
    ReportReason.OTHER: N_("Something else"),
}
"""The reasons for a report, in words."""


@get("/report", action=Action.REPORT, media_type=MediaType.HTML)
async def report_page(
    request: AnyRequest,
    game_id: GameId,
    principal: ThePrincipal,
    reports: TheReports,
    blocks: TheBlocks,
    game_registry: TheGameRegistry,
) -> Response[str]:
    """The forms, with the reader's earlier report of this game."""
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
        await reports.send(principal.actor, game_id, reason, text, caller, site=origin_of(request))
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
        await blocks.block_opponent(principal.actor, game_id, caller)
    except ApiError as problem:
        return shown_again(
            request, "report.html", problem, data, **await _about(reports, blocks, principal.person, other, game_id)
        )
    return see(f"/games/{game_id}/report?done=blocked")


async def _about(
    reports: ReportService, blocks: BlockService, reporter: Person, other: Person, game: str
) -> dict[str, Any]:
    sent = await reports.of(reporter.id, game)
    return {
        "game": game,
        "other": other.id,
        "member": reporter.kind is not PersonKind.VISITOR,
        "blocked": await blocks.has(reporter.id, other.id),
        "sent": sent,
        "reasons": REASONS,
        "reason": "" if sent is None else sent.reason.value,
        "text": "" if sent is None else sent.text,
        "most": MOST_WORDS,
    }


router = Router("/games/{game_id:str}", route_handlers=[report_page, make_report, make_block], include_in_schema=False)
