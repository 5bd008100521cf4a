"""Vacations at a server: what the games hear, what a kill leaves, the API and the form."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from korgool import live
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.play.commands import Said, new_game
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.live_session import LiveSession
from korgool.app.server.play.vacations import service as vacation_desk
from korgool.live import Refused, Vacation
from korgool.live.terms import DAY_MS
from tests.conftest import SEED
from tests.patience import PATIENCE

from .inside import within
from .slow_games import ANN, BOB, people, stored
from .support import Server, Visitor, running

CAROL = "c" * 22


async def heard(running: LiveSession, kind: str) -> None:
    """Return when the last event is of a kind."""
    async with asyncio.timeout(PATIENCE):
        while running.history.entries[-1].kind != kind:
            await asyncio.sleep(0.01)


# In the hall


def test_a_vacation_reaches_the_slow_games_against_people(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        slow = [
            await game_registry.find(await game_registry.create(people(*seats))) for seats in ((ANN, BOB), (CAROL, ANN))
        ]
        others = [
            await game_registry.find(await game_registry.create(terms))
            for terms in (people(clock="none"), people(clock="10+5"), people(ANN, ""), people(BOB, CAROL))
        ]
        assert set(game_registry.vacations.slow_games(ANN)) == {game.address for game in slow}
        versions = [game.game.version for game in others]
        before = live.due(slow[0].game)
        follower = slow[0].follow(BOB, slow[0].game.version)
        state = await vacation_desk.take(game_registry, ANN, 5)
        assert state.left == 9
        assert state.until is not None
        assert slow[0].game.away == (state.until, 0)
        assert slow[1].game.away == (0, state.until)
        due = live.due(slow[0].game)
        assert before is not None
        assert due is not None
        assert 0 <= before + 5 * DAY_MS - due < 60_000
        assert [game.game.version for game in others] == versions
        told = [json.loads(message or b"") for message in iter_now(follower.queue)]
        away = [one for one in told if one["kind"] == "vacation"]
        assert [(one["side"], one["until"], one["due"]) for one in away] == [("white", state.until, due)]
        for who in (ANN, BOB, None):
            seen = slow[0].broadcast.state(who)
            assert (seen.away.white, seen.away.black, seen.due) == (state.until, None, due)
        with pytest.raises(ApiError) as refused:
            await vacation_desk.take(game_registry, ANN, 1)
        assert refused.value.status == 409
        back = await vacation_desk.end(game_registry, ANN)
        assert (back.until, back.left) == (None, 13), "the begun day is taken"
        assert slow[1].broadcast.state(ANN).away.black is None
        assert await vacation_desk.end(game_registry, ANN) == back
        assert [entry.kind for entry in slow[1].history.entries].count("vacation") == 2

    within(tmp_path, test)


def iter_now(queue: asyncio.Queue[Any]) -> Iterator[Any]:
    while not queue.empty():
        yield queue.get_nowait()


def test_a_game_that_begins_while_somebody_is_away_hears_of_it(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        first = await game_registry.find(await game_registry.create(people()))
        state = await vacation_desk.take(game_registry, BOB, 2)
        second = await game_registry.find(await game_registry.create(people()))
        await heard(second, "vacation")
        assert second.game.away == (0, state.until)
        for who in (ANN, BOB):
            await first.act(who, Said("abort") if who == ANN else Said("rematch"))
        await first.act(ANN, Said("rematch"))
        third = await game_registry.find(first.game.rematch)
        await heard(third, "vacation")
        assert third.game.away == (state.until, 0)

    within(tmp_path, test)


def test_a_game_is_told_before_its_time_decides(tmp_path: Path) -> None:
    """As after a kill between the row of the vacation and the games."""
    addresses = []

    async def leave(game_registry: GameRegistry) -> None:
        for _ in range(2):
            commit = new_game(game_registry.new_address(), people(), now_ms() - 3 * DAY_MS + 5_000)
            await game_registry.storage.write(commit)
            addresses.append(commit.game)

    async def test(game_registry: GameRegistry) -> None:
        taken = game_registry.vacations.take(ANN, 3, now_ms())
        assert isinstance(taken, Vacation)
        for address in addresses:
            game = (await game_registry.find(address)).game
            assert game.away == (taken.until, 0)
            due = live.due(game)
            assert due is not None
            assert taken.until < due <= taken.until + 5_000
        game_registry.vacations.end(ANN, now_ms())
        await vacation_desk.end(game_registry, ANN)  # was killed before the games heard of the end
        for address in addresses:
            assert (await game_registry.find(address)).broadcast.state(None).away.white is None
        assert (await vacation_desk.state_of(game_registry.vacations, ANN)).left == 13

    within(tmp_path, leave)
    within(tmp_path, test)


def test_a_game_is_loaded_with_its_vacations(tmp_path: Path) -> None:
    (address,) = stored(tmp_path, people())
    until = []

    async def take(game_registry: GameRegistry) -> None:
        until.append((await vacation_desk.take(game_registry, BOB, 4)).until)

    async def test(game_registry: GameRegistry) -> None:
        running = await game_registry.find(address)
        assert running.game.away == (0, until[0])
        assert [entry.kind for entry in running.history.entries].count("vacation") == 1, "and no second time"

    within(tmp_path, take)
    within(tmp_path, test)


def test_no_day_is_spent_twice(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        def spend(_: int) -> Vacation | Refused:
            return game_registry.vacations.take(ANN, 3, now_ms())

        with ThreadPoolExecutor(8) as threads:
            answers = list(threads.map(spend, range(24)))
        assert sum(isinstance(answer, Vacation) for answer in answers) == 1
        assert len(game_registry.vacations.taken(ANN, now_ms())) == 1

    within(tmp_path, test)


# A real server


@pytest.fixture(scope="module")
def ann(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Visitor, list[str]]]:
    """A visitor with two slow games."""
    folder = tmp_path_factory.mktemp("slow")
    with running(folder) as server:
        visitor = Visitor(server)
    who = visitor.identity
    games = stored(folder, people(who, BOB), people(BOB, who, clock="1d"))
    with running(folder) as server:
        visitor.move_to(server)
        yield visitor, games
        assert "Traceback" not in server.stop()


def ask(visitor: Visitor, method: str, body: object = None) -> httpx.Response:
    content = None if body is None else json.dumps(body)
    headers = {"x-csrftoken": visitor.token, "content-type": "application/json"}
    return visitor.client.request(method, "/api/vacation", content=content, headers=headers)


def test_the_vacation_of_a_program(ann: tuple[Visitor, list[str]]) -> None:
    visitor, games = ann
    left = ask(visitor, "GET").json()["left"]
    assert ask(visitor, "GET").json() == {"until": None, "left": left}
    for body, status in (
        ({"days": 0}, 422),
        ({"days": 15}, 422),
        ({"days": -1}, 422),
        ({"days": 10**30}, 422),
        ({"days": "3"}, 400),
        ({"days": 1.5}, 400),
        ({"days": 3, "who": BOB}, 400),
        ({}, 400),
        ([], 400),
    ):
        assert ask(visitor, "POST", body).status_code == status, body
    assert visitor.client.post("/api/vacation", json={"days": 3}).status_code == 403, "no token"
    before = time.time() * 1000
    with visitor.live(games[0], visitor.state(games[0])["version"]) as page:
        taken = ask(visitor, "POST", {"days": 3}).json()
        while (event := page.next())["kind"] != "vacation":
            assert event["kind"] == "join"
    assert taken["left"] == left - 3
    assert 0 <= taken["until"] - before - 3 * DAY_MS < 60_000
    assert (event["kind"], event["side"], event["until"]) == ("vacation", "white", taken["until"])
    assert event["due"] == pytest.approx(taken["until"] + 3 * DAY_MS, abs=60_000)
    assert visitor.state(games[0])["away"] == {"white": taken["until"], "black": None}
    assert visitor.state(games[1])["away"] == {"white": None, "black": taken["until"]}
    again = ask(visitor, "POST", {"days": 3})
    assert (again.status_code, "detail" in again.json()) == (409, True)
    assert ask(visitor, "GET").json() == taken
    assert ask(visitor, "DELETE").json() == {"until": None, "left": left - 1}
    assert ask(visitor, "DELETE").json() == {"until": None, "left": left - 1}
    assert ask(visitor, "POST", {"days": 14}).status_code == 422
    assert visitor.state(games[1])["away"] == {"white": None, "black": None}


def test_who_has_no_slow_game_takes_no_vacation(ann: tuple[Visitor, list[str]]) -> None:
    server = str(ann[0].client.base_url).rstrip("/")
    with httpx.Client(base_url=server, timeout=PATIENCE) as stranger:
        assert stranger.get("/api/vacation").json() == {"until": None, "left": 14}
        assert stranger.post("/api/vacation", json={"days": 1}).status_code == 403
        assert stranger.delete("/api/vacation").status_code == 403
    nobody = Visitor(type("Address", (), {"url": server})())
    refused = ask(nobody, "POST", {"days": 1})
    assert refused.status_code == 422
    assert "you have none" in refused.json()["detail"]
    assert 'action="/vacation"' not in nobody.client.get("/games").text


def test_the_card_needs_no_scripts(ann: tuple[Visitor, list[str]]) -> None:
    visitor, games = ann
    left = ask(visitor, "GET").json()["left"]
    page = visitor.client.get("/games").text
    assert 'action="/vacation"' in page
    assert f"up to {left} days" in page
    assert f'<option value="{left}">' in page
    assert f'<option value="{left + 1}">' not in page
    assert visitor.form("/vacation", days="two").status_code == 422
    answer = visitor.form("/vacation", days="2")
    assert (answer.status_code, answer.headers["location"]) == (303, "/games")
    page = visitor.client.get("/games", headers={"accept-language": "ky"}).text
    until = ask(visitor, "GET").json()["until"]
    shown = re.search(r'<time class="moment" datetime="([^"]+)">(\d+ \w+ \d+, \d\d:\d\d UTC)</time>', page)
    assert shown is not None
    assert shown[1] == time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(until // 1000))
    assert 'action="/vacation"' not in page
    assert visitor.form("/vacation/end").status_code == 303
    assert visitor.state(games[0])["away"] == {"white": None, "black": None}


def test_a_killed_server_neither_loses_nor_doubles_days(tmp_path: Path) -> None:
    """Killed while a vacation of two days is taken: there it is in every game and costs two days, or it is not."""
    random = Random(SEED)
    with running(tmp_path) as server:
        visitor = Visitor(server)
    who = visitor.identity
    games = stored(tmp_path, *(people(who, BOB, clock=f"{days}d") for days in range(1, 9)))
    server, left = Server(tmp_path), 14
    for _ in range(2):
        visitor.move_to(server)
        threading.Timer(random.uniform(0.0, 0.06), server.process.kill).start()
        try:
            answered = ask(visitor, "POST", {"days": 2}).status_code == 200
        except httpx.TransportError:
            answered = False
        server.kill()
        server = Server(tmp_path)
        visitor.move_to(server)
        state = ask(visitor, "GET").json()
        assert {visitor.state(game)["away"]["white"] for game in games} == {state["until"]}
        assert state["until"] is not None or not answered, "what was acknowledged stands"
        assert state["left"] == (left if state["until"] is None else left - 2)
        if state["until"] is not None:
            assert ask(visitor, "POST", {"days": 2}).status_code == 409, "asking again takes no more"
            left = ask(visitor, "DELETE").json()["left"]
            assert left == state["left"] + 1
            assert {visitor.state(game)["away"]["white"] for game in games} == {None}
    assert "Traceback" not in server.stop()
