"""What several server processes on one PostgreSQL cost against one: moves a second, processor time, commits.

    python benchmarks/processes.py --database URL [--tables N] [--seconds S] [--rate R] [--bus BUS]

People play at N tables over live connections, White and Black at different processes where there are several, and move
as soon as they may, or so often that R moves a second come of it. The database should be empty and nobody else's. The
players run on the same machine, so without processors to spare only the processor time of a move says something.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import httpx
from server import cpu_seconds, percentile
from sqlalchemy import create_engine, text
from websockets.asyncio.client import connect

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.site_names import Site
from korgool.app.server.http.visitors import Visitors
from korgool.app.server.play.commands import new_game
from korgool.app.server.storage.database import Storage
from korgool.conduct import TimeControl
from korgool.live import GameTerms, Seat, SeatKind
from korgool.rules import TOGUZ_KORGOOL, Side


@dataclass
class Measured:
    """What one run says."""

    moves: float
    cpu_ms: float
    commits: float
    median_ms: float

    def __str__(self) -> str:
        return (
            f"{self.moves:7.0f} moves/s, {self.cpu_ms:6.3f} ms CPU of servers a move,"
            f" {self.commits:6.0f} commits/s of PostgreSQL, p50 {self.median_ms:6.1f} ms"
        )


@contextmanager
def servers(count: int, database: str, bus: str | None) -> Iterator[list[tuple[str, int]]]:
    """So many processes; their addresses and ids."""
    command = [sys.executable, "-m", "korgool", "serve", "--port", "0", "--limits", "off", "--database", database]
    command += [] if bus is None else ["--bus", bus]
    with tempfile.TemporaryDirectory() as folder:
        started = [
            subprocess.Popen([*command, "--data", folder], stdout=subprocess.PIPE, text=True) for _ in range(count)
        ]
        try:
            found = []
            for one in started:
                assert one.stdout is not None
                found.append((one.stdout.readline().strip().rstrip("/"), one.pid))
                httpx.get(found[-1][0], timeout=60).raise_for_status()
            yield found
        finally:
            for one in started:
                one.terminate()
            for one in started:
                one.wait()


def tables(database: str, count: int) -> list[tuple[str, tuple[str, str]]]:
    """New games between people, and the cookies of White and Black."""
    settings = ServerSettings(database=database)
    storage = Storage.open(settings)
    visitors = Visitors(storage.secret(), Site(settings))
    found = []
    for number in range(count):
        people = (f"w{number:021}", f"b{number:021}")
        address = f"{random.getrandbits(48):012x}"
        seats = Seat(SeatKind.PERSON, people[0]), Seat(SeatKind.PERSON, people[1])
        commit = new_game(address, GameTerms(TOGUZ_KORGOOL, seats, TimeControl(3_600_000)), now_ms())
        storage.writer.submit(commit).result(60)
        cookies = [f"{visitors.cookie_name}={who}.{visitors._sign(who)}" for who in people]
        found.append((address, (cookies[0], cookies[1])))
    storage.close()
    return found


async def player(url: str, address: str, side: Side, cookie: str, pause: float, until: float) -> list[float]:
    """Play one side; the seconds from each move to its acknowledgement."""
    times: list[float] = []
    name, own, sent = 0, ("white", "black")[side], 0.0
    live = f"{url.replace('http', 'ws', 1)}/api/games/{address}/live"
    async with connect(live, additional_headers={"cookie": cookie}, compression=None) as socket:
        while (left := until - time.perf_counter()) > 0:
            try:
                async with asyncio.timeout(left):
                    message = json.loads(await socket.recv())
            except TimeoutError:
                break
            if "ack" in message:
                times.append(time.perf_counter() - sent)
            state = message.get("state", message)
            if state.get("turn") == own and state.get("legal") and not state.get("outcome"):
                if pause:
                    await asyncio.sleep(random.expovariate(1 / pause))
                name, sent = name + 1, time.perf_counter()
                move = {"do": "move", "id": f"{own}{name}", "hole": random.choice(state["legal"])}
                await socket.send(json.dumps(move | {"version": message["version"]}))
    return times


def commits_of(database: str) -> int:
    """How many transactions the database has committed."""
    engine = create_engine(ServerSettings(database=database).url())
    with engine.connect() as connection:
        query = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
        found = connection.scalar(text(query))
    engine.dispose()
    return int(found or 0)


def at_rest(processes: list[int]) -> float:
    """The processor time of the servers when they have done all that a start needs."""
    used = -1.0
    while (now := sum(map(cpu_seconds, processes))) > used + 0.1 * len(processes):
        used = now
        time.sleep(2)
    return now


def measure(count: int, options: argparse.Namespace) -> Measured:
    """Play with so many processes."""
    games = tables(options.database, options.tables)
    pause = options.tables / options.rate if options.rate else 0.0

    async def play(urls: list[str]) -> list[list[float]]:
        until = time.perf_counter() + options.seconds
        return await asyncio.gather(
            *(
                player(urls[(number + side) % len(urls)], address, side, cookies[side], pause, until)
                for number, (address, cookies) in enumerate(games)
                for side in Side
            )
        )

    with servers(count, options.database, options.bus) as running:
        cpu = at_rest([process for _, process in running])
        commits, began = commits_of(options.database), time.perf_counter()
        times = [one for own in asyncio.run(play([url for url, _ in running])) for one in own]
        spent = time.perf_counter() - began
        cpu = sum(cpu_seconds(process) for _, process in running) - cpu
        time.sleep(1)  # PostgreSQL counts with a delay
        commits = commits_of(options.database) - commits
    moves = max(1, len(times))
    return Measured(moves / spent, 1000 * cpu / moves, commits / spent, percentile(times, 0.5) if times else 0.0)


def main() -> None:
    """Measure one process and several, and print their ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", required=True, help="a PostgreSQL URL")
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--rate", type=float, default=0.0, help="moves a second; without it as many as there can be")
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--bus", help="as for korgool serve")
    options = parser.parse_args()
    one = measure(1, options)
    print(f"1 process    {one}")
    many = measure(options.processes, options)
    print(f"{options.processes} processes  {many}")
    print(f"ratio        {many.moves / one.moves:.2f} of moves a second, {many.cpu_ms / one.cpu_ms:.2f} of CPU a move")


if __name__ == "__main__":
    main()
