"""The page of one's own mistakes, which the device fills: it is the same for all but for the mark of the account."""

from __future__ import annotations

from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency

from korgool.app.server.http.dependencies import Form, TheCaller
from korgool.app.server.http.responses import AnyRequest, language_of, page
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.standing_board import picture
from korgool.app.server.school.mistakes.service import MistakeService
from korgool.rules import GAMES, Game


@get("/mistakes", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def mistakes_page(request: AnyRequest, game_registry: TheGameRegistry) -> Response[str]:
    """The mistakes of a visitor on this device, or of an account on all of theirs."""
    game = game_registry.settings.game
    return page(request, "mistakes.html", game=game, board=picture(Game(GAMES[game].start())))


@post("/mistakes/worst.pdf", action=ANYBODY, status_code=200, include_in_schema=False)
async def print_worst(
    request: AnyRequest, data: Form, mistakes: NamedDependency[MistakeService], caller: TheCaller
) -> Response[bytes]:
    """The worst moves that the device sends, as PDF; a visitor's are nowhere else."""
    made = await mistakes.sheet(data.get("cards", ""), language_of(request), caller)
    headers = {"content-disposition": 'inline; filename="korgool-worst-moves.pdf"'}
    return Response(made, media_type="application/pdf", headers=headers)


handlers = [mistakes_page, print_worst]
