"""Servers killed at random moments of running games: what was acknowledged is on disk, without gaps and legal."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from random import Random

import httpx
import pytest

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.play.game_repository import GameRepository
from korgool.app.server.storage.database import Storage
from tests.conftest import SEED
from tests.patience import PATIENCE, eventually

from .support import Json, Server, Visitor, check_stored, check_stream, first_state, postgresql_database

GAMES = [("toguz", "none"), ("mangala", "10+5"), ("castle", "none"), ("bestemshe", "30+0")]


class Player(threading.Thread):
    """Plays on through every crash, and remembers what it was told."""

    def __init__(self, visitor: Visitor, address: str, seed: int) -> None:
        super().__init__(daemon=True)
        self.visitor, self.address, self.random = visitor, address, Random(seed)
        self.told: dict[int, Json] = {}  # states and events, which both tell the position
        self.ended = False

    def run(self) -> None:
        try:
            while True:
                state = self.visitor.state(self.address)
                self.told[state["version"]] = state
                if state["outcome"]:
                    self.ended = True
                    return
                if not state["legal"]:
                    time.sleep(0.01)  # the engine thinks
                    continue
                version = state["version"]
                if state["can_undo"] and self.random.random() < 0.15:
                    answer = self.visitor.send(self.address, "ask-takeback")
                else:
                    hole = self.random.choice(state["legal"])
                    answer = self.visitor.send(self.address, "move", hole=hole, version=version)
                assert answer.status_code in {200, 409, 422}, answer.text
                if answer.status_code == 200:
                    self.told[answer.json()["version"]] = answer.json()
        except httpx.TransportError:
            return  # the server was killed


def compare(visitor: Visitor, address: str, told: dict[int, Json]) -> int:
    """The journal beside what its player was told before the kills; how many tellings there were."""
    state = visitor.state(address)
    with visitor.live(address, 0) as live:
        events = live.until(state["version"])
    after, compared = first_state(state), 0
    for event in events:
        after = check_stream(after, [event])
        if (then := told.get(event["version"])) is None:
            continue
        assert after["position"] == then["position"]
        if "moves" in then:
            assert after["moves"] == then["moves"]
        else:
            assert then == event
        compared += 1
    return compared


def crash(folder: Path, database: str | None, kills: int) -> int:
    """Kill a server many times, and check after every kill; returns how many told states were compared."""
    settings, random, compared = ServerSettings(data=folder, database=database), Random(SEED), 0
    games: list[tuple[str, str]] = []
    visitor: Visitor | None = None
    remembered: dict[str, dict[int, Json]] = {}
    for kill in range(kills):
        server = Server(folder, database)
        if visitor is None:
            visitor = Visitor(server)
        visitor.move_to(server)
        while len(games) < len(GAMES):
            game, clock = random.choice(GAMES)
            games.append((visitor.new_game(game, random.choice(["white", "black"]), 1, clock), game))
        players = []
        for address, _ in games:
            # A connection of its own: one client is not for several threads.
            browser = Visitor.__new__(Visitor)
            browser.client = httpx.Client(base_url=server.url, timeout=PATIENCE, cookies=visitor.client.cookies)
            players.append(Player(browser, address, random.randrange(10**6)))
        for player in players:
            player.start()
        # So many new states, however long they take, and then at any moment of the next commands.
        wanted = random.randrange(len(games), 10 * len(games))

        def busy(players: list[Player] = players, wanted: int = wanted) -> bool:
            told = sum(len(player.told) - 1 for player in players)
            return told >= wanted or not any(player.is_alive() for player in players)

        eventually(busy, f"{wanted} new states before kill {kill}")
        time.sleep(random.uniform(0, 0.02))
        server.kill()
        for player in players:
            player.join(PATIENCE)
            remembered.setdefault(player.address, {}).update(player.told)
        storage = Storage.open(settings)
        try:
            for player in players:
                after = check_stored(stored := GameRepository(storage.engine).load(player.address))
                assert stored is not None
                assert [entry.version for entry in stored.entries] == list(range(1, after.version + 1))
                assert after.version >= max(remembered[player.address], default=1), f"kill {kill}: a told event is lost"
        finally:
            storage.close()
        for address, game in [(player.address, game) for player, (_, game) in zip(players, games, strict=True)]:
            ended = next(player.ended for player in players if player.address == address)
            if ended or kill == kills - 1:
                games.remove((address, game))
    assert visitor is not None
    server = Server(folder, database)
    try:
        visitor.move_to(server)
        for address, told in remembered.items():
            compared += compare(visitor, address, told)
    finally:
        server.stop()
    return compared


@pytest.mark.first
@pytest.mark.parametrize("kills", [5, pytest.param(50, marks=pytest.mark.long)])
def test_kills_lose_nothing_in_sqlite(tmp_path: Path, kills: int) -> None:
    assert crash(tmp_path, None, kills) > 10 * kills


@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.long)])
def test_kills_lose_nothing_in_postgresql(tmp_path: Path, kills: int) -> None:
    with postgresql_database() as url:
        assert crash(tmp_path, url, kills) > 5 * kills
