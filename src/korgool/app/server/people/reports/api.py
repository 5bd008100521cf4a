"""The API of reports: a player of a game is reported to the operator, with the game's record attached."""

from __future__ import annotations

import msgspec
from litestar import Router, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from korgool.accounts import Action
from korgool.app.server.http.dependencies import TheCaller, ThePrincipal, check_body
from korgool.app.server.http.openapi import GUEST, refusals
from korgool.app.server.http.responses import AnyRequest, origin_of
from korgool.app.server.people.messages import Text
from korgool.app.server.people.reports.repository import ReportReason
from korgool.app.server.people.reports.service import ReportService
from korgool.app.server.play.api import GameId


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
    reports: NamedDependency[ReportService],
) -> ReportMessage:
    """Report the other player of a game to the operator; a second report of it takes the place of the first."""
    report = await reports.send(principal.actor, game_id, data.reason, data.text, caller, site=origin_of(request))
    return ReportMessage(report.id, report.game, report.reason, report.text, report.at)


router = Router("/api", before_request=check_body, route_handlers=[make_report], tags=["games"])
