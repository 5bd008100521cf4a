"""Whoever floods the doors through which people play meets limits, and an honest player goes on meanwhile."""

from __future__ import annotations

import asyncio

import pytest

from tests.attacks.attackers import Loot
from tests.attacks.conftest import Limited, within
from tests.attacks.people import ATTACKS
from tests.server.support import Server, Visitor

_MOVES = 10
KNOWN = {101, 200, 201, 429}
"""What attackers may be answered: never an error of the server."""
LIMITED = {"guests", "challenges", "waiting", "talk"}
"""The attacks that meet a limit within seconds; the requests of the others are only shared fairly."""


def attacked(server: Server, name: str) -> Loot:
    """What attackers met while somebody from another address played."""
    visitor, loot = Visitor(server), Loot()
    watched = visitor.new_game()

    def play() -> set[int]:
        statuses: list[int] = []
        while len(statuses) < _MOVES or (name in LIMITED and not {429, 4429} & {*loot.statuses, *loot.closed}):
            game = visitor.new_game("bestemshe")
            with visitor.live(game) as live:
                version = live.next()["version"]
                for _ in range(2):
                    hole = visitor.state(game)["legal"][0]
                    statuses.append(visitor.send(game, "move", hole=hole, version=version).status_code)
                    version = live.until(version + 2)[-1]["version"]
        return set(statuses)

    async def both() -> set[int]:
        attack = asyncio.ensure_future(ATTACKS[name](server.url, watched, loot))
        try:
            return await asyncio.to_thread(play)
        finally:
            attack.cancel()

    assert within(both) == {200}
    return loot


def test_games_go_on_while_players_elsewhere_say_all_they_can(server: Server) -> None:
    loot = attacked(server, "talk")
    assert loot.closed.keys() == {4429}, loot
    assert loot.statuses.keys() <= KNOWN, loot


@pytest.mark.long
@pytest.mark.parametrize("name", ATTACKS)
def test_games_go_on_whichever_door_is_flooded(serve: Limited, name: str) -> None:
    loot = attacked(serve(), name)
    assert loot.statuses.keys() <= KNOWN, loot
    assert name not in LIMITED or {429, 4429} & {*loot.statuses, *loot.closed}, loot
