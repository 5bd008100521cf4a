"""The lobby: open offers, those for now first and the newest first, with what a reader needs to choose one."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from litestar import MediaType, Response, get
from litestar.params import QueryParameter

from korgool.accounts import Action, Shown, Speed, speed_of
from korgool.accounts.ratings import Key
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.dependencies import TheVisitor
from korgool.app.server.http.responses import AnyRequest, page
from korgool.app.server.play.challenges.api import TheChallengeService
from korgool.app.server.play.challenges.pages import friend_clocks, summary
from korgool.app.server.play.challenges.service import ChallengeService
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.words.online_games import NO_CLOCK, SHORT_SPEED_NAMES
from korgool.live import Challenge, read_clock
from korgool.rules import GAMES

FIT = 250
"""Rating points within which two players suit each other: the stronger one takes about four points out of five."""
Pace = str
"""A value of `Speed`, or `NO_CLOCK`."""


@dataclass(frozen=True, slots=True)
class LobbyFilter:
    """Choice of offers; empty fields exclude nothing."""

    game: str = ""
    pace: Pace = ""
    fits: bool = False

    def address(self, **changed: object) -> str:
        """The lobby's address with some fields changed, or emptied where they have this value already."""
        fields: dict[str, object] = {"game": self.game, "speed": self.pace, "fits": self.fits}
        fields |= {name: "" if fields[name] == value else value for name, value in changed.items()}
        query = "&".join(f"{name}={1 if value is True else value}" for name, value in fields.items() if value)
        return f"/lobby?{query}" if query else "/lobby"


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who looks for an opponent, as far as they are known.

    Attributes:
        who: their identity, empty for somebody who has done nothing yet.
        ratings: theirs, by game and speed.
        paces: the paces of the games that they have played, by game.
    """

    who: str
    ratings: Mapping[tuple[str, Pace], Shown]
    paces: Collection[tuple[str, Pace]]

    def suits(self, game: str, pace: Pace, rating: Shown | None) -> bool:
        """Return whether an offer suits them: its maker's rating is near theirs, or they play this at this pace."""
        mine = self.ratings.get((game, pace))
        if mine is not None and rating is not None:
            return abs(mine.rating - rating.rating) <= FIT
        return (game, pace) in self.paces


@dataclass(frozen=True, slots=True)
class LobbyOffer:
    """An open offer.

    Attributes:
        challenge: the offer.
        pace: its speed, or that it has no clock.
        rating: its maker's in this game at this speed; None where they have none.
        fits: whether it suits the reader.
    """

    challenge: Challenge
    pace: Pace
    rating: Shown | None
    fits: bool


def pace_of(game: str, clock: str) -> Pace:
    """The pace of a game by its short name and its time control as text."""
    speed = speed_of(game, read_clock(clock))
    return NO_CLOCK if speed is None else speed.value


async def offers(service: ChallengeService, game_registry: GameRegistry, visitor: str | None) -> list[LobbyOffer]:
    """The open offers as a reader sees them: those for which both have to be there first, each part newest first."""
    found = await service.lobby(visitor)
    reader, ratings = await asyncio.to_thread(_read, game_registry, [one.maker for one in found], visitor or "")
    rows = []
    for one in found:
        speed = speed_of(one.rules.name, one.control)
        pace = NO_CLOCK if speed is None else speed.value
        rating = None if speed is None else ratings.get((one.maker, one.rules.name, speed))
        fits = one.maker != reader.who and reader.suits(one.rules.name, pace, rating)
        rows.append(LobbyOffer(one, pace, rating, fits))
    # The list is the newest first as far as the expiry tells, which a stable order keeps within each part.
    return sorted(rows, key=lambda row: row.challenge.slow)


def _read(game_registry: GameRegistry, makers: list[str], who: str) -> tuple[Reader, Mapping[Key, Shown]]:
    ratings = game_registry.ratings.played([*makers, who], now_ms())
    mine = {(game, speed.value): shown for (account, game, speed), shown in ratings.items() if account == who}
    paces = {(game, pace_of(game, clock)) for game, clock in game_registry.repository.clocks_of(who)} if who else set()
    return Reader(who, mine, paces | mine.keys()), ratings


Field = Annotated[str, QueryParameter(max_length=40)]


def read_filter(game: str = "", speed: str = "", fits: str = "") -> LobbyFilter:
    """The filter of an address; what is unknown excludes nothing."""
    paces = [*Speed, NO_CLOCK]
    return LobbyFilter(game if game in GAMES else "", speed if speed in paces else "", bool(fits))


@get("/lobby", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False)
async def lobby_page(
    request: AnyRequest,
    challenge_service: TheChallengeService,
    game_registry: TheGameRegistry,
    visitor: TheVisitor,
    game: Field = "",
    speed: Field = "",
    fits: Field = "",
) -> Response[str]:
    """The open offers."""
    wanted = read_filter(game, speed, fits)
    found = await offers(challenge_service, game_registry, visitor)
    return page(
        request,
        "lobby.html",
        **_list(request, found, wanted, visitor),
        offering="offer" in request.query_params,
        paces=SHORT_SPEED_NAMES,
        may_fit=wanted.fits or any(one.fits for one in found),
        clocks=friend_clocks(request),
        may_rate=visitor is not None and await asyncio.to_thread(game_registry.ratings.is_member, visitor),
        first=wanted.game or game_registry.settings.game,
    )


@get("/lobby/list", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False, opt={"counts": False})
async def lobby_list(
    request: AnyRequest,
    challenge_service: TheChallengeService,
    game_registry: TheGameRegistry,
    visitor: TheVisitor,
    game: Field = "",
    speed: Field = "",
    fits: Field = "",
) -> Response[str]:
    """The list alone, for the script that keeps the page up to date."""
    found = await offers(challenge_service, game_registry, visitor)
    return page(request, "lobby_list.html", **_list(request, found, read_filter(game, speed, fits), visitor))


def _list(request: AnyRequest, found: list[LobbyOffer], wanted: LobbyFilter, visitor: str | None) -> dict[str, Any]:
    """Values of the list: the offers that the filter leaves, and how many it hides."""
    rows = [
        {**summary(request, one.challenge, visitor), "rating": one.rating, "fits": one.fits}
        for one in found
        if wanted.game in ("", one.challenge.rules.name)
        and wanted.pace in ("", one.pace)
        and (one.fits or not wanted.fits)
    ]
    return {"rows": rows, "wanted": wanted, "hidden": len(found) - len(rows)}


handlers = [lobby_page, lobby_list]
