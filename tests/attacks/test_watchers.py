"""Those who watch a game never keep its player out."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.attacks.attackers import Loot, watchers
from tests.attacks.conftest import Limited, within
from tests.server.support import Visitor


def test_the_player_comes_in_whoever_watches(serve: Limited) -> None:
    server = serve(watchers=40, address_watchers=30)
    visitor = Visitor(server)
    game = visitor.new_game()
    loot = Loot()

    async def crowded() -> list[dict[str, Any]]:
        crowd = asyncio.create_task(watchers(server.url, game, loot, count=60))
        try:
            while loot.closed.get(4429, 0) < 30:
                await asyncio.sleep(0.05)
            return await asyncio.to_thread(come)
        finally:
            crowd.cancel()

    def come() -> list[dict[str, Any]]:
        friend = Visitor(server)  # of another address than the crowd
        with visitor.live(game) as own, friend.live(game) as watching:
            told = [own.next(), watching.next()]
            assert visitor.send(game, "move", hole=7, version=1).status_code == 200
            return [*told, own.next()]

    assert [event["version"] for event in within(crowded)] == [1, 1, 2]


def test_a_players_own_connections_make_room_for_the_newest(serve: Limited) -> None:
    server = serve(player_sockets=3)
    visitor = Visitor(server)
    game = visitor.new_game()
    lives = [visitor.live(game) for _ in range(3)]
    for live in lives:
        assert live.next()["kind"] == "state"
    with visitor.live(game) as newest:
        assert newest.next()["kind"] == "state"
        with pytest.raises(ConnectionClosed) as closed:
            lives[0].next()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4409
        assert visitor.send(game, "move", hole=7, version=1).status_code == 200
        for live in (*lives[1:], newest):
            assert live.next()["kind"] == "move"
    for live in lives:
        live.connection.close()
