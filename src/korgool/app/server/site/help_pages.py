"""The static text pages: help, the rules of each game, the levels, and about Korgool. They need no scripts."""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution

from litestar import MediaType, Response, get
from litestar.params import FromPath

import korgool
from korgool.app.rulebook import rules_of
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.http.responses import AnyRequest, language_of, page
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.play.board_picture import BoardPicture
from korgool.engine.ratings import PEOPLE, RATINGS
from korgool.rules import GAMES


@get("/help", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def help_page(request: AnyRequest) -> Response[str]:
    """How to play here."""
    return page(request, "help.html")


@get("/rules/{game:str}", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def rules_page(request: AnyRequest, game: FromPath[str]) -> Response[str]:
    """The rules of a game, in short and clause by clause, with its board."""
    if game not in GAMES:
        raise ApiError(404, errors.NO_PAGE)
    return page(
        request, "rules.html", game=game, board=BoardPicture.start(game), rules=rules_of(game, language_of(request))
    )


@get("/levels", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def levels_page(request: AnyRequest) -> Response[str]:
    """The strength of the levels."""
    return page(request, "levels.html", ratings=RATINGS, people=PEOPLE)


@get("/about", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def about_page(request: AnyRequest) -> Response[str]:
    """What Korgool is, and its licence."""
    return page(request, "about.html", version=korgool.__version__, licence=licence())


@lru_cache(maxsize=1)
def licence() -> str:
    """The text of the licence installed with the package, or empty if there is none."""
    try:
        return distribution("korgool").read_text("licenses/LICENSE") or ""
    except PackageNotFoundError:
        return ""


handlers = [help_page, rules_page, levels_page, about_page]
