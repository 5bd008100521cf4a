"""The pages of players: a player, the reader's own games, and the best. They need no script."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlencode

from litestar import MediaType, Response, get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from korgool.accounts import Action, Speed
from korgool.app.server.http.dependencies import TheCaller, TheVisitor
from korgool.app.server.http.responses import AnyRequest, language_of, page
from korgool.app.server.notices.dependencies import TheNotices
from korgool.app.server.people.profiles.api import PlayerName
from korgool.app.server.people.profiles.display_names import DisplayNames
from korgool.app.server.people.profiles.player_games import MOST_LOOKED, RESULTS, PlayedGame
from korgool.app.server.people.profiles.profile_repository import RatingPoint
from korgool.app.server.people.profiles.service import ProfileService
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.game_records import DIALECT_WORDS
from korgool.app.server.play.game_repository import iso
from korgool.app.server.play.vacations import service as vacation_desk
from korgool.app.words.online_games import SHORT_SPEED_NAMES, clock_words
from korgool.languages import translations
from korgool.live import read_clock
from korgool.rules import GAMES

TheProfiles = NamedDependency[ProfileService]
_LATEST = 20
_BEST = 50
_AT_ONCE = 25
WIDTH, HEIGHT = 600, 160
_MARGIN = 6
_LEAST_SPAN = 100
"""Rating points that the picture shows at least, so that small changes look small."""
_FIELDS = ("opponent", "game", "result", "rated", "since", "until")


@dataclass(frozen=True, slots=True)
class RatingGraph:
    """A picture of a rating, a game after the other.

    Attributes:
        line: the points of the rating, as SVG has them.
        band: the outline of the rating with its deviation.
        low: the lowest rating.
        high: the highest one.
        last: where the last point lies.
        games: how many there are.
    """

    line: str
    band: str
    low: int
    high: int
    last: tuple[float, float]
    games: int

    @classmethod
    def of(cls, points: Sequence[RatingPoint]) -> RatingGraph | None:
        """The picture of some games; None for fewer than two."""
        if len(points) < 2:
            return None
        bottom = min(point.rating - point.deviation for point in points)
        top = max(point.rating + point.deviation for point in points)
        middle, span = (bottom + top) / 2, max(_LEAST_SPAN, top - bottom)
        step, rise = (WIDTH - 2 * _MARGIN) / (len(points) - 1), (HEIGHT - 2 * _MARGIN) / span

        def place(number: int, rating: float) -> tuple[float, float]:
            return round(_MARGIN + number * step, 1), round(HEIGHT / 2 - (rating - middle) * rise, 1)

        line = [place(number, point.rating) for number, point in enumerate(points)]
        above = [place(number, point.rating + point.deviation) for number, point in enumerate(points)]
        below = [place(number, point.rating - point.deviation) for number, point in enumerate(points)]
        ratings = [point.rating for point in points]
        return cls(_text(line), _text([*above, *reversed(below)]), min(ratings), max(ratings), line[-1], len(points))


def _text(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in places)


@get("/player/{name:str}", action=Action.SEE_PROFILE, media_type=MediaType.HTML, include_in_schema=False)
async def player_page(
    request: AnyRequest,
    name: PlayerName,
    profiles: TheProfiles,
    game_registry: TheGameRegistry,
    visitor: TheVisitor,
    caller: TheCaller,
) -> Response[str]:
    """A player: ratings and their course, the record against each opponent, the latest games."""
    person, reader = await profiles.find(name, visitor)
    profile, names = await profiles.profile(person, reader, caller)
    games, opponents = await profiles.latest(person, reader, _LATEST)
    return page(
        request,
        "player.html",
        name=names.of(person.id),
        invites=visitor is not None and await game_registry.register.meeting(visitor, Action.INVITE, person.id) is None,
        bot=names.is_bot(person.id),
        since=iso(profile.since),
        ratings=[
            {
                "game": game,
                "speed": speed.value,
                "shown": shown,
                "games": count,
                "graph": RatingGraph.of(profile.course.get((game, speed), ())),
            }
            for (game, speed), (shown, count) in sorted(profile.ratings.items(), key=lambda record: -record[1][1])
        ],
        total=profile.total,
        counted=None if profile.whole else MOST_LOOKED,
        opponents=[
            {"name": names.of(record.opponent, _gettext(request)), "page": names.page(record.opponent), "score": record}
            for record in profile.opponents
        ],
        games=_rows(request, games, opponents),
        dialects=DIALECT_WORDS | {"json": "JSON"},
        graph_size=(WIDTH, HEIGHT),
    )


@get("/games", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False)
async def games_page(
    request: AnyRequest,
    profiles: TheProfiles,
    game_registry: TheGameRegistry,
    notices: TheNotices,
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
        played, names, following = await profiles.search(visitor, asked | {"after": after}, _AT_ONCE)
        rows = _rows(request, played, names)
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
        vacation=None if visitor is None else await vacation_desk.card(game_registry.vacations, visitor),
        notices={"push": notices.push is not None, "mail": notices.mailer is not None},
    )


@get("/players", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False)
async def players_page(
    request: AnyRequest,
    game_registry: TheGameRegistry,
    profiles: TheProfiles,
    visitor: TheVisitor,
    game: Annotated[str, QueryParameter(max_length=40)] = "",
    speed: Annotated[str, QueryParameter(max_length=40)] = "",
) -> Response[str]:
    """The best players of a game at a speed; what is not chosen is such that the list is not empty, if it can be."""
    pools = [pool for pool in await profiles.pools() if game in ("", pool[0]) and speed in ("", pool[1].value)]
    usual = game or game_registry.settings.game, Speed.RAPID
    first = usual if not pools or usual in pools else pools[0]
    game, speed = game or first[0], speed or first[1].value
    return page(
        request,
        "players.html",
        game=game,
        speed=speed,
        speeds=SHORT_SPEED_NAMES,
        games=list(GAMES),
        best=await best_of(request, profiles, game, speed, visitor, _BEST),
    )


async def best_of(
    request: AnyRequest, profiles: ProfileService, game: str, speed: str, visitor: str | None, most: int
) -> list[dict[str, object]]:
    """The best players of a game at a speed, as lists show them."""
    players, names = await profiles.best(game, speed, visitor, most)
    return [
        {
            "name": names.of(player.who, _gettext(request)),
            "page": names.page(player.who),
            "bot": names.is_bot(player.who),
            "shown": player.shown,
            "games": player.games,
        }
        for player in players
    ]


def _gettext(request: AnyRequest) -> Callable[[str], str]:
    return translations(language_of(request)).gettext


def _rows(request: AnyRequest, games: list[PlayedGame], names: DisplayNames) -> list[dict[str, object]]:
    """Games as a list shows them."""
    catalogue = translations(language_of(request))
    return [
        {
            "game": game,
            "opponent": names.of(game.opponent, catalogue.gettext) if game.opponent else "",
            "clock": clock_words(read_clock(game.clock), catalogue),
            "started": iso(game.started),
        }
        for game in games
    ]


handlers = [player_page, games_page, players_page]
