"""Moves a second through the server's writer, with group commit and without, and through a whole server.

    python benchmarks/server.py [--games N] [--seconds S] [--database URL]

The first part hands the moves of many games to the writer and waits for the disk, as the server does; with grouping
many games share a transaction, without it each move has its own. The second part is what a move between people costs
of the processor within the server's process, from the command to the events for both players, where one, 4 and 16 games
are played at once: on the event loop and in the thread that writes, without any socket. It is the least of some rounds,
since other programs on the machine only add to it. The third part plays over HTTP on the loopback interface against the
weakest engine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
from websockets.asyncio.client import connect

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.limits import Caller
from korgool.app.server.play.commands import Said, new_game
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.live_session import LiveSession
from korgool.app.server.play.new_game_form import against_engine
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.journal import JournalEntry
from korgool.app.server.storage.writer import Commit, Writer
from korgool.conduct import TimeControl
from korgool.live import Decision, GameTerms, MakeMove, OnlineGame, Seat, SeatKind, decide
from korgool.rules import TOGUZ_KORGOOL, Side


def percentile(times: list[float], share: float) -> float:
    """Milliseconds under which this share of the times lies."""
    return 1000 * sorted(times)[min(len(times) - 1, int(share * len(times)))]


async def write(storage: Storage, games: int, seconds: float) -> tuple[float, list[float], float]:
    """Moves a second, the times of the moves, and moves in a transaction."""
    terms = against_engine(TOGUZ_KORGOOL, "v" * 22, Side.WHITE, 1)
    commits = [new_game(f"{random.getrandbits(40):08x}{number:04}"[-12:], terms, 0) for number in range(games)]
    for commit in commits:
        await storage.write(commit)
    times: list[float] = []
    until = time.perf_counter() + seconds
    before = storage.writer.transactions

    async def go_on(address: str, game: OnlineGame) -> None:
        while (began := time.perf_counter()) < until and not game.over:
            hole = random.choice(game.position.legal_moves())
            decided = decide(game, MakeMove(game.to_move, hole, game.version), 0)
            assert isinstance(decided, Decision)
            entry = JournalEntry(decided.after.version, 0, decided.events[0], game.to_move)
            await storage.write(Commit(address, (entry,), decided.after))
            times.append(time.perf_counter() - began)
            game = decided.after

    began = time.perf_counter()
    await asyncio.gather(*(go_on(commit.game, commit.after) for commit in commits if commit.after is not None))
    spent = time.perf_counter() - began
    return len(times) / spent, times, len(times) / max(1, storage.writer.transactions - before)


def measure_writer(settings: ServerSettings, games: int, seconds: float) -> None:
    """Print the figures of the writer, and the ratio."""
    rates = []
    for most in (500, 1):
        storage = Storage.open(settings)
        storage.writer.close()
        storage.writer = Writer(storage._batch_writer, most=most)
        rate, times, together = asyncio.run(write(storage, games, seconds))
        storage.close()
        rates.append(rate)
        name = "together" if most > 1 else "each by itself"
        waits = f"p50 {percentile(times, 0.5):6.1f} ms, p99 {percentile(times, 0.99):6.1f} ms"
        print(f"{name:15} {rate:8.0f} moves/s, {waits}, {together:5.1f} moves a transaction")
    print(f"{'ratio':15} {rates[0] / rates[1]:8.1f}")


class Sink:
    """A connection whose client takes everything and is never far away."""

    def listen(self, listener: object) -> None:
        """It says nothing."""

    def push(self, message: bytes) -> bool:
        """Take it."""
        return True

    def shut(self, code: int, reason: str) -> None:
        """It is no connection."""

    def lag_ms(self) -> int:
        """A usual way."""
        return 20

    def silent_ms(self) -> int:
        """Heard a moment ago."""
        return 5


async def cost(settings: ServerSettings, together: int, rounds: int = 8, plies: int = 40) -> tuple[float, float]:
    """Seconds of the processor for a move between people, on the event loop and in the thread that writes."""
    storage = Storage.open(settings)
    game_registry = GameRegistry(storage, settings)
    await game_registry.open()
    writing = time.pthread_getcpuclockid(storage.writer._thread.ident or 0)

    async def seated(number: int) -> tuple[LiveSession, tuple[str, str]]:
        people = f"w{number:021}", f"b{number:021}"
        seats = Seat(SeatKind.PERSON, people[0]), Seat(SeatKind.PERSON, people[1])
        running = await game_registry.find(
            await game_registry.create(GameTerms(TOGUZ_KORGOOL, seats, TimeControl.parse("10+5")))
        )
        for who in people:
            running.follow(who, 0, Caller("127.0.0.1", who), Sink())
            await running.join(who)
        return running, people

    async def play_on(running: LiveSession, people: tuple[str, str], chance: random.Random) -> int:
        for ply in range(plies):
            game = running.game
            if game.over:
                return ply
            who, hole = people[game.to_move], chance.choice(game.position.legal_moves())
            await running.perform(who, Said("move", f"m{ply}", hole, game.version), Caller("127.0.0.1", who))
        return plies

    figures = list[tuple[float, float]]()
    for turn in range(rounds):
        games = [await seated(number) for number in range(together)]
        loop, writer = time.thread_time(), time.clock_gettime(writing)
        moves = sum(await asyncio.gather(*(play_on(*game, random.Random(turn)) for game in games)))
        spent = time.thread_time() - loop, time.clock_gettime(writing) - writer
        figures.append((spent[0] / moves, spent[1] / moves))
    await game_registry.close()
    storage.close()
    return min(one for one, _ in figures), min(other for _, other in figures)


def measure_cost(settings: ServerSettings) -> None:
    """Print what a move costs where few are written together."""
    for together in (1, 4, 16):
        loop, writer = asyncio.run(cost(settings, together))
        figures = f"{1000 * loop:8.3f} ms CPU a move on the event loop, {1000 * writer:.3f} in the writer"
        print(f"{f'{together} at once':15} {figures}")


def cpu_seconds(process: int) -> float:
    """CPU time that a process has used so far, where the system tells it (Linux), else 0."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def play(url: str, games: int, seconds: float) -> list[float]:
    """The times of moves over HTTP, against the weakest engine, which answers at once; events come as to a page."""
    times: list[float] = []

    async def visitor() -> None:
        async with httpx.AsyncClient(base_url=url, timeout=60) as client:
            await client.get("/")
            token = client.cookies["csrftoken"]
            form = {"_csrf_token": token, "game": "toguz", "side": "white", "level": "1", "clock": "none"}
            until = time.perf_counter() + seconds
            while time.perf_counter() < until:
                address = (await client.post("/games", data=form)).headers["location"].removeprefix("/games/")
                cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
                live = f"{url.replace('http', 'ws', 1)}api/games/{address}/live?since=0"
                async with connect(live, additional_headers={"cookie": cookies}) as socket:
                    while time.perf_counter() < until:
                        event = json.loads(await socket.recv())
                        if "outcome" in event:
                            break
                        if event.get("turn") == "white":
                            body = {"hole": random.choice(event["legal"]), "version": event["version"]}
                            began = time.perf_counter()
                            path = f"/api/games/{address}/move"
                            (await client.post(path, json=body, headers={"x-csrftoken": token})).raise_for_status()
                            times.append(time.perf_counter() - began)

    await asyncio.gather(*(visitor() for _ in range(games)))
    return times


