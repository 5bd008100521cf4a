"""The pages of players: one player, one's own games, and the best. All are made by the server and need no script."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated
from urllib.parse import urlencode

from litestar import MediaType, Response, get
from litestar.params import QueryParameter

from korgool.accounts import Action, Speed
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.dependencies import TheCaller, TheVisitor
from korgool.app.server.http.responses import AnyRequest, language_of, page
from korgool.app.server.people.person_repository import PersonRepository
from korgool.app.server.people.profiles.api import PlayerName, find_player, read_best, read_profile, search
from korgool.app.server.people.profiles.display_names import DisplayNames
from korgool.app.server.people.profiles.player_games import MOST_LOOKED, RESULTS, PlayedGame, PlayerGamesRepository
from korgool.app.server.people.profiles.rating_graph import HEIGHT, WIDTH, RatingGraph
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.game_records import DIALECT_WORDS
from korgool.app.server.play.game_repository import iso
from korgool.app.words.online_games import clock_words
from korgool.languages import translations
from korgool.live import read_clock
from korgool.rules import GAMES

_LATEST = 20
_BEST = 50
_AT_ONCE = 25
_FIELDS = ("opponent", "game", "result", "rated", "since", "until")


@get("/player/{name:str}", action=Action.SEE_PROFILE, media_type=MediaType.HTML, include_in_schema=False)
async def player_page(
    request: AnyRequest, name: PlayerName, game_registry: TheGameRegistry, visitor: TheVisitor, caller: TheCaller
) -> Response[str]:
    """A player: ratings and their course, the record against each opponent, the latest games."""
    person, reader = await find_player(game_registry, name, visitor)
    found, names = await read_profile(game_registry, person, reader, caller)
    engine = game_registry.storage.engine

    def latest() -> tuple[list[PlayedGame], DisplayNames]:
        games = PlayerGamesRepository(engine).public(person.id, now_ms(), _LATEST)
        return games, DisplayNames(PersonRepository(engine), reader, {one.opponent for one in games})

    games, opponents = await asyncio.to_thread(latest)
    return page(
        request,
        "player.html",
        name=names.of(person.id),
        bot=names.is_bot(person.id),
        since=iso(found.since),
        ratings=[
            {
                "game": game,
                "speed": speed.value,
                "shown": shown,
                "games": count,
                "graph": RatingGraph.of(found.course.get((game, speed), ())),
            }
            for (game, speed), (shown, count) in sorted(found.ratings.items(), key=lambda one: -one[1][1])
        ],
        total=found.total,
        counted=None if found.whole else MOST_LOOKED,
        opponents=[
            {"name": names.of(one.opponent, _gettext(request)), "page": names.page(one.opponent), "score": one}
            for one in found.opponents
        ],
        games=_rows(request, games, opponents),
        dialects=DIALECT_WORDS | {"json": "JSON"},
        graph_size=(WIDTH, HEIGHT),
    )


@get("/games", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False)
async def games_page(
    request: AnyRequest,
    game_registry: TheGameRegistry,
    visitor: TheVisitor,
    opponent: Annotated[str, QueryParameter(max_length=200)] = "",
    game: Annotated[str, QueryParameter(max_length=40)] = "",
    result: Annotated[str, QueryParameter(max_length=40)] = "",
    rated: Annotated[str, QueryParameter(max_length=40)] = "",
    since: Annotated[str, QueryParameter(max_length=40)] = "",
    until: Annotated[str, QueryParameter(max_length=40)] = "",
    after: Annotated[str, QueryParameter(max_length=40)] = "",
) -> Response[str]:
    """The visitor's games, searched by a form."""
    values = (opponent, game, result, rated, since, until)
    asked = {name: value.strip() for name, value in zip(_FIELDS, values, strict=True)}
    rows, following = [], None
    if visitor is not None:
        found, names, following = await search(game_registry, visitor, asked | {"after": after}, _AT_ONCE)
        rows = _rows(request, found, names)
    kept = {name: value for name, value in asked.items() if value}
    return page(
        request,
        "games.html",
        games=rows,
        asked=asked,
        searched=bool(kept),
        later=bool(after),
        looked=MOST_LOOKED,
        next="" if following is None else "?" + urlencode(kept | {"after": following}),
        results=RESULTS,
    )


@get("/players", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False)
async def players_page(
    request: AnyRequest,
    game_registry: TheGameRegistry,
    visitor: TheVisitor,
    game: Annotated[str, QueryParameter(max_length=40)] = "",
    speed: Annotated[str, QueryParameter(max_length=40)] = Speed.RAPID.value,
) -> Response[str]:
    """The best players of a game at a speed."""
    game = game or game_registry.settings.game
    found, names = await read_best(game_registry, game, speed, visitor, _BEST)
    return page(
        request,
        "players.html",
        game=game,
        speed=speed,
        speeds=list(Speed),
        games=list(GAMES),
        best=[
            {
                "name": names.of(one.who, _gettext(request)),
                "page": names.page(one.who),
                "bot": names.is_bot(one.who),
                "shown": one.shown,
                "games": one.games,
            }
            for one in found
        ],
    )


def _gettext(request: AnyRequest) -> Callable[[str], str]:
    return translations(language_of(request)).gettext


def _rows(request: AnyRequest, games: list[PlayedGame], names: DisplayNames) -> list[dict[str, object]]:
    """Games as a list shows them."""
    catalogue = translations(language_of(request))
    return [
        {
            "game": one,
            "opponent": names.of(one.opponent, catalogue.gettext) if one.opponent else "",
            "clock": clock_words(read_clock(one.clock), catalogue),
            "started": iso(one.started),
        }
        for one in games
    ]


handlers = [player_page, games_page, players_page]
