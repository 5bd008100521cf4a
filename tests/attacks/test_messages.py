"""Live connections that say too much, and players who say as much as they may."""

from __future__ import annotations

import asyncio

from korgool.app.server.limits import ServiceLimits
from tests.attacks.attackers import Loot, Stranger, closing, frame, messages
from tests.attacks.conftest import Limited, within
from tests.server.support import Server, Visitor

OFFER = frame(b'{"thinks":false}')


async def flooded(stranger: Stranger, game: str, data: bytes, count: int, *, goodbye: bool = True) -> tuple[int, str]:
    """What a live connection that says `data` so often, and then goodbye, is closed with."""
    assert await stranger.follow(game) == 101
    assert stranger.reader is not None
    told = asyncio.create_task(closing(stranger.reader))
    for _ in range(count):
        await stranger.say(data)
    if goodbye:
        await stranger.say(frame(b"\x03\xe8", 8))
    try:
        return await told
    finally:
        stranger.close()


async def seated(url: str) -> tuple[Stranger, str]:
    stranger = Stranger(url)
    await stranger.arrive()
    answer = await stranger.start(level=1, side="white")
    return stranger, answer.headers["location"].removeprefix("/games/")


def test_who_watches_may_say_little(server: Server) -> None:
    """Every kind of frame counts, pings, pongs and fragments among them."""
    game = Visitor(server).new_game()
    fragments = b"\x01\x80\0\0\0\0" + b"\0\x80\0\0\0\0" * 50

    async def flood() -> list[tuple[int, str]]:
        kinds = (OFFER, frame(b"", 9), frame(b"", 10), frame(b"x", 2), fragments)
        return await asyncio.gather(*(flooded(Stranger(server.url), game, kind, 50, goodbye=False) for kind in kinds))

    assert (
        within(flood) == [(4429, f"too many messages: this connection may send {ServiceLimits().watcher_messages}")] * 5
    )


def test_a_player_may_say_what_is_promised_and_no_more(server: Server) -> None:
    rate = ServiceLimits().player_messages
    assert rate is not None
    assert rate.burst + 10 / rate.interval >= 10 * 50, "50 a second for 10 seconds"
    assert rate.interval == 1 / 10

    async def talk() -> tuple[tuple[int, str], tuple[int, str]]:
        stranger, game = await seated(server.url)
        within_it = await flooded(stranger, game, OFFER, rate.burst)
        again, game = await seated(server.url)
        return within_it, await flooded(again, game, OFFER, 4 * rate.burst, goodbye=False)

    good, bad = within(talk)
    assert good[0] == 1000
    assert bad == (4429, f"too many messages: this connection may send {rate}")


def test_connections_of_one_session_and_handshakes_of_one_address_count_together(serve: Limited) -> None:
    server = serve(session_messages="1/h, burst 50", player_messages="1000/s", address_handshakes="1/h, burst 7")

    async def talk() -> list[int]:
        stranger, game = await seated(server.url)
        return [(await flooded(stranger, game, OFFER, 40))[0] for _ in range(2)]

    assert within(talk) == [1000, 4429]
    visitor = Visitor(server)
    game = visitor.new_game()

    async def come() -> list[int]:
        return [await Stranger(server.url).follow(game) for _ in range(7)]

    assert within(come) == [101] * 5 + [429] * 2
    with visitor.live(game) as live:
        assert live.next()["kind"] == "state", "another address is not counted"


def test_honest_players_go_on_while_sixteen_flood(server: Server) -> None:
    visitor = Visitor(server)
    game = visitor.new_game("bestemshe")
    loot = Loot()

    async def attacked() -> list[int]:
        flood = asyncio.create_task(messages(server.url, game, loot))
        try:
            return await asyncio.to_thread(play)
        finally:
            flood.cancel()

    def play() -> list[int]:
        statuses = []
        with visitor.live(game) as live:
            version = live.next()["version"]
            for _ in range(5):
                state = visitor.state(game)
                if state["outcome"]:
                    break
                statuses.append(visitor.send(game, "move", hole=state["legal"][0], version=version).status_code)
                version = live.until(version + 2)[-1]["version"]
        return statuses

    assert set(within(attacked)) == {200}
    assert set(loot.closed) <= {4429}, loot
