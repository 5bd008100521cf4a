"""Profiles, lists of games and the best players, for the API and the pages."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from korgool.accounts import Person, Speed
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller
from korgool.app.server.people.person_repository import PersonRepository
from korgool.app.server.people.profiles.display_names import DisplayNames, may_see
from korgool.app.server.people.profiles.game_export import GameExport
from korgool.app.server.people.profiles.player_games import (
    RESULTS,
    GameFilter,
    Key,
    PlayedGame,
    PlayerGamesRepository,
)
from korgool.app.server.people.profiles.profile_repository import Profile, ProfileRepository, RankedPlayer
from korgool.app.server.play.game_registry import GameRegistry
from korgool.languages.name_search import matches
from korgool.rules import GAMES

_KEY = re.compile(r"([0-9]{1,15})-([A-Za-z0-9]{12})", re.ASCII)


class ProfileService:
    """Reads what players may see of each other. All methods run on the event loop.

    Args:
        game_registry: the database, and the pool in which long texts are made.
    """

    def __init__(self, game_registry: GameRegistry) -> None:
        self._registry = game_registry
        engine = game_registry.storage.engine
        self._persons = PersonRepository(engine)
        self._profiles = ProfileRepository(engine)
        self._games = PlayerGamesRepository(engine)

    async def find(self, name: str, visitor: str | None) -> tuple[Person, Person]:
        """The player of a name, and the reader.

        Raises:
            ApiError: 404, there is none whom the reader may know.
        """
        person, reader = await asyncio.to_thread(lambda: (self._persons.by_name(name), self._persons.person(visitor)))
        if person is None or not may_see(reader, person):
            raise ApiError(404, errors.NO_PLAYER)
        return person, reader

    async def profile(self, person: Person, reader: Person, caller: Caller) -> tuple[Profile, DisplayNames]:
        """A profile, with the names of the opponents."""

        def read() -> tuple[Profile, DisplayNames]:
            profile = self._profiles.profile(person, now_ms())
            people = {record.opponent for record in profile.opponents}
            return profile, DisplayNames(self._persons, reader, people | {person.id})

        return await self._registry.reading.run(caller, read)

    async def latest(self, person: Person, reader: Person, most: int) -> tuple[list[PlayedGame], DisplayNames]:
        """The latest public games of a player, with the names of the opponents."""

        def read() -> tuple[list[PlayedGame], DisplayNames]:
            games = self._games.public(person.id, now_ms(), most)
            return games, DisplayNames(self._persons, reader, {game.opponent for game in games})

        return await asyncio.to_thread(read)

    async def export(
        self, person: Person, reader: Person, form: str, site: str, caller: Caller
    ) -> AsyncIterator[bytes]:
        """All games of a player as one text, piece by piece; between two of them others have their turn.

        Args:
            person: the player.
            reader: the reader.
            form: one of `FORMATS`.
            site: the origin of the site.
            caller: the session and the address of the reader.
        """
        export = GameExport(self._registry.storage, person.id, reader, form, site, now_ms())
        while (piece := await self._registry.reading.run(caller, export.next)) is not None:
            if piece:
                yield piece

    async def search(
        self, visitor: str, fields: Mapping[str, str], most: int
    ) -> tuple[list[PlayedGame], DisplayNames, str | None]:
        """A part of a player's games, the names in it, and the key of the next part.

        Args:
            visitor: the player.
            fields: `opponent`, `game`, `result`, `rated`, `since`, `until` and `after` as they were typed.
            most: games of a part.

        Raises:
            ApiError: 422, a field cannot be read.
        """
        after, wanted = _read_key(fields.get("after", "")), _read_filter(fields)
        opponent = fields.get("opponent", "").strip()

        def read() -> tuple[list[PlayedGame], DisplayNames, Key | None]:
            reader, search = self._persons.person(visitor), wanted
            if opponent == "engine":
                search = replace(search, engine=True)
            elif opponent:
                search = replace(search, opponents=self._opponents(visitor, reader, opponent))
                if not search.opponents:
                    return [], DisplayNames(self._persons, reader, ()), None
            games, following = self._games.page(visitor, search, after, most)
            return games, DisplayNames(self._persons, reader, {game.opponent for game in games}), following

        games, names, following = await asyncio.to_thread(read)
        return games, names, None if following is None else f"{following[0]}-{following[1]}"

    def _opponents(self, visitor: str, reader: Person, name: str) -> tuple[str, ...]:
        """The account of this name, or else those of the player's opponents whose names it resembles."""
        person = self._persons.by_name(name)
        if person is not None and may_see(reader, person):
            return (person.id,)
        opponents = self._games.opponents(visitor)
        names = DisplayNames(self._persons, reader, opponents)
        return tuple(matches(name, ((other, names.of(other)) for other in opponents if names.page(other))))

    async def pools(self) -> list[tuple[str, Speed]]:
        """The games and speeds in which players have settled ratings, those with the most players first."""
        return await asyncio.to_thread(self._profiles.pools)

    async def best(
        self, game: str, speed: str, visitor: str | None, most: int
    ) -> tuple[list[RankedPlayer], DisplayNames]:
        """A list of the best players with the names in it.

        Raises:
            ApiError: 404, there is no such game or speed.
        """
        if game not in GAMES or speed not in list(Speed):
            raise ApiError(404, errors.NO_PAGE)

        def read() -> tuple[list[RankedPlayer], DisplayNames]:
            players = self._profiles.best(game, Speed(speed), now_ms(), most)
            reader = self._persons.person(visitor)
            return players, DisplayNames(self._persons, reader, {player.who for player in players})

        return await asyncio.to_thread(read)


def _read_key(text: str) -> Key | None:
    key = _KEY.fullmatch(text)
    if text and key is None:
        raise ApiError(422, errors.BAD_FIELD, field="after", value=repr(text[:40]), choices="next")
    return None if key is None else (int(key[1]), key[2])


def _read_filter(fields: Mapping[str, str]) -> GameFilter:
    game, result, rated = (fields.get(name, "") for name in ("game", "result", "rated"))
    _choose("game", game, list(GAMES))
    _choose("result", result, list(RESULTS))
    _choose("rated", rated, ["yes", "no"])
    until = _day("until", fields.get("until", ""))
    return GameFilter(
        game=game,
        result=next((known for known in RESULTS if known == result), None),
        rated=None if not rated else rated == "yes",
        since=_milliseconds(_day("since", fields.get("since", ""))),
        until=0 if until is None else _milliseconds(until + timedelta(days=1)),
    )


def _choose(field: str, value: str, choices: list[str]) -> None:
    if value and value not in choices:
        raise ApiError(422, errors.BAD_FIELD, field=field, value=repr(value[:40]), choices=", ".join(choices))


def _day(field: str, text: str) -> datetime | None:
    if not text:
        return None
    try:
        day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
        if day.year > 9000:
            raise ValueError
    except ValueError:
        raise ApiError(422, errors.BAD_FIELD, field=field, value=repr(text[:40]), choices="2026-11-23, …") from None
    return day


def _milliseconds(day: datetime | None) -> int:
    return 0 if day is None else max(0, int(day.timestamp() * 1000))
