"""Many people at many tables who play over live connections, whatever becomes of the servers.

Every player follows by a live connection, moves at the pace of the test, sends what has no answer again, and plays a
rematch when a game is over.
"""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.site_names import Site
from korgool.app.server.http.visitors import Visitors
from korgool.app.server.play.commands import new_game
from korgool.app.server.storage.database import Storage
from korgool.conduct import TimeControl
from korgool.live import GameTerms, Seat, SeatKind
from korgool.rules import GAMES, Side
from tests.conftest import SEED
from tests.patience import PATIENCE

from .support import Json

CONTROL = TimeControl(1_800_000)


@dataclass
class House:
    """What the players of all games share.

    Attributes:
        url: where the server is at the moment, without its protocol.
        pause: seconds for which a player thinks, on average.
        acknowledged: game, side, id and version of every acknowledged move that has not been looked for on disk yet.
        alive: the tables at which something was acknowledged since the last start.
        games: the addresses of all games.
        served: from when to when a server was there, in milliseconds since 1970.
        total: how many moves were acknowledged.
        busy: seconds in which all tables played, and how many moves were acknowledged in them.
        slowest: the most seconds from a start or a kill of a server until all tables went on.
    """

    pause: float
    url: str = ""
    acknowledged: list[tuple[str, int, str, int]] = field(default_factory=list)
    alive: set[int] = field(default_factory=set)
    games: set[str] = field(default_factory=set)
    served: list[tuple[int, int]] = field(default_factory=list)
    total: int = 0
    busy: tuple[float, int] = (0.0, 0)
    slowest: float = 0.0


class Player:
    """One of two people at a table."""

    def __init__(self, house: House, table: int, address: str, side: Side, cookie: str) -> None:
        self.house, self.table, self.address, self.side = house, table, address, side
        self.cookie = cookie
        self.random = Random(f"{SEED} {table} {side}")
        self.state: Json | None = None
        self.unanswered: Json | None = None
        self.said = 0
        self.socket: ClientConnection | None = None
        self.thinking: asyncio.TimerHandle | None = None

    async def run(self) -> None:
        try:
            await self._play()
        finally:
            if self.thinking is not None:
                self.thinking.cancel()

    async def _play(self) -> None:
        while True:
            with suppress(WebSocketException, OSError, EOFError, TimeoutError):
                since = "" if self.state is None else f"?since={self.state['version']}"
                url = f"ws://{self.house.url}/api/games/{self.address}/live{since}"
                async with connect(url, additional_headers={"cookie": self.cookie}, compression=None) as self.socket:
                    await self._send()
                    async for text in self.socket:
                        self.hear(json.loads(text))
                        if self.state is not None and self.state.get("rematch"):
                            self._go_to(self.state["rematch"])
                            break
            await asyncio.sleep(self.random.uniform(0.02, 0.1))

    def _go_to(self, address: str) -> None:
        self.address, self.state, self.unanswered = address, None, None
        self.side = self.side.other
        self.house.games.add(address)

    def hear(self, message: Json) -> None:
        kind = message.get("kind")
        if "ack" in message or "refused" in message:
            self.answered(message)
        elif kind == "state":
            told = message["state"]
            self.state = {name: told[name] for name in ("version", "turn", "legal", "rematch")}
            self.state["over"] = bool(told["outcome"] or told["aborted"])
        elif "version" in message:
            assert self.state is not None
            assert message["version"] == self.state["version"] + 1, (self.state, message)
            self.state |= {name: message[name] for name in ("version", "turn", "legal") if name in message}
            self.state["over"] |= "outcome" in message or kind == "abort"
            self.state["rematch"] = message.get("game")
        if self.thinking is None and self.unanswered is None:
            wait = self.random.expovariate(1 / self.house.pause)
            self.thinking = asyncio.get_running_loop().call_later(wait, self.act)

    def answered(self, message: Json) -> None:
        name = message.get("ack") or message["refused"]
        if self.unanswered is None or self.unanswered["id"] != name:
            return
        if message.get("status") == 503:
            return  # it is sent again with the next connection
        if "ack" in message:
            if self.unanswered["do"] == "move":  # a rematch that the opponent has made leaves no row
                self.house.acknowledged.append((self.address, self.side, name, message["version"]))
            self.house.alive.add(self.table)
        self.unanswered = None

    def act(self) -> None:
        """Move if it is this player's turn, or ask for a rematch."""
        self.thinking = None
        state = self.state
        if state is None or self.unanswered is not None:
            return
        self.said += 1
        name = f"{self.side}-{self.said}"
        if state["over"]:
            self.unanswered = {"do": "rematch", "id": name}
        elif state["turn"] == ("white", "black")[self.side] and state["legal"]:
            hole = self.random.choice(state["legal"])
            self.unanswered = {"do": "move", "id": name, "hole": hole, "version": state["version"]}
        self.sending = asyncio.get_running_loop().create_task(self._send())

    async def _send(self) -> None:
        if self.unanswered is not None and self.socket is not None:
            with suppress(WebSocketException, OSError):
                await self.socket.send(json.dumps(self.unanswered))


def prepared(settings: ServerSettings, house: House, tables: int) -> list[Player]:
    """Tables in a new database, and their players."""
    storage = Storage.open(settings)
    visitors = Visitors(storage.secret(), Site(settings))
    players = []
    for table in range(tables):
        people, address = (f"w{table:021}", f"b{table:021}"), f"table{table:07}"
        seats = Seat(SeatKind.PERSON, people[0]), Seat(SeatKind.PERSON, people[1])
        rules = list(GAMES.values())[table % len(GAMES)]
        storage.writer.submit(new_game(address, GameTerms(rules, seats, CONTROL), now_ms())).result(PATIENCE)
        house.games.add(address)
        for side in Side:
            cookie = f"{visitors.cookie_name}={people[side]}.{visitors._sign(people[side])}"
            players.append(Player(house, table, address, side, cookie))
    storage.close()
    return players


def before_the_engine(settings: ServerSettings, house: House, strength: int) -> Player:
    """Somebody who plays the engine at a table by itself."""
    storage = Storage.open(settings)
    visitors = Visitors(storage.secret(), Site(settings))
    person, address = f"e{0:021}", "engine000000"
    seats = Seat(SeatKind.PERSON, person), Seat(SeatKind.ENGINE, strength=strength)
    storage.writer.submit(new_game(address, GameTerms(GAMES["toguz"], seats, CONTROL), now_ms())).result(PATIENCE)
    storage.close()
    house.games.add(address)
    return Player(house, 0, address, Side.WHITE, f"{visitors.cookie_name}={person}.{visitors._sign(person)}")


async def begun_again(house: House, url: str, players: list[Player], playing: list[asyncio.Task[None]]) -> None:
    """Wait until something was acknowledged at every table."""
    house.alive.clear()
    house.url, started = url.removeprefix("http://"), time.monotonic()
    while len(house.alive) < len(players) // 2:
        await asyncio.sleep(0.02)
        stuck = [player for player in players if player.table not in house.alive]
        assert time.monotonic() < started + PATIENCE, [(player.state, player.unanswered) for player in stuck[:8]]
        for task in playing:
            if task.done():
                task.result()
    house.slowest = max(house.slowest, time.monotonic() - started)
