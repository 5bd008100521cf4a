"""Two people over a network that delays, cuts and repeats, and a server that is killed: nothing is lost or done twice.

A schedule is made from a seed. At its end what both clients have followed is what the server says and what the journal
replays to, every move that was acknowledged happened once, and every offer was answered at most once.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.site_names import Site
from korgool.app.server.http.visitors import Visitors
from korgool.app.server.play.commands import new_game
from korgool.app.server.play.game_repository import GameRepository
from korgool.app.server.storage.database import Storage
from korgool.conduct import TimeControl
from korgool.live import GameTerms, Manner, Seat, SeatKind
from korgool.rules import GAMES, Side
from tests.conftest import SEED
from tests.patience import PATIENCE, in_time, until

from .support import Json, Server, agrees, check_stored, followed, run_async

PEOPLE = ("white-white-white-white"[:22], "black-black-black-black"[:22])


class Network:
    """A proxy in front of the server: it delays what passes, and cuts connections at any byte."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.target = 0
        self.calm = False
        self._open: set[asyncio.StreamWriter] = set()

    async def start(self) -> int:
        self._server = await asyncio.start_server(self._pass, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    def cut(self) -> None:
        """Cut a connection, or all of them."""
        some = [one for one in self._open if self.random.random() < 0.6]
        for writer in some:
            writer.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        both = {writer, back}
        self._open |= both
        await asyncio.gather(self._pump(reader, back), self._pump(there, writer))
        self._open -= both
        for one in both:
            one.transport.abort()

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(self.random.choice([7, 100, 4096])):
                if not self.calm:
                    await asyncio.sleep(self.random.expovariate(200))
                    if self.random.random() < 0.004:
                        data = data[: len(data) // 2]
                        sink.write(data)
                        break
                sink.write(data)
                await sink.drain()
        sink.transport.abort()


class Tab:
    """A page of a player: it connects again and again, goes on from its version, and repeats what has no answer."""

    def __init__(self, address: str, cookie: str, port: int, name: str, random: Random) -> None:
        self.url = f"ws://127.0.0.1:{port}/api/games/{address}/live"
        self.headers = {"cookie": cookie}
        self.name, self.random = name, random
        self.state: Json | None = None
        self.seen: list[int] = []
        self.unanswered: dict[str, Json] = {}
        self.answers: dict[str, Json] = {}
        self.said = 0
        self.done = asyncio.Event()
        self.news = asyncio.Event()

    async def run(self) -> None:
        while not self.done.is_set():
            url = self.url if self.state is None else f"{self.url}?since={self.state['version']}"
            with suppress(WebSocketException, OSError, EOFError, asyncio.TimeoutError):
                async with asyncio.timeout(5):
                    socket = await connect(url, additional_headers=self.headers, compression=None)
                try:
                    await self._talk(socket)
                finally:
                    await _quietly(socket.close())
            await asyncio.sleep(self.random.uniform(0, 0.05))

    async def _talk(self, socket: ClientConnection) -> None:
        for command in self.unanswered.values():
            await socket.send(json.dumps(command))
        self.socket = socket
        async for text in socket:
            message = json.loads(text)
            if "ack" in message or "refused" in message:
                name = message.get("ack") or message["refused"]
                self.unanswered.pop(name, None)
                if name in self.answers:
                    assert _answer(message) == _answer(self.answers[name]), "the same command got two answers"
                self.answers[name] = message
            elif message.get("kind") == "state":
                if self.state is None or message["version"] >= self.state["version"]:
                    self.state = dict(message["state"])
            elif "version" in message and message["kind"] != "think":
                assert self.state is not None
                assert message["version"] not in self.seen, "an event came twice"
                self.seen.append(message["version"])
                self.state = followed(self.state, message)
            self.news.set()

    async def do_something(self, state: Json) -> None:
        """Move if it is this player's turn, or offer, ask and answer."""
        chance = self.random.random()
        if chance < 0.75 and state["turn"] == state["you"] and not state["outcome"]:
            await self.act("move", hole=self.random.randint(1, state["holes"]), version=state["version"])
        elif chance > 0.8:
            others = ["offer-draw", "decline-draw", "ask-takeback", "accept-takeback", "decline-takeback"]
            await self.act(self.random.choice(others))

    async def act(self, do: str, **values: object) -> None:
        """Say something, sometimes twice."""
        self.said += 1
        name = f"{self.name}{self.said}"
        command = self.unanswered[name] = {"do": do, "id": name, **values}
        with suppress(WebSocketException, OSError, AttributeError):
            for _ in range(self.random.choice([1, 1, 2])):
                await self.socket.send(json.dumps(command))


def _answer(message: Json) -> Json:
    """What must not change when a command is repeated; a refusal also tells the version that the game has by now."""
    return message if "ack" in message else {"refused": message["refused"], "status": message["status"]}


async def _quietly(work: Awaitable[object]) -> None:
    with suppress(Exception):
        await in_time(work, 1)


async def _pause(running: list[asyncio.Task[None]]) -> None:
    """Wait a little; what ended a page is raised here, since a page that has ended hears no more answers."""
    done, _ = await asyncio.wait(running, timeout=0.05, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()


def prepared(folder: Path, random: Random) -> tuple[str, list[str]]:
    """A game between two people in the database, and the cookies of both."""
    settings = ServerSettings(data=folder)
    storage = Storage.open(settings)
    visitors = Visitors(storage.secret(), Site(settings))
    terms = GameTerms(
        GAMES[random.choice(["toguz", "mangala", "castle", "bestemshe"])],
        (Seat(SeatKind.PERSON, PEOPLE[0]), Seat(SeatKind.PERSON, PEOPLE[1])),
        random.choice([None, TimeControl.parse("60+10")]),
        Manner.FRIENDLY,
    )
    storage.writer.submit(new_game("throughfault", terms, now_ms())).result(PATIENCE)
    storage.close()
    return "throughfault", [f"{visitors.cookie_name}={who}.{visitors._sign(who)}" for who in PEOPLE]


async def schedule(folder: Path, seed: int, kills: int) -> tuple[list[Tab], Json]:
    """Play by a schedule; returns the clients and the state that the server says at the end."""
    random = Random(seed)
    address, cookies = prepared(folder, random)
    server = Server(folder, None, "--limits", "off")
    network = Network(random)
    network.target = int(server.url.rsplit(":", 1)[1])
    port = await network.start()
    # White has two tabs.
    tabs = [Tab(address, cookies[side], port, f"{name}-", random) for side, name in ((0, "a"), (1, "b"), (0, "c"))]
    running = [asyncio.create_task(tab.run()) for tab in tabs]
    try:
        step = 0
        while step < 90:
            await asyncio.sleep(random.uniform(0, 0.05))
            tab = random.choice(tabs)
            if tab.state is None or len(tab.unanswered) > 3:
                continue  # however slow the machine is, as much is said
            step += 1
            await tab.do_something(tab.state)
            if random.random() < 0.1:
                network.cut()
            if kills and step % (90 // (kills + 1)) == 45 // (kills + 1):
                server.kill()
                await asyncio.sleep(random.uniform(0, 0.1))
                server = await asyncio.to_thread(Server, folder, None, "--limits", "off")
                network.target = int(server.url.rsplit(":", 1)[1])
        network.calm = True
        async with asyncio.timeout(PATIENCE):
            for _ in range(5):
                network.cut()
                await asyncio.sleep(0.3)
            while any(tab.unanswered or tab.state is None for tab in tabs):
                await _pause(running)
            newest = max(tab.state["version"] for tab in tabs if tab.state)
            while any(tab.state is None or tab.state["version"] < newest for tab in tabs):
                await _pause(running)
        fresh = Tab(address, "", port, "watcher", random)
        watching = asyncio.create_task(fresh.run())
        await until(lambda: fresh.state is not None)
        assert fresh.state is not None
        fresh.done.set()
        watching.cancel()
        return tabs, fresh.state
    finally:
        for tab, task in zip(tabs, running, strict=True):
            tab.done.set()
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        server.kill()


def check_schedule(folder: Path, seed: int, kills: int) -> list[str]:
    """Run a schedule and check its end; returns what happened in the game."""
    tabs, state = run_async(schedule(folder, seed, kills))
    storage = Storage.open(ServerSettings(data=folder))
    try:
        stored = GameRepository(storage.engine).load("throughfault")
    finally:
        storage.close()
    game = check_stored(stored)
    assert stored is not None
    assert list(game.game.moves) == [move["hole"] for move in state["moves"]]
    assert game.version == state["version"]
    names = [(entry.side, entry.command) for entry in stored.entries if entry.command]
    assert len(set(names)) == len(names), "a command happened twice"
    for tab in tabs:
        assert tab.state is not None
        agrees({**tab.state, "claims": state["claims"]}, state)
        for name, answer in tab.answers.items():
            if "ack" in answer:
                entry = next((one for one in stored.entries if one.version == answer["version"]), None)
                assert entry is not None, f"{name} was acknowledged and is not on disk"
    happened = [entry.kind for entry in stored.entries]
    open_offer = {Side.WHITE: False, Side.BLACK: False}
    for entry in stored.entries:
        if entry.kind == "offer-draw" and entry.side is not None:
            assert not open_offer[entry.side], "an offer stands already"
            open_offer[entry.side] = True
        elif entry.kind == "decline-draw" and entry.side is not None:
            assert open_offer[entry.side.other], "an offer was answered twice"
            open_offer[entry.side.other] = False
        elif entry.kind == "move" and entry.side is not None:
            open_offer[entry.side.other] = False  # the player's own offer stands on
        elif entry.kind == "takeback":
            open_offer = {Side.WHITE: False, Side.BLACK: False}
    return happened


@pytest.mark.parametrize(
    "number", [1, *(pytest.param(number, marks=pytest.mark.long) for number in range(300) if number != 1)]
)
def test_a_bad_network_and_kills(tmp_path: Path, number: int) -> None:
    happened = check_schedule(tmp_path, SEED * 1000 + number, kills=number % 3)
    assert len(happened) > 5 or "accept-draw" in happened
