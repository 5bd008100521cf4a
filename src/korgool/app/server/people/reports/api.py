"""Reports for programs: a player of a game is reported to the operator, with the game's record attached."""

from __future__ import annotations

import asyncio

import msgspec
from litestar import Router, post
from litestar.params import JSONBody

from korgool.accounts import Action, Person, Thing
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.dependencies import TheCaller, ThePrincipal, check_body
from korgool.app.server.http.openapi import GUEST, refusals
from korgool.app.server.http.responses import AnyRequest, origin_of
from korgool.app.server.http.rights import permit
from korgool.app.server.people.account.api import Text, count_change
from korgool.app.server.people.opponents import opponent
from korgool.app.server.people.report_reason import ReportReason
from korgool.app.server.people.reports.dependencies import TheReports
from korgool.app.server.people.reports.repository import Report, ReportRepository
from korgool.app.server.play.api import GameId
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.game_records import record_of
from korgool.app.server.play.game_registry import GameRegistry


class NewReport(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the other player of a game is reported for.

    Attributes:
        reason: `name` (offensive), `help` (of a program or of others), `stalling`, `arranged` (losing on purpose), or
            `other`, which then needs a text.
        text: what happened, up to 1000 characters.
    """

    reason: ReportReason
    text: Text = ""


class ReportMessage(msgspec.Struct, frozen=True):
    """A report as it was sent.

    Attributes:
        id: what the operator calls it.
        game: the address of the game.
        reason: what for.
        text: what happened, as it was understood.
        at: when, in milliseconds since 1970.
    """

    id: str
    game: str
    reason: ReportReason
    text: str
    at: int


@post(
    "/games/{game_id:str}/report",
    action=Action.REPORT,
    responses=refusals(
        {
            403: "not a player of this game, another site's page, or no token of the visitor",
            404: "no such game",
            422: "nobody else plays in this game, or the text is too long or missing",
        },
        command=True,
    ),
    security=GUEST,
    summary="Report a player",
)
async def make_report(
    request: AnyRequest,
    game_id: GameId,
    data: JSONBody[NewReport],
    principal: ThePrincipal,
    caller: TheCaller,
    game_registry: TheGameRegistry,
    reports: TheReports,
) -> ReportMessage:
    """Report the other player of a game to the operator; a second report of it takes the place of the first."""
    other = await opponent(game_registry, game_id, principal.person)
    count_change(game_registry.rate_limiter.spend_both(("session_changes", "address_changes"), caller))
    made = await report(request, game_registry, reports, principal.person, other, game_id, data.reason, data.text)
    return ReportMessage(made.id, made.game, made.reason, made.text, made.at)


async def report(
    request: AnyRequest,
    game_registry: GameRegistry,
    reports: ReportRepository,
    who: Person,
    other: Person,
    game: str,
    reason: ReportReason,
    text: str,
) -> Report:
    """Let somebody report the other player of a game, with its record as it stands.

    Raises:
        ApiError: they may not, or the text cannot be.
        RateLimitError: they have sent as many as they may in a day.
    """
    permit(request, Action.REPORT, Thing((other,)))
    running = await game_registry.met(game)
    record = record_of(running, who.id, "pgn", game_registry.register, site=origin_of(request))[1]
    return await asyncio.to_thread(reports.send, who.id, other.id, game, reason, text, record, now_ms())


router = Router("/api", before_request=check_body, route_handlers=[make_report], tags=["games"])
