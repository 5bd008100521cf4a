"""The page for watchers: games in progress as small boards, finished games, and the best players.

The page opens with the first part that is not empty.
"""

from __future__ import annotations

from typing import Annotated

from litestar import MediaType, Response, get
from litestar.params import QueryParameter

from korgool.accounts import Action
from korgool.app.server.http.dependencies import TheVisitor
from korgool.app.server.http.responses import AnyRequest, language_of, page
from korgool.app.server.people.profiles.pages import TheProfiles, best_of
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.link_pictures import picture_size
from korgool.app.server.play.watching import public_games
from korgool.app.words.online_games import clock_words
from korgool.languages import translations
from korgool.live import read_clock
from korgool.rules import GAMES

BOARDS = 12
"""Games that are shown as boards; further ones are lines of a list."""
_POOLS, _BEST = 12, 3


@get("/watch", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False)
async def watch_page(
    request: AnyRequest,
    game_registry: TheGameRegistry,
    profiles: TheProfiles,
    visitor: TheVisitor,
    show: Annotated[str, QueryParameter(max_length=40)] = "",
) -> Response[str]:
    """One of the parts; without a choice the first that is not empty."""
    running, finished = await public_games(game_registry)
    catalogue = translations(language_of(request))
    pools = await profiles.pools()
    parts = {"live": len(running), "finished": len(finished), "players": len(pools)}
    shown = show if show in parts else next((name for name, count in parts.items() if count), "live")
    return page(
        request,
        "watch.html",
        running=running,
        finished=finished,
        boards=BOARDS,
        sizes={game: picture_size(game) for game in GAMES},
        shown=shown,
        tabs=[
            ("live", catalogue.gettext("Live"), parts["live"]),
            ("finished", catalogue.gettext("Finished"), parts["finished"]),
            ("players", catalogue.gettext("Best players"), 0),
        ],
        pools=[
            {"game": game, "speed": speed.value, "best": await best_of(request, profiles, game, speed, visitor, _BEST)}
            for game, speed in (pools[:_POOLS] if shown == "players" else ())
        ],
        clock_words=lambda clock: clock_words(read_clock(clock), catalogue),
    )


handlers = [watch_page]
