"""Games and searches without number: honest players are answered all the same, and a school class is never refused."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx

from tests.attacks.attackers import ADDRESS, Line, Loot, Stranger, boards, games
from tests.attacks.conftest import Limited, within
from tests.patience import PATIENCE, eventually
from tests.server.support import Server, Visitor

SOON = 45
"""Seconds in which an honest player's engine must answer, on the slowest machine: the flood alone takes a minute."""


def answered(server: Server, *, level: int = 1) -> None:
    """A new visitor's move and the engine's reply."""
    visitor = Visitor(server)
    game = visitor.new_game(level=level)
    with visitor.live(game) as live:
        live.next()
        assert visitor.send(game, "move", hole=7, version=1).status_code == 200
        events = [live.next(SOON), live.next(SOON)]
    assert [event["version"] for event in events] == [2, 3]


def test_sixty_games_of_the_highest_level_stop_nobody(serve: Limited, tmp_path: Path) -> None:
    """Not while they are new, not while their pages were looked at, and not after a crash."""
    server = serve(data=tmp_path, address_visitors="1000/s", address_games="1000/s")
    loot = Loot()

    async def attacked(look: bool) -> None:
        flood = asyncio.create_task(games(server.url, "", loot, look=look))
        try:
            while loot.statuses.get(303, 0) < (120 if look else 60):
                await asyncio.sleep(0.05)
            await asyncio.to_thread(answered, server)
            await asyncio.to_thread(answered, server, level=8)
        finally:
            flood.cancel()

    within(lambda: attacked(False))
    within(lambda: attacked(True))
    server.kill()
    again = serve(data=tmp_path)
    answered(again)
    answered(again, level=8)


def test_a_game_that_nobody_looks_at_waits_until_somebody_does(server: Server) -> None:
    visitor = Visitor(server)
    game = visitor.new_game("bestemshe", "black")
    for _ in range(20):
        assert visitor.client.get("/").status_code == 200, "the list of games is no look at a game"
    assert visitor.state(game)["version"] == 1
    eventually(lambda: visitor.state(game)["version"] == 2, "the engine's move")


def test_boards_stop_nobody(server: Server) -> None:
    loot = Loot()

    async def attacked() -> None:
        flood = asyncio.create_task(boards(server.url, "", loot))
        try:
            while not loot.statuses:
                await asyncio.sleep(0.05)
            await asyncio.to_thread(answered, server)
            await asyncio.to_thread(answered, server, level=8)
        finally:
            flood.cancel()

    within(attacked)
    assert set(loot.statuses) <= {200, 429}


def test_a_school_class_behind_one_address_is_never_refused(server: Server) -> None:
    """A hundred pupils without cookies start a game at once, follow it, move, and the engine answers each."""

    async def pupil(number: int) -> tuple[int, int, int]:
        stranger = Stranger(server.url)
        await stranger.arrive()
        started = await stranger.start(level=1 + number % 6, side="white")
        game = started.headers.get("location", "").removeprefix("/games/")
        body = b'{"hole": 7, "version": 1}'
        moved = await stranger.send(
            "POST", f"/api/games/{game}/move", body, Content_Type="application/json", X_CSRFToken=stranger.token
        )
        while b'"version":3' not in (await stranger.send("GET", f"/api/games/{game}")).body:
            await asyncio.sleep(0.5)
        live = Stranger(server.url)
        live.cookies = stranger.cookies
        follows = await live.follow(game)
        live.close()
        stranger.close()
        return started.status, moved.status, follows

    async def lesson() -> list[tuple[int, int, int]]:
        return await asyncio.gather(*(pupil(number) for number in range(100)))

    assert set(within(lesson)) == {(303, 200, 101)}


def test_visitors_without_cookies_count_for_their_address(serve: Limited) -> None:
    server = serve(address_visitors="1/h, burst 3", session_games="1/h, burst 2", address_games="1/h, burst 6")

    async def start() -> list[tuple[int, str]]:
        told = []
        for _ in range(4):
            stranger = Stranger(server.url)
            await stranger.arrive()
            answer = await stranger.start()
            told.append((answer.status, answer.headers.get("retry-after", "")))
            stranger.close()
        return told

    told = within(start)
    assert [status for status, _ in told] == [303, 303, 303, 429]
    assert 0 < int(told[-1][1]) <= 3600
    other = Visitor(server)  # of another address
    assert [other.new_game() != "" for _ in range(2)] == [True] * 2
    form = {"game": "toguz", "side": "white", "level": 1, "clock": "none", "_csrf_token": other.token}
    refused = other.client.post("/games", data=form, headers={"accept-language": "ru"})
    assert refused.status_code == 429
    assert "партий" in refused.json()["detail"]
    page = other.client.post("/games", data=form, headers={"accept": "text/html"})
    assert (page.status_code, int(page.headers["retry-after"]) > 0) == (429, True)


def test_rematches_count_as_games(serve: Limited) -> None:
    server = serve(session_games="1/h, burst 2")
    visitor = Visitor(server)
    game = visitor.new_game()
    for status in (200, 429):
        assert visitor.send(game, "resign").status_code == 200
        answer = visitor.send(game, "rematch")
        assert answer.status_code == status, answer.text
        game = answer.json().get("game", "")


def test_a_page_of_another_server_cannot_ask_the_engine(server: Server) -> None:
    body = {"game": "bestemshe"}
    for headers in ({"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        for command in ("move", "search", "line"):
            answer = httpx.post(f"{server.url}/api/analysis/{command}", timeout=PATIENCE, json=body, headers=headers)
            assert answer.status_code == 403, (command, headers)
            assert "detail" in answer.json()
    for headers in ({}, {"origin": server.url}, {"sec-fetch-site": "same-origin"}):
        assert (
            httpx.post(f"{server.url}/api/analysis/move", timeout=PATIENCE, json=body, headers=headers).status_code
            == 200
        )


def test_a_trusted_proxy_tells_addresses_and_nobody_else_does(serve: Limited) -> None:
    """The rightmost address that is no trusted proxy's counts; what stands left of it anybody can write."""
    server = serve("--trusted-proxy", f"{ADDRESS}/32", address_requests="1/h, burst 2")

    async def ask(*forwarded: str) -> list[int]:
        line = Line(server.url)
        return [(await line.ask("GET", "/healthz", b"", X_Forwarded_For=one)).status for one in forwarded]

    assert within(lambda: ask("192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2")) == [200, 200, 429, 200]

    async def told() -> str:
        refused = await Line(server.url).ask("GET", "/", b"", X_Forwarded_For="192.0.2.1", Accept_Language="tr")
        return refused.body.decode()

    assert "Ağınızdan" in within(told)
    assert within(lambda: ask("8.8.8.8, 192.0.2.3", "9.9.9.9, 192.0.2.3", f"192.0.2.3, {ADDRESS}")) == [200, 200, 429]
    six = [f"2001:db8:1:2::{number}" for number in range(3)]
    assert within(lambda: ask(*six, "2001:db8:1:3::1")) == [200, 200, 429, 200], "an IPv6 line is a /64"
    lies = [
        httpx.get(f"{server.url}/healthz", timeout=PATIENCE, headers={"x-forwarded-for": f"192.0.2.{n}"})
        for n in range(9, 12)
    ]
    assert [answer.status_code for answer in lies] == [200, 200, 429], "127.0.0.1 is no trusted proxy here"
