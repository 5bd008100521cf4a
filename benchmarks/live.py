"""What games between people cost a server: moves, watchers, idle connections, a start with many games, flags.

    python benchmarks/live.py [moves|watchers|idle|start|flags]… [--games N] [--pace N] [--database URL]

Everything runs on this machine and shares its processors with the clients. So that figures mean something elsewhere,
`moves` sends the same traffic through an echo server of the same stack, and `flags` measures bare timers in the same
run; the ratios are what to compare. With `--pace N`, `moves` offers so many moves a second at moments fixed beforehand,
and a move that is late because the one before it was counts from the moment at which it was due. Connections and moves
are measured after the server has finished packing its files, which takes half a second of processor time once after the
start.
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
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from korgool import live
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.http.site_names import Site
from korgool.app.server.http.visitors import Visitors
from korgool.app.server.play.commands import entries_of, new_game
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.writer import Commit
from korgool.conduct import TimeControl
from korgool.live import GameTerms, Seat, SeatKind
from korgool.rules import TOGUZ_KORGOOL, Side

ECHO = """
import asyncio, sys
import uvicorn

async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": message["type"] + ".complete"})
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": message["text"]})

uvicorn.run(app, port=int(sys.argv[1]), ws="websockets-sansio", log_level="error", ws_per_message_deflate=False)
"""


SIZES: list[int] = []


def percentile(times: list[float], share: float) -> float:
    """Milliseconds under which this share of the times lies."""
    return 1000 * sorted(times)[min(len(times) - 1, int(share * len(times)))]


def cpu(process: subprocess.Popen[Any]) -> float:
    """Seconds of the processor that a process has used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Place:
    """A database with games between people, and a server over it."""

    def __init__(self, database: str | None, games: int, control: str = "10+5", *, begun: bool = False) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._database = database
        settings = ServerSettings(data=Path(self._folder.name), database=database)
        storage = Storage.open(settings)
        self._visitors = Visitors(storage.secret(), Site(settings))
        now = time.time_ns() // 1_000_000
        run = f"{random.getrandbits(24):06x}"
        self.games = []
        for number in range(games):
            people = f"w{number:021}", f"b{number:021}"
            terms = GameTerms(
                TOGUZ_KORGOOL,
                (Seat(SeatKind.PERSON, people[0]), Seat(SeatKind.PERSON, people[1])),
                TimeControl.parse(control),
            )
            commit = new_game(f"{run}{number:06}", terms, now)
            storage.writer.submit(commit)
            assert commit.after is not None
            if begun:
                _play_on(storage, commit.game, commit.after, now)
            self.games.append((commit.game, *people))
        storage.close()

    def serve(self) -> None:
        """Start the server, without limits."""
        command = [sys.executable, "-m", "korgool", "serve", "--port", "0", "--limits", "off"]
        command += ["--data", self._folder.name]
        if self._database is not None:
            command += ["--database", self._database]
        around = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=around)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip().rstrip("/")

    def socket(self, game: str, who: str | None = None) -> connect:
        """A live connection of a person, or of a watcher."""
        headers = {}
        if who is not None:
            headers["cookie"] = f"{self._visitors.cookie_name}={who}.{self._visitors._sign(who)}"
        address = f"{self.url.replace('http', 'ws', 1)}/api/games/{game}/live"
        return connect(address, additional_headers=headers, compression=None, ping_interval=None, max_queue=None)

    def cpu(self) -> float:
        """Seconds of the processor that the server has used."""
        return cpu(self.process)

    async def calm(self) -> None:
        """Return when the server has nothing to do any more."""
        used = -1.0
        while self.cpu() - used > 0.03:
            used = self.cpu()
            await asyncio.sleep(1)

    def memory(self) -> float:
        """MiB that the server has in memory."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20

    def end(self) -> None:
        """Stop the server."""
        self.process.terminate()
        self.process.wait()

    def stop(self) -> None:
        """Stop the server and remove its data."""
        self.end()
        self._folder.cleanup()


def _play_on(storage: Storage, address: str, game: live.OnlineGame, now: int) -> None:
    """Let both players come and make a move each."""
    commands: list[live.Command] = [live.Join(Side.WHITE), live.Join(Side.BLACK), live.MakeMove(Side.WHITE, 7, 3)]
    for command in commands:
        decision = live.decide(game, command, now)
        assert isinstance(decision, live.Decision), decision
        storage.writer.submit(Commit(address, entries_of(game, decision, None, None), decision.after))
        game = decision.after


async def until(socket: ClientConnection, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The first message that is wanted; `SIZES` notes how many bytes events of moves have."""
    while True:
        text = await socket.recv()
        message: dict[str, Any] = json.loads(text)
        if message.get("kind") == "move":
            SIZES.append(len(text))
        if "refused" in message:
            raise SystemExit(f"refused: {message}")
        if wanted(message):
            return message


