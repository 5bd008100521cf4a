"""Three servers on one PostgreSQL behind a balancer without stickiness, under many moves, while everything is killed.

People at many tables play on, one plays the engine at its highest level, and in some games nobody is there when the
flag falls. Servers and the worker that thinks for the engine are killed at random, PostgreSQL loses its power now and
then, and the bus is cut off. Nothing acknowledged is lost, no move is made twice, every game goes on, the engine
answers each turn once, and flags fall when they have to.

The balancer is one of the test's own, Caddy, or nginx, where they are installed. `KORGOOL_TEST_KILLS` is how often
something is killed, `KORGOOL_TEST_CUT` for how many seconds the bus is cut off the first time; later it is 5.
"""

from __future__ import annotations

import asyncio
import os
import time
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import create_engine, text

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.play.commands import new_game
from korgool.app.server.play.game_repository import GameRepository
from korgool.app.server.storage.database import Storage
from korgool.conduct import TimeControl
from korgool.live import GameTerms, Seat, SeatKind
from korgool.live.journal import Interrupted, Moved
from korgool.rules import TOGUZ_KORGOOL
from tests.conftest import SEED
from tests.patience import PATIENCE
from tests.ports import free_ports

from .balancer import Balancer
from .clusters import Cluster, running_cluster
from .crowds import House, before_the_engine, begun_again, prepared
from .front_balancers import FrontBalancer
from .nats_server import Nats
from .processes import Program
from .support import Server, check_stored, run_async

KILLS = int(os.environ.get("KORGOOL_TEST_KILLS", "40"))
CUT = float(os.environ.get("KORGOOL_TEST_CUT", "5"))
SERVERS = 3
LEVEL = 8
STUCK_MS = 10_000
_LATE_MS = 2_000


class Site:
    """All that runs, and how it is broken."""

    def __init__(self, folder: Path, cluster: Cluster, random: Random, balancer: Balancer | FrontBalancer) -> None:
        self.folder, self.cluster, self.random = folder, cluster, random
        self.nats, self.balancer = Nats(), balancer
        self.ports = free_ports(SERVERS)
        self.servers: list[Server] = []
        self.worker: Program | None = None
        self.queue = ["--engine-queue"] if find_spec("procrastinate") else []
        self.cut = CUT
        self.without: list[tuple[int, int]] = []
        self.counts = {"a server": 0, "the worker": 0, "PostgreSQL": 0, "the bus": 0}
        self.broke: list[int] = []
        self.starved = 0.0

    async def open(self) -> None:
        self.nats.start()
        starts = [asyncio.to_thread(self._server, number) for number in range(SERVERS)]
        self.servers = list(await asyncio.gather(*starts))
        self._work()
        self.balancer.servers = self.ports
        await self.balancer.open()

    async def close(self) -> None:
        for server in self.servers:
            await asyncio.to_thread(server.kill)
        if self.worker is not None:
            self.worker.kill()
        self.nats.kill()
        await self.balancer.close()

    def _server(self, number: int) -> Server:
        folder = self.folder / str(number)
        bus = [] if self.nats.address is None else ["--bus", self.nats.address]
        port = ["--port", str(self.ports[number])]
        return Server(folder, self.cluster.url, "--limits", "off", *port, *bus, *self.queue)

    def _work(self) -> None:
        if self.queue:
            self.worker = Program(["worker", "--database", self.cluster.url, "--threads", "1"])

    async def watch(self) -> None:
        """Note the most seconds for which the machine has let this process wait: servers wait as long."""
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.1)
            self.starved = max(self.starved, time.monotonic() - before - 0.1)

    async def broken(self) -> None:
        """Kill something, and let it come back."""
        what = self.random.choices(list(self.counts), (8, 2 if self.worker else 0, 1, 1))[0]
        self.counts[what] += 1
        self.broke.append(now_ms())
        if what == "a server":
            number = self.random.randrange(SERVERS)
            await asyncio.to_thread(self.servers[number].kill)
            self.servers[number] = await asyncio.to_thread(self._server, number)
        elif what == "the worker":
            assert self.worker is not None
            self.worker.kill()
            await asyncio.to_thread(self.worker.wait)
            self._work()
        elif what == "PostgreSQL":
            began = now_ms()
            await asyncio.to_thread(self.cluster.kill)
            await asyncio.sleep(self.random.choice((0.0, 1.0, 6.0)))
            await asyncio.to_thread(self.cluster.start)
            self.without.append((began, now_ms() + 5_000))
        else:
            self.nats.kill()
            await asyncio.sleep(self.cut)
            self.nats.start()
            self.cut = 5.0


def unattended(site: Site, seconds: float) -> list[tuple[str, int]]:
    """Games in which nobody moves, against the engine: their addresses, and deadlines spread over so many seconds."""
    settings = ServerSettings(database=site.cluster.url)
    storage = Storage.open(settings)
    found = []
    for number in range(20):
        at, left = now_ms(), 1500 * max(1, round(seconds * (number + 1) / 30))  # clocks are told in minutes
        seats = Seat(SeatKind.PERSON, "n" * 22), Seat(SeatKind.ENGINE, strength=1)
        address = f"flag{number:08}"
        commit = new_game(address, GameTerms(TOGUZ_KORGOOL, seats, TimeControl(left)), at)
        storage.writer.submit(commit).result(PATIENCE)
        found.append((address, at + left))
    storage.close()
    return found


