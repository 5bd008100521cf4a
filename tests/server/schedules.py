"""A schedule of the room of play: what two people, their pages, the network and the server do, all from a seed.

The room is the server's own: `GameRegistry`, its running games, the handler of live connections and a database in a
file. `simulated` has the world around it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from litestar.datastructures import State

from korgool.app.server.core import wall_clock
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.principal import visitor
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.http.site_names import Site
from korgool.app.server.http.visitors import Visitors, remember_principal
from korgool.app.server.limits import OFF, Caller
from korgool.app.server.people.sign_in.authentication import Authentication
from korgool.app.server.people.transactions import PeopleTransactions
from korgool.app.server.play.commands import Said, new_game
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.live_session import LiveSession
from korgool.app.server.play.live_socket import follow
from korgool.app.server.storage.journal import StoredGame
from korgool.app.server.storage.writer import Commit
from korgool.conduct import TimeControl
from korgool.live import GameTerms, Manner, OnlineGame, Seat, SeatKind
from korgool.rules import GAMES

from .inside import ADDRESS, GUEST, VISITOR, plain
from .simulated import Disk, Link, SimulatedLoop
from .simulated_pages import Tab
from .support import Json, agrees, run_async

CONTROLS = (None, TimeControl(15_000), TimeControl(60_000), TimeControl(180_000))
"""Without increments: what was used up follows from the times of the journal alone."""
_STEPS = 45
_PATIENCE = 1_000.0
"""Seconds in which everybody hears everything once the network is calm."""


class World:
    """A server that is killed and started again, and the people who play on it.

    Attributes:
        served: from when to when it was there, in milliseconds since 1970.
        kills: how often it was killed.
        unopened: how often that was before anybody had opened the game for a second and a half.
        stored: what was on disk after the last stop.
    """

    def __init__(self, folder: Path, random: Random, loop: SimulatedLoop) -> None:
        self.settings = ServerSettings(data=folder, limits=OFF)
        self.random, self.loop = random, loop
        self.terms = _terms(random)
        self.faults = random.choice((0.0, 0.0, 0.02))
        self.game_registry: GameRegistry | None = None
        self.served: list[tuple[int, int]] = []
        self.kills = self.unopened = 0
        self._opened: int | None = None
        self.tabs = [Tab(self, VISITOR, "a"), Tab(self, GUEST, "b"), Tab(self, VISITOR, "c"), Tab(self, None, "w")]
        self.stored: StoredGame | None = None
        self._people: set[asyncio.Task[None]] = set()
        self._since = 0
        self._links: list[Link] = []
        self.visitors = Visitors("0" * 64, Site(self.settings))

    @property
    def players(self) -> list[Tab]:
        return self.tabs[:3]

    def tabs_of(self, who: str | None) -> list[Tab]:
        return [tab for tab in self.tabs if tab.who == who]

    def task(self, work: Coroutine[Any, Any, None]) -> None:
        """Let people do something until the end of the schedule."""
        task = self.loop.create_task(work, name="people")
        self._people.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._people.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self.loop.errors.append(error)

    def check(self) -> None:
        """Raise what was raised where nobody waited for it."""
        if self.loop.errors:
            raise self.loop.errors[0]

    # The server

    async def start(self, new: Commit | None = None) -> None:
        """A server takes the games up."""
        disk = Disk.open(self.settings)
        assert isinstance(disk, Disk)
        disk.faults = self.faults
        if new is not None:
            disk.writer.submit(new).result()
        self._since = wall_clock.now_ms()
        game_registry = GameRegistry(disk, self.settings)
        self._opened, admit = None, game_registry._admit

        def note(game: LiveSession) -> LiveSession:
            self._opened = wall_clock.now_ms()
            return admit(game)

        game_registry._admit = note  # type: ignore[method-assign]
        self.keeper = Authentication(PeopleTransactions(disk.engine), OFF)
        await game_registry.open()
        self.game_registry = game_registry

    def kill(self) -> None:
        """It is killed at whatever moment this is."""
        assert self.game_registry is not None
        self._gone()
        self.kills += 1
        self.unopened += self._opened is None or wall_clock.now_ms() - self._opened < 1_500
        self.game_registry._closing = True
        assert isinstance(self.game_registry.storage, Disk)
        self.game_registry.storage.kill()
        self._cut()
        for link in self._links:
            link.forget()
        for game in self.game_registry._games.values():
            game.end()
        self._end_tasks()
        self.game_registry = None

    async def stop(self) -> None:
        """It is stopped in order: first the connections, then the games, then the database."""
        assert self.game_registry is not None
        game_registry, self.game_registry = self.game_registry, None
        self._cut()
        for tab in self.tabs:
            if tab.link is not None:
                tab.link._end()
        await asyncio.sleep(0.5)
        await game_registry.close()
        self.stored = game_registry.repository.load(ADDRESS)
        game_registry.storage.close()
        self._gone()
        self._end_tasks()

    def _gone(self) -> None:
        self.served.append((self._since, wall_clock.now_ms()))

    def _cut(self) -> None:
        for tab in self.tabs:
            if tab.link is not None:
                tab.link.cut()

    def _end_tasks(self) -> None:
        for task in asyncio.all_tasks(self.loop):
            if task.get_name() != "people":
                task.cancel()

    async def serve(self, link: Link, who: str | None) -> None:
        """What the server does with a connection."""
        if self.game_registry is None:
            link.shut(1012, "nobody is there")
            return
        self._links.append(link)
        app = SimpleNamespace(state=State({"visitors": self.visitors}))
        socket = link.socket(app)
        remember_principal(socket, visitor(who))
        await follow.fn(socket, ADDRESS, self.game_registry, who, Caller("", who), self.keeper, _asked(link.since))

    def request(self, who: str | None, said: Said) -> asyncio.Task[Json | None]:
        """A request without a live connection; None where no answer comes."""

        async def act(game_registry: GameRegistry | None) -> Json | None:
            if game_registry is None:
                return None
            try:
                answer = await (await game_registry.find(ADDRESS)).act(who, said, Caller("", who))
            except ApiError as problem:
                return {"refused": said.id, "status": problem.status}
            return {"ack": said.id, "version": answer.version}

        return self.loop.create_task(act(self.game_registry), name="server")

    def compare(self, tab: Tab) -> None:
        """Now and then, what a page has followed beside what the server says, if the page has heard everything."""
        games = {} if self.game_registry is None else self.game_registry._games
        running = games.get(ADDRESS)
        if running is not None and tab.state is not None and self.random.random() < 0.1:
            said = plain(running.broadcast.state(tab.who))
            if said["version"] == tab.state["version"]:
                agrees(tab.state, said)

    # The schedule

    async def run(self) -> OnlineGame:
        """Play it; returns the game as the server has it at the end."""
        main = asyncio.current_task()
        assert main is not None
        main.set_name("people")
        await self.start(new_game(ADDRESS, self.terms, wall_clock.now_ms()))
        for tab in self.tabs:
            self.task(tab.run())
        stops = self.random.sample(range(_STEPS), self.random.choice((0, 1, 1, 2)))
        leaves = self.random.choice((-1, -1, -1, self.random.randrange(_STEPS)))
        for step in range(_STEPS):
            await asyncio.sleep(self._pause())
            tab = self._somebody()
            if tab.state is not None and len(tab.unanswered) < 4:
                tab.do_something()
            if self.random.random() < 0.08:
                link = self.random.choice(self.tabs).link
                if link is not None:
                    link.cut()
            if step in stops:
                await self._outage()
            if step == leaves:
                await self._left_alone(self.random.choice((VISITOR, GUEST)))
        return await self._calm()

    def _somebody(self) -> Tab:
        """A player's page, mostly one on which it is their turn."""
        turns = [tab for tab in self.players if tab.state is not None and tab.state["turn"] == tab.state["you"]]
        return self.random.choice(turns if turns and self.random.random() < 0.6 else self.players)

    async def _left_alone(self, who: str) -> None:
        """A player is away for a while, and the opponent claims the game."""
        for tab in self.tabs_of(who):
            tab.away_until = self.loop.seconds + 50
            if tab.link is not None:
                tab.link.cut()
        for _ in range(3):
            await asyncio.sleep(15)
            tab = next(tab for tab in self.players if tab.who != who)
            if tab.state is not None and len(tab.unanswered) < 4:
                tab.act("claim", what="gone")

    def _pause(self) -> float:
        chance = self.random.random()
        mean = 0.05 if chance < 0.5 else 0.4 if chance < 0.95 else 4.0 if chance < 0.995 else 40.0
        return self.random.expovariate(1 / mean)

    async def _outage(self) -> None:
        if self.random.random() < 0.75:
            self.kill()
        else:
            await self.stop()
        await asyncio.sleep(self.random.choice((0.0, 1.0, 90.0)) * self.random.random())
        await self.start()

    async def _calm(self) -> OnlineGame:
        """Wait until everybody has heard everything."""
        assert self.game_registry is not None
        assert isinstance(self.game_registry.storage, Disk)
        self.game_registry.storage.faults = 0.0
        async with asyncio.timeout(_PATIENCE):
            while True:
                running = await self.game_registry.find(ADDRESS)
                versions = {tab.state["version"] if tab.state else -1 for tab in self.tabs}
                if versions == {running.game.version} and not any(tab.unanswered for tab in self.tabs):
                    break
                self.check()
                await asyncio.sleep(0.5)
        self.states = {tab.who: running.broadcast.state(tab.who) for tab in self.tabs}
        await self.stop()
        for task in tuple(self._people):
            task.cancel()
        await asyncio.gather(*self._people, return_exceptions=True)
        return running.game  # a flag may have fallen until the end


