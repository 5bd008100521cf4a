"""Servers killed under many games between people: nothing acknowledged is lost, all games go on, and nobody pays.

Every player follows by a live connection, moves at the pace of the test, sends what has no answer again, and plays a
rematch when a game is over.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.play.game_repository import GameRepository
from korgool.app.server.storage.database import Storage
from korgool.live import OnlineGame
from korgool.live.journal import happen
from korgool.rules import Side
from tests.conftest import SEED

from .crowds import CONTROL, House, begun_again, prepared
from .support import Server, run_async


def look_for(folder: Path, house: House) -> None:
    """Everything that was acknowledged is on disk, under the version that was told."""
    with closing(sqlite3.connect(folder / "korgool.sqlite")) as connection:
        for game, side, name, version in house.acknowledged:
            found = connection.execute(
                "SELECT version FROM events WHERE game_id = ? AND side = ? AND command = ?", (game, side, name)
            ).fetchall()
            assert found == [(version,)], f"{name} of {game} was acknowledged as {version}, and on disk is {found}"
    house.total += len(house.acknowledged)
    house.acknowledged.clear()


async def killed(folder: Path, tables: int, kills: int, rate: float) -> House:
    """Play, and kill the server so many times."""
    house, random = House(pause=tables / rate), Random(SEED)
    players = prepared(ServerSettings(data=folder), house, tables)
    playing = [asyncio.create_task(player.run()) for player in players]
    try:
        for _ in range(kills + 1):
            begins = now_ms()
            server = await asyncio.to_thread(Server, folder, None, "--limits", "off")
            try:
                await begun_again(house, server.url, players, playing)
                began, before = time.monotonic(), len(house.acknowledged)
                await asyncio.sleep(random.uniform(0, 1.5))
                seconds, count = house.busy
                house.busy = seconds + time.monotonic() - began, count + len(house.acknowledged) - before
            finally:
                await asyncio.to_thread(server.kill)
            house.served.append((begins, now_ms()))
            look_for(folder, house)
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    return house


def check_game(house: House, storage: Storage, address: str) -> None:
    """The journal is without gaps and legal, and nobody was charged for a time without a server."""
    stored = GameRepository(storage.engine).load(address)
    assert stored is not None
    game, there = OnlineGame.open(stored.terms, stored.opened_ms), [0, 0]
    for entry in stored.entries:
        if game.begun and not game.over:
            for begin, end in house.served:
                there[game.to_move] += max(0, min(end, entry.at_ms) - max(begin, game.at))
        game, _ = happen(game, entry.event, entry.at_ms)
    clock = game.game.clock
    if clock is not None:
        for side in Side:
            assert CONTROL.initial_ms - clock.remaining(side, game.at) <= there[side], (address, side)


@pytest.mark.parametrize(("tables", "kills", "rate"), [(4, 1, 30), pytest.param(60, 200, 300, marks=pytest.mark.long)])
def test_kills_under_moves_of_many_people(tmp_path: Path, tables: int, kills: int, rate: float) -> None:
    house = run_async(killed(tmp_path, tables, kills, rate))
    storage = Storage.open(ServerSettings(data=tmp_path))
    try:
        for address in house.games:
            check_game(house, storage, address)
    finally:
        storage.close()
    seconds, count = house.busy
    print(
        f"{kills} kills, {len(house.games)} games, {house.total} acknowledged, {count / seconds:.0f} a second; ", end=""
    )
    print(f"all tables went on {house.slowest:.1f} s after a start at most")
    assert house.total > 2 * kills * tables