def look_for(cluster: Cluster, acknowledged: list[tuple[str, int, str, int]]) -> None:
    """Everything that was acknowledged is in the database, under the version that was told."""
    engine = create_engine(ServerSettings(database=cluster.url).url())
    asked = text("SELECT game_id, side, command, version FROM events WHERE command IS NOT NULL")
    with engine.begin() as connection:
        rows = {(row.game_id, row.side, row.command): row.version for row in connection.execute(asked)}
    engine.dispose()
    for game, side, name, version in acknowledged:
        assert rows.get((game, int(side), name)) == version, f"{name} of {game} was acknowledged as {version}"


async def played(site: Site, house: House, alone: House, tables: int, kills: int) -> list[tuple[str, int]]:
    """Play, and break something so many times."""
    settings = ServerSettings(database=site.cluster.url)
    players = await asyncio.to_thread(prepared, settings, house, tables)
    lonely = await asyncio.to_thread(before_the_engine, settings, alone, LEVEL)
    await site.open()
    url = f"http://127.0.0.1:{site.balancer.port}"
    alone.url = url.removeprefix("http://")
    flags = await asyncio.to_thread(unattended, site, 4.0 * kills)
    playing = [asyncio.create_task(player.run()) for player in (*players, lonely)]
    watching = asyncio.create_task(site.watch())
    try:
        await begun_again(house, url, players, playing)
        for _ in range(kills):
            began, before = time.monotonic(), len(house.acknowledged)
            await asyncio.sleep(site.random.uniform(0.5, 2))
            seconds, count = house.busy
            house.busy = seconds + time.monotonic() - began, count + len(house.acknowledged) - before
            await site.broken()
            await begun_again(house, url, players, playing)
            for room in (house, alone):
                acknowledged, room.acknowledged = room.acknowledged, []
                await asyncio.to_thread(look_for, site.cluster, acknowledged)
                room.total += len(acknowledged)
    finally:
        for task in (*playing, watching):
            task.cancel()
        await asyncio.gather(*playing, watching, return_exceptions=True)
    late = time.monotonic() + PATIENCE
    while not await asyncio.to_thread(all_fallen, site, flags):
        assert time.monotonic() < late, "a flag has not fallen"
        await asyncio.sleep(0.5)
    return flags


def all_fallen(site: Site, flags: list[tuple[str, int]]) -> bool:
    engine = create_engine(ServerSettings(database=site.cluster.url).url())
    with engine.begin() as connection:
        open_ones = connection.scalar(text("SELECT count(*) FROM games WHERE id LIKE 'flag%' AND termination IS NULL"))
    engine.dispose()
    return int(open_ones or 0) == 0


@pytest.mark.long
@pytest.mark.parametrize("name", ["own", "caddy", "nginx"])
def test_everything_is_killed_behind_a_balancer(tmp_path: Path, name: str) -> None:
    random, tables, rate = Random(SEED), 60, 300
    balancer = Balancer() if name == "own" else FrontBalancer(name, tmp_path / name)
    with running_cluster() as cluster:
        house, alone = House(pause=tables / rate), House(pause=1.0)
        site = Site(tmp_path, cluster, random, balancer)

        async def run() -> list[tuple[str, int]]:
            try:
                return await played(site, house, alone, tables, KILLS)
            finally:
                await site.close()

        flags = run_async(run())
        storage = Storage.open(ServerSettings(database=cluster.url))
        try:
            for address in (*house.games, *alone.games):
                check_stored(GameRepository(storage.engine).load(address))
            worst = max(lateness(storage, site, *flag) for flag in flags)
            longest, stuck = map(max, zip(*(answers(storage, site, address) for address in alone.games), strict=True))
        finally:
            storage.close()
    seconds, count = house.busy
    print(f"killed: {site.counts}; {len(house.games)} games, {house.total} moves acknowledged, ", end="")
    print(f"{count / seconds:.0f} a second; all tables went on after {house.slowest:.1f} s at most, ", end="")
    print(f"flags {worst / 1000:.1f} s late at most; the engine answered {alone.total} moves, ", end="")
    print(f"within {longest / 1000:.1f} s, ", end="")
    print(f"and {stuck / 1000:.1f} s after something was broken; the machine let others wait for {site.starved:.1f} s")
    assert house.total > 2 * KILLS * tables
    assert alone.total > KILLS / 4
    assert stuck <= STUCK_MS + 3000 * site.starved
    assert worst <= _LATE_MS + 3000 * site.starved


def lateness(storage: Storage, site: Site, address: str, due: int) -> int:
    """How many milliseconds after its time a flag has fallen while there was a database; outages have shifted it."""
    stored = GameRepository(storage.engine).load(address)
    assert stored is not None
    due += sum(entry.event.ms for entry in stored.entries if isinstance(entry.event, Interrupted))
    ended = stored.entries[-1].at_ms
    assert stored.entries[-1].kind == "time"
    if any(began - 1_000 <= due <= until for began, until in site.without):
        return 0
    return ended - due


def answers(storage: Storage, site: Site, address: str) -> tuple[int, int]:
    """The most milliseconds for which the engine has let somebody wait, but for the time without a database: in all,
    and since something was last broken."""
    stored = GameRepository(storage.engine).load(address)
    assert stored is not None
    longest, since_broken, asked = 0, 0, stored.opened_ms
    for entry in stored.entries:
        if not isinstance(entry.event, Moved):
            continue
        if entry.side is not None and not stored.terms.by_engine(entry.side):
            asked = entry.at_ms
            continue
        longest = max(longest, _served(site, asked, entry.at_ms))
        broken = [began for began in site.broke if asked < began < entry.at_ms]
        since_broken = max(since_broken, _served(site, max([asked, *broken]), entry.at_ms))
    return longest, since_broken


def _served(site: Site, began: int, ended: int) -> int:
    return ended - began - sum(max(0, min(ended, until) - max(began, since)) for since, until in site.without)
