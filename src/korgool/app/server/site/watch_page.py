"""The page for watchers: games in progress as small boards, finished games, and the best players.

The page opens with the first part that is not empty.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Any
from zlib import crc32

from litestar import MediaType, Response, get
from litestar.params import QueryParameter
from markupsafe import Markup

from korgool.accounts import Action
from korgool.app.server.core.errors import ApiError
from korgool.app.server.http.dependencies import TheVisitor
from korgool.app.server.http.responses import AnyRequest, language_of, page, templates
from korgool.app.server.http.template_texts import words
from korgool.app.server.people.profiles.pages import TheProfiles, best_of
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.game_repository import PublicGame
from korgool.app.server.play.standing_board import last_move, picture_of
from korgool.app.server.play.watching import public_games
from korgool.app.server.site.living_board import played
from korgool.app.words.online_games import clock_words
from korgool.languages import translations
from korgool.live import read_clock
from korgool.rules import GAMES, Game, Position, Sowing

BOARDS = 12
"""Games that are shown as boards; further ones are lines of a list."""
_POOLS, _BEST = 12, 3
Show = Annotated[str, QueryParameter(max_length=40)]


@get("/watch", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False)
async def watch_page(
    request: AnyRequest, game_registry: TheGameRegistry, profiles: TheProfiles, visitor: TheVisitor, show: Show = ""
) -> Response[str]:
    """One of the parts; without a choice the first that is not empty."""
    context = await _part(request, game_registry, profiles, visitor, show)
    return page(request, "watch.html", **context)


@get("/watch/list", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False, opt={"counts": False})
async def watch_list(
    request: AnyRequest,
    game_registry: TheGameRegistry,
    profiles: TheProfiles,
    visitor: TheVisitor,
    show: Show = "",
    known: Show = "",
) -> Response[str]:
    """The part alone, for the script that keeps the page up to date; 204 if the script knows it as it is."""
    context = await _part(request, game_registry, profiles, visitor, show)
    if context["tag"] == known:
        return Response("", status_code=204, headers={"cache-control": "no-store"})
    return page(request, "watch_list.html", **context)


async def _part(
    request: AnyRequest, game_registry: GameRegistry, profiles: TheProfiles, visitor: str | None, show: str
) -> dict[str, Any]:
    """Values of the tabs and of the part that is shown. `tag` differs wherever something of it that moves does."""
    running, finished = await public_games(game_registry)
    catalogue = translations(language_of(request))
    pools = await profiles.pools()
    parts = {"live": len(running), "finished": len(finished), "players": len(pools)}
    shown = show if show in parts else next((name for name, count in parts.items() if count), "live")
    games = await _played(game_registry, running[:BOARDS]) if shown == "live" else []
    listed = {"live": running, "finished": finished}.get(shown, [])
    moving = [shown, parts, [(one.id, one.plies) for one in listed], [str(game.position) for game in games]]
    return {
        "running": running,
        "finished": finished,
        "boards": [_drawn(language_of(request), game.position, last_move(game)) for game in games],
        "shown": shown,
        "tag": f"{crc32(repr(moving).encode()):08x}",
        "tabs": [
            ("live", catalogue.gettext("Live"), parts["live"]),
            ("finished", catalogue.gettext("Finished"), parts["finished"]),
            ("players", catalogue.gettext("Best players"), 0),
        ],
        "pools": [
            {"game": game, "speed": speed.value, "best": await best_of(request, profiles, game, speed, visitor, _BEST)}
            for game, speed in (pools[:_POOLS] if shown == "players" else ())
        ],
        "clock_words": lambda clock: clock_words(read_clock(clock), catalogue),
    }


@lru_cache(maxsize=200)
def _drawn(language: str, position: Position, last: Sowing | None) -> Markup:
    """The markup of a board, 17 kB and 2 ms of a processor: it stays the same until the next move, whoever looks."""
    drawing = templates().get_template("board.html").make_module(words(language))
    return Markup(drawing.pictures(picture_of(position, last)))  # type: ignore[attr-defined]


async def _played(game_registry: GameRegistry, games: Sequence[PublicGame]) -> list[Game]:
    """The games as watchers may know them now; the start of one that cannot be read."""

    async def one(game: PublicGame) -> Game:
        try:
            return played(await game_registry.find(game.id))
        except ApiError:
            return Game(GAMES[game.game].start())

    return list(await asyncio.gather(*map(one, games)))


handlers = [watch_page, watch_list]
