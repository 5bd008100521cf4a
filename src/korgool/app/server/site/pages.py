"""Pages of the site itself: help, rules, levels, about Korgool, and what works without a network."""

from __future__ import annotations

import asyncio
import json
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution

from litestar import MediaType, Response, get
from litestar.params import FromPath, FromQuery

import korgool
from korgool.app.rulebook import rules_of
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.engines.perfect_play import perfect_games
from korgool.app.server.http.release import WORKER, release
from korgool.app.server.http.responses import AnyRequest, language_of, page
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.play.board_picture import LowBoard
from korgool.app.server.play.moving_boards import example_motion
from korgool.app.server.school.learn.pages import minute_values
from korgool.engine.ratings import RATINGS
from korgool.rules import GAMES, TOGUZ_KORGOOL


@get("/help", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def help_page(request: AnyRequest) -> Response[str]:
    """Help for players."""
    return page(request, "help.html")


@get("/rules/{game:str}", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def rules_page(request: AnyRequest, game: FromPath[str]) -> Response[str]:
    """The rules of a game: in one minute, in short and clause by clause, with boards that move."""
    return page(
        request,
        "rules.html",
        **minute_values(game),
        rules=rules_of(game, language_of(request)),
        motion_of=example_motion,
    )


@get("/levels", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def levels_page(request: AnyRequest, game: FromQuery[str] = TOGUZ_KORGOOL.name) -> Response[str]:
    """The opponents in a game, each with a button that begins a game, and how strong they are."""
    if game not in GAMES:
        raise ApiError(404, errors.NO_PAGE)
    return page(request, "levels.html", game=game, ratings=RATINGS, perfect_games=perfect_games())


@get("/settings", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def settings_page(request: AnyRequest) -> Response[str]:
    """What belongs to this device: how pages look, sounds, and how stones are played."""
    return page(request, "settings.html", board=LowBoard.start("toguz"))


@get("/about", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def about_page(request: AnyRequest) -> Response[str]:
    """About Korgool, with its source and licence, and the operator's address if it is known."""
    return page(
        request,
        "about.html",
        version=korgool.__version__,
        licence=licence(),
        contact=request.app.state.contact,
    )


@lru_cache(maxsize=1)
def licence() -> str:
    """The text of the licence installed with the package, or empty if there is none."""
    try:
        return distribution("korgool").read_text("licenses/LICENSE") or ""
    except PackageNotFoundError:
        return ""


PAGES = (
    "/",
    "/analysis",
    "/analysis/boards",
    "/settings",
    "/learn",
    *(f"/learn/{game}{part}" for game in GAMES for part in ("", "/drills")),
    "/puzzle",
    "/mistakes",
    "/offline",
)
"""The pages that the worker caches, in the visitor's language."""


@get("/sw.js", action=ANYBODY, include_in_schema=False)
async def service_worker() -> Response[str]:
    """The service worker of this release. Browsers compare it byte by byte with the one they have."""
    now = release()
    told = json.dumps(
        {"tag": now.tag, "files": await asyncio.to_thread(now.kept), "pages": PAGES}, separators=(",", ":")
    )
    script = now.files[WORKER].body.decode()
    return Response(
        f"const RELEASE = {told};\n{script}", media_type="text/javascript", headers={"cache-control": "no-cache"}
    )


@get("/offline", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False, opt={"counts": False})
async def offline_page(request: AnyRequest) -> Response[str]:
    """The page shown instead of one that needs the server."""
    return page(request, "offline.html")


handlers = [
    *(help_page, rules_page, levels_page),
    *(settings_page, about_page, service_worker, offline_page),
]
