"""Players for programs: profiles, all their games as one stream, one's own games, and the best of each game."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal

import msgspec
from litestar import Router, get
from litestar.openapi import ResponseSpec
from litestar.params import PathParameter, QueryParameter
from litestar.response import Stream

from korgool.accounts import Action, Person, Speed
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.dependencies import TheCaller, TheSite, TheVisitor
from korgool.app.server.http.openapi import GUEST, refusals
from korgool.app.server.http.responses import AnyRequest
from korgool.app.server.limits import Caller
from korgool.app.server.people.person_repository import PersonRepository
from korgool.app.server.people.profiles.display_names import DisplayNames, may_see
from korgool.app.server.people.profiles.game_export import FORMATS, GameExport
from korgool.app.server.people.profiles.player_games import RESULTS, GameFilter, Key, PlayedGame, PlayerGamesRepository
from korgool.app.server.people.profiles.profile_repository import Profile, ProfileRepository, RankedPlayer
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.game_registry import GameRegistry
from korgool.languages.name_search import matches
from korgool.notation.writing import DIALECTS_BY_NAME
from korgool.rules import GAMES

PlayerName = Annotated[str, PathParameter(description="the name of an account, however it is typed", max_length=200)]
MOST_BEST = 200
MOST_PAGE = 100
_KEY = re.compile(r"([0-9]{1,15})-([A-Za-z0-9]{12})", re.ASCII)
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


async def find_player(game_registry: GameRegistry, name: str, visitor: str | None) -> tuple[Person, Person]:
    """The player of a name, and who asks.

    Raises:
        ApiError: 404, there is none whom the asker may know.
    """
    persons = PersonRepository(game_registry.storage.engine)

    def find() -> tuple[Person | None, Person]:
        return persons.by_name(name), persons.person(visitor)

    person, reader = await asyncio.to_thread(find)
    if person is None or not may_see(reader, person):
        raise ApiError(404, errors.NO_PLAYER)
    return person, reader


async def read_profile(
    game_registry: GameRegistry, person: Person, reader: Person, caller: Caller
) -> tuple[Profile, DisplayNames]:
    """A profile, with the names of the opponents."""
    engine = game_registry.storage.engine
    persons = PersonRepository(engine)

    def read() -> tuple[Profile, DisplayNames]:
        found = ProfileRepository(engine).profile(person, now_ms())
        people = {one.opponent for one in found.opponents}
        return found, DisplayNames(persons, reader, people | {person.id})

    return await game_registry.reading.run(caller, read)


@get("/players/{name:str}", action=Action.SEE_PROFILE, responses=refusals({404: "no such player"}), summary="A player")
async def profile(
    name: PlayerName, game_registry: TheGameRegistry, visitor: TheVisitor, caller: TheCaller
) -> ProfileMessage:
    """Ratings with their deviations and their course, and the record against each opponent."""
    person, reader = await find_player(game_registry, name, visitor)
    found, names = await read_profile(game_registry, person, reader, caller)
    ratings: dict[str, dict[str, RatingMessage]] = {}
    for (game, speed), (shown, count) in found.ratings.items():
        points = [(point.at, point.rating, point.deviation) for point in found.course.get((game, speed), ())]
        told = RatingMessage(shown.rating, shown.deviation, shown.provisional, count, points)
        ratings.setdefault(game, {})[speed.value] = told
    total = found.total
    return ProfileMessage(
        names.of(person.id),
        names.is_bot(person.id),
        found.since,
        ratings,
        ScoreMessage(total.won, total.drawn, total.lost),
        [OpponentMessage(names.of(one.opponent), one.won, one.drawn, one.lost) for one in found.opponents],
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
    game_registry: TheGameRegistry,
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
    person, reader = await find_player(game_registry, name, visitor)
    export = GameExport(game_registry.storage, person.id, reader, format, site.origin(request), now_ms())
    suffix = ".jsonl" if format == "json" else DIALECTS_BY_NAME[format].suffix
    return Stream(
        _pieces(game_registry, caller, export),
        media_type="application/x-ndjson" if format == "json" else "text/plain",
        headers={"content-disposition": f'attachment; filename="korgool-games{suffix}"'},
    )


async def _pieces(game_registry: GameRegistry, caller: Caller, export: GameExport) -> AsyncIterator[bytes]:
    """The text piece by piece; between two of them, others who want something read have their turn."""
    while (piece := await game_registry.reading.run(caller, export.next)) is not None:
        if piece:
            yield piece


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
    game_registry: TheGameRegistry,
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
    found, names, following = await search(game_registry, visitor, asked | {"rated": rating}, most)
    return OwnGames([_own(one, names) for one in found], following)


async def search(
    game_registry: GameRegistry, visitor: str, asked: dict[str, str], most: int
) -> tuple[list[PlayedGame], DisplayNames, str | None]:
    """A part of somebody's games, the names in it, and the key of the next part.

    Raises:
        ApiError: 422, a field cannot be read.
    """
    after, wanted = _read_key(asked.get("after", "")), _read_wanted(asked)
    opponent = asked.get("opponent", "").strip()
    engine = game_registry.storage.engine
    persons = PersonRepository(engine)

    def read() -> tuple[list[PlayedGame], DisplayNames, Key | None]:
        reader, known = persons.person(visitor), wanted
        if opponent == "engine":
            known = replace(known, engine=True)
        elif opponent:
            known = replace(known, opponents=_opponents(game_registry, visitor, reader, opponent))
            if not known.opponents:
                return [], DisplayNames(persons, reader, ()), None
        found, following = PlayerGamesRepository(engine).page(visitor, known, after, most)
        return found, DisplayNames(persons, reader, {one.opponent for one in found}), following

    found, names, following = await asyncio.to_thread(read)
    return found, names, None if following is None else f"{following[0]}-{following[1]}"


def _opponents(game_registry: GameRegistry, visitor: str, reader: Person, name: str) -> tuple[str, ...]:
    """The account of this name, or else those of the asker's opponents whom somebody means who types it."""
    engine = game_registry.storage.engine
    players = PersonRepository(engine)
    person = players.by_name(name)
    if person is not None and may_see(reader, person):
        return (person.id,)
    met = PlayerGamesRepository(engine).opponents(visitor)
    names = DisplayNames(players, reader, met)
    return tuple(matches(name, ((one, names.of(one)) for one in met if names.page(one))))


