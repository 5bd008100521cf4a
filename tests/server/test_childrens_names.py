"""No door tells a stranger the name of a child, and none tells a child the name of a stranger.

The doors come from the routes, so that one which is added is tried by itself.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from korgool.accounts import Standing
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.play.ratings import NO_RATINGS
from korgool.app.server.storage.rated_games import standing_row
from korgool.app.server.storage.schema import accounts, standings
from korgool.glicko import Glicko
from korgool.notation.writing import DIALECTS
from tests.conftest import SEED
from tests.patience import until

from .doors import doors
from .members import Browser, Site, on_site
from .test_children import child_of

KID, STRANGER, MOTHER = "Tolgonaiym", "Zhakshylyk", "Gulbarchyn"
SHORT = "Sunny."


class World:
    """A child and a stranger, who have played, play, wait in the lobby, and stand among the best."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.kid, self.stranger, self.mother, self.nobody = (site.browser() for _ in range(4))
        self.games: list[str] = []
        self.challenges: list[str] = []
        self.who: dict[str, str] = {}

    async def prepare(self) -> None:
        await self.stranger.sign_up(STRANGER)
        await self.mother.sign_up(MOTHER)
        self.handle = (await child_of(self.mother, KID, short=SHORT))["id"]
        await self.kid.sign_in(KID)
        with self.site.keeper.transactions.writing() as connection:
            self.who = {row.name: row.id for row in connection.execute(select(accounts))}
            fixed = Standing(Glicko(1500, 60, 0.06), fixed=True)
            best = [standing_row((self.who[name], "toguz", "rapid"), fixed) for name in (KID, STRANGER)]
            connection.execute(standings.insert(), best)
        for over in (False, True):
            made = await self.offer(self.stranger, rated=True)
            game = (await self.kid.told("POST", f"/api/challenges/{made}/accept"))["game"]
            await self.moves(game, 2)
            if over:
                await self.kid.told("POST", f"/api/games/{game}/resign")
            self.games.append(game)
        for browser in (self.kid, self.stranger):
            await self.offer(browser)

    async def offer(self, browser: Browser, **more: object) -> str:
        """Its address."""
        asked = {"game": "toguz", "to": "lobby", "clock": "1d", **more}
        self.challenges.append((await browser.told("POST", "/api/challenges", asked))["id"])
        return self.challenges[-1]

    async def moves(self, game: str, plies: int, before: Callable[[], None] = lambda: None) -> None:
        """Play on; `before` is called before each move."""
        for _ in range(plies):
            for browser in (self.kid, self.stranger):
                state = await browser.told("GET", f"/api/games/{game}")
                if state["legal"]:
                    body = {"hole": state["legal"][0], "version": state["version"]}
                    before()
                    await browser.told("POST", f"/api/games/{game}/move", body)
                    break

    def paths(self, about: str) -> list[str]:
        """Every door that is looked through, at every place that there is."""
        places: dict[str, list[str]] = {
            "game_id": self.games,
            "challenge_id": self.challenges,
            "name": [about],
            "dialect": list(DIALECTS),
            "game": ["toguz"],
            "speed": ["rapid"],
            "key_id": [self.handle],
            "token": ["t" * 43],
            "event_id": ["e" * 8],
            "number": ["1"],
            "helper_id": ["h" * 12],
            "code": ["c" * 8],
            "machine_id": ["h" * 12],
            "application_id": ["h" * 12],
        }
        found = [door.path for door in doors() if door.looks and not door.path.startswith(("/static", "/openapi"))]
        for place, values in places.items():
            found = [path.replace(f"{{{place}}}", value) for path in found for value in values]
        formats = [f"/api/players/{about}/games?format={one}" for one in (*DIALECTS, "json")]
        return [*dict.fromkeys(found), *formats, f"/games?opponent={about}&game=toguz"]


