"""The API of players: profiles, all their games as one stream, the games of the asker, and the best of each game."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from litestar import Router, get
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import PathParameter, QueryParameter
from litestar.response import Stream

from korgool.accounts import Action, Speed
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.http.dependencies import TheCaller, TheSite, TheVisitor
from korgool.app.server.http.openapi import GUEST, refusals
from korgool.app.server.http.responses import AnyRequest
from korgool.app.server.people.profiles.display_names import DisplayNames
from korgool.app.server.people.profiles.game_export import FORMATS
from korgool.app.server.people.profiles.player_games import RESULTS, PlayedGame
from korgool.app.server.people.profiles.service import ProfileService
from korgool.notation.writing import DIALECTS_BY_NAME

PlayerName = Annotated[str, PathParameter(description="the name of an account, however it is typed", max_length=200)]
TheProfiles = NamedDependency[ProfileService]
MOST_BEST = 200
MOST_PAGE = 100
_SIDES: tuple[Literal["white", "black", "both"], ...] = ("white", "black", "both")


class ScoreMessage(msgspec.Struct, frozen=True):
    """Finished games against people, won, drawn and lost."""

    won: int
    drawn: int
    lost: int


class OpponentMessage(msgspec.Struct, frozen=True):
    """The record against one opponent, by the name that the reader may see."""

    name: str
    won: int
    drawn: int
    lost: int


class RatingMessage(msgspec.Struct, frozen=True):
    """A rating in one game at one speed.

    Attributes:
        rating: in whole points.
        deviation: in 95 of 100 cases the strength lies at most twice as far away.
        provisional: whether the rating still has to be found out.
        games: how many rated games it rests on.
        points: the course of it, the oldest first: the end of a game in milliseconds since 1970, the rating after it,
            and its deviation.
    """

    rating: int
    deviation: int
    provisional: bool
    games: int
    points: list[tuple[int, int, int]]


class ProfileMessage(msgspec.Struct, frozen=True):
    """A player.

    Attributes:
        name: the name of the account.
        bot: whether a program plays under it.
        since: when the account was opened, milliseconds since 1970.
        ratings: by the short name of the game, and then by speed.
        score: the finished games against people among the player's last 1,000 games.
        opponents: the record in these against those met most often.
    """

    name: str
    bot: bool
    since: int
    ratings: dict[str, dict[str, RatingMessage]]
    score: ScoreMessage
    opponents: list[OpponentMessage]


class OwnGame(msgspec.Struct, frozen=True):
    """A game in one's own list.

    Attributes:
        id: its address.
        game: the rules by their short name.
        control: the time control as text, `none`, or days for a turn such as `3d`.
        conduct: `friendly` or `competition`.
        rated: whether it counts for ratings.
        side: one's own; `both` at one device.
        opponent: what the opponent is called; empty for the engine and at one device.
        level: of the engine, or its rating from 100 on; None against a person.
        plies: how many plies stand.
        result: how it ended for the asker.
        result_text: such as `1 (82) - 0 (60)`, None without a result.
        termination: why it ended, None while it goes on.
        rating: one's own rating before and after it, None where it was not counted.
        started: milliseconds since 1970.
        ended: the same, None while it goes on.
    """

    id: str
    game: str
    control: str
    conduct: str
    rated: bool
    side: Literal["white", "black", "both"]
    opponent: str
    level: int | None
    plies: int | None
    result: Literal["won", "lost", "drawn", "running", "aborted"]
    result_text: str | None
    termination: str | None
    rating: tuple[int, int] | None
    started: int
    ended: int | None


class OwnGames(msgspec.Struct, frozen=True):
    """A part of one's own games; `next` is what `after` has to be for the part that follows, None at the end.

    One answer searches 1,000 games at most, so a part may hold fewer games than asked for, or none, and still have a
    next one.
    """

    games: list[OwnGame]
    next: str | None


class RankedMessage(msgspec.Struct, frozen=True):
    """A player of a list of the best; the rank counts from 1."""

    rank: int
    name: str
    bot: bool
    rating: int
    deviation: int
    games: int


@get("/players/{name:str}", action=Action.SEE_PROFILE, responses=refusals({404: "no such player"}), summary="A player")
async def profile(name: PlayerName, profiles: TheProfiles, visitor: TheVisitor, caller: TheCaller) -> ProfileMessage:
    """Ratings with their deviations and their course, and the record against each opponent."""
    person, reader = await profiles.find(name, visitor)
    player, names = await profiles.profile(person, reader, caller)
    ratings: dict[str, dict[str, RatingMessage]] = {}
    for (game, speed), (shown, count) in player.ratings.items():
        points = [(point.at, point.rating, point.deviation) for point in player.course.get((game, speed), ())]
        rating = RatingMessage(shown.rating, shown.deviation, shown.provisional, count, points)
        ratings.setdefault(game, {})[speed.value] = rating
    total = player.total
    return ProfileMessage(
        names.of(person.id),
        names.is_bot(person.id),
        player.since,
        ratings,
        ScoreMessage(total.won, total.drawn, total.lost),
        [
            OpponentMessage(names.of(record.opponent), record.won, record.drawn, record.lost)
            for record in player.opponents
        ],
    )


@get(
    "/players/{name:str}/games",
    action=Action.SEE_PROFILE,
    responses={
        200: ResponseSpec(str, generate_examples=False, description="the games", media_type="text/plain"),
        **refusals({404: "no such player", 422: "no such format"}),
    },
    summary="All games of a player",
)
async def games(
    request: AnyRequest,
    name: PlayerName,
    profiles: TheProfiles,
    visitor: TheVisitor,
    caller: TheCaller,
    site: TheSite,
    format: Annotated[str, QueryParameter(description=f"one of {', '.join(FORMATS)}", max_length=40)] = "pgn",
) -> Stream:
    """One text with all games against people, the oldest first, as far as the asker may see them now.

    The asker's own games have those against the engine too. `json` is a game a line (`ExportedGame`); a game that a
    format cannot express, such as one without moves in `bare`, is left out there.
    """
    if format not in FORMATS:
        raise ApiError(422, errors.NO_DIALECT, dialects=", ".join(FORMATS))
    person, reader = await profiles.find(name, visitor)
    suffix = ".jsonl" if format == "json" else DIALECTS_BY_NAME[format].suffix
    return Stream(
        profiles.export(person, reader, format, site.origin(request), caller),
        media_type="application/x-ndjson" if format == "json" else "text/plain",
        headers={"content-disposition": f'attachment; filename="korgool-games{suffix}"'},
    )


_Flag = Annotated[bool | None, QueryParameter(description="only games that count for ratings, or only others")]
_Day = Annotated[str, QueryParameter(description="a day, such as 2026-11-23 (UTC)", max_length=10)]


@get(
    "/account/games",
    action=Action.SEE_OWN,
    responses=refusals({401: "nobody known asks", 422: "a field that cannot be"}),
    security=GUEST,
    summary="One's own games",
)
async def own_games(
    profiles: TheProfiles,
    visitor: TheVisitor,
    opponent: Annotated[
        str, QueryParameter(description="an opponent's name, on whatever keyboard, or `engine`", max_length=200)
    ] = "",
    game: Annotated[str, QueryParameter(description="short name of a game", max_length=40)] = "",
    result: Annotated[str, QueryParameter(description=f"one of {', '.join(RESULTS)}", max_length=40)] = "",
    rated: _Flag = None,
    since: _Day = "",
    until: _Day = "",
    after: Annotated[str, QueryParameter(description="`next` of the part before", max_length=40)] = "",
    most: Annotated[int, QueryParameter(ge=1, le=MOST_PAGE, description="how many at most")] = 50,
) -> OwnGames:
    """The asker's games, the newest first, a part at a time; a search goes on with `next` behind an empty part too."""
    if visitor is None:
        raise ApiError(401, errors.NOBODY)
    asked = {"opponent": opponent, "game": game, "result": result, "since": since, "until": until, "after": after}
    rating = "" if rated is None else "yes" if rated else "no"
    played, names, following = await profiles.search(visitor, asked | {"rated": rating}, most)
    return OwnGames([_own(entry, names) for entry in played], following)