@get(
    "/ratings/{game:str}/{speed:str}",
    action=Action.WATCH,
    responses=refusals({404: "no such game or speed"}),
    summary="The best players",
)
async def best(
    game: Annotated[str, PathParameter(description="short name of a game", max_length=40)],
    speed: Annotated[str, PathParameter(description=f"one of {', '.join(Speed)}", max_length=40)],
    game_registry: TheGameRegistry,
    visitor: TheVisitor,
    most: Annotated[int, QueryParameter(ge=1, le=MOST_BEST, description="how many at most")] = 50,
) -> list[RankedMessage]:
    """The players with the highest ratings that are not provisional."""
    found, names = await read_best(game_registry, game, speed, visitor, most)
    return [
        RankedMessage(rank, names.of(one.who), names.is_bot(one.who), one.shown.rating, one.shown.deviation, one.games)
        for rank, one in enumerate(found, 1)
    ]


async def read_best(
    game_registry: GameRegistry, game: str, speed: str, visitor: str | None, most: int
) -> tuple[list[RankedPlayer], DisplayNames]:
    """A list of the best with the names in it.

    Raises:
        ApiError: 404, there is no such game or speed.
    """
    if game not in GAMES or speed not in list(Speed):
        raise ApiError(404, errors.NO_PAGE)
    engine = game_registry.storage.engine
    persons = PersonRepository(engine)

    def read() -> tuple[list[RankedPlayer], DisplayNames]:
        found = ProfileRepository(engine).best(game, Speed(speed), now_ms(), most)
        reader = persons.person(visitor)
        return found, DisplayNames(persons, reader, {one.who for one in found})

    return await asyncio.to_thread(read)


def _own(one: PlayedGame, names: DisplayNames) -> OwnGame:
    return OwnGame(
        one.id,
        one.game,
        one.clock,
        one.conduct,
        one.rated,
        _SIDES[one.side],
        names.of(one.opponent) if one.opponent else "",
        one.strength or None,
        one.plies,
        one.result,
        one.result_text,
        one.termination,
        one.change,
        one.started,
        one.ended,
    )


def _read_key(text: str) -> Key | None:
    found = _KEY.fullmatch(text)
    if text and found is None:
        raise ApiError(422, errors.BAD_FIELD, field="after", value=repr(text[:40]), choices="next")
    return None if found is None else (int(found[1]), found[2])


def _read_wanted(asked: dict[str, str]) -> GameFilter:
    game, result, rated = (asked.get(name, "") for name in ("game", "result", "rated"))
    _choose("game", game, list(GAMES))
    _choose("result", result, list(RESULTS))
    _choose("rated", rated, ["yes", "no"])
    until = _day("until", asked.get("until", ""))
    return GameFilter(
        game=game,
        result=next((one for one in RESULTS if one == result), None),
        rated=None if not rated else rated == "yes",
        since=_milliseconds(_day("since", asked.get("since", ""))),
        until=0 if until is None else _milliseconds(until + timedelta(days=1)),
    )


def _choose(field: str, value: str, choices: list[str]) -> None:
    if value and value not in choices:
        raise ApiError(422, errors.BAD_FIELD, field=field, value=repr(value[:40]), choices=", ".join(choices))


def _day(field: str, text: str) -> datetime | None:
    if not text:
        return None
    try:
        found = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
        if found.year > 9000:
            raise ValueError
    except ValueError:
        raise ApiError(422, errors.BAD_FIELD, field=field, value=repr(text[:40]), choices="2026-11-23, …") from None
    return found


def _milliseconds(day: datetime | None) -> int:
    return 0 if day is None else max(0, int(day.timestamp() * 1000))


router = Router("/api", route_handlers=[profile, games, own_games, best], tags=["players"])
