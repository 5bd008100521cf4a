"""The page of one's own mistakes, which the device fills: it is the same for all but for the mark of the account."""

from __future__ import annotations

from litestar import MediaType, Response, get

from korgool.app.server.http.dependencies import ThePrincipal
from korgool.app.server.http.responses import AnyRequest, page
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.play.board_picture import BoardPicture
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.standing_board import picture
from korgool.rules import GAMES, Game


@get("/mistakes", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def mistakes_page(request: AnyRequest, game_registry: TheGameRegistry, principal: ThePrincipal) -> Response[str]:
    """The mistakes of a visitor on this device, or of an account on all of theirs."""
    game = game_registry.settings.game
    return page(request, "mistakes.html", game=game, board=_board(game))


def _board(game: str) -> BoardPicture:
    return picture(Game(GAMES[game].start()))


handlers = [mistakes_page]