async def told_of(browser: Browser, path: str, name: str) -> bool:
    """Whether a door tells a name; where the name was asked for, it may stand in the address of the page alone."""
    answer = await browser.client.get(path, headers={"accept": "text/html, */*", "accept-language": "en"})
    assert answer.status_code < 500, (path, answer.text)
    if name in path:  # looked for, and not found
        assert answer.status_code == 404 or path.startswith("/games?"), path
        return False
    return name.casefold() in answer.text.casefold() or name.casefold() in str(answer.headers).casefold()


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.long)], ids=["half", "whole"])
def test_no_door_tells_a_stranger_a_childs_name_or_a_child_a_strangers(tmp_path: Path, whole: bool) -> None:
    """Each reader at every door, or at half of the doors by default: at the other half with the next seed."""

    async def test(site: Site) -> None:
        world = World(site)
        await world.prepare()
        readers = ((world.stranger, KID), (world.nobody, KID), (world.kid, STRANGER))
        told, tried = [], 0
        for number, (reader, name) in enumerate(readers):
            half = slice(None) if whole else slice((SEED + number) % 2, None, 2)
            for path in world.paths(name)[half]:
                tried += 1
                if await told_of(reader, path, name):
                    told.append((number, path))
        assert told == []
        assert tried > (200 if whole else 100)
        listed = await world.kid.told("GET", f"/api/account/games?opponent={STRANGER}")
        assert listed["games"] == []
        # The same doors do tell names: the test would see one.
        assert await told_of(world.mother, f"/games/{world.games[0]}", KID)
        assert await told_of(world.stranger, f"/games/{world.games[0]}", SHORT)
        assert await told_of(world.kid, f"/games/{world.games[0]}", "A player")
        for list_of in ("/api/running", "/api/finished", "/api/lobby", "/api/ratings/toguz/rapid", "/watch"):
            assert await told_of(world.nobody, list_of, SHORT), list_of
            assert await told_of(world.nobody, list_of, STRANGER), list_of
        for reader, name, called in ((world.stranger, KID, SHORT), (world.kid, STRANGER, "A player")):
            await reader.told("POST", "/api/account/blocks", {"game": world.games[0]})
            await reader.told("POST", f"/api/games/{world.games[0]}/report", {"reason": "stalling"})
            for path in ("/api/account/blocks", "/account/blocks", "/api/account/export"):
                assert not await told_of(reader, path, name), path
                assert await told_of(reader, path, called), path
        record = (await world.mother.client.get(f"/games/{world.games[1]}/record/pgn")).text
        assert f'"{SHORT}"' in record, "a file is passed on"
        assert KID not in record

    on_site(tmp_path, test)


def test_what_is_told_without_being_asked_has_the_same_names(tmp_path: Path) -> None:
    """Live connections, also after a change of ratings, and notices, also to somebody who was long away."""

    async def test(site: Site) -> None:
        world = World(site)
        await world.prepare()
        game_registry, people = site.app.state.game_registry, site.keeper.people
        game = world.games[0]
        running = await game_registry.met(game)
        watching = await site.browser().visit()
        visitor = (await watching.told("GET", "/api/account"))["id"]
        followers = {
            KID: running.follow(world.who[KID], None),
            STRANGER: running.follow(world.who[STRANGER], None),
            "visitor": running.follow(visitor, None),
            "locked": running.follow(None, None, reader=world.who[KID]),
            MOTHER: running.follow(world.who[MOTHER], None),
        }

        def seats(name: str) -> set[str]:
            """The names of the last state that somebody was sent."""
            queue, found = followers[name].queue, None
            while not queue.empty():
                message: Any = json.loads(queue.get_nowait())
                found = message["state"]["seats"] if message.get("kind") == "state" else found
            assert found is not None, name
            return {seat["name"] for seat in found.values()}

        async def check() -> None:
            assert seats(KID) == seats("locked") == {KID, "A player"}
            assert seats(STRANGER) == seats("visitor") == {SHORT, STRANGER}
            assert seats(MOTHER) == {KID, STRANGER}

        await check()
        people.forget(world.who[KID])
        running.broadcast.ratings = NO_RATINGS
        await running.broadcast.learn_ratings()
        await check()

        heard: dict[str, str] = {}

        class Notices:
            """Those that are sent."""

            def turn_over(self, who: str, path: str) -> None:
                assert path == f"/games/{game}"

            def your_turn(
                self, who: str, path: str, name: Callable[[], Awaitable[str]], due: int, *, guest: Callable[[], bool]
            ) -> None:
                assert path == f"/games/{game}"
                assert due > now_ms()

                async def hear() -> None:
                    heard[who] = await name()
                    assert not guest()

                game_registry.spawn(hear)

        game_registry.notices = Notices()
        for follower in followers.values():
            running.broadcast.leave(follower)

        def away() -> None:
            for name in (KID, STRANGER):
                people.forget(world.who[name])

        await world.moves(game, 2, away)
        await until(lambda: len(heard) == 2)
        assert heard == {world.who[KID]: "A player", world.who[STRANGER]: SHORT}
        game_registry.notices = None

    on_site(tmp_path, test)