def move_after(version: int) -> Callable[[dict[str, Any]], bool]:
    """Whether a message is a move after a version."""
    return lambda said: said.get("kind") == "move" and said["version"] > version


class Pace:
    """When things are due: with a rate, so many a second in all connections together, evenly spread; otherwise at once.

    Attributes:
        began: set when all are ready, as of `time.perf_counter`.
    """

    def __init__(self, connections: int, rate: float | None) -> None:
        self._connections = connections
        self._rate = rate
        self.began = asyncio.get_running_loop().create_future()

    async def due(self, connection: int, number: int) -> float:
        """Wait until this connection's thing of this number is due, and return when it was."""
        began: float = await self.began
        if self._rate is None:
            return time.perf_counter()
        due = began + (number * self._connections + connection) / self._rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        return due


async def play(place: Place, number: int, plies: int, pace: Pace, ready: list[str]) -> list[float]:
    """Both sides of a game; the seconds from each move to the opponent's page."""
    game = place.games[number]
    address, white, black = game
    async with place.socket(address, white) as one, place.socket(address, black) as other:
        message = await until(
            one, lambda said: said.get("kind") == "begin" or (said.get("kind") == "state" and said["state"]["begun"])
        )
        version, turn = message["version"], "white"
        legal = message.get("legal") or message["state"]["legal"]
        ready.append(address)
        choices, times = random.Random(address), []
        for ply in range(plies):
            mover, waiting = (one, other) if turn == "white" else (other, one)
            said = {"do": "move", "hole": choices.choice(legal), "version": version, "id": f"m{ply}"}
            began = await pace.due(number, ply)
            await mover.send(json.dumps(said))
            told = await until(waiting, move_after(version))
            times.append(time.perf_counter() - began)
            if "outcome" in told:
                break
            version, legal, turn = told["version"], told["legal"], told["turn"]
        return times


async def measure_moves(place: Place, plies: int = 60, rate: float | None = None) -> None:
    """Moves a second, processor time a move, and the way from move to opponent."""
    await place.calm()
    pace, ready = Pace(len(place.games), rate), list[str]()
    playing = [asyncio.create_task(play(place, game, plies, pace, ready)) for game in range(len(place.games))]
    while len(ready) < len(place.games):
        await asyncio.sleep(0.05)
    before, began = place.cpu(), time.perf_counter()
    pace.began.set_result(began)
    times = [one for game in await asyncio.gather(*playing) for one in game]
    spent, used = time.perf_counter() - began, place.cpu() - before
    speed = f"{len(times) / spent:.0f} moves/s" + ("" if rate is None else f" of {rate:g} offered")
    print(f"{len(place.games)} games: {speed}, {1000 * used / len(times):.2f} ms CPU a move")
    print(f"bytes of a move's event: {sum(SIZES) / len(SIZES):.0f} on average, {max(SIZES)} at most")
    p50, p99 = percentile(times, 0.5), percentile(times, 0.99)
    print(f"from move to opponent: p50 {p50:.1f} ms, p99 {p99:.1f} ms")
    await measure_echo(len(place.games), plies, rate, (p50, p99, used / len(times)))


async def measure_echo(connections: int, messages: int, rate: float | None, ours: tuple[float, float, float]) -> None:
    """The same number of messages to and fro, at the same pace, through an echo server of the same stack."""
    port = random.randrange(20_000, 60_000)
    server = subprocess.Popen([sys.executable, "-c", ECHO, str(port)])
    try:
        await _reachable(port)
        pace, ready = Pace(connections, rate), list[int]()

        async def talk(number: int) -> list[float]:
            async with connect(f"ws://127.0.0.1:{port}/", compression=None, ping_interval=None) as socket:
                ready.append(number)
                times = []
                for message in range(messages):
                    began = await pace.due(number, message)
                    await socket.send("x" * 400)
                    await socket.recv()
                    times.append(time.perf_counter() - began)
                return times

        talking = [asyncio.create_task(talk(number)) for number in range(connections)]
        while len(ready) < connections:
            await asyncio.sleep(0.05)
        before, began = cpu(server), time.perf_counter()
        pace.began.set_result(began)
        times = [one for some in await asyncio.gather(*talking) for one in some]
        spent, used = time.perf_counter() - began, (cpu(server) - before) / len(times)
        p50, p99 = percentile(times, 0.5), percentile(times, 0.99)
        print(
            f"echo server: {len(times) / spent:.0f} messages/s, {1000 * used:.2f} ms CPU a message, "
            f"p50 {p50:.1f} ms, p99 {p99:.1f} ms"
        )
        ratios = [one / other for one, other in zip(ours, (p50, p99, used), strict=True)]
        print(f"ratios to it: {ratios[2]:.1f} of the CPU, {ratios[0]:.1f} of the p50, {ratios[1]:.1f} of the p99")
    finally:
        server.terminate()
        server.wait()


async def _reachable(port: int) -> None:
    for _ in range(200):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return
    raise SystemExit("the echo server did not start")