def _asked(since: int | None) -> str | None:
    return None if since is None else str(since)


def _terms(random: Random) -> GameTerms:
    """A game of any kind between two people; now and then watchers see it later."""
    control = random.choice(CONTROLS)
    manner = Manner.COMPETITION if control is not None and random.random() < 0.3 else Manner.FRIENDLY
    white, black = Seat(SeatKind.PERSON, VISITOR), Seat(SeatKind.PERSON, GUEST)
    rules = GAMES[random.choice(("toguz", "mangala", "castle", "bestemshe"))]
    return GameTerms(rules, (white, black), control, manner, delay_s=random.choice((0, 0, 20)))


@contextmanager
def _clock(loop: SimulatedLoop) -> Iterator[None]:
    real, wall = wall_clock._elapsed_ns, wall_clock._wall_ns
    wall_clock._elapsed_ns = loop.elapsed_ns
    wall_clock._wall_ns = lambda: wall_clock._START + loop.elapsed_ns()
    try:
        yield
    finally:
        wall_clock._elapsed_ns, wall_clock._wall_ns = real, wall


def play(folder: Path, seed: int) -> tuple[World, OnlineGame, StoredGame]:
    """Play a schedule in a folder that has a database; the world after it, the game at its end, and what is on disk."""
    random = Random(seed)
    loop = SimulatedLoop(random)
    with _clock(loop):
        world = World(folder, random, loop)
        game = run_async(world.run(), lambda: loop)
        world.check()
        assert world.stored is not None
        return world, game, world.stored