def measure_server(data: Path, database: str | None, games: int, seconds: float) -> None:
    """Print the figures of a server, its start included."""
    command = [sys.executable, "-m", "korgool", "serve", "--port", "0", "--data", str(data), "--limits", "off"]
    began = time.perf_counter()
    server = subprocess.Popen(
        command + (["--database", database] if database else []), stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    url = server.stdout.readline().strip()
    print(f"{'start':15} {time.perf_counter() - began:8.2f} s to the first answer")
    try:
        httpx.get(url, timeout=60).raise_for_status()  # the first page waits until all is read
        before = cpu_seconds(server.pid)
        times = asyncio.run(play(url, games, seconds))
        spent = cpu_seconds(server.pid) - before
    finally:
        server.terminate()
        server.wait()
    print(
        f"{'over HTTP':15} {len(times) / seconds:8.0f} moves/s, p50 {percentile(times, 0.5):6.1f} ms,"
        f" p99 {percentile(times, 0.99):6.1f} ms (the client shares the machine)"
    )
    if spent:
        print(f"{'CPU':15} {1000 * spent / len(times):8.2f} ms a move with its reply, both told on a live connection")


def main() -> None:
    """Measure, bounded in time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--database", help="a database URL; SQLite in a temporary folder without it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        settings = ServerSettings(data=Path(folder), database=options.database)
        print(f"{options.games} games at once, {settings.url().get_backend_name()}")
        measure_writer(settings, options.games, options.seconds)
        if hasattr(time, "pthread_getcpuclockid"):
            measure_cost(settings)
        measure_server(settings.folder, options.database, min(options.games, 20), options.seconds)


if __name__ == "__main__":
    main()