async def measure_watchers(place: Place, watchers: int = 1000) -> None:
    """Bytes sent to so many watchers for each ply."""
    game = place.games[0][0]
    counted = [0]

    async def watch(socket: ClientConnection) -> None:
        async for message in socket:
            if '"kind":"move"' in str(message):
                counted[0] += len(message)

    sockets = await asyncio.gather(*(_opened(place.socket(game)) for _ in range(watchers)))
    tasks = [asyncio.create_task(watch(socket)) for socket in sockets]
    pace, plies = Pace(1, None), 10
    pace.began.set_result(0.0)
    before = place.cpu()
    times = await play(place, 0, plies, pace, [])
    while True:  # until everybody has heard everything
        heard = counted[0]
        await asyncio.sleep(1)
        if counted[0] == heard:
            break
    used = place.cpu() - before
    each = counted[0] / len(times) / 1e6
    print(f"{watchers} watchers: {each:.2f} MB sent for a ply, {1000 * used / len(times):.0f} ms CPU a ply")
    for task in tasks:
        task.cancel()


async def _opened(socket: connect) -> ClientConnection:
    return await socket


async def measure_idle(place: Place, connections: int = 8000) -> None:
    """Memory for so many connections that hear nothing."""
    await place.calm()
    before, sockets = place.memory(), []
    for first in range(0, connections, 200):
        games = [place.games[number % len(place.games)] for number in range(first, first + 200)]
        sockets += await asyncio.gather(*(_opened(place.socket(game[0])) for game in games))
    await asyncio.sleep(2)
    after = place.memory()
    print(f"{len(sockets)} idle connections: {after:.0f} MiB, {after - before:.0f} of them for the connections")


async def measure_flags(place: Place, seconds: float) -> None:
    """How much later than a bare timer flags fall, with nobody connected but one watcher of each game."""
    late, bare = list[float](), list[float]()

    async def watch(game: str) -> None:
        async with place.socket(game) as socket:
            state = (await until(socket, lambda said: said.get("kind") == "state"))["state"]
            due = state["due"] / 1000
            loop = asyncio.get_running_loop()
            loop.call_later(due - time.time(), lambda: bare.append(time.time() - due))
            told = await until(socket, lambda said: said.get("kind") == "time")
            late.append(told["at"] / 1000 - due)

    async with asyncio.timeout(seconds + 120):
        await asyncio.gather(*(watch(game[0]) for game in place.games))
    ours, timer = percentile(late, 0.99), percentile(bare, 0.99)
    print(
        f"{len(late)} flags: p99 {ours:.0f} ms after the time was up; bare timers {timer:.0f} ms; {ours - timer:+.0f}"
    )


def measure_start(place: Place, runs: int = 5) -> None:
    """Seconds until a server with all these running games answers, and one without games: the least of some starts,
    taken in turns. The first start is not counted, because it makes the database of the other and the files in which
    Python keeps what it has compiled."""
    empty = Place(None, 0)
    least: dict[str, list[float]] = {}
    for run in range(runs + 1):
        for name, one in ((f"with {len(place.games)} running games", place), ("without games", empty)):
            began = time.perf_counter()
            one.serve()
            path = f"api/games/{place.games[run][0]}" if one is place else "healthz"
            httpx.get(f"{one.url}/{path}", timeout=60).raise_for_status()
            answered, used = time.perf_counter() - began, one.cpu()
            httpx.get(f"{one.url}/", timeout=60).raise_for_status()
            figures = [answered, used, time.perf_counter() - began]
            one.end()
            if run:
                least[name] = list(map(min, least.get(name, figures), figures))
    empty.stop()
    for name, (answered, used, page) in least.items():
        print(f"a start {name}: JSON after {answered:.2f} s ({used:.2f} s CPU), the first page after {page:.2f} s")


def main() -> None:
    """Measure what is asked for, or everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", choices=["moves", "watchers", "idle", "start", "flags", []])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument(
        "--pace", type=float, metavar="N", help="moves a second that `moves` offers, in all games together"
    )
    parser.add_argument("--database", default=None)
    options = parser.parse_args()
    parts: dict[str, tuple[int, str, Callable[[Place], Coroutine[Any, Any, None]]]] = {
        "moves": (options.games, "10+5", lambda place: measure_moves(place, rate=options.pace)),
        "watchers": (1, "10+5", measure_watchers),
        "idle": (options.games, "10+5", measure_idle),
        "flags": (options.games, "1+0", lambda place: measure_flags(place, 60)),
    }
    for name, (games, control, measure) in parts.items():
        if not options.what or name in options.what:
            place = Place(options.database, games, control, begun=name in {"flags", "idle"})
            place.serve()
            try:
                asyncio.run(measure(place))
            finally:
                place.stop()
    if not options.what or "start" in options.what:
        place = Place(options.database, 8000, begun=True)
        try:
            measure_start(place)
        finally:
            place.stop()


if __name__ == "__main__":
    main()