@get(
    "/ratings/{game:str}/{speed:str}",
    action=Action.WATCH,
    responses=refusals({404: "no such game or speed"}),
    summary="The best players",
)
async def best(
    game: Annotated[str, PathParameter(description="short name of a game", max_length=40)],
    speed: Annotated[str, PathParameter(description=f"one of {', '.join(Speed)}", max_length=40)],
    profiles: TheProfiles,
    visitor: TheVisitor,
    most: Annotated[int, QueryParameter(ge=1, le=MOST_BEST, description="how many at most")] = 50,
) -> list[RankedMessage]:
    """The players with the highest ratings that are not provisional."""
    players, names = await profiles.best(game, speed, visitor, most)
    return [
        RankedMessage(
            rank,
            names.of(player.who),
            names.is_bot(player.who),
            player.shown.rating,
            player.shown.deviation,
            player.games,
        )
        for rank, player in enumerate(players, 1)
    ]


def _own(game: PlayedGame, names: DisplayNames) -> OwnGame:
    return OwnGame(
        game.id,
        game.game,
        game.clock,
        game.conduct,
        game.rated,
        _SIDES[game.side],
        names.of(game.opponent) if game.opponent else "",
        game.strength or None,
        game.plies,
        game.result,
        game.result_text,
        game.termination,
        game.change,
        game.started,
        game.ended,
    )


router = Router("/api", route_handlers=[profile, games, own_games, best], tags=["players"])
