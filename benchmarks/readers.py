"""Readers of a running event's page: how soon each of them has a new result, from one processor.

    python benchmarks/readers.py [--readers N] [--results K] [--boards B]

The server runs on the first processor alone, the readers on the others, each with a connection of its own: they ask for
the page of the round every 1.8 seconds, as the page's script does, with the validator of what they have. One after the
other K results are entered; of each it is told how long after its answer the readers have it. That contains the wait
until a reader asks again, which is spread evenly over the 1.8 seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

import httpx
from server import cpu_seconds, percentile

EVERY = 1.8
"""Seconds between two questions of a page, as `app/server` sets them."""
PASSWORD = "eleven green apples"


class Reader:
    """One connection that asks again and again; when it got which version of the page."""

    def __init__(self, path: str, port: int) -> None:
        self.path, self.port = path, port
        self.tag = ""
        self.seen: dict[str, float] = {}
        self.answers = 0

    async def read(self, until: float, phase: float) -> None:
        """Ask until a moment of the clock, first after a part of the time between two questions."""
        source, sink = await asyncio.open_connection("127.0.0.1", self.port)
        due = time.perf_counter() + phase
        while due < until:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            known = f"if-none-match: {self.tag}\r\n" if self.tag else ""
            sink.write(
                f"GET {self.path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\naccept: text/html\r\n"
                f"accept-encoding: gzip\r\n{known}\r\n".encode()
            )
            await self._answer(source)
            due += EVERY
        sink.close()

    async def _answer(self, source: asyncio.StreamReader) -> None:
        head = (await source.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        status = int(head.split(None, 2)[1])
        fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        if status == 200:
            await source.readexactly(int(fields["content-length"]))
            self.tag = fields["etag"]
            self.seen[self.tag] = time.perf_counter()
        elif status != 304:
            raise RuntimeError(f"a reader was answered {status}")
        self.answers += 1


def event_of(data: str, url: str, boards: int) -> tuple[httpx.Client, str]:
    """A public event with a round that is paired; a client that is its organiser, and its id."""
    command = [sys.executable, "-m", "korgool", "account"]
    where = ["--data", data]
    subprocess.run([*command, "add", "Ann", *where, "--password-stdin"], input=PASSWORD, text=True, check=True)
    token = subprocess.run(
        [*command, "token", "Ann", "--scope", "event", *where], capture_output=True, text=True, check=True
    ).stdout.strip()
    client = httpx.Client(base_url=url, headers={"authorization": f"Bearer {token}"}, timeout=60)
    id_ = client.post("/api/events", json={"name": "Open air", "rounds": 9}).raise_for_status().json()["id"]
    people: list[dict[str, object]] = [
        {"do": "enter", "entry": {"family": f"Player{at:03}", "given": "Aibek", "rating": 2400 - at}}
        for at in range(2 * boards)
    ]
    act(client, id_, people)
    act(client, id_, [{"do": "pair", "round": 1, "lot": "a"}])
    client.put(f"/api/events/{id_}", json={"public": True}).raise_for_status()
    return client, id_


def act(client: httpx.Client, id_: str, actions: list[dict[str, object]]) -> None:
    """Do something at the event, whatever happened since."""
    after = client.get(f"/api/events/{id_}/log", params={"after": 10**9}).raise_for_status().json()["seq"]
    client.post(f"/api/events/{id_}/actions", json={"after": after, "actions": actions}).raise_for_status()


async def measure(client: httpx.Client, id_: str, port: int, readers: int, results: int, pid: int) -> None:
    """Let them read, enter the results, and print what came of it."""
    everybody = [Reader(f"/events/{id_}/rounds/1", port) for _ in range(readers)]
    settle, gap = 4 * EVERY, 4 * EVERY
    until = time.perf_counter() + settle + gap * results
    phases = random.Random(1)
    reading = [asyncio.create_task(one.read(until, settle / 2 * phases.random())) for one in everybody]
    await asyncio.sleep(settle)
    began, before = time.perf_counter(), cpu_seconds(pid)
    asked = sum(one.answers for one in everybody)
    entered: list[float] = []
    for board in range(1, results + 1):
        what: dict[str, object] = {"do": "result", "round": 1, "board": board, "result": "82-60"}
        await asyncio.to_thread(act, client, id_, [what])
        entered.append(time.perf_counter())
        await asyncio.sleep(max(0.0, began + gap * board - time.perf_counter()))
    seconds = time.perf_counter() - began
    share = (cpu_seconds(pid) - before) / seconds
    asked = sum(one.answers for one in everybody) - asked
    await asyncio.gather(*reading)
    versions = sorted(
        {tag for one in everybody for tag in one.seen},
        key=lambda tag: min(one.seen[tag] for one in everybody if tag in one.seen),
    )[-results:]
    for number, (tag, moment) in enumerate(zip(versions, entered, strict=True), 1):
        times = [one.seen[tag] - moment for one in everybody if tag in one.seen]
        print(
            f"result {number}: {len(times)} of {readers} readers; median {percentile(times, 0.5):.0f} ms, "
            f"99 of 100 {percentile(times, 0.99):.0f} ms, the last {1000 * max(times):.0f} ms"
        )
    print(f"{asked / seconds:.0f} answers a second, the server used {share:.2f} of its processor")


def main() -> None:
    """Measure, bounded in time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--readers", type=int, default=2000)
    parser.add_argument("--results", type=int, default=5)
    parser.add_argument("--boards", type=int, default=60)
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    processors = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "korgool", "serve", "--port", "0", "--limits", "off", "--data", folder]
        os.sched_setaffinity(0, processors[:1])  # which the server inherits
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        os.sched_setaffinity(0, processors[1:] or processors)
        assert server.stdout is not None
        try:
            url = server.stdout.readline().strip().rstrip("/")
            client, id_ = event_of(folder, url, options.boards)
            port = int(url.rpartition(":")[2])
            asyncio.run(measure(client, id_, port, options.readers, options.results, server.pid))
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
